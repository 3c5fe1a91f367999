/* cpu-start.c -- making a worker process for a cpu device (host side).

   The worker is the program's own executable, started again: same machine code, its own
   globals and heap.  It is taken over in libgomp's constructor (cpu-worker.c) and never
   reaches main.  What has to hold:

   1. The program must not notice.  The worker is an orphan, which never shows in the program's
      wait calls and sends no SIGCHLD (orphan.h); every descriptor is closed again.
   2. It works whatever state the program is in (orphan.h).
   3. The worker's addresses are random even where the program's are not (under a debugger):
      an address of the host that slips through then faults instead of finding something.
   4. What start-up knew is kept from the moment when the library is loaded: environment,
      name, affinity, limits, path of this library.  Later the program may have changed them.  */

#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "plugin/cpu.h"
#include "plugin/cpu-common.h"
#include "plugin/cpu-device.h"
#include "plugin/orphan.h"
#include "plugin/peek.h"

#ifndef MFD_NOEXEC_SEAL
# define MFD_NOEXEC_SEAL 0x8u
#endif
#define READY_TIMEOUT_NS UINT64_C (10000000000)

struct gomp_cpu_startup gomp_cpu_startup;

/* ---- what start-up knew ---- */

struct module_search
{
  const void *inside;		/* an address */
  bool is_main;			/* out: in the executable itself */
  bool has_loader;		/* out: the executable names one */
  unsigned seen;
  char sanitizers[1024];	/* out: runtimes that want to be preloaded first, with colons */
};

static int
look_at_module (struct dl_phdr_info *info, size_t size, void *data)
{
  struct module_search *search = data;
  (void) size;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *p = &info->dlpi_phdr[i];
      uintptr_t start = info->dlpi_addr + p->p_vaddr;
      if (p->p_type == PT_LOAD && (uintptr_t) search->inside - start < p->p_memsz)
	search->is_main = search->seen == 0;
      if (p->p_type == PT_INTERP && search->seen == 0)
	search->has_loader = true;
    }
  search->seen++;

  const char *name = info->dlpi_name ? strrchr (info->dlpi_name, '/') : NULL;
  if (name != NULL
      && (strncmp (name, "/libasan.so", 11) == 0 || strncmp (name, "/libtsan.so", 11) == 0
	  || strncmp (name, "/libhwasan.so", 13) == 0))
    {
      size_t used = strlen (search->sanitizers);
      snprintf (search->sanitizers + used, sizeof (search->sanitizers) - used, "%s:",
		info->dlpi_name);
    }
  return 0;
}

/* "4", and nothing else.  */
static bool
parse_devices (const char *text, unsigned *devices)
{
  char *end;
  while (*text == ' ' || *text == '\t')
    text++;
  if (*text < '0' || *text > '9')
    return false;
  errno = 0;
  unsigned long n = strtoul (text, &end, 10);
  while (*end == ' ' || *end == '\t')
    end++;
  if (errno != 0 || *end != '\0' || n > GOMP_CPU_MAX_DEVICES)
    return false;
  *devices = n;
  return true;
}

/* "8G", "512M", "1048576".  */
static bool
parse_memory (const char *text, uint64_t *bytes)
{
  char *end;
  while (*text == ' ' || *text == '\t')
    text++;
  if (*text < '0' || *text > '9')
    return false;
  errno = 0;
  unsigned long long n = strtoull (text, &end, 10);
  unsigned shift = 0;
  switch (*end)
    {
    case 'b': case 'B': end++; break;
    case 'k': case 'K': shift = 10; end++; break;
    case 'm': case 'M': shift = 20; end++; break;
    case 'g': case 'G': shift = 30; end++; break;
    case 't': case 'T': shift = 40; end++; break;
    default: break;
    }
  if (errno != 0 || *end != '\0' || n == 0 || n > (UINT64_MAX >> shift))
    return false;
  *bytes = (uint64_t) n << shift;
  return true;
}

/* The program was started as "ld.so [OPTION...] PROGRAM [ARGUMENT...]", and so has its worker to be:
   keep the words before the program's ARGC - 1 arguments.  The program's own argv may have another
   name for it.  */
static bool
keep_loader_command (struct gomp_cpu_startup *s, int argc)
{
  char *text = NULL;
  size_t size = 0, room = 0, words = 0;
  ssize_t n = -1;
  int fd = open ("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  for (; fd >= 0; size += n)
    {
      if (room - size < 4096)
	{
	  char *more = realloc (text, room = 2 * room + 8192);
	  if (more == NULL)
	    break;
	  text = more;
	}
      n = read (fd, text + size, room - size - 1);
      if (n <= 0)
	break;
    }
  if (fd >= 0)
    close (fd);
  if (n != 0)
    goto failed;
  for (size_t i = 0; i < size; i++)
    words += text[i] == '\0';
  if (argc < 1 || words <= (size_t) argc)
    goto failed;
  s->num_words = words - argc + 1;
  s->words = calloc (s->num_words, sizeof (s->words[0]));
  if (s->words == NULL)
    goto failed;
  char *word = text;
  for (unsigned i = 0; i < s->num_words; i++, word += strlen (word) + 1)
    s->words[i] = word;
  /* The directory may be another one when the worker is started.  */
  char **program = &s->words[s->num_words - 1], *absolute;
  if (strchr (*program, '/') != NULL && (absolute = realpath (*program, NULL)) != NULL)
    *program = absolute;
  return true;

 failed:
  free (text);
  return false;
}

void GOMP_CPU_STARTUP
gomp_cpu_host_init (int argc, char **argv, char **envp, bool check)
{
  struct gomp_cpu_startup *s = &gomp_cpu_startup;
  const char *devices = gomp_cpu_variable (envp, "GOMP_CPU_DEVICES");

  if (s->initialized || devices == NULL || *devices == '\0')
    return;
  s->initialized = true;
  if (getauxval (AT_SECURE))
    return;			/* as if it were not set: nobody outside starts processes here */
  if (!parse_devices (devices, &s->devices))
    {
      snprintf (s->complaint, sizeof (s->complaint),
		"GOMP_CPU_DEVICES=%.60s is not a number of devices between 0 and %d: ignored",
		devices, GOMP_CPU_MAX_DEVICES);
      return;
    }
  if (s->devices == 0)
    return;

  const char *memory = gomp_cpu_variable (envp, "GOMP_CPU_MEMORY");
  if (memory != NULL && !parse_memory (memory, &s->memory_wanted))
    {
      snprintf (s->complaint, sizeof (s->complaint),
		"GOMP_CPU_MEMORY=%.60s is not a size such as 512M or 8G: no cpu device", memory);
      s->devices = 0;
      return;
    }
  s->check = check;
  const char *policy = gomp_cpu_variable (envp, "OMP_WAIT_POLICY");
  s->passive = policy != NULL && strcasecmp (policy, "passive") == 0;

  s->environment = envp;
  s->argv0 = strdup (argc > 0 && argv != NULL && argv[0] != NULL ? argv[0] : "program");
  CPU_ZERO (&s->affinity);
  s->have_affinity = sched_getaffinity (0, sizeof (s->affinity), &s->affinity) == 0;
  s->num_cpus = s->have_affinity ? CPU_COUNT (&s->affinity) : 1;
  getrlimit (RLIMIT_STACK, &s->stack_limit);

  struct module_search search = { .inside = (const void *) &gomp_plugin_cpu };
  dl_iterate_phdr (look_at_module, &search);
  s->sanitizers = strdup (search.sanitizers);
  s->in_executable = search.is_main;
  Dl_info info;
  if (!s->in_executable && dladdr ((const void *) &gomp_plugin_cpu, &info) != 0)
    {
      s->library = realpath (info.dli_fname, NULL);
      if (s->library == NULL)
	snprintf (s->complaint, sizeof (s->complaint), "cannot find the file of libgomp (%s): %s",
		  info.dli_fname, strerror (errno));
    }
  s->words = &s->argv0;
  s->num_words = 1;
  /* The kernel has loaded the loader as the program, and no other loader for it.  */
  if (search.has_loader && getauxval (AT_BASE) == 0 && !keep_loader_command (s, argc))
    snprintf (s->complaint, sizeof (s->complaint),
	      "the program was started by naming the dynamic loader, in a way that cannot be repeated");
  if (s->argv0 == NULL || s->sanitizers == NULL)
    snprintf (s->complaint, sizeof (s->complaint), "out of memory at start-up");

  const char *preload = gomp_cpu_variable (envp, "LD_PRELOAD");
  if (preload != NULL && strstr (preload, "vgpreload") != NULL)
    snprintf (s->complaint, sizeof (s->complaint),
	      "the cpu device does not work under valgrind, which runs programs in its own process");
}

/* ---- sizes and addresses ---- */

static uint64_t
round_down (uint64_t n, uint64_t step)
{
  return n / step * step;
}

/* How much memory the device gets.  The host needs address space for it twice.  */
bool
gomp_cpu_heap_size (uint64_t *size, char *error, size_t error_size)
{
  struct gomp_cpu_startup *s = &gomp_cpu_startup;
  const uint64_t step = 2u << 20;
  uint64_t want = s->memory_wanted;
  if (want == 0)
    want = (uint64_t) sysconf (_SC_PHYS_PAGES) * sysconf (_SC_PAGESIZE);
  want = (want + step - 1) / step * step;
  /* The mapping checker needs another byte for each byte.  */
  const unsigned times = s->check ? 3 : 1;

  uint64_t limit = GOMP_CPU_MAX_HEAP;
  const char *reason = "the largest size supported";
  struct rlimit r;
  if (getrlimit (RLIMIT_FSIZE, &r) == 0 && r.rlim_cur != RLIM_INFINITY
      && r.rlim_cur / times < limit + GOMP_CPU_CONTROL_SIZE)
    {
      /* Going past it would be a fatal signal.  */
      limit = r.rlim_cur > GOMP_CPU_CONTROL_SIZE ? (r.rlim_cur - GOMP_CPU_CONTROL_SIZE) / times : 0;
      reason = "the limit on the size of files (ulimit -f)";
    }
  if (getrlimit (RLIMIT_AS, &r) == 0 && r.rlim_cur != RLIM_INFINITY && r.rlim_cur / 4 / times < limit)
    {
      limit = r.rlim_cur / 4 / times / s->devices;
      reason = "a quarter of the limit on address space (ulimit -v)";
    }
  limit = round_down (limit, step);
  if (limit == 0 || (s->memory_wanted != 0 && want > limit))
    {
      snprintf (error, error_size, "%llu bytes of device memory are more than %s allows",
		(unsigned long long) want, reason);
      return false;
    }
  *size = want < limit ? want : limit;
  return true;
}

extern void __tsan_init (void) __attribute__ ((weak));

/* Take SIZE bytes of addresses that nothing can access: device addresses must not mean
   anything in the host.  ATTEMPT chooses the place; the last choice is the kernel's.  */
static void *
reserve_addresses (unsigned ordinal, unsigned attempt, uint64_t size)
{
  static const uint64_t bases[]
    = { UINT64_C (0x300000000000), UINT64_C (0x200000000000), UINT64_C (0x0c0000000000) };
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

  /* The thread sanitizer ends programs that use addresses it has not foreseen.  */
  if (__tsan_init == NULL)
    for (unsigned i = attempt; i < sizeof (bases) / sizeof (bases[0]); i++)
      {
	void *want = (void *) (bases[i] + ordinal * GOMP_CPU_MAX_HEAP);
	void *got = mmap (want, size, PROT_NONE, flags | MAP_FIXED_NOREPLACE, -1, 0);
	if (got == want)
	  return got;
	if (got != MAP_FAILED)
	  munmap (got, size);	/* a kernel that does not know the flag */
      }
  return mmap (NULL, size, PROT_NONE, flags, -1, 0);
}

/* ---- the new process ---- */

struct exec_job
{
  char **argv, **env;
  int object, library;		/* descriptors that the worker inherits; library may be -1 */
  bool limit_stack;
  struct orphan process;
};

static int ORPHAN_BARE
become_worker (void *arg)
{
  struct exec_job *job = arg;
  const struct gomp_cpu_startup *s = &gomp_cpu_startup;

  if (s->have_affinity)
    syscall (SYS_sched_setaffinity, 0, sizeof (s->affinity), &s->affinity);
  long persona = syscall (SYS_personality, 0xffffffff);
  if (persona != -1 && (persona & ADDR_NO_RANDOMIZE) != 0)
    syscall (SYS_personality, persona & ~(long) ADDR_NO_RANDOMIZE);
  if (job->limit_stack)
    {
      /* Without a limit the kernel lays programs out in another way, and the main stack
	 grows until it meets addresses of the host.  */
      struct rlimit r;
      if (syscall (SYS_prlimit64, 0, RLIMIT_STACK, NULL, &r) == 0 && r.rlim_cur == RLIM_INFINITY)
	{
	  r.rlim_cur = 8u << 20;
	  syscall (SYS_prlimit64, 0, RLIMIT_STACK, &r, NULL);
	}
    }
  /* Descriptors are copied, not shared: the program's keep close-on-exec.  */
  syscall (SYS_fcntl, job->object, F_SETFD, 0);
  if (job->library >= 0)
    syscall (SYS_fcntl, job->library, F_SETFD, 0);
  syscall (SYS_execve, "/proc/self/exe", job->argv, job->env);
  job->process.error = errno;
  job->process.failed = "execve /proc/self/exe";
  orphan_exit (GOMP_CPU_UNPROVEN);
}

/* ---- the worker's environment ---- */

/* Variables that are not for a device, or that the worker gets in another form.  */
static const char dropped[][32] =
{
  "LD_PRELOAD", "GFORTRAN_UNBUFFERED_PRECONNECTED", "GOMP_CPU_DEVICES", "GOMP_CPU_MEMORY",
  "GOMP_INFO", "GOMP_TRACE", "GOMP_CHECK", "OMP_DISPLAY_ENV", "OMP_TARGET_OFFLOAD", "OMP_DEFAULT_DEVICE",
  /* Its threads would be bound to the places of the program's own.  OMP_PROC_BIND_DEV does it.  */
  "OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY",
  GOMP_CPU_VARIABLE, GOMP_CPU_PRELOAD
};

static bool
is_variable (const char *entry, const char *name, size_t length)
{
  return strncmp (entry, name, length) == 0 && entry[length] == '=';
}

/* The environment for the worker.  OMP_NAME_DEV=x becomes OMP_NAME=x there: for its own threads
   the worker is an ordinary program.  Answers NULL when there is no memory.  */
static char **
worker_environment (const char *proof, const char *preload)
{
  char **env = gomp_cpu_startup.environment;
  size_t count = 0, bytes = 0, n = 0;
  for (char **p = env; *p != NULL; p++)
    {
      count++;
      bytes += strlen (*p) + 1;
    }
  const char *old_preload = gomp_cpu_variable (env, "LD_PRELOAD");
  bytes += strlen (proof) + strlen (preload) + (old_preload ? strlen (old_preload) : 0) + 256;
  char **result = malloc ((count + 8) * sizeof (*result) + bytes);
  if (result == NULL)
    return NULL;
  char *text = (char *) (result + count + 8), *end = text + bytes;

#define ADD(...)							\
  (result[n++] = text,							\
   text += snprintf (text, end - text, __VA_ARGS__) + 1)
  ADD ("%s=%s", GOMP_CPU_VARIABLE, proof);
  ADD ("GFORTRAN_UNBUFFERED_PRECONNECTED=1");
  if (*preload != '\0')
    ADD ("LD_PRELOAD=%s", preload);
  if (old_preload != NULL)
    ADD ("%s=%s", GOMP_CPU_PRELOAD, old_preload);
  for (char **p = env; *p != NULL; p++)
    {
      const char *entry = *p, *equals = strchr (entry, '=');
      size_t length = equals ? (size_t) (equals - entry) : strlen (entry);
      bool drop = false;
      for (unsigned i = 0; i < sizeof (dropped) / sizeof (dropped[0]) && !drop; i++)
	drop = is_variable (entry, dropped[i], strlen (dropped[i]));
      if (!drop && equals != NULL && strncmp (entry, "OMP_", 4) == 0)
	{
	  /* NAME gives way to NAME_DEV.  */
	  char device_name[80];
	  if (length > 4 && strncmp (equals - 4, "_DEV", 4) == 0)
	    {
	      ADD ("%.*s%s", (int) (length - 4), entry, equals);
	      continue;
	    }
	  if (length + 5 < sizeof (device_name))
	    {
	      snprintf (device_name, sizeof (device_name), "%.*s_DEV", (int) length, entry);
	      drop = gomp_cpu_variable (env, device_name) != NULL;
	    }
	}
      if (!drop)
	ADD ("%s", entry);
    }
#undef ADD
  result[n] = NULL;
  return result;
}

/* Object, reservation and window of a device, and its header.  */
static gomp_status_t
make_object (struct gomp_cpu_process *p, unsigned ordinal, unsigned attempt, int *object)
{
  uint64_t heap;
  if (!gomp_cpu_heap_size (&heap, p->error, sizeof (p->error)))
    return GOMP_OUT_OF_DEVICE_MEMORY;
  uint64_t pages = heap / GOMP_CPU_PAGE;
  p->size = GOMP_CPU_CONTROL_SIZE + heap + (gomp_cpu_startup.check ? heap + pages : 0);
  p->heap_size = heap;

  int fd = memfd_create ("gompx-cpu", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
  if (fd < 0 && errno == EINVAL)
    fd = memfd_create ("gompx-cpu", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  *object = fd;
  const char *call = "memfd_create";
  if (fd < 0)
    goto failed;
  call = "ftruncate";
  if (ftruncate (fd, p->size) != 0)
    goto failed;
  call = "fcntl F_ADD_SEALS";
  if (fcntl (fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    goto failed;

  call = "mmap of the device's addresses";
  p->reserved = reserve_addresses (ordinal, attempt, heap);
  if (p->reserved == MAP_FAILED)
    goto failed;

  /* A second open file for the host's mapping: a lock on it lasts exactly as long as the
     mapping, so the worker also notices when the host executes another program.  */
  char name[64];
  snprintf (name, sizeof (name), "/proc/self/fd/%d", fd);
  int own = open (name, O_RDWR | O_CLOEXEC);
  bool lease = own >= 0 && flock (own, LOCK_EX | LOCK_NB) == 0;
  p->shared = mmap (NULL, p->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
		    lease ? own : fd, 0);
  int error = errno;
  if (own >= 0)
    close (own);
  errno = error;
  call = "mmap of the device's memory";
  if (p->shared == MAP_FAILED)
    goto failed;
  /* A child of the program must not write into the parent's device.  */
  madvise (p->shared, p->size, MADV_DONTFORK);
  madvise (p->shared, p->size, MADV_DONTDUMP);
  madvise (p->reserved, heap, MADV_DONTFORK);

  struct gomp_cpu_shared *s = p->shared;
  const struct gomp_cpu_startup *startup = &gomp_cpu_startup;
  s->magic = GOMP_CPU_MAGIC;
  s->version = GOMP_CPU_VERSION;
  s->shared_size = sizeof (*s);
  gomp_cpu_build_id (s->build_id);
  if (!gomp_cpu_rights_caps (s->caps))
    memset (s->caps, -1, sizeof (s->caps));
  call = "getrandom";
  if (getrandom (s->nonce, sizeof (s->nonce), 0) != sizeof (s->nonce))
    goto failed;
  s->host_pid = getpid ();
  s->host_start = gomp_cpu_process_start (s->host_pid, NULL);
  s->ordinal = ordinal;
  s->size = p->size;
  gomp_reverse_area_init (gomp_cpu_calls (s), GOMP_CPU_CALLS);
  s->heap_size = heap;
  s->heap_addr = (uint64_t) p->reserved;
  s->lease = lease;
  if (startup->check)
    {
      s->marks_offset = GOMP_CPU_CONTROL_SIZE + heap;
      s->pages_offset = s->marks_offset + heap;
    }
  uint64_t stack = startup->stack_limit.rlim_cur;
  s->stack_size = stack == RLIM_INFINITY || stack > (64u << 20) ? 64u << 20
		  : stack < (1u << 20) ? 1u << 20 : stack;
  s->num_cpus = startup->num_cpus;
  s->spin_ns = startup->passive || startup->num_cpus < 2 ? 0 : GOMP_CPU_SPIN_NS;
  return GOMP_OK;

 failed:
  snprintf (p->error, sizeof (p->error), "%s: %s", call, strerror (errno));
  return GOMP_DRIVER_ERROR;
}

void
gomp_cpu_process_unmap (struct gomp_cpu_process *p)
{
  if (p->shared != NULL && p->shared != MAP_FAILED)
    munmap (p->shared, p->size);
  if (p->reserved != NULL && p->reserved != MAP_FAILED)
    munmap (p->reserved, p->heap_size);
  p->shared = NULL;
  p->reserved = NULL;
}

/* The system forbids this process to look into its worker.  It does where the worker may do what this
   process may not, also for reasons that can be asked for nowhere (Landlock).  */
bool
gomp_cpu_out_of_reach (const struct gomp_cpu_process *p)
{
  int saved = errno;
  bool out;
  if (gomp_filtered ())
    {
      /* What is read does not matter, the system's answer is the same as for memory.  */
      char name[40];
      snprintf (name, sizeof (name), "/proc/%ld/auxv", (long) p->worker);
      int fd = open (name, O_RDONLY | O_CLOEXEC);
      out = fd < 0 && (errno == EACCES || errno == EPERM);
      if (fd >= 0)
	close (fd);
    }
  else
    /* 1: the same memory.  */
    out = syscall (SYS_kcmp, p->owner, p->worker, 1, 0, 0) < 0 && errno == EPERM;
  errno = saved;
  return out;
}

/* Start a worker, without waiting until it is ready.  */
static gomp_status_t
spawn (struct gomp_cpu_process *p, unsigned ordinal, unsigned attempt)
{
  struct gomp_cpu_startup *s = &gomp_cpu_startup;
  struct exec_job job = { .object = -1, .library = -1 };
  char *preload = NULL;
  memset (p, 0, sizeof (*p));
  p->owner = getpid ();

  gomp_status_t status = make_object (p, ordinal, attempt, &job.object);
  if (status != GOMP_OK)
    goto out;

  status = GOMP_OUT_OF_HOST_MEMORY;
  snprintf (p->error, sizeof (p->error), "out of memory");
  const char *library = "";
  char by_number[40];
  if (!s->in_executable)
    {
      library = s->library;
      if (strpbrk (library, ": ") != NULL)
	{
	  /* The loader splits its list there.  */
	  job.library = open (library, O_RDONLY | O_CLOEXEC);
	  snprintf (by_number, sizeof (by_number), "/proc/self/fd/%d", job.library);
	  library = by_number;
	}
    }
  const char *old = gomp_cpu_variable (s->environment, "LD_PRELOAD");
  if (asprintf (&preload, "%s%s%s%s", s->sanitizers, old ? old : "",
		old && *old && *library ? ":" : "", library) < 0)
    {
      preload = NULL;
      goto out;
    }
  char proof[80];
  snprintf (proof, sizeof (proof), "%d:%016llx%016llx", job.object,
	    (unsigned long long) p->shared->nonce[0], (unsigned long long) p->shared->nonce[1]);
  job.env = worker_environment (proof, preload);
  if (job.env == NULL)
    goto out;
  char marker[] = GOMP_CPU_MARKER;
  job.argv = calloc (s->num_words + 2, sizeof (job.argv[0]));
  if (job.argv == NULL)
    goto out;
  memcpy (job.argv, s->words, s->num_words * sizeof (job.argv[0]));
  job.argv[s->num_words] = marker;
  job.limit_stack = s->stack_limit.rlim_cur == RLIM_INFINITY;
  status = GOMP_OK;
  job.process = (struct orphan) { .main = become_worker, .arg = &job };
  orphan_start (&job.process);
  if (job.process.failed != NULL)
    {
      snprintf (p->error, sizeof (p->error), "cannot start a worker process: %s: %s", job.process.failed,
		strerror (job.process.error));
      status = GOMP_DRIVER_ERROR;
    }
  p->worker = job.process.pid;
  p->comparable = status == GOMP_OK && !gomp_cpu_out_of_reach (p);

 out:
  free (preload);
  free (job.argv);
  free (job.env);
  if (job.library >= 0)
    close (job.library);
  if (job.object >= 0)
    close (job.object);
  if (status != GOMP_OK)
    gomp_cpu_process_unmap (p);
  return status;
}

/* An emulator or a wrapper that runs programs in its own process is what the worker has executed.  */
static void
tell_executable (struct gomp_cpu_process *p)
{
  char path[160];
  size_t used = strlen (p->error);
  ssize_t n = readlink ("/proc/self/exe", path, sizeof (path) - 1);
  if (n > 0)
    snprintf (p->error + used, sizeof (p->error) - used, "; it executed %.*s", (int) n, path);
}

/* Wait until the worker serves.  */
static gomp_status_t
wait_until_ready (struct gomp_cpu_process *p)
{
  /* The time in which the program was stopped, together with the worker, does not count.  */
  const uint64_t most = 500000000;
  uint64_t last = gomp_cpu_now (), waited = 0;
  const struct timespec step = { .tv_nsec = 50000000 };
  for (;;)
    {
      /* Acquire: what the worker wrote before it changed its state.  */
      uint32_t state = atomic_load_explicit (&p->shared->xstate, memory_order_acquire);
      if (state == GOMP_CPU_READY && !gomp_cpu_is_dead (p->shared))
	return GOMP_OK;
      if (state == GOMP_CPU_REFUSED || state == GOMP_CPU_COLLISION)
	{
	  snprintf (p->error, sizeof (p->error), "the worker process cannot serve: %.200s",
		    p->shared->refusal);
	  return state == GOMP_CPU_COLLISION ? GOMP_UNSUPPORTED : GOMP_DRIVER_ERROR;
	}
      char letter = 0;
      bool gone = kill (p->worker, 0) != 0 && errno == ESRCH;
      if (!gone)
	{
	  gomp_cpu_process_start (p->worker, &letter);
	  gone = letter == 'Z' || letter == 'X';
	}
      if (gone || gomp_cpu_is_dead (p->shared))
	{
	  /* It may have said why just before.  */
	  if (atomic_load_explicit (&p->shared->xstate, memory_order_acquire) != state)
	    continue;
	  snprintf (p->error, sizeof (p->error), state == GOMP_CPU_NEW
		    ? "the worker process %d ended before libgomp was loaded in it"
		    : "the worker process %d ended while it was starting", p->worker);
	  if (state == GOMP_CPU_NEW)
	    tell_executable (p);
	  return GOMP_DRIVER_ERROR;
	}
      uint64_t now = gomp_cpu_now ();
      waited += now - last < most ? now - last : most;
      last = now;
      if (waited > READY_TIMEOUT_NS)
	{
	  snprintf (p->error, sizeof (p->error), "the worker process %d is not ready after %d s",
		    p->worker, (int) (READY_TIMEOUT_NS / 1000000000u));
	  kill (p->worker, SIGKILL);
	  return GOMP_DRIVER_ERROR;
	}
      gomp_cpu_futex_wait (&p->shared->xstate, state, &step);
    }
}

/* ---- entry points ---- */

/* Workers that were started when the library was loaded and are not in use; protected by
   lock.  */
static struct
{
  pthread_mutex_t lock;
  struct gomp_cpu_process process[GOMP_CPU_MAX_DEVICES];
} early __attribute__ ((section (".bss.rare")))	/* GOMP_RARE of libgomp.h */
  = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Wait until the worker P serves; start it again where that helps.  IS_EARLY: it was started
   some time ago.  */
static gomp_status_t
make_ready (struct gomp_cpu_process *p, unsigned ordinal, bool is_early)
{
  for (unsigned attempt = 0; ; )
    {
      gomp_status_t status = wait_until_ready (p);
      if (status == GOMP_OK)
	return GOMP_OK;
      gomp_cpu_process_unmap (p);
      /* Somebody may have ended the early one meanwhile: try once more.  */
      if (!is_early && status != GOMP_UNSUPPORTED)
	return status;
      if (status == GOMP_UNSUPPORTED && ++attempt > 8)
	return GOMP_DRIVER_ERROR;
      is_early = false;
      status = spawn (p, ordinal, attempt);
      if (status != GOMP_OK)
	return status;
    }
}

void
gomp_cpu_start_early (void)
{
  if (gomp_cpu_startup.complaint[0] != '\0')
    return;
  for (unsigned i = 0; i < gomp_cpu_startup.devices; i++)
    {
      gomp_status_t status = spawn (&early.process[i], i, 0);
#if defined __SANITIZE_THREAD__
      /* Here the kernel chooses addresses, which are often taken in the worker: start it
	 again now, as long as the program has not given up the right to do so.  */
      if (status == GOMP_OK)
	status = make_ready (&early.process[i], i, true);
#endif
      if (status != GOMP_OK)
	early.process[i].shared = NULL;	/* again at first use, which reports it */
    }
}

gomp_status_t
gomp_cpu_process_get (unsigned ordinal, struct gomp_cpu_process *p)
{
  pthread_mutex_lock (&early.lock);
  *p = early.process[ordinal];
  memset (&early.process[ordinal], 0, sizeof (early.process[ordinal]));
  pthread_mutex_unlock (&early.lock);

  /* A child of the process that started it has no part in it.  */
  if (p->shared != NULL && p->owner == getpid ())
    return make_ready (p, ordinal, true);
  gomp_status_t status = spawn (p, ordinal, 0);
  return status == GOMP_OK ? make_ready (p, ordinal, false) : status;
}

void
gomp_cpu_early_quit (void)
{
  pthread_mutex_lock (&early.lock);
  for (unsigned i = 0; i < GOMP_CPU_MAX_DEVICES; i++)
    if (early.process[i].shared != NULL && early.process[i].owner == getpid ())
      {
	gomp_cpu_process_quit (&early.process[i]);
	gomp_cpu_process_unmap (&early.process[i]);
      }
  pthread_mutex_unlock (&early.lock);
}

void
gomp_cpu_process_quit (struct gomp_cpu_process *p)
{
  /* Release: nothing; the word only has to arrive.  */
  atomic_store_explicit (&p->shared->xstate, GOMP_CPU_QUIT, memory_order_release);
  /* One more command than there is: only wakes the thread that looks at the state.  */
  struct gomp_cpu_slot *control = gomp_cpu_slot_at (p->shared, 0);
  atomic_fetch_add_explicit (&control->xhead, 1, memory_order_seq_cst);
  gomp_cpu_futex_wake (&control->xhead);
}
