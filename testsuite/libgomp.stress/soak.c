/* Many threads of the program use all devices at once, by chains of nowait constructs that map, run,
   update and unmap, with tasks of the host in between: every value is right, and the process
   does not grow with the rounds.

   By hand: a.out SECONDS FIRST-SEED; sizes are printed each ten seconds.
   TEST-MODES: cpu2
   TEST-TIMEOUT: 120  */

#include <dirent.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 32, N = 2000, SECONDS = 6, LEAST_ROUNDS = 3 };

/* What is freed stays allocated there.  */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
# define SANITIZED 1
#else
# define SANITIZED 0
#endif

static atomic_bool stop;
static atomic_int bad;
static atomic_long rounds[THREADS];
static unsigned first_seed = 1;

static unsigned
any (unsigned *state, unsigned n)
{
  *state = *state * 1103515245 + 12345;
  return (*state >> 8) % n;
}

/* A piece [OFF, OFF + LEN) of A is on device D for K regions.  */
static void
go_through (int *a, int *b, int off, int len, int k, int d)
{
#pragma omp target enter data map(to: a[off:len]) device(d) nowait depend(out: a[0])
  for (int j = 0; j < k; j++)
    {
#pragma omp target map(tofrom: b[0:N]) map(tofrom: a[off:len]) device(d) nowait \
	    depend(inout: a[0]) depend(out: b[0])
      for (int i = off; i < off + len; i++)
	{
	  a[i]++;
	  b[i] += a[i];
	}
#pragma omp task depend(inout: b[0])
      b[off] += 7;
#pragma omp target update from(a[off:len]) device(d) nowait depend(inout: a[0])
    }
#pragma omp target exit data map(delete: a[off:len]) device(d) nowait depend(inout: a[0])
#pragma omp taskwait
}

static void *
work (void *arg)
{
  int me = (int) (long) arg, d = me % omp_get_num_devices ();
  unsigned state = first_seed * 7919 + me;
  int *a = malloc (N * sizeof (*a)), *b = malloc (N * sizeof (*b));
  for (long r = 0; r < LEAST_ROUNDS || !stop; r++)
    {
      int k = 1 + any (&state, 5), len = 1 + any (&state, N), off = any (&state, N - len + 1);
      for (int i = 0; i < N; i++)
	{
	  a[i] = i;
	  b[i] = 0;
	}
      go_through (a, b, off, len, k, d);
      for (int i = 0; i < N; i++)
	{
	  int inside = i >= off && i < off + len;
	  int want_a = inside ? i + k : i, want_b = inside ? k * i + k * (k + 1) / 2 : 0;
	  if (i == off)
	    want_b += 7 * k;
	  if (a[i] == want_a && b[i] == want_b)
	    continue;
	  if (bad++ == 0)
	    printf ("thread %d round %ld: [%d:%d] %d times: a[%d] %d (%d), b %d (%d)\n", me, r, off,
		    len, k, i, a[i], want_a, b[i], want_b);
	  break;
	}
      rounds[me] = r + 1;
    }
  free (a);
  free (b);
  return NULL;
}

struct sizes
{
  long rounds, kib;
  int threads, descriptors;
};

static int
entries (const char *name)
{
  int n = -2;
  DIR *dir = opendir (name);
  while (dir != NULL && readdir (dir) != NULL)
    n++;
  if (dir != NULL)
    closedir (dir);
  return n;
}

static struct sizes
look (void)
{
  struct sizes s = { 0, 0, entries ("/proc/self/task"), entries ("/proc/self/fd") };
  char line[256];
  FILE *f = fopen ("/proc/self/status", "r");
  while (f != NULL && fgets (line, sizeof (line), f) != NULL)
    sscanf (line, "VmRSS: %ld", &s.kib);
  if (f != NULL)
    fclose (f);
  for (int i = 0; i < THREADS; i++)
    s.rounds += rounds[i];
  return s;
}

/* No thread has been without a round since the last time, when it had BEFORE.  */
static int
all_get_on (long *before)
{
  int yes = 1;
  for (int i = 0; i < THREADS; i++)
    {
      yes &= rounds[i] > before[i];
      before[i] = rounds[i];
    }
  return yes;
}

/* Less than four bytes for each round are no leak of anything.  */
static bool
leaks (const struct sizes *early, const struct sizes *late)
{
  return late->threads > early->threads + 2 || late->descriptors > early->descriptors + 2
	 || (!SANITIZED && late->kib - early->kib > 8192
	     && (late->kib - early->kib) * 256 > late->rounds - early->rounds);
}

int
main (int argc, char **argv)
{
  int seconds = argc > 1 ? atoi (argv[1]) : SECONDS, failed = 0;
  long before[THREADS] = { 0 };
  pthread_t threads[THREADS];
  first_seed = argc > 2 ? atoi (argv[2]) : 1;
  if (omp_get_num_devices () < 1)
    return 77;
  for (long i = 0; i < THREADS; i++)
    if (pthread_create (&threads[i], NULL, work, (void *) i) != 0)
      return 77;
  /* All have begun, and have what they need.  */
  for (int i = 0; i < 600 && !all_get_on (before); i++)
    {
      memset (before, 0, sizeof (before));
      usleep (100000);
    }
  time_t start = time (NULL);
  while (time (NULL) - start < (seconds + 2) / 3)
    usleep (100000);
  struct sizes early = look (), late = early;
  bool again = false;
  for (time_t told = time (NULL); time (NULL) - start < seconds && !bad; )
    {
      usleep (100000);
      late = look ();
      /* The C library's heaps may grow late, once; what leaks goes on.  */
      if (!again && time (NULL) - start >= seconds - 1 && leaks (&early, &late))
	{
	  again = true;
	  early = late;
	  start = time (NULL);
	}
      if (argc > 1 && time (NULL) - told >= 10)
	{
	  told = time (NULL);
	  printf ("%ld s: %ld rounds, %ld KiB, %d threads, %d descriptors\n",
		  (long) (told - start), late.rounds, late.kib, late.threads, late.descriptors);
	  fflush (stdout);
	}
    }
  if (seconds >= 60 && !all_get_on (before))
    {
      printf ("a thread has not come through a round in %d s\n", seconds);
      failed = 1;
    }
  stop = 1;
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  long more = late.rounds - early.rounds;
  if (leaks (&early, &late))
    {
      printf ("in %ld rounds from %ld KiB, %d threads, %d descriptors to %ld, %d, %d\n", more,
	      early.kib, early.threads, early.descriptors, late.kib, late.threads,
	      late.descriptors);
      failed = 1;
    }
  return failed || bad;
}
