/* heritage.c -- see heritage.h.  Four system calls of a fraction of a microsecond each: only when
   threads are created, or would be.  */

#include "config/linux/heritage.h"

#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>

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
  struct sched_param param;

  memset (h, 0, sizeof (*h));
  h->policy = sched_getscheduler (0);
  errno = 0;
  h->nice = getpriority (PRIO_PROCESS, 0);	/* of the thread, here */
  h->known = h->policy >= 0 && errno == 0
	     && sched_getparam (0, &param) == 0
	     /* With more CPUs than the type has it is an error: nothing is known.  */
	     && sched_getaffinity (0, sizeof (h->cpus), &h->cpus) == 0
	     && pthread_sigmask (SIG_SETMASK, NULL, &h->signals) == 0;
  if (h->known)
    h->priority = param.sched_priority;
  h->fp = fp_control ();
  errno = saved;
}

bool
gomp_heritage_same (const struct gomp_heritage *a, const struct gomp_heritage *b)
{
  if (!a->known || !b->known || !CPU_EQUAL (&a->cpus, &b->cpus))
    return false;
  for (int sig = 1; sig < _NSIG; sig++)
    if (sigismember (&a->signals, sig) != sigismember (&b->signals, sig))
      return false;
  return a->policy == b->policy && a->nice == b->nice && a->priority == b->priority
	 && a->fp == b->fp;
}
