/* host-fault.c -- tells when the program's own code uses the address of device memory.

   Such an address comes from omp_target_alloc or a use_device_ptr clause, and means nothing on the host: where
   nothing is mapped there (addresses of cpu devices are reserved without access) the program gets SIGSEGV.
   With GOMP_CHECK or GOMP_INFO a handler says what the address is and which code has used it, and lets the
   signal do what it does without.

   Invariants
   1. There is a handler only if one was asked for, and only where SIGSEGV had its default action when the
      first device memory was allocated.  A handler that the program installs later takes its place.
   2. After the handler the program ends as if there had been none: the default action is back, and
      the instruction is executed again.
   3. Names and mappings, for which memory is allocated and locks are taken, are looked up only when the
      faulting code is the executable's, which holds none of these locks.  For other code the handler calls
      nothing that is not safe in one.
   4. Ranges are only added and emptied; what holds them is never freed.  The handler reads them without
      a lock.  */

#include "libgomp.h"
#include "diag.h"
#include "elf-file.h"
#include "map-check.h"
#include "target.h"

#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>

enum { CHUNK = 128 };

struct range
{
  _Atomic (uint64_t) xstart;	/* 0: empty; published last */
  _Atomic (uint64_t) xend;
  _Atomic (struct gomp_device *) xdev;
};

struct chunk
{
  struct chunk *next;		/* fixed */
  struct range ranges[CHUNK];
};

static gomp_mutex_t lock;	/* a leaf: writers of ranges; GOMP_RANK_NONE */
static _Atomic (struct chunk *) xchunks;
static bool looked;		/* at the action of SIGSEGV; protected by lock */
/* Code of the executable; fixed before the handler is installed.  */
static uintptr_t code_start, code_end;
static _Atomic (bool) xtold;

/* ---- the handler ---- */

static bool
find_range (uint64_t addr, struct range **found)
{
  /* Acquire: the chunk; of a range, its end and device.  */
  for (struct chunk *c = gomp_load_acquire (&xchunks); c != NULL; c = c->next)
    for (int i = 0; i < CHUNK; i++)
      {
	uint64_t start = gomp_load_acquire (&c->ranges[i].xstart);
	if (start != 0 && addr >= start && addr < gomp_load_relaxed (&c->ranges[i].xend))
	  {
	    *found = &c->ranges[i];
	    return true;
	  }
      }
  return false;
}

static const char *
verb_of (const ucontext_t *context, uintptr_t *ip)
{
#if defined __x86_64__
  *ip = context->uc_mcontext.gregs[REG_RIP];
  return (context->uc_mcontext.gregs[REG_ERR] & 2) != 0 ? "written" : "read";
#elif defined __aarch64__
  *ip = context->uc_mcontext.pc;
  return "used";
#endif
}

/* What is known of ADDR, memory of DEV, and of the code at IP of the executable.  */
static void
explain (FILE *f, struct gomp_device *dev, uint64_t addr, uintptr_t ip)
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

static void
tell (uint64_t addr, const struct range *r, const ucontext_t *context)
{
  uintptr_t ip = 0;
  const char *verb = verb_of (context, &ip);
  struct gomp_device *dev = gomp_load_relaxed (&r->xdev);
  char text[512], *more = NULL;
  size_t size = 0;

  int n = snprintf (text, sizeof (text), "\nlibgomp: the host has %s the address %#llx, which is memory of"
		    " device %d (%.100s)\n", verb, (unsigned long long) addr, dev->number, dev->attr.name);
  if (ip < code_start || ip >= code_end)
    n += snprintf (text + n, sizeof (text) - n, "  in the code at %#llx, which is not the executable's\n",
		   (unsigned long long) ip);
  gomp_write_stderr (text, n);
  if (ip >= code_start && ip < code_end)
    {
      FILE *f = open_memstream (&more, &size);
      if (f != NULL)
	{
	  explain (f, dev, addr, ip);
	  if (fclose (f) == 0)
	    gomp_write_stderr (more, size);
	  free (more);
	}
    }
  static const char remedy[] = "  only regions can access it there; omp_target_memcpy copies it, to and from\n";
  gomp_write_stderr (remedy, sizeof (remedy) - 1);
}

static void
on_fault (int number, siginfo_t *info, void *context)
{
  int saved = errno;
  uint64_t addr = (uintptr_t) info->si_addr;
  struct range *found;
  bool nobody = false;

  /* Of a signal that somebody has sent there is no address.  Only the first of several threads tells.  */
  if (info->si_code > 0 && find_range (addr, &found) && gomp_cas_acq_rel (&xtold, &nobody, true))
    tell (addr, found, context);
  signal (number, SIG_DFL);
  if (info->si_code <= 0)
    raise (number);		/* no instruction will do it again */
  errno = saved;
}

/* ---- ranges ---- */

static int
find_code (struct dl_phdr_info *info, size_t size, void *data)
{
  (void) size;
  (void) data;
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
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
  return 1;			/* the first is the executable */
}

static void
install (void)
{
  struct sigaction old, action;

  if (sigaction (SIGSEGV, NULL, &old) != 0 || (old.sa_flags & SA_SIGINFO) != 0
      || old.sa_handler != SIG_DFL)
    return;
  dl_iterate_phdr (find_code, NULL);
  memset (&action, 0, sizeof (action));
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset (&action.sa_mask);
  sigaction (SIGSEGV, &action, NULL);
}

void
gomp_host_fault_add (struct gomp_device *dev, uint64_t start, uint64_t size)
{
  struct range *free_range = NULL;

  gomp_mutex_lock (&lock);
  if (!looked)
    install ();
  looked = true;
  struct chunk *first = gomp_load_relaxed (&xchunks);	/* relaxed: changed with the lock only */
  for (struct chunk *c = first; free_range == NULL && c != NULL; c = c->next)
    for (int i = 0; free_range == NULL && i < CHUNK; i++)
      if (gomp_load_relaxed (&c->ranges[i].xstart) == 0)
	free_range = &c->ranges[i];
  if (free_range == NULL)
    {
      struct chunk *more = gomp_calloc (1, sizeof (*more));
      more->next = first;
      /* Release: next, for the handler.  */
      gomp_store_release (&xchunks, more);
      free_range = &more->ranges[0];
    }
  gomp_store_relaxed (&free_range->xdev, dev);
  gomp_store_relaxed (&free_range->xend, start + size);
  /* Release: both, for the handler.  */
  gomp_store_release (&free_range->xstart, start);
  gomp_mutex_unlock (&lock);
}

void
gomp_host_fault_remove (struct gomp_device *dev, uint64_t start)
{
  gomp_mutex_lock (&lock);
  for (struct chunk *c = gomp_load_relaxed (&xchunks); c != NULL; c = c->next)
    for (int i = 0; i < CHUNK; i++)
      if (gomp_load_relaxed (&c->ranges[i].xstart) == start
	  && gomp_load_relaxed (&c->ranges[i].xdev) == dev)
	gomp_store_relaxed (&c->ranges[i].xstart, 0);
  gomp_mutex_unlock (&lock);
}
