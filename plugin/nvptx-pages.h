/* nvptx-pages.h -- memory of this process in large pages, where the system has them.

   In small ones a page that is used for the first time takes as long as a thousand instructions.  Thread-safe.  */

#ifndef NVPTX_PAGES_H
#define NVPTX_PAGES_H 1

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define NVPTX_LARGE_PAGE ((size_t) 2 << 20)

/* Whole pages for SIZE bytes, which are SIZE_MAX / 2 at most.  */
static inline size_t
nvptx_pages_size (size_t size)
{
  return (size + NVPTX_LARGE_PAGE - 1) & -NVPTX_LARGE_PAGE;
}

/* SIZE bytes of zeros, SIZE being of nvptx_pages_size; given back by munmap.  NULL: there are none.  */
static inline void *
nvptx_pages_map (size_t size)
{
  char *got = mmap (NULL, size + NVPTX_LARGE_PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED)
    return NULL;
  char *start = (char *) (((uintptr_t) got + NVPTX_LARGE_PAGE - 1) & -NVPTX_LARGE_PAGE);
  if (start != got)
    munmap (got, start - got);
  if (start != got + NVPTX_LARGE_PAGE)
    munmap (start + size, got + NVPTX_LARGE_PAGE - start);
  /* A wish, which may be refused.  */
  (void) madvise (start, size, MADV_HUGEPAGE);
  return start;
}

/* The same as a block of the heap, with anything in it; given back by free.  */
static inline void *
nvptx_pages_alloc (size_t size)
{
  void *start = aligned_alloc (NVPTX_LARGE_PAGE, size);
  if (start != NULL)
    (void) madvise (start, size, MADV_HUGEPAGE);
  return start;
}

#endif /* NVPTX_PAGES_H */
