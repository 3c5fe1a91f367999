/* driver.h -- what cuda.c and floors.c share.

   Completion is a word in pinned memory which the stream or the kernel writes and the host
   polls.  */

#ifndef BENCH_GPU_DRIVER_H
#define BENCH_GPU_DRIVER_H 1

#include "../bench.h"
#include "calls.h"

static volatile uint32_t *word;	/* a page of pinned memory */
static CUdeviceptr word_there;
static uint32_t sequence;

/* SIZE bytes of pinned memory, and where kernels see them.  */
static inline void *
get_pinned (size_t size, CUdeviceptr *there)
{
  void *p;
  CALL (cuMemHostAlloc, &p, size, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
  memset (p, 0, size);
  CALL (cuMemHostGetDevicePointer_v2, there, p, 0);
  return p;
}

/* Until somebody has stored VALUE in the word.  */
static inline void
poll_word (uint32_t value)
{
  while (*word != value)
    __builtin_ia32_pause ();
  __atomic_thread_fence (__ATOMIC_ACQUIRE);
}

/* Let the stream write the word, and wait for that.  */
static inline void
wait_word (CUstream s)
{
  uint32_t value = ++sequence;
  if (!cuStreamWriteValue32_v2 || cuStreamWriteValue32_v2 (s, word_there, value, 0) != 0)
    CALL (cuMemsetD32Async, word_there, value, 1, s);
  poll_word (value);
}

#endif /* BENCH_GPU_DRIVER_H */
