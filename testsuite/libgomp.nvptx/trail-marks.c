/* Nothing marks the end of what a construct has sent until somebody has to come behind it: constructs on the same
   queue need no mark of its own, other threads make one, and where its thread is using the queue again they follow all
   that it holds.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda -pthread
   TEST-ENV: OMP_WAIT_POLICY=active
   TEST-ENV: FAKE_CUDA_DELAY_US=copy:2000  */

#define _GNU_SOURCE 1
#include "aux-fake.h"
#include "aux-image.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>

static int x[16], y[16], bad;

#define CHECK(x) ((x) ? (void) 0 : (void) (printf ("line %d: not so: %s\n", __LINE__, #x), bad++))

static unsigned long
calls (const char *name)
{
  return FAKE_CUDA (fake_cuda_calls) (name);
}

static unsigned long
marks (void)
{
  return calls ("cuStreamWriteValue32_v2");
}

static void *
region (void *unused)
{
  int seen = -1;
  (void) unused;
#pragma omp target map (alloc: x) map (from: seen)
  seen = x[3];
  return (void *) (intptr_t) seen;
}

static int
in_thread (void)
{
  pthread_t t;
  void *seen;
  pthread_create (&t, NULL, region, NULL);
  pthread_join (t, &seen);
  return (int) (intptr_t) seen;
}

static void *
send_and_get (void *unused)
{
  x[3] = 77;
#pragma omp target update to (x[3:1])
#pragma omp target update from (y[3:1])
  return unused;
}

int
main (void)
{
#pragma omp target enter data map (to: x)
#pragma omp target enter data map (alloc: y)
#pragma omp target
  { }

  unsigned long before = marks ();
  for (x[3] = 0; x[3] < 40; x[3]++)
    {
#pragma omp target update to (x[3:1])
    }
  CHECK (marks () == before);
  x[3] = 0;
#pragma omp target update from (x[3:1])
  CHECK (x[3] == 39);
  CHECK (marks () == before + 1);

  static int z[1024];
  before = marks ();
  for (int i = 0; i < 4; i++)
    {
      z[7] = i;
#pragma omp target enter data map (to: z)
      z[7] = -1;
#pragma omp target exit data map (from: z)
      CHECK (z[7] == i);
    }
  CHECK (marks () == before + 4);

  /* One mark for the copy, one for the region, by whatever thread.  */
  x[3] = 50;
#pragma omp target update to (x[3:1])
  before = marks ();
  CHECK (region (NULL) == (void *) 50);
  CHECK (marks () == before + 2);
  x[3] = 51;
#pragma omp target update to (x[3:1])
  CHECK (in_thread () == 51);

  /* Several threads, and queues that change hands.  */
#pragma omp parallel num_threads (3)
  for (int i = 0; i < 20; i++)
    {
      int mine[16] = { 0 }, seen = -1;
      mine[5] = 100 * omp_get_thread_num () + i;
#pragma omp target enter data map (to: mine)
#pragma omp target map (alloc: mine) map (from: seen)
      seen = mine[5]++;
#pragma omp target exit data map (from: mine)
      if (seen != 100 * omp_get_thread_num () + i || mine[5] != seen + 1)
	{
#pragma omp atomic
	  bad++;
	}
    }
  CHECK (bad == 0);

  /* The queue is in use again, and the copy that nobody has marked is still on it.  */
#pragma omp target map (alloc: y)
  y[3] = 5;
  pthread_t sender, reader;
  void *seen;
  unsigned long copies = calls ("cuMemcpyDtoHAsync_v2"), orders = calls ("cuStreamWaitEvent");
  FAKE_CUDA (fake_cuda_hold) (true);
  pthread_create (&sender, NULL, send_and_get, NULL);
  while (calls ("cuMemcpyDtoHAsync_v2") == copies)
    sched_yield ();
  pthread_create (&reader, NULL, region, NULL);
  while (calls ("cuStreamWaitEvent") == orders)
    sched_yield ();
  FAKE_CUDA (fake_cuda_hold) (false);
  pthread_join (sender, NULL);
  pthread_join (reader, &seen);
  CHECK (seen == (void *) 77);
  CHECK (y[3] == 5);
#pragma omp target exit data map (delete: x, y)
  CHECK (omp_pause_resource (omp_pause_hard, 0) == 0);
  return bad != 0;
}
