/* A deferred construct keeps nothing that its caller may change or drop when the call returns: the
   arrays, the words of iterators, values of private copies, the list of dependences.  All tasks wait
   for an event until everything has been overwritten.
   TEST-MODES: host cpu test */
#include "aux-direct.h"

#define N 4

KERNEL (add_rows)
{
  void **s = add_rows_arg;
  int **q = s[1], *sum = s[3];
  *sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < 3; j++)
      {
	*sum += q[i][j];
	q[i][j] += 1000;
      }
}

/* Private copies: a value, an aligned block, one that is absent, a descriptor with its data.  */
KERNEL (privates)
{
  void **s = privates_arg;
  struct { int *data; long bound; } *descriptor = s[3];
  int *block = s[1], *result = s[6];
  result[0] = (int) (intptr_t) s[0];
  result[1] = (uintptr_t) block % 64 == 0 ? block[0] + block[9] : -1;
  result[2] = s[2] == NULL;
  result[3] = descriptor->data[descriptor->bound - 1];
  descriptor->data[0] = 99;
  result[4] = descriptor->data == s[4];
}

/* The same as LIST, but nowait, after IN, and everything gone afterwards.  */
static void
deferred_target (struct list l, void (*fn) (void *), void *address)
{
  void *args[] = { (void *) -130816L, (void *) 0x200, NULL };
  void *depend[] = { (void *) 1, (void *) 0, address };
  GOMP_target_ext (-1, fn, l.n, l.addr, l.size, l.kind, 1, depend, args);
  memset (&l, 0x77, sizeof (l));
  memset (args, 0, sizeof (args));
  memset (depend, 0, sizeof (depend));
  /* The copy of L that the call has seen, too.  */
  __asm__ volatile ("" : : "r" (&l), "r" (args), "r" (depend) : "memory");
}

static void
deferred_enter (struct list l, bool leave, void *address)
{
  void *depend[] = { (void *) 1, (void *) 1, address };
  GOMP_target_enter_exit_data (-1, l.n, l.addr, l.size, l.kind, leave ? 3 : 1, depend);
  memset (&l, 0x77, sizeof (l));
  memset (depend, 0, sizeof (depend));
  __asm__ volatile ("" : : "r" (&l), "r" (depend) : "memory");
}

static void
iterators (void)
{
  int rows[N][3], *q[N], sum = 0, x = 0;
  void *data[1 + 2 * N] = { (void *) N }, *attach[1 + 2 * N] = { (void *) N };
  omp_event_handle_t event;

  for (int i = 0; i < N; i++)
    {
      q[i] = rows[i];
      for (int j = 0; j < 3; j++)
	rows[i][j] = 10 * i + j;
      data[1 + 2 * i] = rows[i];
      data[2 + 2 * i] = (void *) sizeof (rows[i]);
      attach[1 + 2 * i] = &q[i];
      attach[2 + 2 * i] = (void *) 0;
    }
#pragma omp task detach(event) depend(out: x)
  { }
  deferred_enter (LIST (ITEM (q, sizeof (q), TO), ITEM (data, SIZE_MAX, TO),
			ITEM (attach, SIZE_MAX, ATTACH)), false, &x);
  memset (data, 0, sizeof (data));
  memset (attach, 0, sizeof (attach));
  rows[2][2] = 500;
  omp_fulfill_event (event);
  deferred_target (LIST (ITEM (NULL, 0, TO), ITEM (q, sizeof (q), TO), ITEM (NULL, 0, TO),
			 ITEM (&sum, 4, FROM)), add_rows, &x);
#pragma omp taskwait
  CHECK_EQUAL (sum, 10 * (0 + 1 + 2 + 3) * 3 + N * 3 + 500 - 22);
  data[0] = (void *) 1;
  data[1] = rows[3];
  data[2] = (void *) sizeof (rows[3]);
  deferred_enter (LIST (ITEM (data, SIZE_MAX, FROM)), true, &x);
#pragma omp taskwait
  CHECK_EQUAL (rows[3][2], 1032);
  for (int i = 0; i < N; i++)
    if (IS_PRESENT (rows[i]))
      EXIT (ITEM (rows[i], 0, DELETE_ZLAS));
  EXIT (ITEM (q, sizeof (q), DELETE));
}

static void
private_copies (void)
{
  _Alignas (64) int block[10] = { 3, [9] = 4 };
  int results[5] = { 0 }, data[6] = { 1, 2, 3, 4, 5, 6 }, x = 0;
  struct { int *data; long bound; } descriptor = { data, 6 };
  omp_event_handle_t event;

#pragma omp task detach(event) depend(out: x)
  { }
  struct list l = LIST (ITEM ((intptr_t) 42, 0, VALUE),
			ITEM (block, sizeof (block), FIRSTPRIVATE | ALIGNED (6)),
			ITEM (NULL, 8, FIRSTPRIVATE | ALIGNED (3)),
			ITEM (&descriptor, sizeof (descriptor), FIRSTPRIVATE | ALIGNED (3)),
			ITEM (data, sizeof (data), FIRSTPRIVATE | ALIGNED (2)),
			ITEM (NULL, 0, ATTACH), ITEM (results, sizeof (results), FROM));
  /* The attachment names the slot of the descriptor; the result's slot is the one behind.  */
  l.addr[5] = &l.addr[3];
  void *args[] = { (void *) -130816L, (void *) 0x200, NULL };
  void *depend[] = { (void *) 1, (void *) 0, &x };
  void *before[7];
  memcpy (before, l.addr, sizeof (before));
  GOMP_target_ext (-1, privates, l.n, l.addr, l.size, l.kind, 1, depend, args);
  CHECK (memcmp (before, l.addr, sizeof (before)) == 0);
  memset (&l, 0x77, sizeof (l));
  memset (block, 0, sizeof (block));
  memset (data, 0, sizeof (data));
  memset (&descriptor, 0, sizeof (descriptor));
  omp_fulfill_event (event);
#pragma omp taskwait
  CHECK_EQUAL (results[0], 42);
  CHECK_EQUAL (results[1], 7);
  CHECK_EQUAL (results[2], 1);
  CHECK_EQUAL (results[3], 6);
  CHECK_EQUAL (results[4], 1);
  CHECK_EQUAL (data[0], 0);
}

int
main (void)
{
  bool device = omp_get_num_devices () > 0;
  for (int i = 0; i < 3; i++)
    {
      if (device)
	iterators ();
      private_copies ();
#pragma omp parallel num_threads(2)
#pragma omp single
      {
	if (device)
	  iterators ();
	private_copies ();
      }
    }
  return result ();
}
