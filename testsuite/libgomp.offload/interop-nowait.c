/* The interop construct with nowait is a task: it does not keep the thread while what it depends on is
   not complete, tasks can depend on it, and its arguments may be gone.
   TEST-OPTIONS: -D_GNU_SOURCE
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=devices=2,hsa  */

#include "aux-interop.h"

static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

enum { NOWAIT = 1 };

static void
increment (void *p)
{
  ++*(int *) p;
}

/* The construct with arrays that do not outlive the call.  */
static void __attribute__ ((noinline))
construct (object *init, object use, object *gone, void *on)
{
  object *inits[] = { init }, *destroys[] = { gone }, uses[] = { use };
  void *depend[] = { (void *) 1, (void *) 1, on };
  int sync[] = { 3 };
  const char *prefer[] = { "\x80\x07\x80\0" };
  interop (1, init != NULL, inits, sync, prefer, use != NULL, uses, gone != NULL, destroys, NOWAIT,
	   depend);
  memset (inits, 0x55, sizeof (inits));
  memset (destroys, 0x55, sizeof (destroys));
  memset (uses, 0x55, sizeof (uses));
  memset (depend, 0x55, sizeof (depend));
  sync[0] = 0x55555555;
  prefer[0] = NULL;
  __asm__ volatile ("" : : "r" (inits), "r" (destroys), "r" (uses), "r" (depend), "r" (sync),
		    "r" (prefer) : "memory");
}

int
main (void)
{
  object old = NULL, new = NULL, gone;
  int x = 0, done = 0, seen = -1, rc;
  omp_event_handle_t event;

  get_symbols ();
  old = make (0, 1, NULL);
  gone = make (0, 1, NULL);
  struct test_queue *q = get_ptr (old, TARGETSYNC, &rc);
  q->work = increment;
  q->arg = &done;

#pragma omp task detach (event) depend (out: x)
  ;
  construct (&new, old, &gone, &x);
  CHECK (done == 0 && new == NULL && gone != NULL && q->waits == 0);
#pragma omp task depend (in: x) shared (seen, done)
  seen = done;
  CHECK (seen == -1);
  omp_fulfill_event (event);
#pragma omp taskwait
  CHECK (done == 1 && seen == 1 && q->waits == 1);
  CHECK (gone == NULL);
  CHECK (new != NULL && get_int (new, DEVICE_NUM, &rc) == 1 && get_int (new, FR_ID, &rc) == 7);
  CHECK (get_ptr (new, TARGETSYNC, &rc) != NULL && rc == 0);

  /* Nothing is in the way.  */
  q->work = increment;
  interop (0, 0, NULL, NULL, NULL, 1, &old, 0, NULL, NOWAIT, NULL);
#pragma omp taskwait
  CHECK (done == 2 && q->waits == 2);
  destroy (&old);
  destroy (&new);
  return failures != 0;
}
