/* cxx.c -- what programs with C++ objects on the device need (GCC 15 and later).

   An object with a destructor is registered under the address __dso_handle, which on the device is the
   same for everything; when the image is unloaded the compiler's exit code calls the function below.  Its
   weak form in the compiler's library does nothing.  */

#include "accel.h"

#pragma omp declare target

/* Constant, but programs look for it in .global.  */
extern void *__dso_handle;
void *__dso_handle;

extern void __cxa_finalize (void *);
extern void __GCC_offload___cxa_finalize (void *);

void
__GCC_offload___cxa_finalize (void *handle)
{
  __cxa_finalize (handle);
}

#pragma omp end declare target
