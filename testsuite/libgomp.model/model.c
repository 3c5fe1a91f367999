/* Random constructs of all kinds, by several threads, against a model of the rules of OpenMP's data
   mapping: host bytes, device bytes, what is present, what regions find, all after every step.

     model                          a short run: a fixed seed, and one that is printed
     model --seed N --steps M --threads T [--seconds S]
     model --replay FILE            a script as it is printed after a failure

   TEST-MODES: cpu cpu2 test
   TEST-OPTIONS: -L@libdir@ @srcdir@/libgomp.model/aux-rules.c @srcdir@/libgomp.model/aux-enter.c @srcdir@/libgomp.model/aux-play.c @srcdir@/libgomp.model/aux-make.c @srcdir@/libgomp.model/aux-script.c  */

#include "aux-model.h"

#include <time.h>
#include <unistd.h>

static unsigned long max_steps = 40000;
static unsigned max_threads = 3, max_seconds = 2;

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static uint64_t
mix (uint64_t a, uint64_t b)
{
  uint64_t x = a * 0x9e3779b97f4a7c15u + b + 1;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return (x ^ x >> 31) | 1;
}

/* One actor's history, from nothing mapped to nothing mapped.  True: no difference.  */
static bool
round_of (uint64_t seed, unsigned long *steps, unsigned long limit, double end,
	  struct script *script, char *failure, size_t room)
{
  static const unsigned sizes[] = { 512, 512, 512, 512, 512, 512, 1024, 1024, 4096, 4096, 20480,
				    262144 };
  uint64_t state = seed;
  struct player *p = calloc (1, sizeof (*p));
  unsigned size = sizes[rnd_next (&state, sizeof (sizes) / sizeof (sizes[0]))];
  unsigned wanted = size > 10000 ? 200 : 100 + rnd_next (&state, 2000);
  enum verdict verdict = RIGHT;
  struct op op;

  script->size = size;
  bool good = player_init (p, size);
  while (good && p->steps < wanted && *steps + p->steps < limit)
    {
      make_op (&p->model, &state, &op);
      script_add (script, &op);
      good = player_do (p, &op, &verdict);
      if (verdict != RIGHT)
	script->n--;
      if (p->steps % 64 == 0 && now () > end)
	break;
    }
  while (good && player_unwind (p, &op))
    {
      script_add (script, &op);
      good = player_do (p, &op, &verdict);
      if (good && verdict != RIGHT)
	{
	  snprintf (p->failure, sizeof (p->failure), "the model cannot be emptied");
	  good = false;
	}
    }
  good = good && player_compare_all (p);
  *steps += p->steps;
  if (good)
    {
      script->n = 0;
      player_free (p);
    }
  else
    snprintf (failure, room, "%s", p->failure);
  free (p);
  return good;
}

static int
run (uint64_t seed, unsigned long limit, unsigned threads, unsigned seconds)
{
  unsigned long total = 0;
  int stop = 0;
  double start = now (), end = start + seconds;

#pragma omp parallel num_threads (threads) reduction (+: total)
  {
    struct script script = { .n = 0 };
    char failure[420];
    unsigned long steps = 0, share = limit / threads;
    for (unsigned round = 0; steps < share && now () < end; round++)
      {
	uint64_t s = threads == 1 && round == 0 ? seed : mix (seed, round * 64 + omp_get_thread_num ());
	if (__atomic_load_n (&stop, __ATOMIC_RELAXED))
	  break;
	if (!round_of (s, &steps, share, end, &script, failure, sizeof (failure)))
	  {
#pragma omp critical
	    {
	      if (!stop)
		{
		  printf ("difference: %s\nafter %zu operations of model --seed %lu --threads 1"
			  " (a round of --seed %lu --threads %u)\n", failure, script.n, s, seed,
			  threads);
		  fflush (stdout);
		  script_shrink (&script);
		  script_print (&script, stdout);
		  fflush (stdout);
		}
	      stop = 1;
	    }
	    break;
	  }
      }
    free (script.ops);
    total += steps;
  }
  double took = now () - start;
  printf ("seed %lu: %lu operations of %u threads, %.0f/s%s\n", seed, total, threads, total / took,
	  stop ? ", a difference" : "");
  return stop;
}

static int
replay (const char *name)
{
  FILE *f = strcmp (name, "-") == 0 ? stdin : fopen (name, "r");
  struct script script = { .n = 0 };
  static struct player p;
  enum verdict verdict;
  struct op op;

  if (f == NULL || !script_read (&script, f))
    return printf ("cannot read %s\n", name), 2;
  bool good = player_init (&p, script.size);
  for (size_t i = 0; good && i < script.n; i++)
    good = player_do (&p, &script.ops[i], &verdict);
  good = good && player_compare_all (&p);
  while (good && player_unwind (&p, &op))
    good = player_do (&p, &op, &verdict);
  good = good && player_compare_all (&p);
  printf ("%s\n", good ? "no difference" : p.failure);
  return !good;
}

int
main (int argc, char **argv)
{
  uint64_t seed = 0;
  need_device ();
  for (int i = 1; i + 1 < argc; i += 2)
    {
      unsigned long n = strtoul (argv[i + 1], NULL, 0);
      if (strcmp (argv[i], "--seed") == 0)
	seed = n, max_seconds = 3600, max_threads = 1;
      else if (strcmp (argv[i], "--steps") == 0)
	max_steps = n;
      else if (strcmp (argv[i], "--threads") == 0)
	max_threads = n;
      else if (strcmp (argv[i], "--seconds") == 0)
	max_seconds = n;
      else if (strcmp (argv[i], "--replay") == 0)
	return replay (argv[i + 1]);
      else
	return printf ("what is %s?\n", argv[i]), 2;
    }
  if (argc > 1)
    return run (seed, max_steps, max_threads, max_seconds);
  uint64_t other = (uint64_t) time (NULL) * 1000003u ^ getpid ();
  return run (1, 10000, 1, max_seconds) || run (other % 1000000 + 2, max_steps, max_threads,
						max_seconds);
}
