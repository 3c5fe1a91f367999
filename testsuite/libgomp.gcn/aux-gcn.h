/* What the tests of AMD GPUs share: most compute something on the device and, by the same function, on the
   host, and compare.  */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures __attribute__ ((unused));

/* The same integer.  */
#define CHECK_EQUAL(a, b)						\
  do									\
    {									\
      long a_ = (long) (a), b_ = (long) (b);				\
      if (a_ != b_)							\
	{								\
	  printf ("%s:%d: %s is %ld (%#lx), not %ld\n", __FILE__, __LINE__, #a, a_, (unsigned long) a_, b_); \
	  failures++;							\
	}								\
    }									\
  while (0)

/* The arrays of the device and of the host have the same bytes; a few differences are told.  */
#define CHECK_SAME(device, host, n, format)				\
  do									\
    for (int i_ = 0, told_ = 0; i_ < (int) (n) && told_ < 4; i_++)	\
      if (memcmp (&(device)[i_], &(host)[i_], sizeof (host)[0]) != 0)	\
	{								\
	  printf ("%s:%d: %s[%d] is " format ", not " format "\n", __FILE__, __LINE__, #device, i_, \
		  (device)[i_], (host)[i_]);				\
	  failures++, told_++;						\
	}								\
  while (0)
