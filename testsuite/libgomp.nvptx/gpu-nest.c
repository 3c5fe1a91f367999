/* Rows of a loop whose columns depend on each other if two arguments are the same memory: an inner loop
   is shared out to lanes only where the launch has found that they are not.
   TEST-MODES: host cpu ptxlanes gpu
   TEST-IMAGE: nvptx  */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 6, COLUMNS = 300, N = ROWS * COLUMNS, MORE = 40 };

/* What a column becomes: of the one SHIFT in front of it in FROM.  */
#define BODY								\
  for (int i = 0; i < ROWS; i++)					\
    for (int j = 40; j < columns; j++)					\
      to[i * columns + j] = from[i * columns + j - shift] * 3 + j;

static __attribute__ ((noinline)) void
mapped (int *to, int *from, int columns, int shift)
{
#pragma omp target teams distribute parallel for map (to[:0], from[:0])
  BODY
}

static __attribute__ ((noinline)) void
by_address (int *to, int *from, int columns, int shift)
{
#pragma omp target teams distribute parallel for is_device_ptr (to, from)
  BODY
}

static __attribute__ ((noinline)) void
later (int *to, int *from, int columns, int shift)
{
#pragma omp target teams distribute parallel for map (to[:0], from[:0]) nowait
  BODY
#pragma omp taskwait
}

static __attribute__ ((noinline)) void
expected (int *to, int *from, int columns, int shift)
{
  BODY
}

static int failures;

/* TO and FROM are offsets in ALL, which is mapped as SECTIONS of the same size.  */
static void
try (const char *what, int sections, int to, int from, int shift)
{
  int total = 2 * (N + MORE);
  int *all = malloc (total * sizeof (int)), *right = malloc (total * sizeof (int));
  int each = total / sections;

  for (int way = 0; way < 3; way++)
    {
      for (int i = 0; i < total; i++)
	all[i] = right[i] = i % 17;
      expected (right + to, right + from, COLUMNS, shift);
      for (int s = 0; s < sections; s++)
	{
	  int *section = all + s * each;
#pragma omp target enter data map (to: section[:each])
	}
      if (way == 0)
	mapped (all + to, all + from, COLUMNS, shift);
      else if (way == 1)
	{
	  int *device_to, *device_from, *host_to = all + to, *host_from = all + from;
#pragma omp target data use_device_ptr (host_to, host_from)
	  {
	    device_to = host_to;
	    device_from = host_from;
	  }
	  by_address (device_to, device_from, COLUMNS, shift);
	}
      else
	later (all + to, all + from, COLUMNS, shift);
      for (int s = 0; s < sections; s++)
	{
	  int *section = all + s * each;
#pragma omp target exit data map (from: section[:each])
	}
      if (memcmp (all, right, total * sizeof (int)) != 0)
	{
	  int i = 0;
	  while (all[i] == right[i])
	    i++;
	  printf ("%s, way %d, shift %d: element %d is %d instead of %d\n", what, way, shift, i, all[i], right[i]);
	  failures++;
	}
    }
  free (all);
  free (right);
}

int
main (void)
{
  const int other = N + MORE;

  for (int shift = 0; shift <= 33; shift += shift < 2 ? 1 : 31)
    {
      try ("two list items", 2, 0, other, shift);
      try ("two list items, the other way", 2, other, 0, shift);
      try ("one list item, both in it", 1, 0, other, shift);
      try ("the same", 2, 0, 0, shift);
      try ("the same, in one list item", 1, 0, 0, shift);
      try ("a bit behind", 1, 1, 0, shift);
      try ("a bit in front", 1, 0, 1, shift);
    }
  return failures != 0;
}
