/* For tests in which one allocation of memory fails, or all from then on: the C library's functions.  */

#ifndef AUX_MALLOC_H
#define AUX_MALLOC_H 1

#include <errno.h>
#include <stdlib.h>

extern void *__libc_malloc (size_t), *__libc_calloc (size_t, size_t);
extern void *__libc_realloc (void *, size_t), *__libc_memalign (size_t, size_t);

static long left;		/* the how-manieth one fails; 0: none */
static int for_ever;

static int
fails (void)
{
  long seen = __atomic_load_n (&left, __ATOMIC_RELAXED);
  while (seen > 0 && !(seen == 1 && for_ever))
    if (__atomic_compare_exchange_n (&left, &seen, seen - 1, 0, __ATOMIC_RELAXED,
				     __ATOMIC_RELAXED))
      break;
  if (seen == 1)
    errno = ENOMEM;
  return seen == 1;
}

void *
malloc (size_t size)
{
  return fails () ? NULL : __libc_malloc (size);
}

void *
calloc (size_t n, size_t size)
{
  return fails () ? NULL : __libc_calloc (n, size);
}

void *
realloc (void *ptr, size_t size)
{
  return fails () ? NULL : __libc_realloc (ptr, size);
}

void *
reallocarray (void *ptr, size_t n, size_t size)
{
  return fails () ? NULL : __libc_realloc (ptr, n * size);
}

int
posix_memalign (void **ptr, size_t align, size_t size)
{
  if (fails ())
    return ENOMEM;
  *ptr = __libc_memalign (align, size);
  return *ptr == NULL ? ENOMEM : 0;
}

void *
aligned_alloc (size_t align, size_t size)
{
  return fails () ? NULL : __libc_memalign (align, size);
}

#endif /* AUX_MALLOC_H */
