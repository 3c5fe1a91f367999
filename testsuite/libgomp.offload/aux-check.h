/* What a test finds wrong: printed, with the line, and counted in failures.  */

#include <stdio.h>

static int failures;
#define CHECK_EQUAL(a, b)						\
  do									\
    {									\
      int a_ = (a), b_ = (b);						\
      if (a_ != b_)							\
	{								\
	  printf ("%s:%d: %s is %d, not %d\n", __FILE__, __LINE__, #a, a_, b_); \
	  failures++;							\
	}								\
    }									\
  while (0)
