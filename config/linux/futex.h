/* futex.h -- sleeping on a word and waking who sleeps.  Linux.  */

#ifndef GOMP_FUTEX_H
#define GOMP_FUTEX_H 1

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "atomics.h"

/* Sleep while *WORD == VALUE; may return early for no reason.  errno is kept: callers are
   OpenMP constructs, which leave it alone.  */
static inline void
gomp_futex_wait (_Atomic (uint32_t) *word, uint32_t value)
{
  int saved = errno;
  syscall (SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
  errno = saved;
}

/* The same for at most NS nanoseconds, less than a second.  */
static inline void
gomp_futex_wait_ns (_Atomic (uint32_t) *word, uint32_t value, long ns)
{
  int saved = errno;
  struct timespec limit = { 0, ns };
  syscall (SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &limit, NULL, 0);
  errno = saved;
}

/* Wake at most COUNT threads that sleep on WORD.  */
static inline void
gomp_futex_wake (_Atomic (uint32_t) *word, int count)
{
  int saved = errno;
  syscall (SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
  errno = saved;
}

/* The same two for groups of sleepers: a wake-up call reaches those that share a bit.  */
static inline void
gomp_futex_wait_bits (_Atomic (uint32_t) *word, uint32_t value, uint32_t bits)
{
  int saved = errno;
  syscall (SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value, NULL, NULL, bits);
  errno = saved;
}

/* The same for at most about NS nanoseconds, less than a second.  */
#define GOMP_FUTEX_ANY FUTEX_BITSET_MATCH_ANY
static inline void
gomp_futex_wait_bits_ns (_Atomic (uint32_t) *word, uint32_t value, uint32_t bits, long ns)
{
  int saved = errno;
  struct timespec until;
  clock_gettime (CLOCK_MONOTONIC, &until);
  until.tv_nsec += ns;
  if (until.tv_nsec >= 1000000000)
    {
      until.tv_nsec -= 1000000000;
      until.tv_sec++;
    }
  syscall (SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value, &until, NULL, bits);
  errno = saved;
}

static inline void
gomp_futex_wake_bits (_Atomic (uint32_t) *word, int count, uint32_t bits)
{
  int saved = errno;
  syscall (SYS_futex, word, FUTEX_WAKE_BITSET_PRIVATE, count, NULL, NULL, bits);
  errno = saved;
}

/* Is VALUE in the word at ADDR, aligned, of memory that may have gone?  0: no, 1: yes, -1: it cannot be read.
   By the move of no sleeper, which the kernel makes only if the word has the value.  */
static inline int
gomp_futex_equal (const void *addr, uint32_t value)
{
  int saved = errno;
  uint32_t other = 0;
  long moved = syscall (SYS_futex, addr, FUTEX_CMP_REQUEUE_PRIVATE, 0, 0L, &other, value);
  int answer = moved == 0 ? 1 : errno == EAGAIN ? 0 : -1;
  errno = saved;
  return answer;
}

#endif /* GOMP_FUTEX_H */
