/* memory.c -- host memory for the runtime's own use.  Never NULL.  */

#include "libgomp.h"
#include "host/team.h"

#include <errno.h>

/* The thread that got none.  Relaxed: only that one wants to know.  */
static _Atomic (const struct gomp_thread *) xends;

bool
gomp_ends_without_memory (void)
{
  return gomp_load_relaxed (&xends) == &gomp_tls;
}

static void __attribute__ ((noreturn, cold, noinline))
no_memory (size_t size)
{
  gomp_store_relaxed (&xends, &gomp_tls);
  gomp_fatal ("Out of memory allocating %lu bytes", (unsigned long) size);
}

static inline void * __attribute__ ((returns_nonnull))
checked (void *ptr, size_t size)
{
  if (gomp_unlikely (ptr == NULL))
    no_memory (size);
  return ptr;
}

void * GOMP_STARTUP
gomp_malloc (size_t size)
{
  return checked (malloc (size ? size : 1), size);
}

void * GOMP_STARTUP
gomp_calloc (size_t n, size_t size)
{
  return checked (calloc (n ? n : 1, size ? size : 1), n * size);
}

void * GOMP_STARTUP
gomp_realloc_array (void *ptr, size_t n, size_t size)
{
  return checked (reallocarray (ptr, n ? n : 1, size ? size : 1), n * size);
}

void * GOMP_STARTUP
gomp_aligned_alloc (size_t align, size_t size)
{
  void *ptr = NULL;
  if (align < sizeof (void *))
    align = sizeof (void *);
  int saved = errno;
  if (posix_memalign (&ptr, align, size ? size : 1) != 0)
    ptr = NULL;
  errno = saved;
  return checked (ptr, size);
}

char * GOMP_STARTUP
gomp_strdup (const char *text)
{
  size_t n = strlen (text) + 1;
  return memcpy (gomp_malloc (n), text, n);
}
