/* Processes and threads that use the cache of linked images at the same time, with too little room for
   all of it: each one finds what belongs to its key or nothing, and nothing is left over.  One of them has the claim to a key.

   TEST-MODES: host
   TEST-OPTIONS: -I@top_srcdir@/plugin -pthread  */

#include "aux-cache.h"

#include <pthread.h>
#include <sys/mman.h>

enum { PROCESSES = 3, THREADS = 2, ROUNDS = 60, KEYS = 5, CLAIMS = 200 };

/* Shared by the processes: how many have the claim.  */
static _Atomic int *claimants;

static unsigned found[THREADS];

static void *
work (void *arg)
{
  unsigned me = (uintptr_t) arg;
  char text[20];
  void *cubin;
  size_t size;

  for (unsigned i = 0; i < ROUNDS; i++)
    {
      unsigned k = (i / 2 * 3 + me) % KEYS;	/* twice: some are found */
      char bytes[CONTENT];
      snprintf (text, sizeof (text), "key %u\n", k);
      struct nvptx_cache_key key = { text, test_objects, 3 };
      memset (bytes, k + 1, sizeof (bytes));
      if (nvptx_cache_find (&key, &cubin, &size))
	{
	  CHECK (size == CONTENT && memcmp (cubin, bytes, size) == 0);
	  free (cubin);
	  found[me % THREADS]++;
	}
      nvptx_cache_store (&key, bytes, sizeof (bytes));
    }
  return NULL;
}

/* Have the claim CLAIMS times, each time alone.  */
static void
claim (void)
{
  struct nvptx_cache_key key = { "claimed\n", test_objects, 3 };
  struct nvptx_claim mine;
  enum nvptx_claim_result result;

  for (unsigned i = 0; i < CLAIMS; i++)
    {
      while ((result = nvptx_cache_claim (&key, &mine)) == NVPTX_CLAIM_TAKEN)
	sched_yield ();
      CHECK (result == NVPTX_CLAIMED);
      CHECK ((*claimants)++ == 0);
      sched_yield ();
      CHECK ((*claimants)-- == 1);
      nvptx_cache_unclaim (&mine);
    }
}

int
main (void)
{
  pid_t children[PROCESSES];
  int status;

  set_env ("GOMP_CACHE_SIZE", "5K");	/* four of five */
  use_directory ("cache");
  claimants = mmap (NULL, sizeof (*claimants), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK (claimants != MAP_FAILED);
  for (unsigned p = 0; p < PROCESSES; p++)
    if ((children[p] = fork ()) == 0)
      {
	pthread_t threads[THREADS];
	for (unsigned t = 0; t < THREADS; t++)
	  CHECK (pthread_create (&threads[t], NULL, work, (void *) (uintptr_t) (p * THREADS + t)) == 0);
	for (unsigned t = 0; t < THREADS; t++)
	  CHECK (pthread_join (threads[t], NULL) == 0);
	claim ();
	fflush (stdout);
	_exit (found[0] + found[1] > 0 ? 0 : 2);
      }
  for (unsigned p = 0; p < PROCESSES; p++)
    {
      CHECK (waitpid (children[p], &status, 0) == children[p]);
      CHECK (status == 0);
    }
  CHECK (count_files ("cache", NEW_PREFIX) == 0);
  unsigned n = count_files ("cache", "");
  CHECK (n >= 1 && n <= 4);
  return 0;
}
