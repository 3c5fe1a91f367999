/* Regions with tasks and without in one program: tasks are run by the threads that wait, however a region comes to make them,
   and barriers of regions that make none are the hardware's.
   TEST-MODES: gpu
   TEST-ENV: FAKE_CUDA_LOG=log  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, BARRIERS = 100 };

#pragma omp declare target
static int begun, passed;
static void (*pointer) (void);

/* A task that ends when there are as many as threads: none waits for itself.  */
static void __attribute__ ((noinline))
meet (void)
{
  int now;
  #pragma omp atomic
  begun++;
  do
    {
      #pragma omp atomic read
      now = begun;
    }
  while (now < THREADS);
  #pragma omp atomic
  passed++;
}

static void __attribute__ ((noinline))
make (void)
{
  for (int i = 0; i < THREADS; i++)
    {
      #pragma omp task
      meet ();
    }
}

/* The same from a region of its own.  */
static void __attribute__ ((noinline))
fork (void)
{
  #pragma omp parallel num_threads (THREADS)
  {
    #pragma omp single
    make ();
  }
}

static int
result (void)
{
  int all = passed;
  begun = passed = 0;
  return all;
}
#pragma omp end declare target

static int __attribute__ ((noinline))
barriers (void)
{
  int sum = 0, threads = 0;
  #pragma omp target map (tofrom: sum, threads)
  #pragma omp parallel num_threads (THREADS)
  for (int i = 0; i < BARRIERS; i++)
    {
      if (omp_get_thread_num () == i % THREADS)
	sum += i;
      threads = omp_get_num_threads ();
      #pragma omp barrier
    }
  return threads == THREADS && sum == BARRIERS * (BARRIERS - 1) / 2;
}

static int __attribute__ ((noinline))
in_place (void)
{
  int all = 0;
  #pragma omp target map (tofrom: all)
  {
    #pragma omp parallel num_threads (THREADS)
    {
      #pragma omp barrier
      #pragma omp single
      make ();
      #pragma omp barrier
    }
    all = result ();
  }
  return all == THREADS;
}

/* Some wait at the region's end, others at a barrier, and there are many more barriers without tasks.  */
static int __attribute__ ((noinline))
mixed (void)
{
  int all = 0, sum = 0;
  #pragma omp target map (tofrom: all, sum)
  {
    #pragma omp parallel num_threads (THREADS)
    {
      for (int i = 0; i < BARRIERS; i++)
	{
	  if (omp_get_thread_num () == i % THREADS)
	    sum += i;
	  #pragma omp barrier
	}
      #pragma omp single nowait
      make ();
    }
    all = result ();
  }
  return all == THREADS && sum == BARRIERS * (BARRIERS - 1) / 2;
}

static int __attribute__ ((noinline))
in_function (void)
{
  int all = 0;
  #pragma omp target map (tofrom: all)
  {
    fork ();
    all = result ();
  }
  return all == THREADS;
}

static int __attribute__ ((noinline))
by_pointer (void)
{
  int all = 0;
  #pragma omp target
  pointer = fork;
  #pragma omp target map (tofrom: all)
  {
    pointer ();
    all = result ();
  }
  return all == THREADS;
}

/* What the stand-in driver has told of the region in FUNCTION: barriers of the hardware, or -1.  Lines of earlier runs come first.  */
static long
hardware_barriers (const char *function)
{
  FILE *f = fopen ("log", "r");
  char line[1000], name[100];
  long n = -1;
  snprintf (name, sizeof (name), "ran %s$_omp_fn$", function);
  while (f != NULL && fgets (line, sizeof (line), f) != NULL)
    if (strstr (line, name) != NULL && strstr (line, " of lanes, ") != NULL)
      n = atol (strstr (line, " of lanes, ") + strlen (" of lanes, "));
  if (f != NULL)
    fclose (f);
  return n;
}

int
main (void)
{
  static const struct { const char *name; int (*run) (void); int fast; } all[] =
    {
      { "barriers", barriers, 1 }, { "in_place", in_place, 0 }, { "mixed", mixed, 0 }, { "in_function", in_function, 0 },
      { "by_pointer", by_pointer, 0 }
    };
  const char *cancellation = getenv ("OMP_CANCELLATION"), *library = getenv ("GOMP_NVPTX_DEVICE_LIBRARY"), *lanes = getenv ("GOMP_NVPTX_LANES");
  int bad = 0;

  for (unsigned i = 0; i < sizeof (all) / sizeof (all[0]); i++)
    if (!all[i].run ())
      {
	printf ("%s: wrong\n", all[i].name);
	bad = 1;
      }
  for (unsigned i = 0; i < sizeof (all) / sizeof (all[0]) && library == NULL && lanes == NULL && !bad; i++)
    {
      long n = hardware_barriers (all[i].name);
      printf ("%s: %ld barriers\n", all[i].name, n);
      if (n >= 0 && (n >= BARRIERS) != (all[i].fast && cancellation == NULL))
	bad = 1;
    }
  return bad;
}
