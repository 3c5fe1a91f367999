/* cpu-globals.c -- the mapping checker of a cpu device, in the worker: which variables of the
   program's modules regions use.

   A region has no variables of the host but those that are mapped.  A function that it calls finds,
   by name, the worker's own variables: meant for those that are declare target, a mistake for all
   others.  So the writable data of modules that have an image is closed while a region runs, and
   each access is executed alone, as for pages with marks (cpu-watch.c); the host decides what is a
   variable and what may be used.

   A page takes a thousand accesses in a region.  All of this, closing and opening too, takes a
   share of the process's time; behind it the rest is left open until a region starts when there is
   time again.  Nothing is closed while two regions run, and between regions, but for a moment by a
   thread that comes too late.  A fault that nobody has to look at just opens the page, so that
   whoever comes too late does no harm.

   The handler may itself use data of a module: the executable has copies of variables of libraries,
   and in code that AddressSanitizer has changed, most functions read one of these first.  So a
   fault inside of the handler opens the page until the handler returns (gomp_cpu_globals_early,
   _late).

   Only where instructions can be executed alone and all system calls come to the handler
   (cpu-watch-call.c): elsewhere correct programs would fail.

   Everything but _init, _add, _begin and _end runs in signal handlers.  */

#define _GNU_SOURCE 1
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "plugin/cpu-common.h"
#include "plugin/cpu-decode.h"
#include "plugin/cpu-worker.h"
#include "plugin/plugin.h"

#define PAGE ((uint64_t) GOMP_CPU_PAGE)
#define MOST_ENTRIES (GOMP_CPU_ACCESSES / 2)	/* of the list */
#define FEW_PAGES 16		/* of a region that may take many steps */
#define MANY_STEPS 1000
#define FEW_STEPS 4
#define FREE_NS UINT64_C (200000000)	/* of the process ... */
#define SHARE 20		/* ... and this part of its time: most data here is in nobody's question */
#define LONG_NS 1000000		/* what takes longer has lost the processor */
/* So many faults at one address in this time are one that opening its page does not help.  */
#define MOST_MET 1000
#define MET_NS UINT64_C (100000000)

/* Complete before the count says so, and never removed.  */
static struct module
{
  uint64_t start, end;		/* whole pages */
  uint64_t skip_start, skip_end;	/* addresses of functions, which calls use */
  uint8_t *pages;		/* enum gomp_cpu_page, OPEN or WATCHED */
  _Atomic (uint16_t) *xsteps;	/* in this region */
} modules[GOMP_CPU_MOST_GLOBALS] __attribute__ ((section (".bss.rare")));
static _Atomic (unsigned) xnum_modules;
static _Atomic (bool) xclosed;
static _Atomic (uint64_t) xspent_ns, xregion_pages;
static uint64_t started_ns;

/* What the worker began with: these modules stay, and only they are watched.  One that is loaded
   later may be closed while the data of others is being closed and opened.  */
#define MAX_FIRST 256
static struct { uint64_t start, end; } first_modules[MAX_FIRST] __attribute__ ((section (".bss.rare")));
static unsigned num_first;

static bool
protect (struct module *m, uint64_t start, uint64_t end, uint8_t state)
{
  uint64_t first = (start - m->start) / PAGE, n = (end - start) / PAGE;
  bool open = state == GOMP_CPU_PAGE_OPEN;
  /* The state before the page is closed, and behind its opening: who gets a fault sees why.  */
  if (!open)
    gomp_cpu_bytes_put (m->pages + first, n, state);
  if (mprotect ((void *) start, end - start, open ? PROT_READ | PROT_WRITE : PROT_NONE) != 0)
    {
      /* Too many pieces.  Opening everything makes one of them.  */
      if (!open || mprotect ((void *) m->start, m->end - m->start, PROT_READ | PROT_WRITE) != 0)
	return false;
      first = 0;
      n = (m->end - m->start) / PAGE;
    }
  if (open)
    gomp_cpu_bytes_put (m->pages + first, n, state);
  return true;
}

void
gomp_cpu_globals_open (void)
{
  /* Relaxed: the states of the pages tell.  */
  atomic_store_explicit (&xclosed, false, memory_order_relaxed);
  /* Acquire: the modules.  */
  unsigned n = atomic_load_explicit (&xnum_modules, memory_order_acquire);
  for (unsigned i = 0; i < n; i++)
    protect (&modules[i], modules[i].start, modules[i].end, GOMP_CPU_PAGE_OPEN);
}

static bool
is_expensive (void)
{
  /* Relaxed: statistics.  */
  uint64_t spent = atomic_load_explicit (&xspent_ns, memory_order_relaxed);
  return spent > FREE_NS && spent > FREE_NS + (gomp_cpu_now () - started_ns) / SHARE;
}

/* Since SINCE the time went into watching.  */
static void
spend (uint64_t since)
{
  uint64_t took = gomp_cpu_now () - since;
  atomic_fetch_add_explicit (&xspent_ns, took < LONG_NS ? took : LONG_NS, memory_order_relaxed);
}

static int
note_first (struct dl_phdr_info *info, size_t size, void *unused)
{
  (void) size;
  (void) unused;
  if (num_first == MAX_FIRST)
    return 1;
  uint64_t start, end;
  gomp_cpu_module_extent (info, &start, &end);
  first_modules[num_first].start = start;
  first_modules[num_first++].end = end;
  return 0;
}

void
gomp_cpu_globals_init (void)
{
  dl_iterate_phdr (note_first, NULL);
}

static bool
is_first (uint64_t addr)
{
  for (unsigned i = 0; i < num_first; i++)
    if (addr >= first_modules[i].start && addr < first_modules[i].end)
      return true;
  return false;
}

bool
gomp_cpu_globals_add (uint64_t start, uint64_t end, uint64_t skip_start, uint64_t skip_end)
{
  unsigned n = atomic_load_explicit (&xnum_modules, memory_order_relaxed);
  uint64_t pages = (end - start) / PAGE;

  for (unsigned i = 0; i < n; i++)
    if (modules[i].start == start)
      return true;		/* another image of it */
  if (n == GOMP_CPU_MOST_GLOBALS || !is_first (start) || start >= end || start % PAGE != 0
      || end % PAGE != 0 || !gomp_cpu_calls_come ())
    return false;
  uint8_t *tables = mmap (NULL, pages * 3, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (tables == MAP_FAILED)
    return false;
  memset (tables + 2 * pages, GOMP_CPU_PAGE_OPEN, pages);
  modules[n] = (struct module) {
    .start = start, .end = end, .skip_start = skip_start, .skip_end = skip_end,
    .xsteps = (_Atomic (uint16_t) *) tables, .pages = tables + 2 * pages
  };
  if (n == 0)
    started_ns = gomp_cpu_now ();
  /* Release: the module.  */
  atomic_store_explicit (&xnum_modules, n + 1, memory_order_release);
  return true;
}

void
gomp_cpu_globals_begin (bool alone)
{
  unsigned n = atomic_load_explicit (&xnum_modules, memory_order_acquire);
  if (!alone || n == 0 || is_expensive ())
    {
      if (atomic_load_explicit (&xclosed, memory_order_relaxed))
	gomp_cpu_globals_open ();
      return;
    }
  uint64_t since = gomp_cpu_now ();
  atomic_store_explicit (&xregion_pages, 0, memory_order_relaxed);
  atomic_store_explicit (&xclosed, true, memory_order_relaxed);
  for (unsigned i = 0; i < n; i++)
    {
      struct module *m = &modules[i];
      for (uint64_t page = 0; page < (m->end - m->start) / PAGE; page++)
	atomic_store_explicit (&m->xsteps[page], 0, memory_order_relaxed);
      if (!protect (m, m->start, m->end, GOMP_CPU_PAGE_WATCHED))
	protect (m, m->start, m->end, GOMP_CPU_PAGE_OPEN);
    }
  spend (since);
}

void
gomp_cpu_globals_end (void)
{
  if (!atomic_load_explicit (&xclosed, memory_order_relaxed))
    return;
  uint64_t since = gomp_cpu_now ();
  gomp_cpu_globals_open ();
  spend (since);
}

static GOMP_CPU_BARE struct module *
module_of (uint64_t addr)
{
  unsigned n = atomic_load_explicit (&xnum_modules, memory_order_acquire);
  for (unsigned i = 0; i < n; i++)
    if (addr - modules[i].start < modules[i].end - modules[i].start)
      return &modules[i];
  return NULL;
}

bool
gomp_cpu_globals_has (uint64_t addr)
{
  return module_of (addr) != NULL;
}

/* Not by protect: that is what may have got the fault.  */
static GOMP_CPU_BARE bool
protect_early (const struct module *m, uint64_t page, int access)
{
#if defined __x86_64__
  long status = gomp_cpu_raw_call (SYS_mprotect, (long) (m->start + page * PAGE), (long) PAGE, access, 0,
				   0, 0);
  if (status != 0 && access != PROT_NONE)
    status = gomp_cpu_raw_call (SYS_mprotect, (long) m->start, (long) (m->end - m->start), access, 0, 0,
				0);
  return status == 0;
#else
  (void) m;
  (void) page;
  (void) access;
  return false;			/* nothing is closed there */
#endif
}

GOMP_CPU_BARE bool
gomp_cpu_globals_early (uint64_t addr, struct gomp_cpu_watcher *handler)
{
  struct module *m = module_of (addr);
  if (m == NULL)
    return false;
  uint64_t page = (addr - m->start) / PAGE;
  /* Atomic, though by itself: not with code of a sanitizer.  */
  uint8_t *state = &m->pages[page];
  if (handler == NULL && __atomic_load_n (state, __ATOMIC_RELAXED) == GOMP_CPU_PAGE_OPEN)
    return false;
  if (!protect_early (m, page, PROT_READ | PROT_WRITE))
    return false;
  if (handler != NULL && handler->used < sizeof (handler->use) / sizeof (handler->use[0]))
    handler->use[handler->used++] = addr;
  else
    __atomic_store_n (state, (uint8_t) GOMP_CPU_PAGE_OPEN, __ATOMIC_RELAXED);
  return true;
}

GOMP_CPU_BARE void
gomp_cpu_globals_late (struct gomp_cpu_watcher *handler)
{
  for (unsigned i = 0; i < handler->used; i++)
    {
      struct module *m = module_of (handler->use[i]);
      uint64_t page = (handler->use[i] - m->start) / PAGE;
      if (__atomic_load_n (&m->pages[page], __ATOMIC_RELAXED) == GOMP_CPU_PAGE_WATCHED)
	{
	  protect_early (m, page, PROT_NONE);
	  if (!atomic_load_explicit (&xclosed, memory_order_relaxed))
	    protect_early (m, page, PROT_READ | PROT_WRITE);
	}
    }
  handler->used = 0;
}

/* May the access to PAGE of M be looked at alone?  */
static bool
may_step (struct module *m, uint64_t page)
{
  if (is_expensive ())
    {
      gomp_cpu_globals_open ();
      return false;
    }
  /* Relaxed: a budget, which threads that copy meanwhile may spend, too.  */
  uint16_t steps = atomic_fetch_add_explicit (&m->xsteps[page], 1, memory_order_relaxed);
  if (steps == 0)
    atomic_fetch_add_explicit (&xregion_pages, 1, memory_order_relaxed);
  bool many = atomic_load_explicit (&xregion_pages, memory_order_relaxed) <= FEW_PAGES;
  return steps < (many ? MANY_STEPS : FEW_STEPS);
}

static void
look_at (const struct module *m, const struct gomp_cpu_insn *insn, uint64_t addr, uint64_t ip)
{
  unsigned n = insn->size, here = PAGE - addr % PAGE;
  struct gomp_cpu_seen seen = {
    .low = addr, .high = addr + n, .ip = ip, .count = 1, .mark = GOMP_MARK_GLOBAL, .size = n,
    .certain = insn->exact && insn->scalar
  };

  if (addr - m->skip_start < m->skip_end - m->skip_start)
    return;
  if (insn->read && insn->exact)
    {
      unsigned bytes = n < sizeof (seen.value) ? n : sizeof (seen.value);
      memcpy (&seen.value, (const void *) addr, bytes < here ? bytes : here);
      gomp_cpu_watch_report (&seen, MOST_ENTRIES);
    }
  if (insn->write)
    {
      seen.write = true;
      seen.certain = insn->exact;
      seen.value = 0;
      if (!insn->exact)
	seen.high = addr + 64;
      gomp_cpu_watch_report (&seen, MOST_ENTRIES);
    }
}

/* A thread has got a fault at ADDR, in a page that is open.  Is it one that opening does not help?  Regions may begin and
   end, and close the page, again and again while a thread that copies comes to it each time; what does not
   help comes back at once.  Relaxed, all: hints.  */
static bool
is_hopeless (struct gomp_cpu_met *met, uint64_t addr)
{
  uint64_t now = gomp_cpu_now ();
  if (atomic_load_explicit (&met->xaddr, memory_order_relaxed) != addr
      || now - atomic_load_explicit (&met->xsince, memory_order_relaxed) > MET_NS)
    {
      atomic_store_explicit (&met->xaddr, addr, memory_order_relaxed);
      atomic_store_explicit (&met->xsince, now, memory_order_relaxed);
      atomic_store_explicit (&met->xtimes, 0, memory_order_relaxed);
    }
  return atomic_fetch_add_explicit (&met->xtimes, 1, memory_order_relaxed) >= MOST_MET;
}

bool
gomp_cpu_globals_signal (uint64_t addr, const struct gomp_cpu_insn *insn, uint64_t ip, bool alone,
			 bool *step)
{
  static struct gomp_cpu_met others;	/* of those without a watcher */
  struct module *m = module_of (addr);
  const struct gomp_cpu_thread *thread = gomp_cpu_thread ();
  struct gomp_cpu_watcher *self = thread->watcher;
  struct gomp_cpu_slot *slot = thread->slot;

  *step = false;
  if (m == NULL)
    return false;
  uint64_t page = (addr - m->start) / PAGE, start = m->start + page * PAGE;
  if (gomp_cpu_byte_get (&m->pages[page]) == GOMP_CPU_PAGE_OPEN)
    /* Somebody has opened it just now, or the program has closed it; and who closes what another thread opens may come
       last.  */
    return !is_hopeless (self != NULL ? &self->met : &others, addr)
	   && protect (m, start, start + PAGE, GOMP_CPU_PAGE_OPEN);
  if (!alone)
    {
      gomp_cpu_globals_open ();
      return true;
    }
  /* Relaxed: the thread's own.  */
  uint64_t since = gomp_cpu_now ();
  bool region = self != NULL && slot != NULL
		&& atomic_load_explicit (&slot->xrunning, memory_order_relaxed) != 0;
  /* Of other threads it is no access to look at, but the page has to be closed behind it.  */
  bool may = self != NULL && may_step (m, page)
	     && self->globals < sizeof (self->global) / sizeof (self->global[0]);
  if (!protect (m, start, start + PAGE, GOMP_CPU_PAGE_OPEN))
    return false;
  if (may)
    {
      /* An instruction that reaches into a second page has been looked at.  */
      if (region && (self->globals == 0 || insn->copies))
	look_at (m, insn, addr, ip);
      if (self->globals == 0)
	self->since = since;
      self->global[self->globals++] = start;
      *step = true;
    }
  return true;
}

void
gomp_cpu_globals_stepped (struct gomp_cpu_watcher *self, bool alone)
{
  if (self->globals == 0)
    return;
  for (unsigned i = 0; i < self->globals; i++)
    {
      struct module *m = module_of (self->global[i]);
      if (alone && m != NULL && atomic_load_explicit (&xclosed, memory_order_relaxed)
	  /* The region may end meanwhile: whoever opens everything says so first.  */
	  && (!protect (m, self->global[i], self->global[i] + PAGE, GOMP_CPU_PAGE_WATCHED)
	      || !atomic_load_explicit (&xclosed, memory_order_relaxed)))
	protect (m, self->global[i], self->global[i] + PAGE, GOMP_CPU_PAGE_OPEN);
    }
  self->globals = 0;
  spend (self->since);
}
