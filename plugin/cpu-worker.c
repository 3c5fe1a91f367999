/* cpu-worker.c -- the device side of a cpu device: a process that was the program until
   libgomp's constructor ran, and then serves the host for the rest of its life.

     exec -> constructor: gomp_cpu_worker_claim -- proof --> claimed
	  -> gomp_cpu_worker_serve: monitor, handlers, ready
	  -> main thread: control commands; one thread for each queue
	  -> _exit: the host is gone, or has closed the device

   Proof.  The argument GOMP_CPU_MARKER says that the process was meant to be a worker, so
   whatever happens it must not become the program and run main a second time: without proof it
   exits with GOMP_CPU_UNPROVEN.  The proof is the inherited descriptor of a sealed object
   of the right owner, size, version and build that contains the nonce from the environment, is
   claimed by nobody else, and names a parent that still lives.  The variable without the
   argument (in what a program with cpu devices executes) means nothing and is removed.

   main and the constructors of the program never run here; those of the shared libraries
   linked to it may or may not have, by the order in which the loader runs them.  Only libgfortran
   and libstdc++ are made sure of, since code of regions needs them.  */

#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "plugin/cpu.h"
#include "plugin/cpu-common.h"
#include "plugin/cpu-worker.h"

#ifndef SYS_pidfd_open
# define SYS_pidfd_open 434
#endif
#ifndef SYS_close_range
# define SYS_close_range 436
#endif

struct gomp_cpu_shared *gomp_cpu_self;

static const struct gomp_cpu_runtime *runtime;
static int object_fd = -1;	/* the shared memory, kept for the lease */
static bool forked;		/* a region forked, and this is the child */
static cpu_set_t processors;	/* before the runtime has bound the main thread */
static bool know_processors;

/* ---- proof ---- */

/* Is there a process with the host's number, and nothing that tells it from the host?  */
static bool
host_lives (const struct gomp_cpu_shared *s)
{
  if (kill (s->host_pid, 0) != 0 && errno != EPERM)
    return false;
  /* 0: /proc does not say (not mounted, or no descriptor is left).  */
  uint64_t start = gomp_cpu_process_start (s->host_pid, NULL);
  return start == 0 || s->host_start == 0 || start == s->host_start;
}

/* Map the object whose descriptor and nonce TEXT names, if everything about it is right.  */
static struct gomp_cpu_shared *
prove (const char *text)
{
  int fd;
  unsigned long long nonce[2];
  struct stat st;
  uint8_t id[32];

  if (text == NULL || getauxval (AT_SECURE) != 0
      || sscanf (text, "%d:%16llx%16llx", &fd, &nonce[0], &nonce[1]) != 3 || fd < 0)
    return NULL;
  int seals = fcntl (fd, F_GET_SEALS);
  if (seals < 0 || (seals & (F_SEAL_SHRINK | F_SEAL_GROW)) != (F_SEAL_SHRINK | F_SEAL_GROW)
      || fstat (fd, &st) != 0 || st.st_uid != geteuid ()
      || (uint64_t) st.st_size < sizeof (struct gomp_cpu_shared))
    return NULL;

  struct gomp_cpu_shared *s = mmap (NULL, st.st_size, PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (s == MAP_FAILED)
    return NULL;
  gomp_cpu_build_id (id);
  uint32_t expected = GOMP_CPU_NEW;
  if (s->magic == GOMP_CPU_MAGIC && s->version == GOMP_CPU_VERSION
      && s->shared_size == sizeof (*s) && s->size == (uint64_t) st.st_size
      && memcmp (s->build_id, id, sizeof (id)) == 0
      && s->nonce[0] == nonce[0] && s->nonce[1] == nonce[1]
      && host_lives (s)
      /* Acquire: what the host wrote; only one process gets through.  */
      && atomic_compare_exchange_strong_explicit (&s->xstate, &expected, GOMP_CPU_CLAIMED,
						  memory_order_acq_rel, memory_order_relaxed))
    {
      object_fd = fd;
      return s;
    }
  munmap (s, st.st_size);
  return NULL;
}

/* Nothing that the program had is for the worker, but stdout and stderr.  */
static void
cut_off (void)
{
  if (object_fd != 3)
    {
      /* A low number leaves two ranges to close.  */
      int low = fcntl (object_fd, F_DUPFD_CLOEXEC, 3);
      if (low >= 0)
	{
	  close (object_fd);
	  object_fd = low;
	}
    }
  fcntl (object_fd, F_SETFD, FD_CLOEXEC);
  bool closed = (object_fd <= 3 || syscall (SYS_close_range, 3, object_fd - 1, 0) == 0)
		&& syscall (SYS_close_range, object_fd + 1, ~0u, 0) == 0;
  if (!closed)
    {
      struct rlimit r;
      int most = 65536;
      if (getrlimit (RLIMIT_NOFILE, &r) == 0 && r.rlim_cur < (rlim_t) most)
	most = r.rlim_cur;
      for (int i = 3; i < most; i++)
	if (i != object_fd)
	  close (i);
    }
  int null = open ("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null > 0)
    {
      dup2 (null, STDIN_FILENO);
      close (null);
    }
  else if (null < 0)
    close (STDIN_FILENO);
  if (chdir ("/") != 0)
    close (-1);			/* it stays where it was: no harm */

  /* What the user sends to the program and its group is for the program.  */
  sigset_t mask;
  gomp_cpu_fault_mask (&mask);
  pthread_sigmask (SIG_SETMASK, &mask, NULL);

  /* The main stack must not grow until it meets addresses that the host uses.  */
  struct rlimit r;
  if (getrlimit (RLIMIT_STACK, &r) == 0 && (r.rlim_cur == RLIM_INFINITY || r.rlim_cur > 1u << 20))
    {
      r.rlim_cur = 1u << 20;
      setrlimit (RLIMIT_STACK, &r);
    }
}

static void
clean_environment (void)
{
  const char *preload = getenv (GOMP_CPU_PRELOAD);
  if (preload != NULL)
    setenv ("LD_PRELOAD", preload, 1);
  else
    unsetenv ("LD_PRELOAD");
  unsetenv (GOMP_CPU_PRELOAD);
  unsetenv (GOMP_CPU_VARIABLE);
}

static void __attribute__ ((noreturn))
refuse (enum gomp_cpu_state state, const char *what, int error)
{
  snprintf (gomp_cpu_self->refusal, sizeof (gomp_cpu_self->refusal), "%s: %s", what,
	    strerror (error));
  /* Release: the text.  */
  atomic_store_explicit (&gomp_cpu_self->xstate, state, memory_order_release);
  gomp_cpu_futex_wake (&gomp_cpu_self->xstate);
  _exit (1);
}

/* Tell the host what this process may do.  FIRST: what of it can be given up.  */
static void
tell_rights (bool first)
{
  struct gomp_cpu_rights *r = &gomp_cpu_self->rights;
  gomp_cpu_rights_take (r, first ? r : NULL, false);
}

bool GOMP_CPU_STARTUP
gomp_cpu_worker_claim (int argc, char **argv, char **envp)
{
  const char *proof = gomp_cpu_variable (envp, GOMP_CPU_VARIABLE);
  if (argc != 2 || argv == NULL || strcmp (argv[1], GOMP_CPU_MARKER) != 0)
    {
      if (proof != NULL)
	{
	  unsetenv (GOMP_CPU_VARIABLE);
	  unsetenv (GOMP_CPU_PRELOAD);
	}
      return false;
    }
  gomp_cpu_self = prove (proof);
  if (gomp_cpu_self == NULL)
    _exit (GOMP_CPU_UNPROVEN);

  struct gomp_cpu_shared *s = gomp_cpu_self;
  /* Relaxed: for the host's messages.  */
  atomic_store_explicit (&s->xworker_pid, getpid (), memory_order_relaxed);
  know_processors = sched_getaffinity (0, sizeof (processors), &processors) == 0;
  cut_off ();
  clean_environment ();
  s->worker_base = (uint64_t) s;

  void *want = (void *) s->heap_addr;
  void *heap = mmap (want, s->heap_size, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, object_fd,
		     GOMP_CPU_CONTROL_SIZE);
  if (heap != want)
    refuse (heap != MAP_FAILED || errno == EEXIST ? GOMP_CPU_COLLISION : GOMP_CPU_REFUSED,
	    "mmap of the device's memory", heap == MAP_FAILED ? errno : EEXIST);
  madvise (heap, s->heap_size, MADV_DONTDUMP);
  madvise (s, s->size, MADV_DONTDUMP);
  /* Executing a program gives root capabilities that the program may have given up before.  */
  gomp_cpu_rights_confine (s->caps);
  tell_rights (true);
  return true;
}

/* ---- the host's life ---- */

static void *
watch_host (void *arg)
{
  (void) arg;
  int fd = syscall (SYS_pidfd_open, gomp_cpu_self->host_pid, 0);
  if (fd >= 0 && host_lives (gomp_cpu_self))
    {
      struct pollfd p = { .fd = fd, .events = POLLIN };
      while (poll (&p, 1, -1) != 1)
	continue;
      _exit (0);
    }
  /* An old kernel: look now and then whether it is the same process.  */
  for (; host_lives (gomp_cpu_self); poll (NULL, 0, 100))
    continue;
  _exit (0);
}

/* The host's mapping holds a lock on the object: getting it means that the host has unmapped it
   or executes another program.  */
static void *
watch_lease (void *arg)
{
  (void) arg;
  while (flock (object_fd, LOCK_EX) != 0)
    if (errno != EINTR)
      return NULL;
  _exit (0);
}

/* A thread that lives as long as the process holds xlife: its end, however it comes, makes the
   kernel mark the word (the list of robust futexes of the thread).  */
static struct
{
  struct robust_list_head head;
  struct robust_list node;
} robust;

static void *
hold_life (void *arg)
{
  _Atomic (uint32_t) *word = &gomp_cpu_self->xlife;
  (void) arg;
  robust.head.list.next = &robust.node;
  robust.node.next = &robust.head.list;
  robust.head.futex_offset = (char *) word - (char *) &robust.node;
  if (syscall (SYS_set_robust_list, &robust.head, sizeof (robust.head)) != 0)
    refuse (GOMP_CPU_REFUSED, "set_robust_list", errno);
  /* Release: nothing; FUTEX_WAITERS makes the kernel wake somebody.  */
  atomic_store_explicit (word, (uint32_t) syscall (SYS_gettid) | FUTEX_WAITERS,
			 memory_order_release);
  gomp_cpu_futex_wake (word);
  return watch_host (NULL);
}

/* ---- serving ---- */

/* The other side polls on the same processor: go to another one, now and then.  */
static void
move_away (uint64_t *last)
{
  cpu_set_t old, others;
  uint64_t now = gomp_cpu_now ();
  if (now - *last < 5000000)
    return;
  *last = now;
  int here = sched_getcpu ();
  if (here < 0 || sched_getaffinity (0, sizeof (old), &old) != 0 || CPU_COUNT (&old) < 2)
    return;
  others = old;
  CPU_CLR (here, &others);
  if (sched_setaffinity (0, sizeof (others), &others) == 0)
    sched_setaffinity (0, sizeof (old), &old);
}

/* Wait until there is more than SEEN in SLOT.  */
static void
wait_for_command (struct gomp_cpu_slot *slot, uint32_t seen, bool poll_first, uint64_t *moved)
{
  for (int i = 0; i < 2 && poll_first; i++)
    {
      bool same_cpu;
      if (gomp_cpu_poll (gomp_cpu_self, &slot->xhead, seen, &slot->xworker_cpu, &slot->xhost_cpu,
			 NULL, &same_cpu))
	return;
      if (!same_cpu)
	break;
      move_away (moved);
    }
  /* Sequentially consistent with the host's store to xhead: rule 3 of cpu-proto.h.  */
  atomic_store_explicit (&slot->xworker_sleeps, 1, memory_order_seq_cst);
  while (atomic_load_explicit (&slot->xhead, memory_order_seq_cst) == seen)
    gomp_cpu_futex_wait (&slot->xhead, seen, NULL);
  atomic_store_explicit (&slot->xworker_sleeps, 0, memory_order_relaxed);
}

static void
complete (struct gomp_cpu_slot *slot, uint32_t done)
{
  /* Sequentially consistent with the host's xhost_sleepers; also releases the results.  */
  atomic_store_explicit (&slot->xdone, done, memory_order_seq_cst);
  if (atomic_load_explicit (&slot->xhost_sleepers, memory_order_seq_cst) != 0)
    gomp_cpu_futex_wake (&slot->xdone);
}

static void
set_fp_control (uint32_t value)
{
#if defined __x86_64__
  __builtin_ia32_ldmxcsr (value);
#elif defined __aarch64__
  __builtin_aarch64_set_fpcr (value);
#endif
}

/* Regions of two queues may be ordered by what the host did in between, which the thread
   sanitizer cannot see.  */
void
gomp_cpu_worker_order (void)
{
#if defined __SANITIZE_THREAD__
  static _Atomic (unsigned) order;
  atomic_fetch_add_explicit (&order, 1, memory_order_acq_rel);
#endif
}

/* A setting of the device that a region may have changed.  Relaxed: the region's completion
   publishes it.  */
static void
publish (_Atomic (int32_t) *setting, int32_t value)
{
  if (atomic_load_explicit (setting, memory_order_relaxed) != value)
    atomic_store_explicit (setting, value, memory_order_relaxed);
}

/* The arguments of a region have come with its command, the one behind DONE others.  */
static void
store_args (const struct gomp_cpu_slot *slot, uint32_t done, const struct gomp_cpu_command *c)
{
  unsigned number = slot - gomp_cpu_slot_at (gomp_cpu_self, 0);

  if (c->u.run.args_size > GOMP_CPU_ARGS)
    gomp_cpu_fault_damaged ();
  memcpy (gomp_cpu_watch_alias (c->u.run.args),
	  (const char *) gomp_cpu_self + gomp_cpu_args_offset (number, done), c->u.run.args_size);
}

static void
run_region (struct gomp_cpu_slot *slot, const struct gomp_cpu_command *c)
{
  struct gomp_cpu_shared *s = gomp_cpu_self;
  struct gomp_cpu_region region =
    {
      .fn = (void (*) (void *)) c->u.run.fn,
      .args = (void *) c->u.run.args,
      .num_teams = c->u.run.num_teams,
      .thread_limit = c->u.run.thread_limit,
      .one_thread = s->marks_offset != 0,
      /* Relaxed: the command came after they were written.  */
      .icvs =
	{
	  .device_num = atomic_load_explicit (&s->xdevice_num, memory_order_relaxed),
	  .default_device = atomic_load_explicit (&s->xdefault_device, memory_order_relaxed),
	  .nteams = atomic_load_explicit (&s->xnteams, memory_order_relaxed),
	  .teams_thread_limit = atomic_load_explicit (&s->xteams_thread_limit, memory_order_relaxed),
	  .num_devices = atomic_load_explicit (&s->xnum_devices, memory_order_relaxed)
	}
    };
  /* Relaxed: hints and text of messages.  */
  atomic_store_explicit (&slot->xrunning, c->u.run.fn, memory_order_relaxed);
  atomic_fetch_add_explicit (&s->xbusy, 1, memory_order_relaxed);
  set_fp_control (c->u.run.fp_control);
  gomp_cpu_watch_begin ();
  runtime->run (&region);
  /* Of the region: the buffer may be a variable.  */
  fflush (stdout);
  if (forked)
    _exit (0);			/* the region's own child: the device is the parent */
  gomp_cpu_watch_end ();
  publish (&s->xnteams, region.icvs.nteams);
  publish (&s->xteams_thread_limit, region.icvs.teams_thread_limit);
  atomic_fetch_sub_explicit (&s->xbusy, 1, memory_order_relaxed);
  atomic_store_explicit (&slot->xrunning, 0, memory_order_relaxed);
}

/* The command behind DONE others.  Where a region has written into xhead or the ring, what comes is
   an old one, or none at all: the device is given up then.  */
static struct gomp_cpu_command
take_command (const struct gomp_cpu_slot *slot, uint32_t done)
{
  const struct gomp_cpu_command c = slot->ring[done % GOMP_CPU_RING];
  if (c.number != done + 1)
    gomp_cpu_fault_damaged ();
  return c;
}

static void *
serve_queue (void *arg)
{
  struct gomp_cpu_slot *slot = arg;
  uint64_t moved = 0;
  gomp_cpu_fault_thread (slot);
  if (know_processors)
    sched_setaffinity (0, sizeof (processors), &processors);
  for (uint32_t done = 0;; done++)
    {
      /* Acquire: the command.  */
      while (atomic_load_explicit (&slot->xhead, memory_order_acquire) == done)
	wait_for_command (slot, done, done != 0, &moved);
      const struct gomp_cpu_command c = take_command (slot, done);
      /* Relaxed: set before the first command.  */
      bool timed = atomic_load_explicit (&gomp_cpu_self->xwants_times, memory_order_relaxed);
      if (timed)
	slot->times[done % GOMP_CPU_RING].begin = gomp_cpu_now ();
      gomp_cpu_worker_order ();
      switch (c.verb)
	{
	case GOMP_CPU_RUN:
	  if (c.u.run.args_size != 0)
	    store_args (slot, done, &c);
	  run_region (slot, &c);
	  break;
	case GOMP_CPU_COPY:
	  memmove (gomp_cpu_watch_alias (c.u.copy.dst), gomp_cpu_watch_alias (c.u.copy.src),
		   c.u.copy.size);
	  break;
	case GOMP_CPU_FILL:
	  memset ((void *) c.u.fill.dst, (int) c.u.fill.value, c.u.fill.size);
	  break;
	default:
	  gomp_cpu_fault_damaged ();
	}
      gomp_cpu_worker_order ();
      if (timed)
	slot->times[done % GOMP_CPU_RING].end = gomp_cpu_now ();
      complete (slot, done + 1);
    }
  return NULL;
}

/* ---- control ---- */

static int
start_thread (void *(*function) (void *), void *arg, size_t stack)
{
  pthread_attr_t attr;
  pthread_t thread;
  pthread_attr_init (&attr);
  pthread_attr_setdetachstate (&attr, PTHREAD_CREATE_DETACHED);
  if (stack != 0)
    pthread_attr_setstacksize (&attr, stack);
  int error = pthread_create (&thread, &attr, function, arg);
  /* The program's thread-local variables are taken from the stack: it may be too small for them.  */
  for (; error == EINVAL && stack != 0 && stack < (size_t) 1 << 30; stack *= 2)
    if (pthread_attr_setstacksize (&attr, 2 * stack) == 0)
      error = pthread_create (&thread, &attr, function, arg);
  pthread_attr_destroy (&attr);
  return error;
}

/* Threads that were started while this was allowed, and wait for a queue; used by the thread that
   serves control commands.  */
static struct spare
{
  _Atomic (uint32_t) xgo;
  struct gomp_cpu_slot *slot;
} spares[4];
static unsigned num_spares, used_spares;

static void *
serve_later (void *arg)
{
  struct spare *spare = arg;
  /* Acquire: the slot.  */
  while (atomic_load_explicit (&spare->xgo, memory_order_acquire) == 0)
    gomp_cpu_futex_wait (&spare->xgo, 0, NULL);
  return serve_queue (spare->slot);
}

static bool
use_spare (struct gomp_cpu_slot *slot)
{
  if (used_spares == num_spares)
    return false;
  struct spare *spare = &spares[used_spares++];
  spare->slot = slot;
  /* Release: the slot.  */
  atomic_store_explicit (&spare->xgo, 1, memory_order_release);
  gomp_cpu_futex_wake (&spare->xgo);
  return true;
}

/* The system lets nobody look into the program, since it has changed its user.  */
static bool hides;

/* The program has given up rights: so does the worker.  The program may look into it until TELL.  */
static void
adopt (const struct gomp_cpu_rights *wanted)
{
  static struct gomp_cpu_rights copy;
  struct rlimit r;
  bool visible = prctl (PR_GET_DUMPABLE, 0, 0, 0, 0) == 1;
  copy = *wanted;
  hides = !copy.dumpable;
  /* A limit on processes counts threads: what the next queues need is made before.  */
  if (getrlimit (RLIMIT_NPROC, &r) == 0 && copy.limit[RLIMIT_NPROC].cur < r.rlim_cur)
    while (num_spares < sizeof (spares) / sizeof (spares[0])
	   && start_thread (serve_later, &spares[num_spares], gomp_cpu_self->stack_size) == 0)
      num_spares++;
  gomp_cpu_rights_adopt (&copy, gomp_cpu_self->host_pid);
  if (visible)
    prctl (PR_SET_DUMPABLE, 1, 0, 0, 0);
}

struct module_search
{
  const struct gomp_cpu_module_key *key;
  const struct link_map *map;	/* not NULL: this one, whatever it is called */
  struct stat st;
  bool have_stat;
  unsigned seen;
  bool differs;			/* what is called so is not the host's */
  bool overwritten;		/* its file is, but is not what it was when the worker loaded it */
  struct gomp_cpu_slot *answer;
  char name[PATH_MAX];		/* the worker's */
};

/* Is it the same file as the host's, or, where the kernel does not tell, could it be?  */
static bool
is_the_hosts (struct module_search *search, const struct dl_phdr_info *info)
{
  const struct gomp_cpu_module_key *key = search->key;
  uint64_t start, end, device = 0, inode = 0;
  uint8_t id[sizeof (key->id)];
  bool lost, overwritten = gomp_cpu_file_overwritten (info->dlpi_addr, &lost);
  bool known = gomp_cpu_file_number (info->dlpi_addr, &device, &inode);
  if (overwritten || lost)
    {
      search->overwritten |= inode == key->inode && device == key->device;
      return false;
    }
  gomp_cpu_module_extent (info, &start, &end);
  gomp_cpu_module_id (info, id);
  if (end - start != key->extent || memcmp (id, key->id, sizeof (id)) != 0)
    return false;
  if (key->inode == 0 || *key->path == '\0')
    return true;
  if (!known)
    gomp_cpu_mapped_file (start, &device, &inode);
  return inode == 0 || (inode == key->inode && device == key->device);
}

static int
match_module (struct dl_phdr_info *info, size_t size, void *data)
{
  struct module_search *search = data;
  const char *path = search->key->path;
  (void) size;
  bool first = search->seen++ == 0, match, by_file = false;
  if (search->map != NULL)
    match = info->dlpi_addr == search->map->l_addr && info->dlpi_name != NULL
	    && strcmp (info->dlpi_name, search->map->l_name) == 0;
  else if (*path == '\0')
    match = first;
  else if (first || info->dlpi_name == NULL || *info->dlpi_name == '\0')
    match = false;
  else
    {
      struct stat st;
      match = strcmp (info->dlpi_name, path) == 0
	      || (search->have_stat && stat (info->dlpi_name, &st) == 0
		  && st.st_dev == search->st.st_dev && st.st_ino == search->st.st_ino);
      /* Loaded by another name, or by one that leads elsewhere now.  */
      by_file = search->key->inode != 0;
    }
  if (!match && !by_file)
    return 0;
  if (!is_the_hosts (search, info))
    {
      search->differs |= match;
      return 0;
    }
  uint64_t start, end;
  gomp_cpu_module_extent (info, &start, &end);
  search->answer->value[0] = info->dlpi_addr;
  search->answer->value[1] = end - start;
  snprintf (search->name, sizeof (search->name), "%s", info->dlpi_name);
  return 1;
}

/* What has been opened for the host, once for each command.  */
static struct opened
{
  uint64_t base;
  void *handle;
} *opened;
static size_t num_opened, max_opened;

static void
keep_handle (uint64_t base, void *handle)
{
  if (num_opened == max_opened)
    {
      size_t max = max_opened ? 2 * max_opened : 16;
      void *more = reallocarray (opened, max, sizeof (*opened));
      if (more == NULL)
	return;			/* it is never closed */
      opened = more;
      max_opened = max;
    }
  struct opened *o = &opened[num_opened++];
  o->base = base;
  o->handle = handle;
}

static void
close_module (uint64_t base)
{
  for (size_t i = num_opened; i-- > 0; )
    if (opened[i].base == base)
      {
	bool lost;
	gomp_cpu_file_overwritten (base, &lost);
	/* Its destructors are lost, too.  */
	if (!lost)
	  dlclose (opened[i].handle);
	opened[i] = opened[--num_opened];
	gomp_cpu_files_closed ();
	gomp_cpu_fault_modules ();
	fflush (stdout);
	break;
      }
}

static int
has_name (struct dl_phdr_info *info, size_t size, void *data)
{
  (void) size;
  return info->dlpi_name != NULL && strcmp (info->dlpi_name, data) == 0;
}

/* A name for the file PATH that the loader does not take for that of a module it has; NULL:
   none.  */
static char *
new_name (const char *path)
{
  size_t length = strlen (path);
  const char *last = strrchr (path, '/');
  char *name = malloc (length + PATH_MAX);
  if (name == NULL)
    return NULL;
  strcpy (name, path);
  /* Each "/." more makes another one.  */
  for (size_t more = 2; dl_iterate_phdr (has_name, name) != 0; more += 2)
    {
      if (last == NULL || length + more >= PATH_MAX)
	{
	  free (name);
	  return NULL;
	}
      memcpy (name, path, last - path);
      for (size_t i = 0; i < more; i += 2)
	memcpy (name + (last - path) + i, "/.", 2);
      strcpy (name + (last - path) + more, last);
    }
  return name;
}

/* Answer where the module that the stage describes is, loading it if need be.  */
static void
find_module (struct gomp_cpu_slot *answer, const char *stage)
{
  struct gomp_cpu_module_key *key = malloc (GOMP_CPU_STAGE + 1);
  answer->status = ENOENT;
  if (key == NULL)
    {
      snprintf (answer->text, sizeof (answer->text), "out of memory");
      return;
    }
  memcpy (key, stage, GOMP_CPU_STAGE);
  ((char *) key)[GOMP_CPU_STAGE] = '\0';
  struct module_search search = { .key = key, .answer = answer };
  search.have_stat = *key->path != '\0' && stat (key->path, &search.st) == 0;
  bool found = dl_iterate_phdr (match_module, &search) != 0;
  char *name = NULL;
  if (found && *key->path != '\0')
    {
      /* It stays until the host closes it, whatever it was loaded for.  */
      void *handle = dlopen (search.name, RTLD_LAZY | RTLD_NOLOAD);
      if (handle != NULL)
	keep_handle (answer->value[0], handle);
    }
  else if (!found && !search.overwritten && *key->path != '\0'
	   && (name = new_name (key->path)) != NULL)
    {
      struct gomp_cpu_files before;
      gomp_cpu_files_before (&before);
      /* It may be loaded already, by a name that is relative to another directory.  */
      void *handle = dlopen (name, RTLD_LAZY);
      if (handle != NULL)
	gomp_cpu_files_after (&before);
      search.differs = false;
      if (handle != NULL)
	{
	  if (dlinfo (handle, RTLD_DI_LINKMAP, &search.map) == 0)
	    found = dl_iterate_phdr (match_module, &search) != 0;
	  if (found)
	    keep_handle (answer->value[0], handle);
	  else
	    {
	      dlclose (handle);
	      gomp_cpu_files_closed ();
	    }
	  gomp_cpu_fault_modules ();
	  fflush (stdout);
	  if (!found)
	    snprintf (answer->text, sizeof (answer->text), "%s",
		      search.differs ? "" : "it is not in the list of modules");
	}
      else
	{
	  const char *error = dlerror ();
	  snprintf (answer->text, sizeof (answer->text), "%s", error ? error : "dlopen failed");
	}
    }
  else if (!found)
    snprintf (answer->text, sizeof (answer->text), "%s",
	      search.differs ? "" : "no name is left for it");
  if (found)
    answer->status = 0;
  else if (search.overwritten)
    answer->status = ETXTBSY;
  else if (search.differs)
    answer->status = ESTALE;
  free (name);
  free (key);
}

/* Finish the constructors of the runtime libraries that code of regions may need.  */
static int
note_runtime_library (struct dl_phdr_info *info, size_t size, void *data)
{
  char (*names)[256] = data;
  const char *slash = info->dlpi_name ? strrchr (info->dlpi_name, '/') : NULL;
  (void) size;
  if (slash != NULL && strncmp (slash, "/libgfortran.so", 15) == 0)
    snprintf (names[0], sizeof (names[0]), "%s", info->dlpi_name);
  else if (slash != NULL && strncmp (slash, "/libstdc++.so", 13) == 0)
    snprintf (names[1], sizeof (names[1]), "%s", info->dlpi_name);
  return 0;
}

static void
initialize_libraries (void)
{
  char names[2][256] = { "", "" };
  dl_iterate_phdr (note_runtime_library, names);
  for (int i = 0; i < 2; i++)
    if (names[i][0] != '\0')
      dlopen (names[i], RTLD_LAZY | RTLD_NOLOAD);
  /* std::cout and the like, which each file that includes <iostream> constructs (libstdc++ before 13):
     constructors of the executable do not run here.  std::ios_base::Init::Init counts its calls.  */
  static char init[16];
  void (*construct) (void *) = NULL;
  if (names[1][0] != '\0')
    construct = (void (*) (void *)) dlsym (RTLD_DEFAULT, "_ZNSt8ios_base4InitC1Ev");
  if (construct != NULL)
    construct (init);
}

static void
in_child_of_fork (void)
{
  forked = true;
}

bool
gomp_cpu_worker_forked (void)
{
  return forked;
}

void
gomp_cpu_worker_serve (const struct gomp_cpu_runtime *r)
{
  struct gomp_cpu_shared *s = gomp_cpu_self;
  struct gomp_cpu_slot *control = gomp_cpu_slot_at (s, 0);
  char *stage = (char *) s + GOMP_CPU_STAGE_OFFSET;
  runtime = r;

  initialize_libraries ();
  gomp_cpu_fault_init ();
  gomp_cpu_watch_init ();
  gomp_cpu_globals_init ();
  gomp_cpu_fault_thread (NULL);
  pthread_atfork (NULL, NULL, in_child_of_fork);
  int error = start_thread (hold_life, NULL, 256u << 10);
  if (error == 0 && s->lease)
    error = start_thread (watch_lease, NULL, 64u << 10);
  if (error != 0)
    refuse (GOMP_CPU_REFUSED, "pthread_create", error);
  /* Acquire: nothing; the word only has to be there before the host relies on it.  */
  while (atomic_load_explicit (&s->xlife, memory_order_acquire) == 0)
    gomp_cpu_futex_wait (&s->xlife, 0, NULL);

  uint32_t expected = GOMP_CPU_CLAIMED;
  /* Release: worker_base.  The host may have closed the device already.  */
  atomic_compare_exchange_strong_explicit (&s->xstate, &expected, GOMP_CPU_READY,
					   memory_order_acq_rel, memory_order_relaxed);
  gomp_cpu_futex_wake (&s->xstate);

  uint64_t moved = 0;
  for (uint32_t done = 0;; done++)
    {
      /* Acquire: the command, and xstate.  */
      while (atomic_load_explicit (&control->xhead, memory_order_acquire) == done)
	wait_for_command (control, done, false, &moved);
      if (atomic_load_explicit (&s->xstate, memory_order_acquire) == GOMP_CPU_QUIT)
	_exit (0);
      const struct gomp_cpu_command c = take_command (control, done);
      /* Of what was run in a module before it is closed, and of what is run in one that comes
         there.  */
      gomp_cpu_worker_order ();
      switch (c.verb)
	{
	case GOMP_CPU_THREAD:
	  control->status = start_thread (serve_queue, gomp_cpu_slot_at (s, c.u.thread.slot),
					  s->stack_size);
	  if (control->status == EAGAIN && use_spare (gomp_cpu_slot_at (s, c.u.thread.slot)))
	    control->status = 0;
	  break;
	case GOMP_CPU_MODULE:
	case GOMP_CPU_CLOSE:
	  /* Constructors and destructors, while a region may run.  */
	  if (gomp_cpu_calls_begin ())
	    gomp_cpu_calls_start ();
	  if (c.verb == GOMP_CPU_MODULE)
	    find_module (control, stage);
	  else
	    close_module (c.u.close.base);
	  gomp_cpu_calls_end ();
	  break;
	case GOMP_CPU_INDIRECT:
	  control->status = gomp_cpu_fault_indirect ((const uint64_t *) stage, c.u.indirect.count)
			    ? 0 : ENOMEM;
	  break;
	case GOMP_CPU_GLOBALS:
	  control->status = gomp_cpu_globals_add (c.u.globals.start, c.u.globals.end,
						  c.u.globals.skip_start, c.u.globals.skip_end)
			    ? 0 : gomp_cpu_calls_come () ? ENOTSUP : ENOSYS;
	  break;
	case GOMP_CPU_ADOPT:
	  adopt ((const struct gomp_cpu_rights *) stage);
	  tell_rights (false);
	  control->status = 0;
	  break;
	case GOMP_CPU_TELL:
	  tell_rights (false);
	  if (hides)
	    prctl (PR_SET_DUMPABLE, 0, 0, 0, 0);
	  control->status = 0;
	  break;
	default:
	  control->status = EINVAL;
	  break;
	}
      gomp_cpu_worker_order ();
      complete (control, done + 1);
    }
}

void
gomp_cpu_worker_thread_start (void)
{
  if (gomp_cpu_self != NULL)
    gomp_cpu_fault_thread (NULL);
}
