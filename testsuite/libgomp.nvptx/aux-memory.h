/* aux-memory.h -- for tests that let memory run out; linked with -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc.  */

#ifndef AUX_MEMORY_H
#define AUX_MEMORY_H 1

#include <stdbool.h>
#include <stddef.h>

/* Calls that succeed before one fails; -1: all do.  Compilers take it that malloc leaves variables alone.  */
static volatile long left = -1;

static bool
fails (void)
{
  return left >= 0 && left-- == 0;
}

void *__real_malloc (size_t);
void *__real_calloc (size_t, size_t);
void *__real_realloc (void *, size_t);
void *__wrap_malloc (size_t);
void *__wrap_calloc (size_t, size_t);
void *__wrap_realloc (void *, size_t);

void *
__wrap_malloc (size_t size)
{
  return fails () ? NULL : __real_malloc (size);
}

void *
__wrap_calloc (size_t num, size_t size)
{
  return fails () ? NULL : __real_calloc (num, size);
}

void *
__wrap_realloc (void *old, size_t size)
{
  return fails () ? NULL : __real_realloc (old, size);
}

#endif
