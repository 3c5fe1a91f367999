/* Correct programs in which there is nothing to find: old and unwritten data that no region uses,
   updates of parts, attached pointers, deferred target tasks, memory of omp_target_alloc, several
   devices, device variables, system calls with device memory.
   TEST-MODES: cpu cpu2
   TEST-ENV: GOMP_CHECK=map
   TEST-NO-OUTPUT: ^libgomp: check: (?!global variables that are not mapped)[a-z]
   TEST-OUTPUT: ^libgomp: check: 0 findings  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N 1000
#define CHECK(what)							\
  do									\
    if (!(what))							\
      {									\
	printf ("%d: %s\n", __LINE__, #what);				\
	failed = 1;							\
      }									\
  while (0)

static int failed;
static int a[N], b[N];
#pragma omp declare target
static int counter = 5;
#pragma omp end declare target

static void
parts (int dev)
{
  int sum = 0;
  memset (a, 0, sizeof (a));
#pragma omp target enter data map (to: a) map (alloc: b) device (dev)
  for (int i = 0; i < N; i++)
    a[i] = i;
  /* Only what was sent is used.  */
#pragma omp target update to (a[100:50]) device (dev)
#pragma omp target map (tofrom: sum) device (dev)
  for (int i = 100; i < 150; i++)
    sum += a[i];
  CHECK (sum == 50 * 100 + 49 * 25);
  /* What is overwritten is not old any more.  */
#pragma omp target map (tofrom: sum) device (dev)
  for (int i = 500; i < 600; i++)
    {
      a[i] = i;
      b[i] = a[i] + 1;
      sum += b[i];
    }
#pragma omp target update from (b[500:100]) device (dev)
  CHECK (b[500] == 501 && b[599] == 600);
#pragma omp target exit data map (delete: a, b) device (dev)
}

struct node { int n; double *data; struct node *next; };

static void
pointers (int dev)
{
  struct node *list = NULL;
  double sum = 0;
  for (int i = 0; i < 3; i++)
    {
      struct node *node = malloc (sizeof (*node));
      node->n = 10 + i;
      node->data = calloc (node->n, sizeof (double));
      node->next = list;
      list = node;
      node->data[i] = i + 1;
#pragma omp target enter data map (to: node[0:1]) device (dev)
#pragma omp target enter data map (to: node->data[0:node->n]) device (dev)
    }
  for (struct node *node = list; node != NULL; node = node->next)
    {
      node->data[0] += 1;
#pragma omp target update to (node->data[0:node->n]) device (dev)
#pragma omp target map (tofrom: sum) device (dev)
      for (int i = 0; i < node->n; i++)
	sum += node->data[i];
    }
  CHECK (sum == 1 + 2 + 3 + 3);
  while (list != NULL)
    {
      struct node *next = list->next;
#pragma omp target exit data map (release: list->data[0:list->n]) device (dev)
#pragma omp target exit data map (release: list[0:1]) device (dev)
      free (list->data);
      free (list);
      list = next;
    }
}

static void
deferred (int dev)
{
  int x = 0, y = 0;
#pragma omp target enter data map (to: a) device (dev)
  for (int round = 1; round < 4; round++)
    {
#pragma omp task depend (out: a) shared (a)
      a[0] = round;
#pragma omp target update to (a[0:1]) depend (inout: a) nowait device (dev)
#pragma omp target map (tofrom: x) depend (in: a) depend (inout: x) nowait device (dev)
      x += a[0];
#pragma omp target map (tofrom: y) depend (in: a) depend (inout: y) nowait device (dev)
      y -= a[0];
    }
#pragma omp taskwait
  CHECK (x == 6 && y == -6);
#pragma omp target exit data map (release: a) device (dev)
}

static void
memory (int dev)
{
  int host = omp_get_initial_device (), sum = 0;
  int *p = omp_target_alloc (N * sizeof (int), dev);
  CHECK (p != NULL && omp_target_memcpy (p, b, 100 * sizeof (int), 0, 0, dev, host) == 0);
#pragma omp target is_device_ptr (p) map (tofrom: sum) device (dev)
  for (int i = 0; i < N; i++)
    {
      if (i >= 100)
	p[i] = i;
      sum += p[i] != 0;
    }
  CHECK (omp_target_memcpy (a, p, N * sizeof (int), 0, 0, host, dev) == 0 && a[N - 1] == N - 1);
  omp_target_free (p, dev);
}

static void
calls (int dev)
{
  char text[64];
  int ends[2], got = 0;
#pragma omp target map (from: text, ends) map (tofrom: got) device (dev)
  {
    /* The system writes to device memory that nobody has written.  */
    if (pipe (ends) == 0 && write (ends[1], "hello", 5) == 5)
      got = read (ends[0], text, sizeof (text));
    close (ends[0]);
    close (ends[1]);
    sprintf (text + 5, " %d", 7);
  }
  CHECK (got == 5 && strcmp (text, "hello 7") == 0);
}

static void
always (int dev)
{
  int n = 1, scratch[100];
#pragma omp target data map (tofrom: n) map (alloc: scratch) device (dev)
  for (int i = 0; i < 10; i++)
    {
      n += 1;
#pragma omp target map (always, tofrom: n) map (alloc: scratch) device (dev)
      {
	for (int k = 0; k < 100; k++)
	  scratch[k] = k;
	n += scratch[1];
      }
    }
  CHECK (n == 21);
  counter++;
#pragma omp target update to (counter) device (dev)
#pragma omp target device (dev)
  counter++;
#pragma omp target update from (counter) device (dev)
  CHECK (counter == 7);
  counter = 5;
}

int
main (void)
{
  for (int i = 0; i < N; i++)
    b[i] = i + 1;
  for (int dev = 0; dev < omp_get_num_devices (); dev++)
    {
      parts (dev);
      pointers (dev);
      deferred (dev);
      memory (dev);
      calls (dev);
      always (dev);
    }
#pragma omp parallel for num_threads (3)
  for (int t = 0; t < 30; t++)
    {
      int mine[50], sum = 0;
      for (int i = 0; i < 50; i++)
	mine[i] = i + t;
#pragma omp target map (to: mine) map (tofrom: sum)
      for (int i = 0; i < 50; i++)
	sum += mine[i];
      if (sum != 49 * 25 + 50 * t)
#pragma omp atomic write
	failed = 1;
    }
  return failed;
}
