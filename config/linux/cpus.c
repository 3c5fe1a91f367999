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

cpu_set_t *
gomp_cpus_mask (void)
{
  int saved = errno;
  cpu_set_t *mask = NULL;

  for (size_t size = gomp_cpuset_size; size <= MAX_MASK_BYTES; size *= 2)
    {
      mask = gomp_realloc_array (mask, 1, size);
      memset (mask, 0, size);
      if (get_mask (mask, size) > 0)
	{
	  if (size != gomp_cpuset_size)
	    gomp_cpuset_size = size;
	  errno = saved;
	  return mask;
	}
      if (errno != EINVAL)
	break;
    }
  free (mask);
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
    {
      cpu_set_t *large = gomp_cpus_mask ();
      if (large != NULL)
	n = CPU_COUNT_S (gomp_cpuset_size, large);
      free (large);
    }
  if (n <= 0)
    n = sysconf (_SC_NPROCESSORS_ONLN);
  errno = saved;
  return n > 0 ? n : 1;
}
