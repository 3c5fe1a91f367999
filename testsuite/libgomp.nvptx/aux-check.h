/* aux-check.h -- CHECK (condition): the test ends where it does not hold.  */

#ifndef AUX_CHECK_H
#define AUX_CHECK_H 1

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)						\
  do									\
    if (!(condition))							\
      {									\
	printf ("line %d: not so: %s\n", __LINE__, #condition);		\
	exit (1);							\
      }									\
  while (0)

#endif /* AUX_CHECK_H */
