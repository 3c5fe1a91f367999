/* Nothing is copied back to read-only memory of a shared library, whether it was there before the
   first region or was opened later.  What lies where a library was before it was closed is
   copied back to.
   TEST-SHARED: map-constant-library-lib.c
   TEST-MODES: host cpu cpu2 */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

static int
use (int round)
{
  void *lib = dlopen ("./map-constant-library-lib.so", RTLD_NOW);
  int bad = 0, *writable;
  if (lib == NULL)
    {
      printf ("%s\n", dlerror ());
      return 1;
    }
  const int *(*constant) (int **) = (const int *(*) (int **)) dlsym (lib, "constant");
  int (*region) (int) = (int (*) (int)) dlsym (lib, "region");
  const int *p = constant (&writable);

  bad += !region (8);
#pragma omp target enter data map(to: p[:40000])
#pragma omp target update from(p[39990:10])
#pragma omp target exit data map(from: p[:40000])
#pragma omp target map(tofrom: p[30000:10000]) nowait
  ;
#pragma omp target map(tofrom: writable[:1000])
  for (int i = 0; i < 1000; i++)
    writable[i] += i;
#pragma omp taskwait
  bad += writable[0] != 5 || writable[999] != 999;
  dlclose (lib);

  uintptr_t start = (uintptr_t) p & -4096;
  int *again = mmap ((void *) start, 65536, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (again == (int *) start)
    {
#pragma omp target map(tofrom: again[:16384])
      for (int i = 0; i < 16384; i++)
	again[i] += i;
      bad += again[1] != 1 || again[16383] != 16383;
      munmap (again, 65536);
    }
  if (bad)
    printf ("round %d: bad %d\n", round, bad);
  return bad;
}

int
main (void)
{
  int bad = use (0), first = 0;
#pragma omp target map(from: first)
  first = 1;
  bad += use (1) + use (2);
  return bad != 0 || first != 1;
}
