/* Variables of an image that lie side by side on the host and on the device are not one piece of memory: an update of
   several is a copy for each, which the driver takes, and so is one of what the program has associated.
   TEST-OPTIONS: -fno-toplevel-reorder
   TEST-SKIP-SANITIZER: address variables are no neighbours, there is room between them
   TEST-ENV: FAKE_CUDA_LEAKS=1  */

#define _GNU_SOURCE 1
#include "aux-image.h"
#include "aux-fake.h"

#include <omp.h>
#include <string.h>

enum { N = 1024 };

#pragma omp declare target
int a[N], b[N], c[N];
#pragma omp end declare target
static int own[2 * N];

static unsigned long
copies (void)
{
  return FAKE_CUDA (fake_cuda_calls) ("cuMemcpyHtoDAsync");
}

static int
is_all (const int *p, int value)
{
  for (int i = 0; i < N; i++)
    if (p[i] != value)
      return printf ("%d is %d, not %d\n", i, p[i], value), 0;
  return 1;
}

int
main (void)
{
  int dev = omp_get_default_device (), neighbours = 0;

  if (omp_get_num_devices () != 1)
    return printf ("%d devices\n", omp_get_num_devices ()), 1;
  for (int turn = 0; turn < 2; turn++)
    {
      for (int i = 0; i < N; i++)
	a[i] = 1 + turn, b[i] = 3 + turn, c[i] = 5 + turn;
      if (turn == 0)
	{
#pragma omp target update to (a, b, c)
	}
      else
	{
#pragma omp target update to (c, b, a)
	}
      memset (a, 0, sizeof a);
      memset (b, 0, sizeof b);
      memset (c, 0, sizeof c);
#pragma omp target update from (a, b, c)
      if (!is_all (a, 1 + turn) || !is_all (b, 3 + turn) || !is_all (c, 5 + turn))
	return 1;
    }
  /* Otherwise nothing was shown.  */
  char *pa, *pb, *pc;
#pragma omp target data use_device_addr (a, b, c)
  {
    pa = (char *) a;
    pb = (char *) b;
    pc = (char *) c;
  }
  neighbours = (pb - pa == (char *) b - (char *) a && (b - a == N || a - b == N))
	       || (pc - pb == (char *) c - (char *) b && (b - c == N || c - b == N));
  if (!neighbours)
    return printf ("they are no neighbours: host %p %p %p, device %p %p %p\n", a, b, c, pa, pb, pc), 1;

  /* Two allocations of the driver: with the pages between them they never touch, but two halves of one do.
     Each association is a piece of memory of its own for all that is known.  */
  char *memory = omp_target_alloc (sizeof own, dev);
  if (omp_target_associate_ptr (own, memory, sizeof own / 2, 0, dev) != 0
      || omp_target_associate_ptr (own + N, memory, sizeof own / 2, sizeof own / 2, dev) != 0)
    return printf ("cannot associate\n"), 1;
  for (int i = 0; i < 2 * N; i++)
    own[i] = i;
  unsigned long before = copies ();
#pragma omp target update to (own[:N], own[N:])
  if (copies () - before != 2)
    return printf ("%lu copies for two associations\n", copies () - before), 1;
  memset (own, 0, sizeof own);
#pragma omp target update from (own[:N], own[N:])
  for (int i = 0; i < 2 * N; i++)
    if (own[i] != i)
      return printf ("own[%d] is %d\n", i, own[i]), 1;
  omp_target_disassociate_ptr (own, dev);
  omp_target_disassociate_ptr (own + N, dev);
  omp_target_free (memory, dev);
  return omp_pause_resource (omp_pause_hard, dev) != 0;
}
