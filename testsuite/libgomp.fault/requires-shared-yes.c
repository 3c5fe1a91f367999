/* A program that requires unified_shared_memory and a device that can: no copies are made, and
   memory that nobody mapped can be used.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=shared,fail_copy=0  */

/* TEST-OPTIONS: -L@libdir@  */

#include <errno.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Not in every compiler's omp.h.  */
void *omp_get_mapped_ptr (const void *, int);
int omp_target_is_accessible (const void *, size_t, int);

void GOMP_offload_register_ver (unsigned, const void *, int, const void *);
static uintptr_t table[6], data[4] = { 0x220 };

int
main (void)
{
  int x = 1, *p = malloc (sizeof (int)), *d;
  GOMP_offload_register_ver (0x30001, table, 5, data);
  if (omp_get_num_devices () != 1)
    return printf ("%d devices\n", omp_get_num_devices ()), 1;
  *p = 1;
#pragma omp target map(tofrom: x)
  {
    x += 41;
    *p += 4;
  }
  if (x != 42 || *p != 5)
    return printf ("x = %d, *p = %d\n", x, *p), 1;
  d = omp_target_alloc (4, 0);
  *d = 7;
  if (!omp_target_is_accessible (p, 4, 0) || omp_target_is_present (p, 0)
      || omp_get_mapped_ptr (p, 0) != NULL
      || omp_target_associate_ptr (p, d, 4, 0, 0) != EINVAL
      || omp_target_disassociate_ptr (p, 0) != EINVAL
      || omp_target_memcpy (p, d, 4, 0, 0, 0, omp_get_initial_device ()) != 0 || *p != 7)
    return printf ("the routines do not treat it as the host\n"), 1;
  omp_target_free (d, 0);
  free (p);
  return 0;
}
