/* cpus.c -- which CPUs there are for us.  Linux.

   The kernel's masks have a size of their own, which only the kernel knows: usually 64 bits,
   more on large machines, and glibc's cpu_set_t has 1024.  */

#include "libgomp.h"
#include "host/icv.h"
#include "host/places.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

/* No kernel has larger masks: 2^20 bits.  */
#define MAX_MASK_BYTES (1u << 17)

/* Written by the first successful look, in the library's constructor.  */
size_t gomp_cpuset_size = sizeof (unsigned long);

/* Fills MASK and returns the bytes that it filled, or -1, with EINVAL when SIZE is less than the
   CPUs that there can be need.  glibc's sched_getaffinity does not tell the bytes.  */
static long
get_mask (cpu_set_t *mask, size_t size)
{
  return syscall (SYS_sched_getaffinity, 0, size, mask);
}

cpu_set_t * GOMP_STARTUP
gomp_cpus_mask (void)
{
  int saved = errno;

  for (size_t size = gomp_cpuset_size; size <= MAX_MASK_BYTES; size *= 2)
    {
      cpu_set_t *mask = gomp_calloc (1, size);
      if (get_mask (mask, size) > 0)
	{
	  if (size != gomp_cpuset_size)
	    gomp_cpuset_size = size;
	  errno = saved;
	  return mask;
	}
      int error = errno;
      free (mask);
      if (error != EINVAL)
	break;
    }
  errno = saved;
  return NULL;
}

int
gomp_cpus_bind (const cpu_set_t *set)
{
  int saved = errno, error = 0;

  if (sched_setaffinity (0, gomp_cpuset_size, set) != 0)
    error = errno;
  errno = saved;
  return error;
}

/* However many CPUs there can be; 0: the system does not tell.  */
static int GOMP_STARTUP
count_all (void)
{
  cpu_set_t *mask = gomp_cpus_mask ();
  int n = mask != NULL ? CPU_COUNT_S (gomp_cpuset_size, mask) : 0;
  free (mask);
  return n;
}

unsigned GOMP_STARTUP
gomp_cpus_init (void)
{
  int n = count_all ();
  return n > 0 ? (unsigned) n : gomp_cpus_usable ();
}

unsigned
gomp_cpus_usable (void)
{
  int saved = errno;
  cpu_set_t small;
  long n = 0;

  long bytes = get_mask (&small, sizeof (small));
  if (bytes > 0)
    n = CPU_COUNT_S (bytes, &small);
  else
    n = count_all ();
  if (n <= 0)
    n = sysconf (_SC_NPROCESSORS_ONLN);
  errno = saved;
  return n > 0 ? n : 1;
}
