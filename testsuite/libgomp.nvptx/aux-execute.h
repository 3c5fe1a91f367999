/* aux-execute.h -- for programs that call the stand-in driver to execute PTX: its functions have prototypes, and
   GOOD (function, ...) ends the calling function with 1 unless it succeeds.  */

#ifndef AUX_EXECUTE_H
#define AUX_EXECUTE_H 1

#include "cuda-api.h"
#include "aux-fake.h"

#define PROTOTYPE(base, suffix, version, parameters) extern CUresult base##suffix parameters;
CUDA_FUNCTIONS (PROTOTYPE, PROTOTYPE)

#define CHECK(condition)						\
  do									\
    if (!(condition))							\
      {									\
	printf ("line %d: not so: %s\n", __LINE__, #condition);		\
	return 1;							\
      }									\
  while (0)
#define GOOD(function, ...) CHECK (FAKE_CUDA (function) (__VA_ARGS__) == CUDA_SUCCESS)

#endif /* AUX_EXECUTE_H */
