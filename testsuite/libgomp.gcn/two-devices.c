/* A program with two devices: regions on both, copies from one to the other, whole, in part, of a box, and between
   target tasks; nothing is left at the end.  The file programs has it once more with devices that do not reach each
   other's memory.
   TEST-MODES: gcnsim
   TEST-IMAGE: gcn
   TEST-ENV: GCN_SIM_AGENTS=2
   TEST-ENV: GCN_SIM_LEAKS=1  */
#include "aux-gcn.h"

enum { N = 5000, ROWS = 6, COLUMNS = 10 };
static int a[N], b[N], box[ROWS * COLUMNS];

int
main (void)
{
  int host = omp_get_initial_device ();
  int *d0 = omp_target_alloc (sizeof (a), 0), *d1 = omp_target_alloc (sizeof (a), 1);
  int number[2] = { -1, -1 };

  CHECK_EQUAL (omp_get_num_devices (), 2);
  if (d0 == NULL || d1 == NULL)
    return 1;
  for (int d = 0; d < 2; d++)
    {
#pragma omp target device (d) map (from: number[d:1])
      number[d] = omp_get_device_num ();
    }
  CHECK_EQUAL (number[0], 0);
  CHECK_EQUAL (number[1], 1);

#pragma omp target device (0) is_device_ptr (d0)
  for (int i = 0; i < N; i++)
    d0[i] = 3 * i;
  CHECK_EQUAL (omp_target_memcpy (d1, d0, sizeof (a), 0, 0, 1, 0), 0);
#pragma omp target device (1) is_device_ptr (d1)
  for (int i = 0; i < N; i++)
    d1[i]++;
  /* A piece of it back.  */
  CHECK_EQUAL (omp_target_memcpy (d0, d1, 100 * sizeof (int), 1000 * sizeof (int), 500 * sizeof (int), 0, 1), 0);
  CHECK_EQUAL (omp_target_memcpy (a, d0, sizeof (a), 0, 0, host, 0), 0);
  CHECK_EQUAL (omp_target_memcpy (b, d1, sizeof (b), 0, 0, host, 1), 0);
  for (int i = 0; i < N && failures < 5; i++)
    {
      CHECK_EQUAL (a[i], i >= 1000 && i < 1100 ? 3 * (i - 500) + 1 : 3 * i);
      CHECK_EQUAL (b[i], 3 * i + 1);
    }

  /* Rows 1 to 3, columns 2 to 6 of one to rows 2 to 4, columns 5 to 9 of the other.  */
  const size_t volume[2] = { 3, 5 }, to[2] = { 2, 5 }, from[2] = { 1, 2 }, size[2] = { ROWS, COLUMNS };
  CHECK_EQUAL (omp_target_memcpy_rect (d1, d0, sizeof (int), 2, volume, to, from, size, size, 1, 0), 0);
  CHECK_EQUAL (omp_target_memcpy (box, d1, sizeof (box), 0, 0, host, 1), 0);
  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < COLUMNS; x++)
      CHECK_EQUAL (box[y * COLUMNS + x],
		   y >= 2 && y < 5 && x >= 5 ? 3 * ((y - 1) * COLUMNS + x - 3) : 3 * (y * COLUMNS + x) + 1);

  /* In a chain: a region on one, the copy, a region on the other.  */
  for (int round = 0; round < 3; round++)
    {
#pragma omp target device (0) is_device_ptr (d0) nowait depend (out: d0[0])
      for (int i = 0; i < N; i++)
	d0[i] = i + round;
#pragma omp task shared (failures) depend (inout: d0[0], d1[0])
      CHECK_EQUAL (omp_target_memcpy (d1, d0, sizeof (a), 0, 0, 1, 0), 0);
#pragma omp target device (1) is_device_ptr (d1) nowait depend (inout: d1[0])
      for (int i = 0; i < N; i++)
	d1[i] *= 2;
#pragma omp taskwait
      CHECK_EQUAL (omp_target_memcpy (b, d1, sizeof (b), 0, 0, host, 1), 0);
      for (int i = 0; i < N && failures < 5; i++)
	CHECK_EQUAL (b[i], 2 * (i + round));
    }
  omp_target_free (d0, 0);
  omp_target_free (d1, 1);
  /* Closes the devices; at the end of a process nobody gives back what goes with it.  */
  CHECK_EQUAL (omp_pause_resource_all (omp_pause_hard), 0);
  return failures != 0;
}
