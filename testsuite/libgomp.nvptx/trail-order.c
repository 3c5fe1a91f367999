/* Constructs that send a little do not wait for it; whatever uses the device later comes behind: regions
   of other threads, target tasks, copies, who asks for an address.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda -pthread -L@libdir@
   TEST-ENV: FAKE_CUDA_DEVICES=5
   TEST-ENV: FAKE_CUDA_DELAY_US=copy:20000  */

#define _GNU_SOURCE 1
#include "aux-image.h"
#include "aux-launch.h"

#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>

/* Older compilers have no such function.  */
extern void *omp_get_mapped_ptr (const void *, int);

enum { THREADS = 3 };
static int x[16];
static int bad;

static void *
look (void *device)
{
  int d = (int) (intptr_t) device, seen = -1;
#pragma omp target device (d) map (alloc: x) map (from: seen)
  seen = x[3];
  return (void *) (intptr_t) seen;
}

static void
threads (int d, int value)
{
  pthread_t t[THREADS];
  void *seen;
  for (int i = 0; i < THREADS; i++)
    pthread_create (&t[i], NULL, look, (void *) (intptr_t) d);
  for (int i = 0; i < THREADS; i++)
    {
      pthread_join (t[i], &seen);
      if ((intptr_t) seen != value)
	printf ("device %d: a thread sees %d, not %d\n", d, (int) (intptr_t) seen, value), bad = 1;
    }
}

static void
check (int d, int seen, int value)
{
  if (seen != value)
    printf ("device %d: %d instead of %d\n", d, seen, value), bad = 1;
}

/* The last one of several copies: each takes its time, also the one of a region's arguments.  */
static void
send (int d, int value)
{
  for (x[3] = value - 3; x[3] <= value; x[3]++)
    {
#pragma omp target update to (x[3:1]) device (d)
    }
  x[3] = -1;
}

/* What is at X on the device, as somebody sees it who has its address from the program.  */
static int
view (const int *there)
{
  void *(*view) (uint64_t) = (void *(*) (uint64_t)) dlsym (dlopen ("libcuda.so.1", RTLD_NOW),
							    "fake_cuda_view");
  const int *p = view ((uint64_t) (uintptr_t) there);
  return p != NULL ? *(volatile const int *) p : -1;
}

int
main (void)
{
  int seen = -1, h = omp_get_initial_device ();
  for (int d = 0; d < 5; d++)
    {
      /* Queues that others may have.  */
#pragma omp target device (d)
      { }
#pragma omp target enter data map (to: x) device (d)
    }
  send (0, 11);
  threads (0, 11);

  send (1, 12);
#pragma omp target nowait device (1) map (alloc: x) map (from: seen)
  seen = x[3];
#pragma omp taskwait
  check (1, seen, 12);

  send (2, 13);
  int *there = omp_get_mapped_ptr (&x[3], 2);
  check (2, view (there), 13);
  send (2, 14);
  check (2, view (there), 14);
  omp_target_memcpy (&seen, there, sizeof (int), 0, 0, h, 2);
  check (2, seen, 14);

  send (3, 15);
#pragma omp target data use_device_addr (x) device (3)
  check (3, view (&x[3]), 15);

  /* The memory is given away before the copy has arrived, to another variable.  */
  static int y[16];
  for (int i = 0; i < 4; i++)
    {
      send (4, 100 + i);
#pragma omp target exit data map (delete: x) device (4)
      y[3] = i;
#pragma omp target enter data map (to: y) device (4)
#pragma omp target device (4) map (alloc: y) map (from: seen)
      seen = y[3];
      check (4, seen, i);
#pragma omp target exit data map (delete: y) device (4)
#pragma omp target enter data map (to: x) device (4)
    }
#pragma omp target exit data map (delete: x) device (4)
  if (omp_pause_resource (omp_pause_hard, 4) != 0)
    printf ("the device is busy\n"), bad = 1;
  return bad;
}
