/* cpu-watch-call.c -- the mapping checker of a cpu device, in the worker: system calls of regions.

   The system does not wait for anybody where memory is closed: a call with its address fails.  So
   all calls of a thread that runs a region come to the signal handler first (SIGSYS, by system
   call user dispatch, Linux 5.11).  It makes those it knows itself, when it has opened what their
   arguments name.

   Everything else may have addresses anywhere, or make a process or a thread: what is watched is
   opened, and the call made by the code that wanted it.  From then on nothing is watched until the
   next region starts.  A thread that the region has made, a handler of signals, or a queue that the
   system works off later, is the end of watching in this worker, since what they do is not seen; so
   is what the region does to the checker's own signals.  Processes that the region makes are not
   concerned: dispatching ends with fork, clone and exec.

   The signals by which the checker sees something must come through.  A region's thread never
   blocks them, whatever mask it asks for, and is told that it does.

   On older systems there is a filter (seccomp) for calls with addresses in the device's memory, which
   are made with those where the worker has the same memory open, and data of modules is not
   watched.  It stays when another program is executed, but no program has anything at such
   addresses.  The same with ThreadSanitizer, whose handler of signals calls this one, and makes
   calls of its own with all signals blocked.

   All but _init, _thread, _begin, _start and _end runs in signal handlers.  */

#define _GNU_SOURCE 1
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <ucontext.h>
#include <unistd.h>

#include "plugin/cpu-worker.h"

#if defined __x86_64__

#ifndef PR_SET_SYSCALL_USER_DISPATCH
# define PR_SET_SYSCALL_USER_DISPATCH 59
# define PR_SYS_DISPATCH_OFF 0
# define PR_SYS_DISPATCH_ON 1
#endif
#ifndef SYS_clone3
# define SYS_clone3 435
#endif
#ifndef SYS_io_uring_setup
# define SYS_io_uring_setup 425
#endif
enum { FROM_FILTER = 1, FROM_DISPATCH = 2 };	/* si_code */

#define FREE_CALLS 50000	/* of the process ... */
#define CALLS_PER_MS 20		/* ... and so many more */
#define RETURN_SIZE 16		/* of the code behind a handler */

/* The end of a signal handler is a system call, too: that of the kernel's action.  */
struct kernel_action
{
  void *handler;
  unsigned long flags;
  void *restorer;
  uint64_t mask;
};

/* Signals of the checker, as the kernel's mask.  */
#define OURS \
  (UINT64_C (1) << (SIGSEGV - 1) | UINT64_C (1) << (SIGTRAP - 1) | UINT64_C (1) << (SIGSYS - 1))

static uint64_t restorer;	/* 0: calls are not dispatched */
static uint64_t started_ns;
static _Atomic (bool) xgiven_up;	/* nothing is watched any more */
static _Atomic (uint64_t) xcalls;

/* A system call that the handler makes, when the thread's calls do not come to it.  A filter lets it
   through.  */
extern const char gomp_cpu_raw_call_end[] __attribute__ ((visibility ("hidden")));
__asm__ (".pushsection .text\n"
	 "\t.globl gomp_cpu_raw_call, gomp_cpu_raw_call_end\n"
	 "\t.hidden gomp_cpu_raw_call, gomp_cpu_raw_call_end\n"
	 "\t.type gomp_cpu_raw_call, @function\n"
	 "gomp_cpu_raw_call:\n"
	 "\tmovq %rdi, %rax\n"
	 "\tmovq %rsi, %rdi\n"
	 "\tmovq %rdx, %rsi\n"
	 "\tmovq %rcx, %rdx\n"
	 "\tmovq %r8, %r10\n"
	 "\tmovq %r9, %r8\n"
	 "\tmovq 8(%rsp), %r9\n"
	 "\tsyscall\n"
	 "gomp_cpu_raw_call_end:\n"
	 "\tret\n"
	 "\t.size gomp_cpu_raw_call, . - gomp_cpu_raw_call\n"
	 "\t.popsection\n");

/* ---- which calls ---- */

#define A(number) (1u << (number))

/* Calls that use no memory but what the named arguments point to, without addresses in it, and
   that may be made by the handler.  */
static const struct { uint16_t number; uint8_t addresses; } simple[] = {
  { SYS_read, A (1) }, { SYS_write, A (1) }, { SYS_open, A (0) }, { SYS_close, 0 },
  { SYS_stat, A (0) | A (1) }, { SYS_fstat, A (1) }, { SYS_lstat, A (0) | A (1) },
  { SYS_poll, A (0) }, { SYS_lseek, 0 }, { SYS_mmap, 0 }, { SYS_mprotect, 0 }, { SYS_munmap, 0 },
  { SYS_brk, 0 }, { SYS_rt_sigprocmask, A (1) | A (2) }, { SYS_ioctl, A (2) },
  { SYS_pread64, A (1) }, { SYS_pwrite64, A (1) }, { SYS_access, A (0) }, { SYS_pipe, A (0) },
  { SYS_sched_yield, 0 }, { SYS_mremap, 0 }, { SYS_madvise, 0 }, { SYS_dup, 0 }, { SYS_dup2, 0 },
  { SYS_nanosleep, A (0) | A (1) }, { SYS_getpid, 0 }, { SYS_sendto, A (1) | A (4) },
  { SYS_recvfrom, A (1) | A (4) | A (5) }, { SYS_uname, A (0) }, { SYS_fsync, 0 },
  { SYS_ftruncate, 0 }, { SYS_getcwd, A (0) }, { SYS_rename, A (0) | A (1) }, { SYS_mkdir, A (0) },
  { SYS_unlink, A (0) }, { SYS_readlink, A (0) | A (1) }, { SYS_gettimeofday, A (0) | A (1) },
  { SYS_getrlimit, A (1) }, { SYS_getrusage, A (1) }, { SYS_getuid, 0 }, { SYS_getgid, 0 },
  { SYS_geteuid, 0 }, { SYS_getegid, 0 }, { SYS_getppid, 0 }, { SYS_gettid, 0 },
  { SYS_time, A (0) }, { SYS_futex, A (0) | A (3) | A (4) },
  { SYS_sched_getaffinity, A (2) }, { SYS_getdents64, A (1) }, { SYS_clock_gettime, A (1) },
  { SYS_clock_getres, A (1) }, { SYS_clock_nanosleep, A (2) | A (3) }, { SYS_openat, A (1) },
  { SYS_newfstatat, A (1) | A (2) }, { SYS_unlinkat, A (1) }, { SYS_readlinkat, A (1) | A (2) },
  { SYS_faccessat, A (1) }, { SYS_dup3, 0 }, { SYS_pipe2, A (0) }, { SYS_prlimit64, A (2) | A (3) },
  { SYS_getrandom, A (0) }, { SYS_memfd_create, A (0) }, { SYS_statx, A (1) | A (4) },
  { SYS_getcpu, A (0) | A (1) }
};

#undef A

static int
addresses_of (int number, const long *args)
{
  /* Others may have addresses inside.  */
  if (number == SYS_ioctl && args[1] != TCGETS && args[1] != TIOCGWINSZ && args[1] != FIONREAD)
    return -1;
  /* The fourth is a number then.  */
  if (number == SYS_futex && (args[1] & 127) != 0 && (args[1] & 127) != 1 && (args[1] & 127) != 9
      && (args[1] & 127) != 10)
    return -1;
  for (size_t i = 0; i < sizeof (simple) / sizeof (simple[0]); i++)
    if (simple[i].number == number)
      return simple[i].addresses;
  return -1;
}

/* ---- in the handler ---- */

/* The signals of the checker stay open, and the others get into CONTEXT, with which the thread goes on.
   While the mask is that of the thread, nothing that is closed may be used: only the system
   reads it.  */
static GOMP_CPU_BARE long
change_mask (ucontext_t *context, struct gomp_cpu_watcher *self, const long *args)
{
  uint64_t mask, handlers;
  memcpy (&mask, &context->uc_sigmask, sizeof (mask));
  mask |= self->blocked;
  gomp_cpu_raw_call (SYS_rt_sigprocmask, SIG_SETMASK, (long) &mask, (long) &handlers, sizeof (mask), 0, 0);
  long result = gomp_cpu_raw_call (SYS_rt_sigprocmask, args[0], args[1], args[2], args[3], 0, 0);
  gomp_cpu_raw_call (SYS_rt_sigprocmask, SIG_SETMASK, (long) &handlers, (long) &mask, sizeof (mask), 0, 0);
  self->blocked = mask & OURS;
  mask &= ~OURS;
  memcpy (&context->uc_sigmask, &mask, sizeof (mask));
  return result;
}

/* The thread goes on with the mask that it believes to have.  */
static void
let_block (ucontext_t *context, struct gomp_cpu_watcher *self)
{
  uint64_t mask;
  memcpy (&mask, &context->uc_sigmask, sizeof (mask));
  mask |= self->blocked;
  self->blocked = 0;
  memcpy (&context->uc_sigmask, &mask, sizeof (mask));
}

/* SIZE bytes at ADDR, if they can be read: the region may have given any address.  Through a pipe, which takes so few
   at once: a filter of the program's may not have what looks into processes (plugin/peek.h).  */
static bool
get (void *to, long addr, size_t size)
{
  int ends[2];
  if (gomp_cpu_raw_call (SYS_pipe2, (long) ends, O_CLOEXEC, 0, 0, 0, 0) != 0)
    return false;
  bool all = gomp_cpu_raw_call (SYS_write, ends[1], addr, (long) size, 0, 0, 0) == (long) size
	     && gomp_cpu_raw_call (SYS_read, ends[0], (long) to, (long) size, 0, 0, 0) == (long) size;
  gomp_cpu_raw_call (SYS_close, ends[0], 0, 0, 0, 0, 0);
  gomp_cpu_raw_call (SYS_close, ends[1], 0, 0, 0, 0, 0);
  return all;
}

/* Does the call start somebody who cannot be watched, or take the checker its signals?  What it reads
   is open.  */
static bool
starts_others (int number, const long *args)
{
  uint64_t flags = 0;
  struct kernel_action action;
  switch (number)
    {
    case SYS_clone:
      flags = args[0];
      break;
    case SYS_clone3:
      if (!get (&flags, args[0], sizeof (flags)))
	return false;
      break;
    case SYS_io_setup:
    case SYS_io_uring_setup:
      return true;
    case SYS_rt_sigaction:
      if (args[1] == 0 || !get (&action, args[1], sizeof (action)))
	return false;
      if (args[0] > 0 && args[0] <= 64 && (OURS >> (args[0] - 1) & 1) != 0)
	return true;
      return action.handler != (void *) SIG_DFL && action.handler != (void *) SIG_IGN;
    case SYS_sigaltstack:
      return args[0] != 0;
    default:
      return false;
    }
  return (flags & CLONE_VM) != 0 && (flags & CLONE_VFORK) == 0;
}

static bool
may_call (void)
{
  /* Relaxed: statistics.  */
  uint64_t calls = atomic_fetch_add_explicit (&xcalls, 1, memory_order_relaxed);
  return calls < FREE_CALLS
	 || calls < FREE_CALLS + (gomp_cpu_now () - started_ns) / 1000000 * CALLS_PER_MS;
}

bool
gomp_cpu_watch_call (const siginfo_t *info, void *machine)
{
  static const uint8_t place[6] = { REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9 };
  ucontext_t *context = machine;
  greg_t *regs = context->uc_mcontext.gregs;
  struct gomp_cpu_watcher *self = gomp_cpu_thread ()->watcher;
  const bool dispatched = info->si_code == FROM_DISPATCH;
  const int number = info->si_syscall;
  long args[6];

  if (info->si_code != FROM_FILTER && (!dispatched || self == NULL))
    return false;
  for (int i = 0; i < 6; i++)
    args[i] = regs[place[i]];
  int addresses = 63;
  if (dispatched)
    /* The numbers of 32-bit calls are others.  */
    addresses = info->si_arch == AUDIT_ARCH_X86_64 ? addresses_of (number, args) : -1;
  if (dispatched && (addresses < 0 || !may_call ()))
    {
      gomp_cpu_watch_open ();
      if (starts_others (number, args))
	{
	  /* Another thread may close what it finds open, until it sees this.  */
	  atomic_store_explicit (&xgiven_up, true, memory_order_seq_cst);
	  gomp_cpu_watch_open ();
	}
      gomp_cpu_watch_no_step (context);
      let_block (context, self);
      self->passes = true;
      regs[REG_RIP] -= 2;	/* the instruction */
      return true;
    }
  for (int i = 0; i < 6; i++)
    if ((addresses >> i & 1) != 0)
      {
	/* Opened; who waits at an address in memory has to be found by who wakes without coming here.  */
	uint64_t open = gomp_cpu_watch_use (args[i]);
	if (!dispatched)
	  args[i] = (long) open;
      }
  if (number == SYS_rt_sigprocmask && dispatched)
    regs[REG_RAX] = change_mask (context, self, args);
  else
    regs[REG_RAX] = gomp_cpu_raw_call (number, args[0], args[1], args[2], args[3], args[4], args[5]);
  return true;
}

/* ---- threads and regions ---- */

/* Let the system send calls with an address from START to END to the signal handler.  Where it does
   not know how, such calls fail while their memory is closed.  */
static void
filter (uint64_t start, uint64_t end)
{
  /* The second half gets no addresses, but there may be some in registers that it does not use.
     The handler of signals makes these calls, too, perhaps with all signals blocked
     (ThreadSanitizer).  */
  static const int exempt[] = { SYS_mprotect, SYS_madvise, SYS_munmap, SYS_mmap, SYS_mremap,
				SYS_rt_sigreturn,
				SYS_getpid, SYS_gettid, SYS_tgkill, SYS_kill, SYS_exit, SYS_exit_group,
				SYS_sched_yield, SYS_close, SYS_pause };
  enum { ARGS = 6, EACH = 11, FIRST = 9, EXEMPT = sizeof (exempt) / sizeof (exempt[0]) };
  struct sock_filter code[FIRST + 2 * EXEMPT + ARGS * EACH + 1];
  uint32_t low = start, high = start >> 32, end_low = end, end_high = end >> 32;
  const uint64_t behind = (uintptr_t) gomp_cpu_raw_call_end;
  unsigned n = 0;
#define LOAD(offset) \
  code[n++] = (struct sock_filter) BPF_STMT (BPF_LD | BPF_W | BPF_ABS, (offset))
#define JUMP(test, value, yes, no) \
  code[n++] = (struct sock_filter) BPF_JUMP (BPF_JMP | (test) | BPF_K, (value), (yes), (no))
#define ANSWER(what) code[n++] = (struct sock_filter) BPF_STMT (BPF_RET | BPF_K, (what))

  LOAD (offsetof (struct seccomp_data, arch));
  JUMP (BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0);
  ANSWER (SECCOMP_RET_ALLOW);
  LOAD (offsetof (struct seccomp_data, instruction_pointer));
  JUMP (BPF_JEQ, (uint32_t) behind, 0, 3);
  LOAD (offsetof (struct seccomp_data, instruction_pointer) + 4);
  JUMP (BPF_JEQ, (uint32_t) (behind >> 32), 0, 1);
  ANSWER (SECCOMP_RET_ALLOW);
  LOAD (offsetof (struct seccomp_data, nr));
  for (unsigned i = 0; i < EXEMPT; i++)
    {
      JUMP (BPF_JEQ, exempt[i], 0, 1);
      ANSWER (SECCOMP_RET_ALLOW);
    }
  for (unsigned i = 0; i < ARGS; i++)
    {
      const unsigned lower = offsetof (struct seccomp_data, args) + 8 * i, upper = lower + 4;
      LOAD (upper);
      JUMP (BPF_JGE, high, 0, 9);
      JUMP (BPF_JGT, end_high, 8, 0);
      JUMP (BPF_JEQ, high, 0, 2);
      LOAD (lower);
      JUMP (BPF_JGE, low, 0, 5);
      LOAD (upper);
      JUMP (BPF_JEQ, end_high, 0, 2);
      LOAD (lower);
      JUMP (BPF_JGE, end_low, 1, 0);
      ANSWER (SECCOMP_RET_TRAP);
    }
  ANSWER (SECCOMP_RET_ALLOW);
#undef LOAD
#undef JUMP
#undef ANSWER
  struct sock_fprog program = { .len = n, .filter = code };
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
    syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

static bool
dispatch (const uint8_t *passes)
{
  return gomp_cpu_raw_call (SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON,
			    (long) restorer, RETURN_SIZE, (long) passes, 0) == 0;
}

void
gomp_cpu_calls_init (uint64_t start, uint64_t end)
{
  static const uint8_t all_pass = GOMP_CPU_CALLS_PASS;
  struct kernel_action action = { 0 };
  struct sigaction wanted;
  started_ns = gomp_cpu_now ();
  /* Where the handler is called by another one (ThreadSanitizer), that one makes system calls with
     all signals blocked.  */
  if (sigaction (SIGSYS, NULL, &wanted) == 0
      && gomp_cpu_raw_call (SYS_rt_sigaction, SIGSYS, 0, (long) &action, sizeof (action.mask), 0, 0) == 0
      && action.handler == (void *) wanted.sa_sigaction)
    restorer = (uintptr_t) action.restorer;
  if (restorer == 0 || !dispatch (&all_pass))
    {
      restorer = 0;
      filter (start, end);
    }
  gomp_cpu_calls_thread (NULL);
}

bool
gomp_cpu_calls_come (void)
{
  return restorer != 0;
}

void
gomp_cpu_calls_thread (struct gomp_cpu_watcher *self)
{
  if (restorer == 0)
    return;
  if (self == NULL)
    gomp_cpu_raw_call (SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0, 0, 0, 0);
  else
    self->dispatched = dispatch (&self->calls);
}

/* The calling thread does not block the signals of the checker.  */
static void
unblock (struct gomp_cpu_watcher *self)
{
  const uint64_t ours = OURS;
  uint64_t mask = 0;
  gomp_cpu_raw_call (SYS_rt_sigprocmask, SIG_UNBLOCK, (long) &ours, (long) &mask, sizeof (mask), 0, 0);
  self->blocked |= mask & OURS;
}

bool
gomp_cpu_calls_begin (void)
{
  struct gomp_cpu_watcher *self = gomp_cpu_thread ()->watcher;
  if (restorer == 0)
    return true;
  if (self == NULL || !self->dispatched
      || atomic_load_explicit (&xgiven_up, memory_order_relaxed))
    return false;
  unblock (self);
  return true;
}

void
gomp_cpu_calls_start (void)
{
  struct gomp_cpu_watcher *self = gomp_cpu_thread ()->watcher;
  if (self != NULL && self->dispatched && !atomic_load_explicit (&xgiven_up, memory_order_relaxed))
    self->calls = GOMP_CPU_CALLS_COME;
}

void
gomp_cpu_calls_end (void)
{
  struct gomp_cpu_watcher *self = gomp_cpu_thread ()->watcher;
  if (self == NULL || !self->dispatched)
    return;
  self->calls = GOMP_CPU_CALLS_PASS;
  unblock (self);
}

#endif
