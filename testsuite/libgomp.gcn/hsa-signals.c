/* Signals of the simulated runtime: values, waits of all conditions, time limits, many threads that wait,
   handlers, signals without interrupts, and complaints.  */
/* TEST-MODES: gcnsim */
/* TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim -pthread */

#include "aux-hsa.h"

enum { THREADS = 6, ROUNDS = 300 };

static hsa_signal_t ping, pong;
static _Atomic int handled;

static void *
wait_for_ping (void *arg)
{
  (void) arg;
  for (int i = 1; i <= ROUNDS; i++)
    {
      CHECK (hsa_signal_wait_scacquire (ping, HSA_SIGNAL_CONDITION_GTE, i, UINT64_MAX,
					i % 2 ? HSA_WAIT_STATE_BLOCKED : HSA_WAIT_STATE_ACTIVE) >= i);
      hsa_signal_subtract_screlease (pong, 1);
    }
  return NULL;
}

static bool
handle (hsa_signal_value_t value, void *data)
{
  CHECK (value == 0 || value == 5);
  hsa_signal_store_screlease (*(hsa_signal_t *) data, 1);
  return ++handled < 2;
}

static void *
store_later (void *arg)
{
  usleep (2000);
  hsa_signal_store_relaxed (*(hsa_signal_t *) arg, 0);
  return NULL;
}

static void
check_conditions (void)
{
  hsa_signal_t s = new_signal (5);
  struct { int condition; int64_t value; bool holds; } cases[] =
    {
      { HSA_SIGNAL_CONDITION_EQ, 5, true }, { HSA_SIGNAL_CONDITION_EQ, 4, false },
      { HSA_SIGNAL_CONDITION_NE, 4, true }, { HSA_SIGNAL_CONDITION_NE, 5, false },
      { HSA_SIGNAL_CONDITION_LT, 6, true }, { HSA_SIGNAL_CONDITION_LT, 5, false },
      { HSA_SIGNAL_CONDITION_GTE, 5, true }, { HSA_SIGNAL_CONDITION_GTE, 6, false },
      { HSA_SIGNAL_CONDITION_LT, -1, false }
    };
  for (size_t i = 0; i < sizeof (cases) / sizeof (cases[0]); i++)
    for (int how = HSA_WAIT_STATE_BLOCKED; how <= HSA_WAIT_STATE_ACTIVE; how++)
      {
	uint64_t before, after, limit = cases[i].holds ? UINT64_MAX : 1000000;
	DO (hsa_system_get_info (HSA_SYSTEM_INFO_TIMESTAMP, &before));
	CHECK (hsa_signal_wait_scacquire (s, cases[i].condition, cases[i].value, limit, how) == 5);
	DO (hsa_system_get_info (HSA_SYSTEM_INFO_TIMESTAMP, &after));
	CHECK (cases[i].holds || after - before >= limit);
      }
  hsa_signal_store_release (s, -3);
  CHECK (hsa_signal_load_acquire (s) == -3 && hsa_signal_load_relaxed (s) == -3);
  hsa_signal_subtract_screlease (s, -10);
  CHECK (hsa_signal_load_scacquire (s) == 7);
  volatile hsa_signal_value_t *value;
  DO (hsa_amd_signal_value_pointer (s, &value));
  CHECK (*value == 7 && (const char *) value == (char *) s.handle + 8);
  COMPLAINS (hsa_signal_wait_relaxed (s, 17, 0, 0, HSA_WAIT_STATE_BLOCKED), "condition 17");
  DO (hsa_signal_destroy (s));
  MISUSE (hsa_signal_destroy (s), HSA_STATUS_ERROR_INVALID_SIGNAL, "was destroyed");
  COMPLAINS (hsa_signal_store_relaxed (s, 1), "was destroyed");
  COMPLAINS (CHECK (hsa_signal_load_relaxed ((hsa_signal_t) { 0 }) == 0), "is none");
  COMPLAINS (hsa_signal_load_relaxed ((hsa_signal_t) { 4096 }), "is no signal");
  MISUSE (hsa_signal_create (0, 0, NULL, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT, "a null pointer");
}

static void
check_threads (void)
{
  pthread_t threads[THREADS];
  ping = new_signal (0);
  pong = new_signal (THREADS);
  for (int i = 0; i < THREADS; i++)
    CHECK (pthread_create (&threads[i], NULL, wait_for_ping, NULL) == 0);
  for (int i = 1; i <= ROUNDS; i++)
    {
      hsa_signal_store_screlease (ping, i);
      CHECK (hsa_signal_wait_scacquire (pong, HSA_SIGNAL_CONDITION_LT, 1, 20000000000u,
					HSA_WAIT_STATE_BLOCKED) == 0);
      hsa_signal_store_relaxed (pong, THREADS);
    }
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  DO (hsa_signal_destroy (ping));
  DO (hsa_signal_destroy (pong));
}

/* A signal of which nothing is told when it changes: who waits must look.  */
static void
check_polled (void)
{
  hsa_signal_t s;
  pthread_t thread;
  uint32_t event;
  DO (hsa_amd_signal_create (1, 1, gpu_agent, HSA_AMD_SIGNAL_AMD_GPU_ONLY, &s));
  memcpy (&event, (char *) s.handle + 24, 4);
  CHECK (event == 0);
  CHECK (pthread_create (&thread, NULL, store_later, &s) == 0);
  wait_zero (s);
  pthread_join (thread, NULL);
  DO (hsa_signal_destroy (s));
  MISUSE (hsa_amd_signal_create (1, 0, NULL, 64, &s), HSA_STATUS_ERROR_INVALID_ARGUMENT,
	  "attributes 0x40");
}

static void
check_several (void)
{
  hsa_signal_t s[3] = { new_signal (1), new_signal (1), new_signal (1) };
  int conditions[3] = { HSA_SIGNAL_CONDITION_LT, HSA_SIGNAL_CONDITION_LT, HSA_SIGNAL_CONDITION_LT };
  hsa_signal_value_t values[3] = { 1, 1, 1 }, seen;
  pthread_t thread;
  CHECK (hsa_amd_signal_wait_any (3, s, conditions, values, 100000, HSA_WAIT_STATE_BLOCKED, &seen)
	 == UINT32_MAX);
  CHECK (pthread_create (&thread, NULL, store_later, &s[1]) == 0);
  CHECK (hsa_amd_signal_wait_any (3, s, conditions, values, UINT64_MAX, HSA_WAIT_STATE_BLOCKED,
				  &seen) == 1 && seen == 0);
  pthread_join (thread, NULL);
  /* A handler is called again as long as it says so.  */
  hsa_signal_t told = new_signal (0);
  DO (hsa_amd_signal_async_handler (s[0], HSA_SIGNAL_CONDITION_LT, 1, handle, &told));
  hsa_signal_store_relaxed (s[0], 0);
  CHECK (hsa_signal_wait_scacquire (told, HSA_SIGNAL_CONDITION_EQ, 1, 20000000000u,
				    HSA_WAIT_STATE_BLOCKED) == 1);
  while (handled < 2)
    usleep (100);
  DO (hsa_signal_destroy (s[1]));
  DO (hsa_signal_destroy (s[2]));
  DO (hsa_signal_destroy (s[0]));
  DO (hsa_signal_destroy (told));
}

int
main (void)
{
  start_hsa ();
  unsigned long created = count_p ("signals-created");
  check_conditions ();
  check_threads ();
  check_polled ();
  check_several ();
  CHECK (count_p ("signals-created") - created == 8);
  CHECK (count_p ("signals-destroyed") == count_p ("signals-created"));

  /* Many, and their memory is used again.  */
  hsa_signal_t first = new_signal (1);
  DO (hsa_signal_destroy (first));
  for (int i = 0; i < 1000; i++)
    DO (hsa_signal_destroy (new_signal (i)));
  stop_hsa ();
  return 0;
}
