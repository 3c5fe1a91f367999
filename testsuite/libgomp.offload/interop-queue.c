/* Interop objects with targetsync: use and destroy wait for what the program has enqueued on the
   foreign queue, for dependences as well; several objects in one construct.
   TEST-OPTIONS: -D_GNU_SOURCE
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=devices=2,hsa  */

#include "aux-interop.h"

static int failures;
#define CHECK(x) do if (!(x)) { printf ("FAIL line %d: %s\n", __LINE__, #x); failures++; } while (0)

static void
increment (void *p)
{
  ++*(int *) p;
}

static struct test_queue *
queue_of (object o)
{
  int rc;
  struct test_queue *q = get_ptr (o, TARGETSYNC, &rc);
  CHECK (q != NULL && rc == 0);
  return q;
}

int
main (void)
{
  static const char *hsa = "\x80\x07\x80\0", *none = NULL;
  get_symbols ();

  object o = make (0, 1, NULL);
  int done = 0, rc;
  queue_of (o)->work = increment;
  queue_of (o)->arg = &done;
  CHECK (done == 0);
  use (o);
  CHECK (done == 1 && queue_of (o)->waits == 1);
  use (o);
  CHECK (done == 1 && queue_of (o)->waits == 2);
  queue_of (o)->work = increment;
  destroy (&o);
  CHECK (done == 2 && o == NULL);

  /* Without targetsync there is nothing to wait for.  */
  o = make (1, 0, hsa);
  CHECK (strcmp (get_str (o, FR_NAME, &rc), "hsa") == 0 && get_int (o, VENDOR, &rc) == 1);
  CHECK (get_ptr (o, DEVICE, &rc) == (void *) 0x1001 && rc == 0);
  CHECK (get_int (o, DEVICE, &rc) == 0 && rc == -4);
  CHECK (strcmp (get_type (o, DEVICE), "hsa_agent_t *") == 0);
  use (o);
  destroy (&o);

  /* All in one construct, in the order destroy, init, use; -5 is the default device.  */
  object a = make (0, 1, NULL), b = NULL, c = NULL, old = a, u[2];
  object *init[2] = { &a, &b }, *gone[2] = { &a, &c };
  int sync[2] = { 3, 2 };
  const char *prefer[2] = { none, hsa };
  queue_of (old)->work = increment;
  queue_of (old)->arg = &done;
  object d = make (0, 1, NULL);
  queue_of (d)->work = increment;
  queue_of (d)->arg = &done;
  u[0] = d;
  u[1] = NULL;
  interop (-5, 2, init, sync, prefer, 2, u, 2, gone, 1, NULL);
  CHECK (done == 4 && a != NULL && b != NULL && c == NULL);
  CHECK (get_int (a, FR_ID, &rc) == 5 && get_int (b, FR_ID, &rc) == 7);
  CHECK (strcmp (get_type (b, TARGETSYNC), "hsa_queue_t *") == 0);

  /* Dependences: the construct comes after the task.  */
  int x = 0, seen = -1;
#pragma omp parallel num_threads (2)
#pragma omp single
  {
#pragma omp task shared (x) depend (out: x)
    {
      int spin = 0;
      while (__atomic_add_fetch (&spin, 1, __ATOMIC_RELAXED) < 100000)
	;
      __atomic_store_n (&x, 1, __ATOMIC_RELAXED);
    }
    void *depend[] = { (void *) 1, (void *) 0, &x };
    interop (0, 0, NULL, NULL, NULL, 1, &a, 0, NULL, 0, depend);
    seen = __atomic_load_n (&x, __ATOMIC_RELAXED);
  }
  CHECK (seen == 1 && queue_of (a)->waits == 1);

  /* From several threads at a time.  */
#pragma omp parallel num_threads (4) reduction (+: failures)
  for (int i = 0; i < 50; i++)
    {
      int own = 0, code;
      object mine = make (i % 2, 1, i % 3 ? hsa : NULL);
      struct test_queue *q = get_ptr (mine, TARGETSYNC, &code);
      q->work = increment;
      q->arg = &own;
      use (mine);
      CHECK (own == 1 && get_int (mine, DEVICE_NUM, &code) == i % 2 && code == 0);
      destroy (&mine);
    }
  destroy (&a);
  destroy (&b);
  destroy (&d);
  return failures != 0;
}
