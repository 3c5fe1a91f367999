/* host-fault.c -- tells what is wrong when the host faults at device memory, or in a copy.

   Addresses of device memory come from omp_target_alloc or a use_device_ptr clause, and mean
   nothing on the host: where nothing is mapped there (addresses of cpu devices are reserved without
   access) the program gets SIGSEGV.  And memory of the program that the library copies may be
   protected, unmapped, or part of a file that was truncated (SIGBUS).  A handler says which memory
   it is and which code or construct has used it, and lets the signal do what it does without.

   Invariants
   1. There is a handler for each of the two signals, from when the first device memory is
      allocated, if the signal had its default action then, or that which libgfortran installs for
      Fortran programs.  A handler that the program installs later takes its place.  GOMP_CHECK=off:
      there is none.
   2. After the handler the program goes on as if there had been none: the old action is back, and
      the instruction is executed again; what does not come from an instruction is sent again, as it
      was.  A fault at other memory does nothing but that.
   3. Names and mappings, for which memory is allocated and the loader's lock is taken, are looked
      up only where the faulting code holds no lock of lower or equal rank, and is not the C
      library's allocator: code of the executable, and the library's copies.  For other code the
      handler calls nothing that is not safe in one, and on an alternate stack nothing that needs
      much of it.  map_lock is tried, and not waited for.
   4. Of several threads the first one tells; the others wait for it before they end the program.
   5. Ranges are only added and emptied; what holds them is never freed.  The handler reads them
      without a lock.  */

#define _GNU_SOURCE 1
#include "libgomp.h"
#include "config/linux/futex.h"
#include "diag.h"
#include "elf-file.h"
#include "map-check.h"
#include "plugin/thread-own.h"
#include "target.h"

#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { CHUNK = 128 };

struct gomp_host_range
{
  _Atomic (uint64_t) xstart;	/* 0: empty; published last */
  _Atomic (uint64_t) xend;
  _Atomic (struct gomp_device *) xdev;
  struct gomp_host_range *next_free;	/* empty: protected by lock */
};

struct chunk
{
  struct chunk *next;		/* fixed */
  struct gomp_host_range ranges[CHUNK];
};

bool gomp_host_fault_told = true;

static struct chunk first_chunk GOMP_RARE;
static _Atomic (struct chunk *) xchunks = &first_chunk;
static gomp_mutex_t lock;	/* a leaf: writers of ranges; GOMP_RANK_NONE */
static struct gomp_host_range *free_ranges;	/* protected by lock */
static unsigned used;		/* ranges of the newest chunk; the same */

static _Atomic (bool) xlooked;	/* at the actions of the signals */
/* All fixed before a handler is installed.  */
static uintptr_t code_start, code_end;	/* of the executable */
static struct sigaction old_segv, old_bus;

enum { NOT_TOLD, TELLING, TOLD };
static _Atomic (uint32_t) xtold;	/* whoever waits for TOLD sleeps on it */

/* ---- What the fault is about ---- */

enum access { ACCESS_READ, ACCESS_WRITE, ACCESS_UNKNOWN };

/* A copy of the calling thread's that uses the address.  */
struct copy
{
  struct gomp_device *dev;
  const struct gomp_region_note *note;	/* NULL: not known */
  uint64_t start, end;		/* memory of the program */
  bool writes;			/* to it */
  bool plans;			/* it is no copy, but a pointer that is looked at under map_lock */
};

static const struct gomp_host_range *
find_range (uint64_t addr)
{
  /* Acquire: the chunk; of a range, its end and device.  */
  for (struct chunk *c = gomp_load_acquire (&xchunks); c != NULL; c = c->next)
    for (int i = 0; i < CHUNK; i++)
      {
	uint64_t start = gomp_load_acquire (&c->ranges[i].xstart);
	if (start != 0 && addr >= start && addr < gomp_load_relaxed (&c->ranges[i].xend))
	  return &c->ranges[i];
      }
  return NULL;
}

static bool
find_xfer (const struct gomp_xfer *v, size_t n, uint64_t addr, struct copy *copy)
{
  for (size_t i = 0; i < n; i++)
    if (addr - (uintptr_t) v[i].host < v[i].size)
      {
	copy->start = (uintptr_t) v[i].host;
	copy->end = copy->start + v[i].size;
	return true;
      }
  return false;
}

/* Among what PLAN copies; PLANS: among what was read to make it, pointers that are to be attached.  */
static bool
find_in_plan (const struct gomp_map_plan *plan, uint64_t addr, enum access access, bool plans,
	      struct copy *copy)
{
  if (plan == NULL)
    return false;
  *copy = (struct copy) { .dev = plan->dev, .note = plan->note, .plans = plans };
  if (!plans && access != ACCESS_WRITE && (find_xfer (plan->to.v, plan->to.n, addr, copy)
					   || find_xfer (plan->packed.v, plan->packed.n, addr, copy)))
    return true;
  copy->writes = !plans;
  if (!plans && access != ACCESS_READ
      && (find_xfer (plan->from.v, plan->from.n, addr, copy)
	  || find_xfer (plan->unpacked.v, plan->unpacked.n, addr, copy)))
    return true;
  for (size_t i = 0; plans && access != ACCESS_WRITE && i < plan->items.n; i++)
    if (addr - plan->items.v[i].host < sizeof (void *))
      return true;
  return false;
}

static bool
is_code_of_executable (uintptr_t addr)
{
  return addr >= code_start && addr < code_end;
}

/* The code at IP uses ADDR: is it a copy that the calling thread does for a construct?  */
static bool
find_copy (uintptr_t ip, uint64_t addr, enum access access, struct copy *copy)
{
  const struct gomp_own *own = gomp_own_now ();

  /* The program's code runs in calls of the library, too: functions that a device calls.  In a static program
     the library is the executable's.  */
  if (own->serving != 0
      || (is_code_of_executable (ip) && !is_code_of_executable ((uintptr_t) find_copy)))
    return false;
  const struct gomp_map_plan *deferred = own->deferred_plan;
  const struct gomp_map_plan *plan = own->plan != NULL && own->plan->busy ? own->plan : NULL;
  const struct gomp_host_copy *c = own->copying;
  while (c != NULL && addr - (uintptr_t) c->host >= c->size)
    c = c->outer;
  /* A queue does not know for whom it copies.  */
  if ((c == NULL || c->note == NULL) && (find_in_plan (deferred, addr, access, false, copy)
					 || find_in_plan (plan, addr, access, false, copy)))
    return true;
  if (c == NULL)
    return (find_in_plan (deferred, addr, access, true, copy)
	    || find_in_plan (plan, addr, access, true, copy));
  while (c->note == NULL && c->outer != NULL && addr - (uintptr_t) c->outer->host < c->outer->size)
    c = c->outer;
  *copy = (struct copy) { .dev = c->dev, .note = c->note, .start = (uintptr_t) c->host,
			  .end = (uintptr_t) c->host + c->size, .writes = c->writes };
  return true;
}

const struct gomp_region_note *
gomp_host_copy_note (void)
{
  const struct gomp_own *own = gomp_own_now ();
  if (own->copying != NULL && own->copying->note != NULL)
    return own->copying->note;
  if (own->deferred_plan != NULL)
    return own->deferred_plan->note;
  return own->plan != NULL && own->plan->busy ? own->plan->note : NULL;
}

static enum access
access_of (const ucontext_t *context, uintptr_t *ip)
{
#if defined __x86_64__
  *ip = context->uc_mcontext.gregs[REG_RIP];
  return (context->uc_mcontext.gregs[REG_ERR] & 2) != 0 ? ACCESS_WRITE : ACCESS_READ;
#elif defined __aarch64__
  *ip = context->uc_mcontext.pc;
  return ACCESS_UNKNOWN;
#endif
}

/* ---- Explaining ---- */

/* What is known of ADDR, memory of DEV, and of the code at IP of the executable.  */
static void
explain_address (FILE *f, struct gomp_device *dev, uint64_t addr, uintptr_t ip)
{
  struct gomp_map_info m;
  char name[256];

  fprintf (f, "  at %s\n", gomp_symbol_name ((const void *) ip, name, sizeof (name)));
  gomp_print_source_line (f, (const void *) ip);
  if (gomp_map_nearest (dev, addr, true, &m)
      && addr >= m.dev_start && addr - m.dev_start < m.host_end - m.host_start)
    {
      fprintf (f, "  it is byte %llu of the copy of", (unsigned long long) (addr - m.dev_start));
      gomp_diag_range (f, "", m.host_start, m.host_end);
      gomp_diag_origin (f, &m);
      fputs ("\n", f);
    }
  else
    fputs ("  nothing is mapped there: it was allocated by omp_target_alloc, or is not used any more\n", f);
}

/* The number of the list item that ADDR belongs to, from 1; 0: it is not known.  */
static size_t
find_item (const struct gomp_region_note *note, uint64_t addr)
{
  if (note != NULL && note->hostaddrs != NULL && note->sizes != NULL)
    for (size_t i = 0; i < note->mapnum; i++)
      if (addr - (uintptr_t) note->hostaddrs[i] < note->sizes[i]
	  && (note->kinds == NULL || !gomp_map_kind_is_attach (note->kinds[i])))
	return i + 1;
  return 0;
}

/* Which part of COPY the byte at ADDR is, and for which construct.  */
static void
explain_copy (FILE *f, const struct copy *copy, uint64_t addr)
{
  size_t item = find_item (copy->note, addr);
  uint64_t start = copy->start, end = copy->end;
  struct gomp_map_info m;
  char name[256];

  if (item > 0)
    {
      start = (uintptr_t) copy->note->hostaddrs[item - 1];
      end = start + copy->note->sizes[item - 1];
    }
  fprintf (f, "  it is byte %llu of [%#llx..%#llx), %llu bytes", (unsigned long long) (addr - start),
	   (unsigned long long) start, (unsigned long long) end, (unsigned long long) (end - start));
  if (gomp_symbol_lookup ((const void *) start, name, sizeof (name)))
    fprintf (f, ", `%s'", name);
  if (item > 0)
    fprintf (f, ", item %zu of the list", item);
  fputs (copy->writes ? ", which is copied from the device" : ", which is copied to the device", f);
  if (copy->note == NULL && gomp_map_nearest (copy->dev, addr, false, &m) && addr >= m.host_start
      && addr < m.host_end)
    gomp_diag_origin (f, &m);
  fputs ("\n", f);
  gomp_diag_construct (f, copy->note, NULL, 0);
}

/* Why the access that INFO tells of was not possible; MORE: look at the page.  */
static const char *
reason (const siginfo_t *info, bool writes, bool more)
{
  char rights[8] = "";

  if (info->si_signo == SIGBUS)
    return info->si_code == BUS_ADRERR ? "the file that is mapped there ends before that" : "bus error";
  switch (info->si_code)
    {
    case SEGV_MAPERR:
      return "there is no memory: it was freed or unmapped, or never was there";
    case SEGV_PKUERR:
      return "its protection key forbids that";
    default:
      if (more)
	gomp_diag_rights ((uintptr_t) info->si_addr, rights);
      return (rights[0] == '-' ? "it is protected from any access, as by mprotect (PROT_NONE)"
	      : rights[0] == 'r' && writes ? "it is read-only" : "it is protected");
    }
}

/* Is there room on this stack for all that?  Threads have it; alternate stacks may be small.  */
static bool
has_room (void)
{
  enum { NEED = 64 << 10 };
  stack_t stack;
  return (sigaltstack (NULL, &stack) != 0 || (stack.ss_flags & SS_ONSTACK) == 0
	  || (uintptr_t) __builtin_frame_address (0) - (uintptr_t) stack.ss_sp >= NEED);
}

/* R, the device memory that ADDR is, or COPY may be NULL, but not both.  */
static void __attribute__ ((noinline))
tell (const struct gomp_host_range *r, const struct copy *copy, const siginfo_t *info, uintptr_t ip,
      enum access access)
{
  static const char *const verbs[] = { "read", "written", "used" };
  uint64_t addr = (uintptr_t) info->si_addr;
  struct gomp_device *dev = r != NULL ? gomp_load_relaxed (&r->xdev) : copy->dev;
  bool is_executable = is_code_of_executable (ip), more = has_room ();
  char text[512], *rest = NULL;
  size_t size = 0;
  int n = 0;

  if (r != NULL)
    {
      n = snprintf (text, sizeof (text), "\nlibgomp: the host has %s the address %#llx, which is memory of"
		    " device %d (%.100s)\n", verbs[access], (unsigned long long) addr, dev->number,
		    dev->attr.name);
      if (copy == NULL && (!is_executable || !more))
	n += snprintf (text + n, sizeof (text) - n, "  in the code at %#llx%s\n", (unsigned long long) ip,
		       is_executable ? "" : ", which is not the executable's");
    }
  else
    n = snprintf (text, sizeof (text), "\nlibgomp: device %d (%.100s): the host memory at %#llx cannot be"
		  " %s: %s\n",
		  dev->number, dev->attr.name, (unsigned long long) addr,
		  copy->writes ? "written" : "read", reason (info, copy->writes, more));
  if (copy != NULL && copy->plans)
    n += snprintf (text + n, sizeof (text) - n, "  %s looks at the pointer there\n", copy->note->construct);
  gomp_write_stderr (text, n);
  if (more && !(copy != NULL && copy->plans) && (copy != NULL || is_executable))
    {
      FILE *f = open_memstream (&rest, &size);
      if (f != NULL)
	{
	  if (copy != NULL)
	    explain_copy (f, copy, addr);
	  else
	    explain_address (f, dev, addr, ip);
	  if (fclose (f) == 0)
	    gomp_write_stderr (rest, size);
	  free (rest);
	}
    }
  static const char remedy[]
    = "  only regions can access it there; omp_target_memcpy copies it, to and from\n";
  if (r != NULL)
    gomp_write_stderr (remedy, sizeof (remedy) - 1);
}

/* ---- The handler ---- */

static void
await_told (void)
{
  const uint64_t patience = UINT64_C (10000000000), start = gomp_now_ns ();
  /* Acquire: nothing.  */
  while (gomp_load_acquire (&xtold) != TOLD && gomp_now_ns () - start < patience)
    gomp_futex_wait_ns (&xtold, TELLING, 100000000);
}

static void __attribute__ ((noinline))
look (const siginfo_t *info, const ucontext_t *context)
{
  uint64_t addr = (uintptr_t) info->si_addr;
  struct copy copy;
  uintptr_t ip = 0;
  enum access access = access_of (context, &ip);
  const struct gomp_host_range *r = find_range (addr);
  bool copies = find_copy (ip, addr, access, &copy);
  uint32_t state = NOT_TOLD;

  if (r == NULL && !copies)
    return;
  if (!gomp_cas_acq_rel (&xtold, &state, TELLING))
    {
      await_told ();
      return;
    }
  int cancel = gomp_cancel_off ();
  tell (r, copies ? &copy : NULL, info, ip, access);
  gomp_cancel_restore (cancel);
  gomp_store_release (&xtold, TOLD);
  gomp_futex_wake (&xtold, INT_MAX);
}

static void
on_fault (int number, siginfo_t *info, void *context)
{
  int saved = errno;
  /* Of an instruction that is executed again; those of SIGBUS have the same numbers.  */
  bool again = info->si_code >= SEGV_MAPERR && info->si_code <= SEGV_PKUERR;

  if (again)
    look (info, context);
  sigaction (number, number == SIGBUS ? &old_bus : &old_segv, NULL);
  if (!again
      && syscall (SYS_rt_tgsigqueueinfo, getpid (), (pid_t) syscall (SYS_gettid), number, info) != 0)
    raise (number);
  errno = saved;
}

/* ---- Installing it ---- */

struct objects
{
  bool first;
  uintptr_t handlers[2];
  bool is_fortran[2];		/* the handler is libgfortran's */
};

static int
look_at_object (struct dl_phdr_info *info, size_t size, void *data)
{
  static const char fortran[] = "libgfortran.so";
  struct objects *o = data;
  (void) size;

  /* The first is the executable.  */
  for (unsigned i = 0; o->first && i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *p = &info->dlpi_phdr[i];
      if (p->p_type != PT_LOAD || (p->p_flags & PF_X) == 0)
	continue;
      uintptr_t start = info->dlpi_addr + p->p_vaddr;
      if (code_end == 0 || start < code_start)
	code_start = start;
      if (start + p->p_memsz > code_end)
	code_end = start + p->p_memsz;
    }
  o->first = false;
  const char *name = strrchr (info->dlpi_name, '/');
  name = name != NULL ? name + 1 : info->dlpi_name;
  if (strncmp (name, fortran, sizeof (fortran) - 1) == 0)
    for (int i = 0; i < 2; i++)
      o->is_fortran[i] |= gomp_elf_segment_holds (info, o->handlers[i], o->handlers[i] + 1, PF_X);
  return 0;
}

static void
install (void)
{
  struct objects o = { .first = true };
  struct sigaction action;

  if (sigaction (SIGSEGV, NULL, &old_segv) != 0 || sigaction (SIGBUS, NULL, &old_bus) != 0)
    return;
  /* A union: with SA_SIGINFO it is the other one.  */
  o.handlers[0] = (uintptr_t) old_segv.sa_handler;
  o.handlers[1] = (uintptr_t) old_bus.sa_handler;
  dl_iterate_phdr (look_at_object, &o);
  memset (&action, 0, sizeof (action));
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset (&action.sa_mask);
  sigaddset (&action.sa_mask, SIGSEGV);
  sigaddset (&action.sa_mask, SIGBUS);
  if (old_segv.sa_handler == SIG_DFL || o.is_fortran[0])
    sigaction (SIGSEGV, &action, NULL);
  if (old_bus.sa_handler == SIG_DFL || o.is_fortran[1])
    sigaction (SIGBUS, &action, NULL);
}

/* ---- Ranges ---- */

/* An empty range, or NULL; the lock is held.  */
static struct gomp_host_range *
take_range (void)
{
  struct chunk *newest = gomp_load_relaxed (&xchunks);	/* relaxed: changed with the lock only */
  struct gomp_host_range *range = free_ranges;

  if (range != NULL)
    {
      free_ranges = range->next_free;
      return range;
    }
  if (used == CHUNK)
    {
      struct chunk *more = calloc (1, sizeof (*more));
      if (more == NULL)
	return NULL;
      more->next = newest;
      /* Release: next, for the handler.  */
      gomp_store_release (&xchunks, more);
      newest = more;
      used = 0;
    }
  return &newest->ranges[used++];
}

struct gomp_host_range *
gomp_host_fault_add (struct gomp_device *dev, uint64_t start, uint64_t size)
{
  bool looked = false;

  if (!gomp_host_fault_told)
    return NULL;
  /* Relaxed, and release nothing: who comes second need not wait for the handler.  */
  if (!gomp_load_relaxed (&xlooked) && gomp_cas_acq_rel (&xlooked, &looked, true))
    install ();
  gomp_mutex_lock (&lock);
  struct gomp_host_range *range = take_range ();
  if (range != NULL)
    {
      gomp_store_relaxed (&range->xdev, dev);
      gomp_store_relaxed (&range->xend, start + size);
      /* Release: both, for the handler.  */
      gomp_store_release (&range->xstart, start);
    }
  gomp_mutex_unlock (&lock);
  return range;
}

void
gomp_host_fault_remove (struct gomp_host_range *range)
{
  if (range == NULL)
    return;
  gomp_mutex_lock (&lock);
  gomp_store_relaxed (&range->xstart, 0);
  range->next_free = free_ranges;
  free_ranges = range;
  gomp_mutex_unlock (&lock);
}

void
gomp_host_fault_remove_at (struct gomp_device *dev, uint64_t start)
{
  struct gomp_host_range *found = NULL;

  gomp_mutex_lock (&lock);
  for (struct chunk *c = gomp_load_relaxed (&xchunks); found == NULL && c != NULL; c = c->next)
    for (int i = 0; found == NULL && i < CHUNK; i++)
      if (gomp_load_relaxed (&c->ranges[i].xstart) == start
	  && gomp_load_relaxed (&c->ranges[i].xdev) == dev)
	found = &c->ranges[i];
  gomp_mutex_unlock (&lock);
  gomp_host_fault_remove (found);
}
