/* blocks.h -- what the programs of this folder share: arguments, arrays, input, the time of a
   kernel, the comparison with the reference, and calls of CUDA.  Valid as C11, C++17 and CUDA.

     NAME [-s] [-r REPEATS] [N]
       -s   a small size and 2 repeats, for a processor or a simulator
       -r   so many repeats (default: 20)
       N    the size, in units of the program

   prints "NAME kernel AVERAGE us", then "PASS" or "FAIL index I, got X, expected Y".  The exit
   status is 0, 1, or 2 for arguments that are wrong or too large for the memory.  */

#ifndef BLOCKS_H
#define BLOCKS_H 1

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* How a kernel asks for the threads of its team.  Without the clause, as users write who take
   thread_limit for the size of a block in CUDA, a runtime may give fewer.  */
#ifdef WITHOUT_NUM_THREADS
# define TEAM_OF(n)
#else
# define TEAM_OF(n) num_threads (n)
#endif

/* A function that both sides call.  */
#ifdef __CUDACC__
# define BOTH_SIDES static inline __host__ __device__
#else
# define BOTH_SIDES static inline
#endif

struct arguments
{
  int size;
  int repeats;
};

/* TEXT as a number from 1 to MOST, 0 if it is none.  */
static inline int
number_in (const char *text, int most)
{
  char *end;
  errno = 0;
  long value = strtol (text, &end, 10);
  return errno == 0 && end != text && *end == 0 && value >= 1 && value <= most ? (int) value : 0;
}

/* USUAL is the size without arguments, SMALL that of -s, MOST the largest that the arithmetic of
   the program bears.  */
static inline struct arguments
read_arguments (int argc, char **argv, int usual, int small, int most)
{
  struct arguments a = { usual, 20 };
  for (int i = 1; i < argc; i++)
    if (strcmp (argv[i], "-s") == 0)
      {
	a.size = small;
	a.repeats = 2;
      }
    else if (strcmp (argv[i], "-r") == 0)
      a.repeats = i + 1 < argc ? number_in (argv[++i], 1000000) : 0;
    else
      a.size = number_in (argv[i], most);
  if (a.size == 0 || a.repeats == 0)
    {
      fprintf (stderr, "usage: %s [-s] [-r repeats] [n], n at most %d\n", argv[0], most);
      exit (2);
    }
  return a;
}

/* Memory filled with a value that no kernel computes: a result that was never written shows.  */
static inline void *
filled (size_t bytes)
{
  void *p = malloc (bytes);
  if (!p)
    {
      fprintf (stderr, "no memory for %zu bytes\n", bytes);
      exit (2);
    }
  return memset (p, 0xa5, bytes);
}
#define ARRAY(type, n) ((type *) filled ((size_t) (n) * sizeof (type)))

/* Numbers without an order, the same on every machine.  */
static inline unsigned
draw (unsigned long long *state)
{
  unsigned long long z = *state += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return (unsigned) (z >> 32);
}

static inline int
draw_below (unsigned long long *state, unsigned limit)
{
  return (int) (draw (state) % limit);
}

/* LOW <= result < HIGH.  */
static inline float
draw_between (unsigned long long *state, float low, float high)
{
  return low + (high - low) * ((float) (draw (state) >> 9) / (float) (1 << 23));
}

static inline double
seconds (void)
{
  struct timespec t;
  timespec_get (&t, TIME_UTC);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Executes the statements once uncounted, then REPEATS times, to the end of the last kernel each
   time, and prints the average.  */
#define MEASURE(name, repeats, ...)							\
  do											\
    {											\
      __VA_ARGS__;									\
      WAIT ();										\
      double begin_ = seconds ();							\
      for (int turn_ = 0; turn_ < (repeats); turn_++)					\
	{										\
	  __VA_ARGS__;									\
	  WAIT ();									\
	}										\
      printf ("%s kernel %.2f us\n", name, (seconds () - begin_) / (repeats) * 1e6);	\
    }											\
  while (0)

/* Says why the results of a kernel that needs NEED threads a team are wrong.  */
static inline void
explain_threads (int had, int need)
{
  if (had != need)
    printf ("note: the team had %d threads, the kernel needs %d\n", had, need);
}

/* The comparisons print the first difference and return 1 if there is one.  */
static inline int
integers_differ (const int *got, const int *expected, long n)
{
  for (long i = 0; i < n; i++)
    if (got[i] != expected[i])
      {
	printf ("FAIL index %ld, got %d, expected %d\n", i, got[i], expected[i]);
	return 1;
      }
  return 0;
}

static inline int
longs_differ (const long long *got, const long long *expected, long n)
{
  for (long i = 0; i < n; i++)
    if (got[i] != expected[i])
      {
	printf ("FAIL index %ld, got %lld, expected %lld\n", i, got[i], expected[i]);
	return 1;
      }
  return 0;
}

/* SCALE is the size of a usual result.  The distance may be TOLERANCE * (SCALE + |expected|); NaN
   is always wrong.  */
static inline int
floats_differ (const float *got, const float *expected, long n, double tolerance, double scale)
{
  for (long i = 0; i < n; i++)
    {
      double x = got[i], y = expected[i];
      if (!(fabs (x - y) <= tolerance * (scale + fabs (y))))
	{
	  printf ("FAIL index %ld, got %.9g, expected %.9g\n", i, x, y);
	  return 1;
	}
    }
  return 0;
}

/* The exit status.  */
static inline int
verdict (int differ)
{
  if (!differ)
    printf ("PASS\n");
  return differ;
}

#ifdef __CUDACC__

static inline void
cuda_done (cudaError_t e, const char *file, int line)
{
  if (e != cudaSuccess)
    {
      printf ("FAIL %s:%d: %s\n", file, line, cudaGetErrorString (e));
      exit (1);
    }
}
# define CUDA(call) cuda_done (call, __FILE__, __LINE__)
# define WAIT() (CUDA (cudaGetLastError ()), CUDA (cudaDeviceSynchronize ()))

template <typename T>
T *
on_device (const T *host, size_t n)
{
  void *device;
  CUDA (cudaMalloc (&device, n * sizeof (T)));
  CUDA (cudaMemcpy (device, host, n * sizeof (T), cudaMemcpyHostToDevice));
  return static_cast<T *> (device);
}

template <typename T>
void
from_device (T *host, const T *device, size_t n)
{
  CUDA (cudaMemcpy (host, device, n * sizeof (T), cudaMemcpyDeviceToHost));
}

#else
# include <omp.h>
/* A target construct has ended when the statement behind it begins.  */
# define WAIT() ((void) 0)
#endif

#endif
