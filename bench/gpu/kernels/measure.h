/* measure.h -- runs kernels and tells how long they take: the main program of their OpenMP form and of the form
   written by hand, which differ in what they do with memory and how they run one.

     PROGRAM [-w SECONDS] [-W RUNS] [-a NAME] [-o NAME]
       -w, -W   run each kernel so long and so many times before it is measured, until one is
		reached, for a library that learns (default: once)
       -a       only those after NAME
       -o       only NAME

   For each kernel a line "NAME <tab> median <tab> minimum" in nanoseconds of a run, or "NAME <tab> wrong"; with -w before it
   "NAME <tab> before <tab> RUNS <tab> MEAN" of those that were not measured, in nanoseconds.
   A line "NAME <tab> begins" comes first, so that it can be seen which one was too slow.  */

#ifndef MEASURE_H
#define MEASURE_H 1

#include "kernels.h"

#include <stdlib.h>
#include <time.h>

enum { RUNS = 7 };
#define LONG_ENOUGH 1.5		/* seconds: of the runs of a slow kernel that are measured */

struct form
{
  void *(*get) (size_t bytes);
  void (*put_back) (void *device);
  void (*to) (void *device, const void *host, size_t bytes);
  void (*from) (void *host, void *device, size_t bytes);
  void (*run) (const struct kernel *k, void **device);
};

static double
seconds (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

static int
by_size (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

/* One run with fresh data: is the result right?  */
static int
is_right (const struct form *form, const struct kernel *k, void **host, void **device)
{
  for (int i = 0; i < MOST_ARRAYS; i++)
    if (k->bytes[i] != 0)
      form->to (device[i], host[i], k->bytes[i]);
  form->run (k, device);
  void *result[MOST_ARRAYS] = { NULL };
  for (int i = 0; i < MOST_ARRAYS; i++)
    if (k->bytes[i] != 0)
      {
	result[i] = malloc (k->bytes[i]);
	form->from (result[i], device[i], k->bytes[i]);
      }
  int right = k->check (result);
  for (int i = 0; i < MOST_ARRAYS; i++)
    free (result[i]);
  return right;
}

static void
measure (const struct form *form, const struct kernel *k, double warm, int warm_runs)
{
  void *host[MOST_ARRAYS] = { NULL }, *device[MOST_ARRAYS] = { NULL };
  double samples[RUNS];
  int n = 0;

  printf ("%s\tbegins\n", k->name);
  fflush (stdout);
  for (int i = 0; i < MOST_ARRAYS; i++)
    if (k->bytes[i] != 0)
      {
	host[i] = calloc (1, k->bytes[i]);
	device[i] = form->get (k->bytes[i]);
	if (host[i] == NULL || device[i] == NULL)
	  {
	    fprintf (stderr, "%s: no memory\n", k->name);
	    exit (1);
	  }
      }
  k->init (host);
  int right = is_right (form, k, host, device);
  double begin = seconds ();
  int before = 0;
  for (; before < warm_runs && seconds () - begin < warm; before++)
    form->run (k, device);
  if (before > 0)
    printf ("%s\tbefore\t%d\t%.0f\n", k->name, before, (seconds () - begin) / before * 1e9);
  begin = seconds ();
  do
    {
      double start = seconds ();
      form->run (k, device);
      samples[n++] = seconds () - start;
    }
  while (n < RUNS && seconds () - begin < LONG_ENOUGH);
  right = right && is_right (form, k, host, device);
  qsort (samples, n, sizeof (samples[0]), by_size);
  if (right)
    printf ("%s\t%.0f\t%.0f\n", k->name, samples[n / 2] * 1e9, samples[0] * 1e9);
  else
    printf ("%s\twrong\n", k->name);
  fflush (stdout);
  for (int i = 0; i < MOST_ARRAYS; i++)
    if (k->bytes[i] != 0)
      {
	free (host[i]);
	form->put_back (device[i]);
      }
}

static int
measure_main (const struct form *form, int argc, char **argv)
{
  const char *after = NULL, *only = NULL;
  double warm = 0;
  int warm_runs = 1 << 30;
  for (int i = 1; i < argc; i += 2)
    if (i + 1 == argc || argv[i][0] != '-' || argv[i][1] == 0 || argv[i][2] != 0)
      return 2;
    else
      switch (argv[i][1])
	{
	case 'w': warm = strtod (argv[i + 1], NULL); break;
	case 'W': warm_runs = atoi (argv[i + 1]); break;
	case 'a': after = argv[i + 1]; break;
	case 'o': only = argv[i + 1]; break;
	default: return 2;
	}
  for (int i = 0; kernels[i] != NULL; i++)
    {
      if (after == NULL && (only == NULL || strcmp (only, kernels[i]->name) == 0))
	measure (form, kernels[i], warm, warm_runs);
      if (after != NULL && strcmp (after, kernels[i]->name) == 0)
	after = NULL;
    }
  return 0;
}

#endif
