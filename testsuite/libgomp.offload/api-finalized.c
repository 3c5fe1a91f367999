/* Device routines in an exit handler that runs after the devices are gone.
   TEST-OPTIONS: -D_GNU_SOURCE
   TEST-MODES: cpu test gpu
   TEST-GPU: fallback */

#include "aux-device-api.h"

#include <unistd.h>

static int failures, x = 1, y = 2;
static void *block;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

static void
at_exit (void)
{
  static const size_t one = 1, zero = 0;
  CHECK (omp_get_num_devices () == 1 && omp_get_initial_device () == 1);
  CHECK (omp_target_alloc (8, 0) == NULL);
  omp_target_free (block, 0);
  CHECK (omp_target_memcpy (&y, block, 4, 0, 0, 1, 0) == EINVAL);
  CHECK (omp_target_memcpy_rect (&y, block, 4, 1, &one, &zero, &zero, &one, &one, 1, 0) == EINVAL);
  CHECK (memcpy_async (&y, block, 4, 0, 0, 1, 0, 0, NULL) == EINVAL);
  CHECK (rect_async (&y, block, 4, 1, &one, &zero, &zero, &one, &one, 1, 0, 0, NULL) == EINVAL);
  CHECK (omp_target_is_present (&x, 0) == 0 && mapped_ptr (&x, 0) == NULL);
  CHECK (is_accessible (&x, 4, 0) == 0);
  CHECK (omp_target_associate_ptr (&x, block, 4, 0, 0) == EINVAL);
  CHECK (omp_target_disassociate_ptr (&x, 0) == EINVAL);
  CHECK (omp_pause_resource (omp_pause_soft, 0) == -1);
  CHECK (omp_pause_resource (omp_pause_hard, 0) == -1);
  CHECK (set_memory (&y, 3, 4, 0) == &y && set_memory_async (&y, 3, 4, 0, 0, NULL) == &y);
  CHECK (omp_target_memcpy (&y, &x, 4, 0, 0, 1, -1) == 0 && y == 1);
#pragma omp target map (tofrom: x)
  x++;
  CHECK (x == 2);
#pragma omp target enter data map (to: x)
#pragma omp target exit data map (from: x)
  fflush (stdout);
  if (failures)
    _exit (1);
}

int
main (void)
{
  get_routines ();
  atexit (at_exit);		/* before the first device routine */
  if (omp_get_num_devices () != 1)
    return 77;
  block = omp_target_alloc (8, 0);
  CHECK (block != NULL && uid_of (0) != NULL && device_of (uid_of (0)) == 0);
#pragma omp target enter data map (to: x)
  CHECK (omp_target_is_present (&x, 0) == 1);
  return failures != 0;
}
