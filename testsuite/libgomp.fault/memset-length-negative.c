/* omp_target_memset cannot return an error: a negative count ends the program with a message.
   TEST-MODES: host cpu
   TEST-OPTIONS: -L@libdir@
   TEST-EXIT: 1
   TEST-OUTPUT: libgomp: omp_target_memset: 18446744073709551615 bytes at (0x)?[0-9a-f]+ are more than there can be, called from main */
#include <omp.h>
#include <stddef.h>

extern void *omp_target_memset (void *, int, size_t, int);

int
main (void)
{
  volatile int n = -1;
  int dev = omp_get_default_device ();
  void *p = omp_target_alloc (100, dev);
  omp_target_memset (p, 0, n, dev);
  return 0;
}
