/* aux-device-api.h -- routines that not every compiler's omp.h and library have.  */

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *(*mapped_ptr) (const void *, int);
static int (*is_accessible) (const void *, size_t, int);
static void *(*set_memory) (void *, int, size_t, int);
static void *(*set_memory_async) (void *, int, size_t, int, int, void *);
static int (*memcpy_async) (void *, const void *, size_t, size_t, size_t, int, int, int, void *);
static int (*rect_async) (void *, const void *, size_t, int, const size_t *, const size_t *,
			  const size_t *, const size_t *, const size_t *, int, int, int, void *);
static const char *(*uid_of) (int);
static int (*device_of) (const char *);

static void
get_routines (void)
{
  static const struct { const char *name; void *to; } all[] = {
    { "omp_get_mapped_ptr", &mapped_ptr }, { "omp_target_is_accessible", &is_accessible },
    { "omp_target_memset", &set_memory }, { "omp_target_memset_async", &set_memory_async },
    { "omp_target_memcpy_async", &memcpy_async },
    { "omp_target_memcpy_rect_async", &rect_async },
    { "omp_get_uid_from_device", &uid_of }, { "omp_get_device_from_uid", &device_of }
  };
  if (omp_get_level () != 0)	/* so that the library is linked */
    abort ();
  for (size_t i = 0; i < sizeof (all) / sizeof (all[0]); i++)
    {
      void *p = dlsym (RTLD_DEFAULT, all[i].name);
      if (p == NULL)
	{
	  printf ("no %s\n", all[i].name);
	  exit (1);
	}
      memcpy (all[i].to, &p, sizeof (p));
    }
}
