/* cpu-watch.c -- the mapping checker of a cpu device, in the worker: seeing accesses.

   Pages with marks (plugin.h, cpu-check.c) cannot be accessed.  Who does gets here by a signal:
   the instruction is decoded (cpu-decode.c), the marks of the bytes that it accesses tell whether that
   is worth reporting, the page is opened, the instruction executed alone (the processor's trap
   flag), and the page closed again by the signal that follows.

   While a page is open other threads could access it unseen.  So regions have one thread while the
   checker is on (host/worker.c), and when two regions run at the same time (the core tries to
   avoid it) everything is given up: pages are opened for good and lose their marks, in such a way that
   nothing is reported about them.

   An access costs some microseconds, so there is a budget, of each page and over all; a page
   that is too expensive is given up.  What is not seen is not reported; what is reported has happened.

   Reading what nobody has written is no mistake as long as the value does not matter: structs are
   copied with members that have no value, bit-fields are set by reading the word around them.  An
   instruction that computes with the value is reported at once.  A plain load is followed for some
   instructions, one by one, until the register is used (report), copied on or masked (do not), or
   out of sight (do not).

   System calls fail where memory is closed, instead of getting here.  So they come to the handler
   of signals, too (cpu-watch-call.c).

   Everything but gomp_cpu_watch_init, _begin and _end runs in signal handlers.  */

#define _GNU_SOURCE 1
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "plugin/cpu-decode.h"
#include "plugin/cpu-worker.h"
#include "plugin/plugin.h"

#if defined __x86_64__
# define TRAP_FLAG 0x100
# define CAN_STEP 1
#else
# define CAN_STEP 0
#endif

#define WATCHABLE (GOMP_MARK_UNWRITTEN | GOMP_MARK_STALE | GOMP_MARK_OUTSIDE)
#define FOLLOW_STEPS 16
#define FEW_PAGES 16		/* of a region that may take many steps */
#define MANY_STEPS 4096
#define FEW_STEPS 4
#define FREE_STEPS 30000	/* of the process ... */
#define STEPS_PER_MS 10		/* ... and so many more */

static uint8_t *current;	/* how the pages are protected; bytes, enum gomp_cpu_page; atomic, since a
				   region can begin while another one has a fault */
static _Atomic (uint16_t) *steps_of_page;	/* since the page was WATCHED */
static uint64_t base, size;	/* the device's memory */
static uint64_t started_ns;
/* What begins and ends closes and opens pages: one at a time.  */
static pthread_mutex_t regions_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic (int) xrunning;	/* regions; changed under the lock */
static _Atomic (uint64_t) xsteps, xregion_pages;

/* Relaxed: a budget.  */
static void
forget_steps (uint64_t page)
{
  atomic_store_explicit (&steps_of_page[page], 0, memory_order_relaxed);
}

static int
protect (uint64_t page, uint64_t count, uint8_t state)
{
  int access = state == GOMP_CPU_PAGE_OPEN ? PROT_READ | PROT_WRITE : PROT_NONE;
  if (mprotect ((void *) (base + page * GOMP_CPU_PAGE), count * GOMP_CPU_PAGE, access) != 0)
    {
      /* Too many pieces.  Opening everything makes one of them.  */
      uint64_t used = atomic_load_explicit (&gomp_cpu_self->xpages_used, memory_order_relaxed);
      if (access == PROT_NONE)
	return -1;
      if (mprotect ((void *) base, used * GOMP_CPU_PAGE, access) != 0)
	return -1;
      gomp_cpu_bytes_put (current, used, GOMP_CPU_PAGE_OPEN);
      return 0;
    }
  gomp_cpu_bytes_put (current + page, count, state);
  return 0;
}

/* The page is accessed unseen from now on: nothing may be concluded from its marks.  */
static void
give_up (uint64_t page)
{
  uint8_t *marks = gomp_cpu_marks (gomp_cpu_self) + page * GOMP_CPU_PAGE;
  for (unsigned i = 0; i < GOMP_CPU_PAGE; i++)
    {
      uint8_t old = gomp_cpu_byte_get (&marks[i]);
      uint8_t new = old & ~(GOMP_MARK_UNWRITTEN | GOMP_MARK_STALE);
      if ((old & GOMP_MARK_STALE) != 0)
	new |= GOMP_MARK_STORED;
      if (new != old)
	gomp_cpu_byte_put (&marks[i], new);
    }
  gomp_cpu_byte_put (&gomp_cpu_pages (gomp_cpu_self)[page], GOMP_CPU_PAGE_OPEN);
  forget_steps (page);
}

/* ---- system calls: cpu-watch-call.c ---- */

void
gomp_cpu_watch_open (void)
{
  const uint8_t *pages = gomp_cpu_pages (gomp_cpu_self);
  uint64_t used = atomic_load_explicit (&gomp_cpu_self->xpages_used, memory_order_relaxed);

  gomp_cpu_globals_open ();
  for (uint64_t i = 0, n; i < used; i += n)
    {
      n = 1;
      if (gomp_cpu_byte_get (&pages[i]) != GOMP_CPU_PAGE_WATCHED)
	continue;
      give_up (i);
      while (i + n < used && gomp_cpu_byte_get (&pages[i + n]) == GOMP_CPU_PAGE_WATCHED)
	give_up (i + n++);
      protect (i, n, GOMP_CPU_PAGE_OPEN);
    }
}

/* What the system reads and writes there is not known.  */
uint64_t
gomp_cpu_watch_use (uint64_t addr)
{
  const uint8_t *pages = gomp_cpu_pages (gomp_cpu_self);

  if (addr - base >= size)
    {
      if (gomp_cpu_globals_has (addr))
	gomp_cpu_globals_open ();
      return addr;
    }
  for (uint64_t page = (addr - base) / GOMP_CPU_PAGE;
       page < size / GOMP_CPU_PAGE && gomp_cpu_byte_get (&pages[page]) != GOMP_CPU_PAGE_NONE;
       page++)
    if (gomp_cpu_byte_get (&pages[page]) == GOMP_CPU_PAGE_WATCHED)
      {
	give_up (page);
	protect (page, 1, GOMP_CPU_PAGE_OPEN);
      }
  return (uint64_t) gomp_cpu_watch_alias (addr);
}

/* ---- regions ---- */

void
gomp_cpu_watch_init (void)
{
  struct gomp_cpu_shared *s = gomp_cpu_self;
  if (s->marks_offset == 0)
    return;
  uint64_t pages = s->heap_size / GOMP_CPU_PAGE;
  char *tables = mmap (NULL, pages * 3, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (tables == MAP_FAILED || mprotect ((void *) s->heap_addr, s->heap_size, PROT_NONE) != 0)
    {
      s->marks_offset = 0;	/* not ready yet: the host does not look before it is */
      return;
    }
  steps_of_page = (_Atomic (uint16_t) *) tables;
  current = (uint8_t *) tables + pages * 2;
  base = s->heap_addr;
  size = s->heap_size;
  started_ns = gomp_cpu_now ();
  gomp_cpu_calls_init (base, base + size);
}

void
gomp_cpu_watch_begin (void)
{
  if (current == NULL)
    return;
  pthread_mutex_lock (&regions_lock);
  bool alone = atomic_fetch_add_explicit (&xrunning, 1, memory_order_relaxed) == 0;
  /* Where calls are not seen, nothing may be closed.  */
  alone &= gomp_cpu_calls_begin ();
  uint8_t *pages = gomp_cpu_pages (gomp_cpu_self);
  /* Relaxed: published with the command.  */
  uint64_t used = atomic_load_explicit (&gomp_cpu_self->xpages_used, memory_order_relaxed);
  if (alone)
    atomic_store_explicit (&xregion_pages, 0, memory_order_relaxed);
  for (uint64_t i = 0, n; i < used; i += n)
    {
      uint8_t state = gomp_cpu_byte_get (&pages[i]);
      if (state == GOMP_CPU_PAGE_WATCHED && !alone)
	{
	  give_up (i);
	  state = GOMP_CPU_PAGE_OPEN;
	}
      n = 1;
      if (state == gomp_cpu_byte_get (&current[i]))
	continue;
      forget_steps (i);
      while (i + n < used && gomp_cpu_byte_get (&pages[i + n]) == state
	     && gomp_cpu_byte_get (&current[i + n]) != state)
	forget_steps (i + n++);
      /* A page that cannot be closed is not watched.  */
      if (protect (i, n, state) != 0 && state == GOMP_CPU_PAGE_WATCHED)
	for (uint64_t k = i; k < i + n; k++)
	  give_up (k);
    }
  gomp_cpu_globals_begin (alone);
  pthread_mutex_unlock (&regions_lock);
  gomp_cpu_calls_start ();
}

void
gomp_cpu_watch_end (void)
{
  if (current == NULL)
    return;
  struct gomp_cpu_watcher *self = gomp_cpu_thread ()->watcher;
  if (self != NULL)
    self->follow = 0;
  gomp_cpu_calls_end ();
  pthread_mutex_lock (&regions_lock);
  if (atomic_fetch_sub_explicit (&xrunning, 1, memory_order_relaxed) == 1)
    gomp_cpu_globals_end ();
  pthread_mutex_unlock (&regions_lock);
}

void *
gomp_cpu_watch_alias (uint64_t addr)
{
  if (current == NULL || addr - base >= size)
    return (void *) addr;
  return (char *) gomp_cpu_self + GOMP_CPU_CONTROL_SIZE + (addr - base);
}

/* ---- the list ---- */

/* How long to wait for it, since a region can write into it, too; nanoseconds.  */
#define PATIENCE_NS 2000000000
#define LOOK_TURNS 1024

static bool
near (const struct gomp_cpu_seen *seen, uint64_t low, uint64_t high)
{
  enum { FAR = 16 * GOMP_CPU_PAGE };
  uint64_t from = high < seen->low ? high : seen->high, to = high < seen->low ? seen->low : low;
  if (from >= to)
    return true;
  if (to - from > FAR || seen->mark == GOMP_MARK_GLOBAL)
    return false;
  /* Blocks have a closed page between them.  */
  const uint8_t *pages = gomp_cpu_pages (gomp_cpu_self);
  for (uint64_t i = from / GOMP_CPU_PAGE; i <= to / GOMP_CPU_PAGE; i++)
    if (gomp_cpu_byte_get (&pages[i]) == GOMP_CPU_PAGE_NONE)
      return false;
  return true;
}

void
gomp_cpu_watch_report (const struct gomp_cpu_seen *what, uint32_t most)
{
  struct gomp_cpu_shared *s = gomp_cpu_self;
  static _Atomic (bool) lost;
  uint32_t free_word = 0, i;
  uint64_t since = 0;

  /* A region has written into the list: it would not be believed.  */
  if (atomic_load_explicit (&lost, memory_order_relaxed))
    return;
  /* Acquire: the list.  The other side holds it for a moment.  */
  for (unsigned turn = 1;
       !atomic_compare_exchange_weak_explicit (&s->xseen_lock, &free_word, 1,
					       memory_order_acquire, memory_order_relaxed); turn++)
    {
      free_word = 0;
      gomp_cpu_pause ();
      if (turn % LOOK_TURNS != 0)
	continue;
      if (since == 0)
	since = gomp_cpu_now ();
      else if (gomp_cpu_now () - since > PATIENCE_NS)
	{
	  atomic_store_explicit (&lost, true, memory_order_relaxed);
	  return;
	}
    }
  if (s->num_seen > GOMP_CPU_ACCESSES)
    {
      atomic_store_explicit (&lost, true, memory_order_relaxed);
      return;
    }
  for (i = 0; i < s->num_seen; i++)
    {
      struct gomp_cpu_seen *seen = &s->seen[i];
      if (seen->ip == what->ip && seen->mark == what->mark && seen->write == what->write
	  && seen->certain == what->certain && near (seen, what->low, what->high))
	{
	  seen->low = what->low < seen->low ? what->low : seen->low;
	  seen->high = what->high > seen->high ? what->high : seen->high;
	  seen->count++;
	  break;
	}
    }
  if (i == s->num_seen && i < most)
    s->seen[s->num_seen++] = *what;
  /* Release: the list.  */
  atomic_store_explicit (&s->xseen_lock, 0, memory_order_release);
}

static void
report (uint64_t addr, unsigned bytes, uint64_t ip, uint8_t mark, bool write, bool certain)
{
  const struct gomp_cpu_seen what = {
    .low = addr - base, .high = addr - base + bytes, .ip = ip, .count = 1, .mark = mark, .size = bytes,
    .write = write, .certain = certain
  };
  gomp_cpu_watch_report (&what, GOMP_CPU_ACCESSES);
}

/* ---- one access ---- */

static void
put_marks (uint64_t addr, unsigned n, uint8_t which, uint8_t set, uint8_t clear)
{
  uint8_t *marks = gomp_cpu_marks (gomp_cpu_self) + (addr - base);
  for (unsigned i = 0; i < n && addr + i - base < size; i++)
    {
      uint8_t old = gomp_cpu_byte_get (&marks[i]);
      if ((old & which) != 0)
	gomp_cpu_byte_put (&marks[i], (old & ~clear) | set);
    }
}

static unsigned
count_marks (uint64_t addr, unsigned n, uint8_t which)
{
  const uint8_t *marks = gomp_cpu_marks (gomp_cpu_self) + (addr - base);
  unsigned count = 0;
  for (unsigned i = 0; i < n && addr + i - base < size; i++)
    count += (gomp_cpu_byte_get (&marks[i]) & which) != 0;
  return count;
}

/* Nobody has written the value that INSN computes with or loads.  */
static void
unwritten (const struct gomp_cpu_insn *insn, uint64_t addr, uint64_t ip)
{
  struct gomp_cpu_watcher *self = gomp_cpu_thread ()->watcher;

  switch (insn->op)
    {
    case GOMP_CPU_OP_USE:
      break;
    case GOMP_CPU_OP_LOAD:
      if (insn->scalar && insn->floating)
	break;			/* whole structs are not copied by these */
      if (self == NULL)
	return;
      self->follow = FOLLOW_STEPS;
      self->reg = insn->reg;
      self->vector_reg = insn->vector_reg;
      self->addr = addr;
      self->size = insn->size;
      self->ip = ip;
      return;
    default:
      return;
    }
  put_marks (addr, insn->size, GOMP_MARK_UNWRITTEN, GOMP_MARK_READ, 0);
  report (addr, insn->size, ip, GOMP_MARK_UNWRITTEN, false, true);
}

static void
look_at (const struct gomp_cpu_insn *insn, uint64_t addr, uint64_t ip)
{
  unsigned n = insn->size;
  if (insn->read && insn->exact)
    {
      unsigned stale = count_marks (addr, n, GOMP_MARK_STALE);
      unsigned fresh = count_marks (addr, n, GOMP_MARK_UNWRITTEN);
      unsigned outside = count_marks (addr, n, GOMP_MARK_OUTSIDE);
      if (stale > 0)
	{
	  put_marks (addr, n, GOMP_MARK_STALE, GOMP_MARK_READ, 0);
	  report (addr, n, ip, GOMP_MARK_STALE, false, insn->scalar || stale == n);
	}
      if (fresh == n)
	unwritten (insn, addr, ip);
      /* Functions for strings read whole vectors, as far as they are aligned.  */
      if (outside > 0 && (insn->scalar || outside == n))
	report (addr, n, ip, GOMP_MARK_OUTSIDE, false, true);
    }
  if (insn->write)
    {
      if (insn->exact && !insn->read && count_marks (addr, n, GOMP_MARK_OUTSIDE) > 0)
	report (addr, n, ip, GOMP_MARK_OUTSIDE, true, true);
      put_marks (addr, insn->exact ? n : 64, GOMP_MARK_UNWRITTEN | GOMP_MARK_STALE,
		 GOMP_MARK_STORED, GOMP_MARK_UNWRITTEN | GOMP_MARK_STALE);
    }
}

#if CAN_STEP

/* The processor's numbers of registers, as in instructions.  */
static uint64_t
register_value (const ucontext_t *context, int number)
{
  static const uint8_t place[16] =
    { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
      REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };
  return context->uc_mcontext.gregs[place[number & 15]];
}

/* The thread is about to execute the instruction at IP: what becomes of the value it loaded?  */
static void
follow (const uint8_t *ip)
{
  struct gomp_cpu_watcher *self = gomp_cpu_thread ()->watcher;
  struct gomp_cpu_insn insn;
  bool known = gomp_cpu_decode (ip, &insn), used = false;

  self->follow--;
  if (!known)
    {
      /* Calls and jumps go on elsewhere; what else there is does not matter.  */
      return;
    }
  bool same = insn.vector_reg == self->vector_reg;
  bool names = same && (insn.reg == self->reg || (!insn.mem && insn.rm == self->reg)
			|| (self->vector_reg && insn.vvvv == self->reg));
  if (!self->vector_reg && (insn.base == self->reg || insn.index == self->reg))
    used = true;		/* an address, or arithmetic of lea */
  else if (insn.op == GOMP_CPU_OP_USE && !insn.vector_reg && !insn.mem && insn.rm == self->reg
	   && !self->vector_reg)
    used = true;
  else if (!names)
    return;
  else if (insn.op == GOMP_CPU_OP_USE)
    used = true;
  else if (insn.op == GOMP_CPU_OP_MOVE)
    {
      if (insn.rm == self->reg)
	self->reg = insn.reg;
      else
	self->follow = 0;
      return;
    }
  else if (insn.op == GOMP_CPU_OP_STORE && insn.mem && self->size <= 4 && insn.base >= 4
	   && insn.base <= 5)
    used = true;		/* to a variable on the stack: no struct is copied like that */
  self->follow = 0;
  if (used)
    {
      put_marks (self->addr, self->size, GOMP_MARK_UNWRITTEN, GOMP_MARK_READ, 0);
      report (self->addr, self->size, self->ip, GOMP_MARK_UNWRITTEN, false, true);
    }
}

static bool
is_alone (void)
{
  /* Relaxed: who comes too late opens what has been closed.  */
  return atomic_load_explicit (&xrunning, memory_order_relaxed) == 1;
}

static bool
after_step (ucontext_t *context)
{
  struct gomp_cpu_watcher *self = gomp_cpu_thread ()->watcher;
  if (self == NULL || !self->stepping)
    return false;
  self->stepping = false;
  uint8_t *pages = gomp_cpu_pages (gomp_cpu_self);
  for (unsigned i = 0; i < self->pages; i++)
    if (gomp_cpu_byte_get (&pages[self->page[i]]) == GOMP_CPU_PAGE_WATCHED)
      protect (self->page[i], 1, GOMP_CPU_PAGE_WATCHED);
  self->pages = 0;
  gomp_cpu_globals_stepped (self, is_alone ());
  if (self->follow > 0)
    follow ((const uint8_t *) context->uc_mcontext.gregs[REG_RIP]);
  if (self->follow > 0)
    self->stepping = true;
  else
    context->uc_mcontext.gregs[REG_EFL] &= ~(greg_t) TRAP_FLAG;
  return true;
}

void
gomp_cpu_watch_no_step (void *context)
{
  struct gomp_cpu_watcher *self = gomp_cpu_thread ()->watcher;
  self->stepping = false;
  self->follow = self->pages = self->globals = 0;
  ((ucontext_t *) context)->uc_mcontext.gregs[REG_EFL] &= ~(greg_t) TRAP_FLAG;
}

#endif

/* May the access to PAGE be looked at alone, or does it cost too much by now?  */
static bool
may_step (uint64_t page)
{
  if (!CAN_STEP || atomic_load_explicit (&xrunning, memory_order_relaxed) > 1)
    return false;
  /* Relaxed: statistics.  */
  uint64_t steps = atomic_fetch_add_explicit (&xsteps, 1, memory_order_relaxed);
  if (steps > FREE_STEPS
      && steps > FREE_STEPS + (gomp_cpu_now () - started_ns) / 1000000 * STEPS_PER_MS)
    return false;
  /* Relaxed: a budget.  */
  uint16_t here = atomic_fetch_add_explicit (&steps_of_page[page], 1, memory_order_relaxed);
  if (here == 0)
    atomic_fetch_add_explicit (&xregion_pages, 1, memory_order_relaxed);
  bool many = atomic_load_explicit (&xregion_pages, memory_order_relaxed) <= FEW_PAGES;
  return here < (many ? MANY_STEPS : FEW_STEPS);
}

/* The instruction that accesses ADDR.  Answers where it is, 0 unknown.  */
static uint64_t
find_insn (void *context, uint64_t addr, int access, struct gomp_cpu_insn *insn)
{
  uint64_t ip = 0;
#if CAN_STEP
  ucontext_t *machine = context;
  ip = machine->uc_mcontext.gregs[REG_RIP];
#else
  (void) context;
  (void) addr;
#endif
  if (ip == 0 || !gomp_cpu_decode ((const uint8_t *) ip, insn) || !insn->mem)
    *insn = (struct gomp_cpu_insn) { .read = access != GOMP_FAULT_WRITE,
				     .write = access != GOMP_FAULT_READ, .size = 1 };
#if CAN_STEP
  else if (insn->copies)
    {
      insn->read = addr == register_value (machine, 6);
      insn->write = addr == register_value (machine, 7);
    }
#endif
  return ip;
}

/* Execute the next instruction alone.  */
static void
start_step (void *context)
{
#if CAN_STEP
  gomp_cpu_thread ()->watcher->stepping = true;
  ((ucontext_t *) context)->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
#else
  (void) context;
#endif
}

static bool
global_signal (void *context, uint64_t addr, int access)
{
#if CAN_STEP
  struct gomp_cpu_insn insn;
  bool step;
  if (!gomp_cpu_globals_has (addr))
    return false;
  uint64_t ip = find_insn (context, addr, access, &insn);
  if (!gomp_cpu_globals_signal (addr, &insn, ip, is_alone (), &step))
    return false;
  if (step)
    start_step (context);
  return true;
#else
  (void) context;
  (void) addr;
  (void) access;
  return false;
#endif
}

bool
gomp_cpu_watch_signal (int number, const siginfo_t *info, void *context, int access)
{
  if (current == NULL)
    return false;
#if CAN_STEP
  if (number == SIGTRAP)
    return after_step (context);
  if (number == SIGSYS)
    return gomp_cpu_watch_call (info, context);
#endif
  uint64_t addr = (uint64_t) info->si_addr;
  if (number != SIGSEGV || info->si_code <= 0 || access == GOMP_FAULT_EXEC)
    return false;
  if (addr - base >= size)
    return global_signal (context, addr, access);
  uint64_t page = (addr - base) / GOMP_CPU_PAGE;
  uint8_t state = gomp_cpu_byte_get (&gomp_cpu_pages (gomp_cpu_self)[page]);
  if (state == GOMP_CPU_PAGE_NONE)
    return false;
  if (state == GOMP_CPU_PAGE_OPEN)
    return protect (page, 1, GOMP_CPU_PAGE_OPEN) == 0;

  struct gomp_cpu_insn insn;
  uint64_t ip = find_insn (context, addr, access, &insn);
  look_at (&insn, addr, ip);
  struct gomp_cpu_watcher *self = gomp_cpu_thread ()->watcher;
  bool step = self != NULL && may_step (page)
	      && self->pages < sizeof (self->page) / sizeof (self->page[0]);
  if (!step)
    {
      if (self != NULL)
	self->follow = 0;
      give_up (page);
    }
  if (protect (page, 1, GOMP_CPU_PAGE_OPEN) != 0)
    return false;
  if (CAN_STEP && step)
    {
      self->page[self->pages++] = page;
      start_step (context);
    }
  return true;
}
