/* heritage.c -- see heritage.h.  Three system calls of a fraction of a microsecond each: only when
   threads are created, or would be.  */

#include "config/linux/heritage.h"

#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>

/* The modes of floating-point arithmetic.  */
static uint64_t
fp_control (void)
{
#if defined __x86_64__
  uint16_t x87;
  __asm__ volatile ("fnstcw %0" : "=m" (x87));
  /* The low six bits say what happened, not what is to happen.  */
  return (uint64_t) (__builtin_ia32_stmxcsr () & ~0x3fu) << 16 | x87;
#elif defined __aarch64__
  return __builtin_aarch64_get_fpcr ();
#else
  return 0;
#endif
}

void
gomp_heritage_get (struct gomp_heritage *h)
{
  int saved = errno;
  memset (h, 0, sizeof (*h));
  h->known = syscall (SYS_sched_getattr, 0, &h->scheduling, sizeof (h->scheduling), 0) == 0
	     /* With more CPUs than the type has it is an error: nothing is known.  */
	     && sched_getaffinity (0, sizeof (h->cpus), &h->cpus) == 0
	     && pthread_sigmask (SIG_SETMASK, NULL, &h->signals) == 0;
  h->fp = fp_control ();
  errno = saved;
}

bool
gomp_heritage_same (const struct gomp_heritage *a, const struct gomp_heritage *b)
{
  /* Bytes that the kernel or the C library doesn't write are zero.  */
  return a->known && b->known && CPU_EQUAL (&a->cpus, &b->cpus)
	 && memcmp (&a->signals, &b->signals, sizeof (a->signals)) == 0
	 && memcmp (&a->scheduling, &b->scheduling, sizeof (a->scheduling)) == 0 && a->fp == b->fp;
}
