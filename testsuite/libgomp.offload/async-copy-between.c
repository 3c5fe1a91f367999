/* omp_target_memcpy_async between two devices: in order with what it depends on, whatever its size, and
   several at once, also where the devices cannot do it themselves.  The program's thread is the only
   one, and does not come back to the library before the end, so nobody else waits for them.
   TEST-OPTIONS: -D_GNU_SOURCE -ldl
   TEST-MODES: test cpu2
   TEST-ENV: GOMPX_TEST_PLUGIN=devices=2
   TEST-ENV: OMP_NUM_THREADS=1  */

#include "aux-device-api.h"

static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

static void
fill (unsigned char *p, size_t n, unsigned seed)
{
  for (size_t i = 0; i < n; i++)
    p[i] = (i + (i >> 12) * 7 + seed) % 251;
}

static size_t
wrong (const unsigned char *p, size_t n, unsigned seed)
{
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    count += p[i] != (i + (i >> 12) * 7 + seed) % 251;
  return count;
}

/* host -> 0 -> 1 -> 0 -> host, each after the one before.  */
static void
there_and_back (size_t size)
{
  int host = omp_get_initial_device ();
  unsigned char *from = malloc (size), *to = calloc (size, 1);
  char *a = omp_target_alloc (size, 0), *b = omp_target_alloc (size, 1);
  char *c = omp_target_alloc (size, 0);
  omp_depend_t order;

#pragma omp depobj (order) depend (inout: from[0])
  fill (from, size, size % 100);
  CHECK (memcpy_async (a, from, size, 0, 0, 0, host, 1, &order) == 0);
  CHECK (memcpy_async (b, a, size, 0, 0, 1, 0, 1, &order) == 0);
  CHECK (memcpy_async (c, b, size, 0, 0, 0, 1, 1, &order) == 0);
  CHECK (memcpy_async (to, c, size, 0, 0, host, 0, 1, &order) == 0);
#pragma omp taskwait
  CHECK (wrong (to, size, size % 100) == 0);
#pragma omp depobj (order) destroy
  omp_target_free (a, 0);
  omp_target_free (b, 1);
  omp_target_free (c, 0);
  free (from);
  free (to);
}

/* In both directions at the same time, with offsets; nothing outside is written.  */
static void
at_once (void)
{
  enum { N = 8, SIZE = 1 << 20 };
  int host = omp_get_initial_device ();
  unsigned char *buf = malloc (SIZE), *back = malloc (SIZE);
  char *on[2][N];

  for (int i = 0; i < N; i++)
    for (int d = 0; d < 2; d++)
      {
	on[d][i] = omp_target_alloc (2 * SIZE, d);
	fill (buf, SIZE, 10 * i + d);
	CHECK (omp_target_memcpy (on[d][i], buf, SIZE, 0, 0, d, host) == 0);
	CHECK (omp_target_memcpy (on[d][i], buf, SIZE, SIZE, 0, d, host) == 0);
      }
  for (int i = 0; i < N; i++)
    for (int d = 0; d < 2; d++)
      CHECK (memcpy_async (on[1 - d][i], on[d][i], SIZE - 9, SIZE + 5, 0, 1 - d, d, 0, NULL) == 0);
#pragma omp taskwait
  for (int i = 0; i < N; i++)
    for (int d = 0; d < 2; d++)
      {
	CHECK (omp_target_memcpy (back, on[d][i], SIZE, 0, SIZE, host, d) == 0);
	CHECK (wrong (back + 5, SIZE - 9, 10 * i + 1 - d) == 0);
	fill (buf, SIZE, 10 * i + d);
	CHECK (memcmp (back, buf, 5) == 0 && memcmp (back + SIZE - 4, buf + SIZE - 4, 4) == 0);
	omp_target_free (on[d][i], d);
      }
  free (buf);
  free (back);
}

int
main (void)
{
  get_routines ();
  if (omp_get_num_devices () < 2)
    {
      printf ("FAIL: two devices are needed\n");
      return 1;
    }
  there_and_back (1);
  there_and_back (8 << 20);
  there_and_back ((20 << 20) + 3);
  at_once ();
  return failures != 0;
}
