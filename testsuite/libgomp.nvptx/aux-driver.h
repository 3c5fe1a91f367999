/* aux-driver.h -- for programs that ask the stand-in driver about itself.  */

#ifndef AUX_DRIVER_H
#define AUX_DRIVER_H 1

#include "fake-cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)						\
  do									\
    if (!(condition))							\
      {									\
	printf ("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);	\
	exit (1);							\
      }									\
  while (0)

static inline void *
driver_function (const char *name)
{
  void *driver = dlopen ("libcuda.so.1", RTLD_NOW);
  void *function = driver != NULL ? dlsym (driver, name) : NULL;
  if (function == NULL)
    {
      printf ("the stand-in driver has no %s\n", name);
      exit (1);
    }
  return function;
}

#define DRIVER(function) ((__typeof__ (&function)) driver_function (#function))

static inline unsigned long
driver_calls (const char *name)
{
  return DRIVER (fake_cuda_calls) (name);
}

#endif /* AUX_DRIVER_H */
