/* What the tests of target regions share.  */
#include <omp.h>
#include <stdio.h>

static int failures;
#define CHECK_EQUAL(a, b)						\
  do									\
    {									\
      long a_ = (long) (a), b_ = (long) (b);				\
      if (a_ != b_)							\
	{								\
	  printf ("%s:%d: %s is %ld, not %ld\n", __FILE__, __LINE__, #a, a_, b_); \
	  failures++;							\
	}								\
    }									\
  while (0)
