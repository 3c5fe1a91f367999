/* A cpu device is a process of its own: it has its own globals, heap and statics, which live from
   one region to the next, and the program's stay as they were.
   TEST-MODES: cpu  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int calls = 10;
static int *kept;
#pragma omp declare target (calls, kept)

#pragma omp declare target
static int
count (void)
{
  static int here = 100;
  if (kept == NULL)
    kept = calloc (1, sizeof (int));
  ++*kept;
  calls++;
  return here++;
}
#pragma omp end declare target

int
main (void)
{
  int worker[3], got[3], heap[3], number = -1, initial = -1, failed = 0;

  if (omp_get_num_devices () < 1)
    {
      printf ("there is no device\n");
      return 1;
    }
  for (int i = 0; i < 3; i++)
    {
      int w = 0, g = 0, h = 0;
#pragma omp target map (from: w, g, h, number, initial)
      {
	w = getpid ();
	g = count ();
	h = *kept;
	number = omp_get_device_num ();
	initial = omp_get_level ();
      }
      worker[i] = w;
      got[i] = g;
      heap[i] = h;
    }
  for (int i = 0; i < 3; i++)
    if (worker[i] == getpid () || worker[i] != worker[0] || got[i] != 100 + i || heap[i] != i + 1)
      {
	printf ("region %d: process %d, host %d, static %d, heap %d\n", i, worker[i],
		(int) getpid (), got[i], heap[i]);
	failed = 1;
      }
  if (calls != 10 || kept != NULL || count () != 100)
    {
      printf ("a region changed the host: calls %d, kept %p\n", calls, (void *) kept);
      failed = 1;
    }
  if (number != 0 || initial != 0)
    {
      printf ("omp_get_device_num %d, omp_get_level %d in the region\n", number, initial);
      failed = 1;
    }
  return failed;
}
