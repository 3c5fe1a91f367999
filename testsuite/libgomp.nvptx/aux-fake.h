/* aux-fake.h -- the functions that the stand-in driver has for tests (fake-cuda.h):

     FAKE_CUDA (fake_cuda_calls) ("cuMemAlloc")  */

#ifndef AUX_FAKE_H
#define AUX_FAKE_H 1

#include "../lib/fake-cuda/fake-cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *
fake_cuda (const char *name)
{
  static void *library;
  if (library == NULL)
    library = dlopen ("libcuda.so.1", RTLD_NOW);
  void *p = library != NULL ? dlsym (library, name) : NULL;
  if (p == NULL)
    {
      printf ("cannot find %s\n", name);
      exit (77);
    }
  return p;
}

#define FAKE_CUDA(function) ((__typeof__ (&function)) fake_cuda (#function))

#endif /* AUX_FAKE_H */
