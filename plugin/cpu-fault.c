/* cpu-fault.c -- how a worker dies: it leaves a record for the host, wakes it, and goes.

   Every way that the process itself can notice ends in end_with (): a fatal signal, exit (),
   pthread_exit () of a thread that serves a queue.  Being killed leaves no record.  In both
   cases xlife gets FUTEX_OWNER_DIED, here or by the kernel, and the host reads the record after
   it has seen that.

   The handler also serves calls of host addresses: GCC calls functions with the `indirect'
   clause by their host address, which in the worker is nothing that can be executed.  The fault
   is turned into the call that was meant.

   Only async-signal-safe operations in the handler; it never returns to broken code.  */

#define _GNU_SOURCE 1
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "plugin/plugin.h"
#include "plugin/cpu-common.h"
#include "plugin/cpu-worker.h"

#define HANDLER_STACK (64u << 10)
#define MAX_MODULES 512

/* The stack on which a thread handles signals, and the one that a sanitizer had given it.  */
struct handler_stack
{
  stack_t before;
  struct gomp_cpu_watcher watcher;
  char mem[HANDLER_STACK];
};

static const int fatal_signals[]
  = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS };

/* Modules, to name the place of a fault.  Entries are complete before the count says so.  */
static struct { uintptr_t start, end; unsigned look; char name[128]; } modules[MAX_MODULES]
  __attribute__ ((section (".bss.rare")));	/* GOMP_RARE of libgomp.h */
static _Atomic (unsigned) xnum_modules;

/* Sorted by host address; a new table replaces the old one, which is never freed since a
   handler may be reading it.  */
struct indirect_table
{
  size_t count;
  struct { uint64_t host, worker; } entry[];
};
static _Atomic (struct indirect_table *) xindirect;

/* ---- the record ---- */

static uint64_t
running_function (void)
{
  struct gomp_cpu_slot *slot = gomp_cpu_thread ()->slot;
  if (slot != NULL)
    return atomic_load_explicit (&slot->xrunning, memory_order_relaxed);
  return 0;		/* a thread of a team: the host looks whether only one region runs */
}

/* Claim the record.  Only the first thread that dies fills it; the others wait for the end of
   the process.  */
static struct gomp_cpu_end_record *
claim_record (void)
{
  /* Not in the shared memory, where a region may have written into it.  */
  static _Atomic (pid_t) claimer;
  struct gomp_cpu_end_record *end = &gomp_cpu_self->end;
  pid_t me = gettid (), other = 0;
  /* Relaxed: xlife publishes the record.  */
  if (!atomic_compare_exchange_strong_explicit (&claimer, &other, me, memory_order_relaxed,
						memory_order_relaxed))
    {
      /* Filling it has failed.  */
      if (other == me)
	_exit (128 + SIGSEGV);
      for (;;)
	pause ();
    }
  end->function = running_function ();
  return end;
}

/* The record is complete: the device is lost.  */
static void
declare_dead (void)
{
  /* Release: the record.  */
  atomic_fetch_or_explicit (&gomp_cpu_self->xlife, FUTEX_OWNER_DIED, memory_order_release);
  gomp_cpu_futex_wake (&gomp_cpu_self->xlife);
}

/* A region may fork: how its child ends is nothing to the host.  */
static bool
is_the_worker (void)
{
  /* Relaxed: stored before there was anybody else.  */
  return getpid () == atomic_load_explicit (&gomp_cpu_self->xworker_pid, memory_order_relaxed);
}

static void __attribute__ ((noreturn))
end_with (enum gomp_cpu_end kind, int code)
{
  if (!is_the_worker ())
    _exit (code);
  struct gomp_cpu_end_record *end = claim_record ();
  end->kind = kind;
  end->code = code;
  declare_dead ();
  _exit (code);
}

void
gomp_cpu_fault_damaged (void)
{
  end_with (GOMP_CPU_END_DAMAGED, 1);
}

static void
on_exit_called (int code, void *unused)
{
  (void) unused;
  fflush (stdout);		/* exit does this after its handlers */
  end_with (GOMP_CPU_END_EXIT, code);
}

static void
on_quick_exit (void)
{
  end_with (GOMP_CPU_END_EXIT, 0);
}

/* ---- signals ---- */

struct machine
{
  uint64_t ip, sp;
  uint8_t access;		/* enum gomp_fault_access */
  bool real_address;		/* si_addr is where the access went */
};

static struct machine
machine_state (int number, const siginfo_t *info, const ucontext_t *context)
{
  struct machine m = { .access = GOMP_FAULT_UNKNOWN };
  bool page_fault = (number == SIGSEGV || number == SIGBUS) && info->si_code > 0;
#if defined __x86_64__
  const greg_t *regs = context->uc_mcontext.gregs;
  m.ip = regs[REG_RIP];
  m.sp = regs[REG_RSP];
  if (page_fault && regs[REG_TRAPNO] == 14)
    {
      m.real_address = true;
      m.access = (regs[REG_ERR] & 16) != 0 ? GOMP_FAULT_EXEC
		 : (regs[REG_ERR] & 2) != 0 ? GOMP_FAULT_WRITE : GOMP_FAULT_READ;
    }
#elif defined __aarch64__
  m.ip = context->uc_mcontext.pc;
  m.sp = context->uc_mcontext.sp;
  m.real_address = page_fault;
  /* The exception's syndrome is in a chain of records behind the registers.  */
  const char *p = (const char *) context->uc_mcontext.__reserved;
  const char *last = p + sizeof (context->uc_mcontext.__reserved);
  while (page_fault && p + 16 <= last)
    {
      uint32_t magic, size;
      uint64_t esr;
      memcpy (&magic, p, 4);
      memcpy (&size, p + 4, 4);
      if (magic == 0 || size < 8)
	break;
      if (magic == 0x45535201)
	{
	  memcpy (&esr, p + 8, 8);
	  unsigned class = esr >> 26 & 63;
	  m.access = class == 0x20 || class == 0x21 ? GOMP_FAULT_EXEC
		     : (esr & 64) != 0 ? GOMP_FAULT_WRITE : GOMP_FAULT_READ;
	  break;
	}
      p += size;
    }
#endif
  if (page_fault && m.real_address && m.ip == (uint64_t) info->si_addr)
    m.access = GOMP_FAULT_EXEC;
  return m;
}

/* The worker's address of the function that has the address HOST in the host, or 0.  */
static uint64_t
find_indirect (uint64_t host)
{
  /* Acquire: the table's contents.  */
  const struct indirect_table *t = atomic_load_explicit (&xindirect, memory_order_acquire);
  size_t low = 0, high = t != NULL ? t->count : 0;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (t->entry[middle].host == host)
	return t->entry[middle].worker;
      if (t->entry[middle].host < host)
	low = middle + 1;
      else
	high = middle;
    }
  return 0;
}

static void
handle_signal (int number, siginfo_t *info, void *context)
{
  int saved = errno;
  struct machine m = machine_state (number, info, context);

  if (gomp_cpu_rights_signal (number, info)
      || gomp_cpu_watch_signal (number, info, context, m.access))
    {
      errno = saved;
      return;
    }
  if (m.access == GOMP_FAULT_EXEC && m.real_address)
    {
      uint64_t meant = find_indirect ((uint64_t) info->si_addr);
      if (meant != 0)
	{
#if defined __x86_64__
	  ((ucontext_t *) context)->uc_mcontext.gregs[REG_RIP] = meant;
#elif defined __aarch64__
	  ((ucontext_t *) context)->uc_mcontext.pc = meant;
#endif
	  errno = saved;
	  return;
	}
    }

  if (!is_the_worker ())
    goto die;
  struct gomp_cpu_end_record *end = claim_record ();
  end->kind = GOMP_CPU_END_SIGNAL;
  end->signal = number;
  end->code = info->si_code;
  end->sender = info->si_code <= 0 && info->si_pid != getpid () ? info->si_pid : 0;
  end->has_ip = info->si_code > 0;
  end->ip = m.ip;
  end->has_address = m.real_address;
  end->address = m.real_address ? (uint64_t) info->si_addr : 0;
  end->access = m.access;
  uintptr_t low = gomp_cpu_thread ()->stack_low;
  end->stack_overflow = m.real_address && low != 0 && end->address < low + 4096
			&& end->address > low - (4u << 20) && m.sp < low + (64u << 10);
  for (unsigned i = 0, n = atomic_load_explicit (&xnum_modules, memory_order_acquire); i < n; i++)
    if (m.ip >= modules[i].start && m.ip < modules[i].end)
      {
	memcpy (end->module, modules[i].name, sizeof (end->module));
	end->module_offset = m.ip - modules[i].start;
	break;
      }
  declare_dead ();

 die:
  /* Die by the same signal, for those who want a core file.  */
  signal (number, SIG_DFL);
  sigset_t one;
  sigemptyset (&one);
  sigaddset (&one, number);
  raise (number);
  sigprocmask (SIG_UNBLOCK, &one, NULL);
  _exit (128 + number);
}

/* Was the handler of WATCHER's thread on its stack already when it was interrupted?  */
static GOMP_CPU_BARE bool
is_nested (const ucontext_t *context, const struct gomp_cpu_watcher *watcher)
{
  uintptr_t sp = 0;
#if defined __x86_64__
  sp = context->uc_mcontext.gregs[REG_RSP];
#elif defined __aarch64__
  sp = context->uc_mcontext.sp;
#else
  (void) context;
#endif
  uintptr_t start = (uintptr_t) watcher - offsetof (struct handler_stack, watcher);
  return watcher != NULL && sp - start < sizeof (struct handler_stack);
}

static GOMP_CPU_BARE void
on_fatal_signal (int number, siginfo_t *info, void *context)
{
  struct gomp_cpu_watcher *watcher = gomp_own_block != NULL ? gomp_own_block->cpu.watcher : NULL;
  bool nested = is_nested (context, watcher);
  uint8_t calls = GOMP_CPU_CALLS_PASS;

  /* Before the first system call.  */
  if (watcher != NULL)
    {
      calls = watcher->calls;
      watcher->calls = GOMP_CPU_CALLS_PASS;
    }
  if (number == SIGSEGV && info->si_code > 0 && (nested || watcher == NULL)
      && gomp_cpu_globals_early ((uint64_t) info->si_addr, watcher))
    ;
  else if (number == SIGSEGV && nested)
    signal (number, SIG_DFL);	/* the same fault again is the end */
  else
    {
      handle_signal (number, info, context);
      if (watcher != NULL && watcher->used != 0 && !nested)
	gomp_cpu_globals_late (watcher);
    }
  if (watcher != NULL)
    {
      watcher->calls = watcher->passes ? (uint8_t) GOMP_CPU_CALLS_PASS : calls;
      watcher->passes = false;
    }
}

/* ---- threads ---- */

static pthread_key_t serving_key, stack_key;

static void
free_handler_stack (void *arg)
{
  struct handler_stack *stack = arg;
  gomp_cpu_calls_thread (NULL);
  if (gomp_own_block != NULL)
    gomp_own_block->cpu.watcher = NULL;
  sigaltstack (&stack->before, NULL);
  munmap (stack, sizeof (*stack));
}

static void
on_thread_end (void *slot)
{
  (void) slot;
  end_with (GOMP_CPU_END_THREAD, 1);
}

void
gomp_cpu_fault_thread (struct gomp_cpu_slot *slot)
{
  pthread_attr_t attr;
  struct gomp_cpu_thread *self = &gomp_own ()->cpu;
  self->slot = slot;
  if (pthread_getattr_np (pthread_self (), &attr) == 0)
    {
      void *low;
      size_t size;
      if (pthread_attr_getstack (&attr, &low, &size) == 0)
	self->stack_low = (uintptr_t) low;
      pthread_attr_destroy (&attr);
    }
  if (slot != NULL)
    pthread_setspecific (serving_key, slot);

  struct handler_stack *stack = mmap (NULL, sizeof (*stack), PROT_READ | PROT_WRITE,
				      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack == MAP_FAILED)
    return;			/* stack overflows then leave no record */
  const stack_t want = { .ss_sp = stack->mem, .ss_size = sizeof (stack->mem) };
  if (sigaltstack (&want, &stack->before) != 0)
    munmap (stack, sizeof (*stack));
  else
    {
      self->watcher = &stack->watcher;
      gomp_cpu_calls_thread (self->watcher);
      pthread_setspecific (stack_key, stack);
    }
}

void
gomp_cpu_fault_mask (sigset_t *mask)
{
  sigfillset (mask);
  for (unsigned i = 0; i < sizeof (fatal_signals) / sizeof (fatal_signals[0]); i++)
    sigdelset (mask, fatal_signals[i]);
}

void
gomp_cpu_fault_init (void)
{
  struct sigaction action;
  memset (&action, 0, sizeof (action));
  action.sa_sigaction = on_fatal_signal;
  gomp_cpu_fault_mask (&action.sa_mask);
  for (unsigned i = 0; i < sizeof (fatal_signals) / sizeof (fatal_signals[0]); i++)
    {
      /* A thread that was only asked for its part (cpu-rights.c) goes on with its call, which the
	 handler may be making for it.  What the handler itself gets is handled, too, before
	 anything else.  */
      bool again = fatal_signals[i] == SIGSEGV || fatal_signals[i] == SIGSYS;
      action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | (again ? SA_NODEFER : 0);
      sigaction (fatal_signals[i], &action, NULL);
    }
  on_exit (on_exit_called, NULL);
  at_quick_exit (on_quick_exit);
  pthread_key_create (&serving_key, on_thread_end);
  pthread_key_create (&stack_key, free_handler_stack);
  gomp_cpu_fault_modules ();
}

/* ---- tables ---- */

static int
note_module (struct dl_phdr_info *info, size_t size, void *data)
{
  uint64_t start, end;
  const unsigned *look = data;
  unsigned n = atomic_load_explicit (&xnum_modules, memory_order_relaxed), i = 0, unused = n;
  (void) size;
  gomp_cpu_module_extent (info, &start, &end);
  if (start >= end)
    return 0;
  const char *name = info->dlpi_name, *slash = name ? strrchr (name, '/') : NULL;
  name = slash ? slash + 1 : name && *name ? name : "the executable";
  for (; i < n; i++)
    if (modules[i].start == start && modules[i].end == end
	&& strncmp (modules[i].name, name, sizeof (modules[i].name) - 1) == 0)
      {
	modules[i].look = *look;
	return 0;
      }
    else if (modules[i].end == 0)
      unused = i;
  if (unused == MAX_MODULES)
    return 0;
  memset (modules[unused].name, 0, sizeof (modules[unused].name));
  strncpy (modules[unused].name, name, sizeof (modules[unused].name) - 1);
  modules[unused].start = start;
  modules[unused].end = end;
  modules[unused].look = *look;
  /* Release: the entry.  */
  if (unused == n)
    atomic_store_explicit (&xnum_modules, n + 1, memory_order_release);
  return 0;
}

/* A handler may be reading: at worst it names the wrong one of two that came and went just
   then.  */
void
gomp_cpu_fault_modules (void)
{
  static unsigned look;
  look++;
  dl_iterate_phdr (note_module, &look);
  for (unsigned i = 0, n = atomic_load_explicit (&xnum_modules, memory_order_relaxed); i < n; i++)
    if (modules[i].look != look)
      modules[i].start = modules[i].end = 0;
}

static int
by_host (const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return x < y ? -1 : x > y;
}

bool
gomp_cpu_fault_indirect (const uint64_t *pairs, size_t count)
{
  struct indirect_table *old = atomic_load_explicit (&xindirect, memory_order_relaxed);
  size_t before = old ? old->count : 0, kept = 0;
  struct indirect_table *t = malloc (sizeof (*t) + (before + count) * sizeof (t->entry[0]));
  if (t == NULL)
    return false;
  memcpy (&t->entry[before], pairs, count * sizeof (t->entry[0]));
  qsort (&t->entry[before], count, sizeof (t->entry[0]), by_host);
  /* At the same address another module may have been.  */
  for (size_t i = 0; i < before; i++)
    if (bsearch (&old->entry[i], &t->entry[before], count, sizeof (t->entry[0]), by_host) == NULL)
      t->entry[kept++] = old->entry[i];
  memmove (&t->entry[kept], &t->entry[before], count * sizeof (t->entry[0]));
  t->count = kept + count;
  qsort (t->entry, t->count, sizeof (t->entry[0]), by_host);
  /* Release: the contents.  */
  atomic_store_explicit (&xindirect, t, memory_order_release);
  return true;
}
