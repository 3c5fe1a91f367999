/* Loops of loops with simd: each iteration once, where threads have parts that begin and end
   anywhere, also in regions whose lanes take turns.
   TEST-MODES: host cpu ptxsim ptxours ptxlanes gpu
   TEST-OPTIONS: -O2  */

#include <stdio.h>
#include <string.h>

enum { ROWS = 37, COLUMNS = 23, PLANES = 5, MOST = 64 * 64 };

static int count[MOST], cube[PLANES * ROWS * COLUMNS];
static int failures;

static void
check (const char *what, const int *got, int rows, int columns, int stride)
{
  int bad = 0;
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < columns; k++)
      bad += got[i * stride + k] != i * 100 + k;
  if (bad > 0)
    printf ("%s: %d of %d wrong\n", what, bad, rows * columns), failures++;
}

static void
two (int rows, int columns, int from)
{
  memset (count, 0, sizeof (count));
#pragma omp target teams distribute parallel for simd collapse (2) map (tofrom: count) thread_limit (64)
  for (int i = from; i < rows; i++)
    for (int k = from; k < columns; k++)
      count[i * 64 + k] += i * 100 + k;
  for (int i = 0; i < from; i++)
    for (int k = 0; k < 64; k++)
      failures += count[i * 64 + k] != 0 || count[k * 64 + i] != 0;
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < from; k++)
      count[i * 64 + k] = i * 100 + k;
  for (int i = 0; i < from; i++)
    for (int k = 0; k < columns; k++)
      count[i * 64 + k] = i * 100 + k;
  check ("two", count, rows, columns, 64);
}

static void
unsigned_two (unsigned rows, unsigned columns)
{
  memset (count, 0, sizeof (count));
#pragma omp target teams distribute parallel for simd collapse (2) map (tofrom: count)
  for (unsigned i = 0; i < rows; i++)
    for (unsigned k = 0; k < columns; k++)
      count[i * 64 + k] += i * 100 + k;
  check ("unsigned", count, rows, columns, 64);
}

static void
long_two (long rows, long columns)
{
  memset (count, 0, sizeof (count));
#pragma omp target teams distribute parallel for simd collapse (2) map (tofrom: count) num_threads (128)
  for (long i = 0; i < rows; i++)
    for (long k = columns - 1; k >= 0; k--)
      count[i * 64 + k] += i * 100 + k;
  check ("long", count, rows, columns, 64);
}

static void
three (int planes, int rows, int columns)
{
  memset (cube, 0, sizeof (cube));
#pragma omp target teams distribute parallel for simd collapse (3) map (tofrom: cube)
  for (int p = 0; p < planes; p++)
    for (int i = 0; i < rows; i++)
      for (int k = 0; k < columns; k++)
	cube[(p * ROWS + i) * COLUMNS + k] += i * 100 + k + 1;
  for (int p = 0; p < PLANES; p++)
    for (int i = 0; i < ROWS; i++)
      for (int k = 0; k < COLUMNS; k++)
	failures += cube[(p * ROWS + i) * COLUMNS + k]
		    != (p < planes && i < rows && k < columns ? i * 100 + k + 1 : 0);
}

/* The same with numbers that the compiler knows, as users' stencils have them.  */
static void
planes (void)
{
  memset (cube, 0, sizeof (cube));
#pragma omp target teams distribute parallel for simd collapse (3) map (tofrom: cube) thread_limit (256)
  for (int p = 1; p < PLANES - 1; p++)
    for (int i = 1; i < ROWS - 1; i++)
      for (int k = 1; k < COLUMNS - 1; k++)
	cube[(p * ROWS + i) * COLUMNS + k] += i * 100 + k;
  for (int p = 0; p < PLANES; p++)
    for (int i = 0; i < ROWS; i++)
      for (int k = 0; k < COLUMNS; k++)
	{
	  int edge = p == 0 || p == PLANES - 1 || i == 0 || i == ROWS - 1 || k == 0 || k == COLUMNS - 1;
	  failures += cube[(p * ROWS + i) * COLUMNS + k] != (edge ? 0 : i * 100 + k);
	}
}

static void
sums (int rows, int columns)
{
  long sum = 0, expected = 0;
#pragma omp target teams distribute parallel for simd collapse (2) map (tofrom: sum) reduction (+: sum)
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < columns; k++)
      sum += i * 100 + k;
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < columns; k++)
      expected += i * 100 + k;
  if (sum != expected)
    printf ("%d x %d: %ld, not %ld\n", rows, columns, sum, expected), failures++;
}

int
main (void)
{
  static const int sizes[][2] = { { ROWS, COLUMNS }, { 1, 64 }, { 64, 1 }, { 0, 5 }, { 5, 0 }, { 2, 3 }, { 64, 64 }, { 63, 7 } };

  for (unsigned i = 0; i < sizeof (sizes) / sizeof (sizes[0]); i++)
    {
      two (sizes[i][0], sizes[i][1], 0);
      two (sizes[i][0], sizes[i][1], 1);
      unsigned_two (sizes[i][0], sizes[i][1]);
      long_two (sizes[i][0], sizes[i][1]);
    }
  three (PLANES, ROWS, COLUMNS);
  three (3, 20, 7);
  three (1, 1, 1);
  planes ();
  sums (ROWS, COLUMNS);
  sums (1, 200);
  sums (0, 3);
  printf ("%d failures\n", failures);
  return failures != 0;
}
