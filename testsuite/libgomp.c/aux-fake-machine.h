/* aux-fake-machine.h -- the library believes to be on another machine: the calls that tell about
   CPUs and that bind threads are defined here, and the program's definitions come first.

   FAKE_CPUS=n	n CPUs, a multiple of 8.  With C = n / 2 cores, CPUs c and c + C are core c.
		Caches of the last level are shared by 2 neighbouring cores, sockets are the two
		halves of the cores, NUMA node 0 is the second socket, node 1 the first, node 2 has
		no CPUs.
   FAKE_MASK=list	what the process may use (default: all), as 0-3,8
   FAKE_ALTERNATE=1	sockets are the even and the odd cores
   FAKE_UNTOLD=n	sysfs does not have CPU n
   FAKE_OLD=1	sysfs has the names of old kernels only
   FAKE_NOTHING=1	sysfs tells nothing
   FAKE_OFFLINE=list	nobody can be bound to these CPUs alone

   Threads are not really bound: fake_first and fake_count tell what was asked for.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic (int) fake_calls;		/* bindings that were asked for */
static __thread int fake_first = -1, fake_count;	/* of the calling thread's mask */

static int
fake_number (const char *name)
{
  const char *value = getenv (name);
  return value ? atoi (value) : -1;
}

static int
fake_in_list (const char *name, int cpu)
{
  const char *p = getenv (name);
  while (p && *p)
    {
      char *end;
      long first = strtol (p, &end, 10), last = first;
      if (*end == '-')
	last = strtol (end + 1, &end, 10);
      if (cpu >= first && cpu <= last)
	return 1;
      p = *end == ',' ? end + 1 : NULL;
    }
  return 0;
}

/* The call of the C library that NAME hides.  */
static void *
fake_real (_Atomic (void *) *cache, const char *name)
{
  void *f = atomic_load_explicit (cache, memory_order_relaxed);
  if (f == NULL)
    {
      f = dlsym (RTLD_NEXT, name);
      atomic_store_explicit (cache, f, memory_order_relaxed);
    }
  return f;
}

long
syscall (long number, ...)
{
  static _Atomic (void *) real;
  long a[6];
  va_list list;
  va_start (list, number);
  for (int i = 0; i < 6; i++)
    a[i] = va_arg (list, long);
  va_end (list);
  int cpus = fake_number ("FAKE_CPUS");
  if (number == SYS_sched_getaffinity && cpus > 0)
    {
      cpu_set_t *mask = (cpu_set_t *) a[2];
      size_t bytes = (cpus + 63) / 64 * 8;
      if ((size_t) a[1] < bytes)
	{
	  errno = EINVAL;
	  return -1;
	}
      memset (mask, 0, bytes);
      for (int cpu = 0; cpu < cpus; cpu++)
	if (!getenv ("FAKE_MASK") || fake_in_list ("FAKE_MASK", cpu))
	  CPU_SET_S (cpu, bytes, mask);
      return bytes;
    }
  long (*f) (long, ...) = (long (*) (long, ...)) fake_real (&real, "syscall");
  return f (number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int
sched_setaffinity (pid_t pid, size_t size, const cpu_set_t *mask)
{
  static _Atomic (void *) real;
  if (fake_number ("FAKE_CPUS") > 0)
    {
      int usable = 0;
      atomic_fetch_add (&fake_calls, 1);
      for (size_t cpu = 0; cpu < 8 * size; cpu++)
	if (CPU_ISSET_S (cpu, size, mask) && !fake_in_list ("FAKE_OFFLINE", cpu))
	  usable++;
      if (usable == 0)
	{
	  errno = EINVAL;
	  return -1;
	}
      fake_count = CPU_COUNT_S (size, mask);
      for (fake_first = 0; !CPU_ISSET_S ((size_t) fake_first, size, mask); fake_first++)
	;
      return 0;
    }
  int (*f) (pid_t, size_t, const cpu_set_t *)
    = (int (*) (pid_t, size_t, const cpu_set_t *)) fake_real (&real, "sched_setaffinity");
  return f (pid, size, mask);
}

/* The CPUs whose part is that of CPU.  */
static void
fake_list (FILE *f, int cpus, int (*part) (int cpu, int cores), int wanted)
{
  const char *comma = "";
  int cores = cpus / 2, untold = fake_number ("FAKE_UNTOLD");
#define IN(c) ((c) < cpus && (c) != untold && part (c, cores) == wanted)
  for (int cpu = 0; cpu < cpus; cpu++)
    if (IN (cpu))
      {
	int last = cpu;
	while (IN (last + 1))
	  last++;
	fprintf (f, last > cpu ? "%s%d-%d" : "%s%d", comma, cpu, last);
	comma = ",";
	cpu = last;
      }
#undef IN
  fputc ('\n', f);
}

static int fake_core (int cpu, int cores) { return cpu % cores; }
static int fake_cache (int cpu, int cores) { return cpu % cores / 2; }
static int fake_node (int cpu, int cores) { return cpu % cores < cores / 2; }
static int
fake_socket (int cpu, int cores)
{
  return getenv ("FAKE_ALTERNATE") ? cpu % cores % 2 : cpu % cores >= cores / 2;
}

/* The text of PATH, or 0 when there is no such file.  */
static int
fake_file (FILE *f, const char *path)
{
  int cpus = fake_number ("FAKE_CPUS"), cores = cpus / 2, n, index, used = 0;
  const char *core = "core_cpus_list", *package = "package_cpus_list";

  if (getenv ("FAKE_OLD"))
    core = "thread_siblings_list", package = "core_siblings_list";
  if (getenv ("FAKE_NOTHING"))
    return 0;
  if (strcmp (path, "node/online") == 0)
    return fputs ("0-2\n", f);
  if (sscanf (path, "node/node%d/%n", &n, &used) == 1 && used && !strcmp (path + used, "cpulist"))
    {
      fake_list (f, cpus, fake_node, n);
      return 1;
    }
  if (sscanf (path, "cpu/cpu%d/%n", &n, &used) != 1 || !used || n == fake_number ("FAKE_UNTOLD"))
    return 0;
  path += used;
  if (strncmp (path, "topology/", 9) == 0)
    {
      if (strcmp (path + 9, core) == 0)
	fake_list (f, cpus, fake_core, fake_core (n, cores));
      else if (strcmp (path + 9, package) == 0)
	fake_list (f, cpus, fake_socket, fake_socket (n, cores));
      else
	return 0;
      return 1;
    }
  /* index0 and 1: of the core; 2: shared data; 3: shared, higher, instructions only.  */
  if (sscanf (path, "cache/index%d/%n", &index, &used) != 1 || index > 3)
    return 0;
  if (strcmp (path + used, "type") == 0)
    return fputs (index == 3 || index == 1 ? "Instruction\n" : "Unified\n", f), 1;
  if (strcmp (path + used, "level") == 0)
    return fprintf (f, "%d\n", index == 3 ? 9 : index == 2 ? 3 : 1);
  if (strcmp (path + used, "shared_cpu_list") == 0)
    {
      int (*part) (int, int) = index >= 2 ? fake_cache : fake_core;
      fake_list (f, cpus, part, part (n, cores));
      return 1;
    }
  return 0;
}

static int
fake_open (const char *path)
{
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream (&text, &size);
  int there = fake_file (f, path + sizeof "/sys/devices/system/" - 1), fd = -1;
  fclose (f);
  if (!there)
    errno = ENOENT;
  else if ((fd = memfd_create ("fake", MFD_CLOEXEC)) >= 0)
    {
      if (write (fd, text, size) != (ssize_t) size || lseek (fd, 0, SEEK_SET) != 0)
	abort ();
    }
  free (text);
  return fd;
}

#define FAKE_OPEN(name)							\
  int									\
  name (const char *path, int flags, ...)				\
  {									\
    static _Atomic (void *) real;					\
    va_list list;							\
    va_start (list, flags);						\
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg (list, mode_t) : 0; \
    va_end (list);							\
    if (strncmp (path, "/sys/devices/system/", 20) == 0 && fake_number ("FAKE_CPUS") > 0) \
      return fake_open (path);						\
    int (*f) (const char *, int, ...)					\
      = (int (*) (const char *, int, ...)) fake_real (&real, #name);	\
    return f (path, flags, mode);					\
  }
FAKE_OPEN (open)
FAKE_OPEN (open64)
