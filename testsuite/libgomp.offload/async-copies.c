/* omp_target_memcpy_async, _rect_async and omp_target_memset_async are tasks: they come after and
   before others as their depend objects say, and need not be complete when they return.
   TEST-OPTIONS: -ldl
   TEST-MODES: host cpu cpu2 test gpu
   TEST-GPU: fallback  */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include "../libgomp.c/aux-depend.h"

/* Not in the libraries of older compilers.  */
static int (*copy) (void *, const void *, size_t, size_t, size_t, int, int, int, void *);
static int (*rect) (void *, const void *, size_t, int, const size_t *, const size_t *, const size_t *,
		    const size_t *, const size_t *, int, int, int, void *);
static void *(*set) (void *, int, size_t, int, int, void *);
static int host, first, last;

/* Through device memory and back, all tasks in one chain.  */
static void
chain (int size)
{
  char *from = malloc (size), *to = malloc (size);
  char *a = omp_target_alloc (size, first), *b = omp_target_alloc (size, first);
  char *c = omp_target_alloc (size, last);
  struct object on_a[2] = { { a, INOUT }, { from, IN } }, on_b[2] = { { b, OUT }, { a, IN } };
  struct object on_c[2] = { { c, OUT }, { b, IN } }, on_to[2] = { { to, OUT }, { c, IN } };

#pragma omp task depend(out: from[0]) firstprivate(from)
  for (int i = 0; i < size; i++)
    from[i] = i % 100;
  /* FROM is the address that the objects name.  */
  on_a[1].addr = &from[0];
  CHECK (set (a, 5, size, first, 1, on_a) == a);
  CHECK (copy (a, from, size - 2, 1, 1, first, host, 2, on_a) == 0);
  CHECK (copy (b, a, size, 0, 0, first, first, 2, on_b) == 0);
  size_t volume[1] = { size }, zero[1] = { 0 };
  CHECK (rect (c, b, 1, 1, volume, zero, zero, volume, volume, last, first, 2, on_c) == 0);
  volume[0] = 0;	/* taken already */
  CHECK (copy (to, c, size, 0, 0, host, last, 2, on_to) == 0);
#pragma omp task depend(inout: to[0]) firstprivate(to)
  for (int i = 0; i < size; i++)
    to[i]++;
#pragma omp taskwait
  int wrong = 0;
  for (int i = 0; i < size; i++)
    wrong += to[i] != (i == 0 || i == size - 1 ? 5 : i % 100) + 1;
  CHECK (wrong == 0);
  omp_target_free (a, first);
  omp_target_free (b, first);
  omp_target_free (c, last);
  free (from);
  free (to);
}

/* Boxes of many dimensions, their arrays gone when the copy happens.  */
static void
boxes (void)
{
  enum { DIMS = 10 };
  int all[1024], back[1024];
  for (int i = 0; i < 1024; i++)
    all[i] = i, back[i] = -1;
  int *there = omp_target_alloc (sizeof (all), first);
  struct object on_there = { there, INOUT };
  for (int round = 0; round < 2; round++)
    {
      size_t volume[DIMS], offset[DIMS], dims[DIMS];
      for (int i = 0; i < DIMS; i++)
	{
	  volume[i] = i == DIMS - 1 ? 1 : 2;
	  offset[i] = i == DIMS - 1 ? 1 : 0;
	  dims[i] = 2;
	}
      CHECK (rect (round == 0 ? there : back, round == 0 ? all : there, sizeof (int), DIMS, volume,
		   offset, offset, dims, dims, round == 0 ? first : host,
		   round == 0 ? host : first, 1, &on_there) == 0);
      memset (volume, 0, sizeof (volume));
      memset (dims, 0, sizeof (dims));
    }
#pragma omp taskwait
  for (int i = 0; i < 1024; i++)
    CHECK (back[i] == (i % 2 == 1 ? i : -1));
  omp_target_free (there, first);
}

/* What is wrong with the arguments is told at once.  */
static void
wrong (void)
{
  int x = 0, bad = host + 5;
  size_t one[1] = { 1 };
  CHECK (copy (&x, &x, 4, 0, 0, bad, host, 0, NULL) == EINVAL);
  CHECK (copy (&x, &x, 4, 0, 0, host, bad, 0, NULL) == EINVAL);
  CHECK (copy (NULL, &x, 4, 0, 0, host, host, 0, NULL) == EINVAL);
  CHECK (copy (NULL, NULL, 0, 0, 0, host, host, 0, NULL) == 0);
  CHECK (rect (NULL, NULL, 1, 1, NULL, NULL, NULL, NULL, NULL, bad, bad, 0, NULL) == INT_MAX);
  CHECK (rect (&x, &x, 4, 1, one, one, NULL, one, one, host, host, 0, NULL) == EINVAL);
  CHECK (rect (&x, &x, 4, 0, one, one, one, one, one, host, host, 0, NULL) == EINVAL);
}

/* In a final task they are complete when they return.  */
static void
final (void)
{
  int x = 1, y = 2, z = 3;
  int *there = omp_target_alloc (sizeof (int), first);
#pragma omp task final(1) shared(x, y, z)
  {
    struct object on_y = { &y, INOUT };
    CHECK (copy (there, &x, 4, 0, 0, first, host, 0, NULL) == 0);
    CHECK (copy (&y, there, 4, 0, 0, host, first, 1, &on_y) == 0 && y == 1);
    CHECK (set (&z, 0, 4, host, 1, &on_y) == &z && z == 0);
  }
#pragma omp taskwait
  omp_target_free (there, first);
}

static void
all (void)
{
  chain (100);
  chain (300000);
  boxes ();
  wrong ();
  final ();
}

int
main (void)
{
  *(void **) &copy = dlsym (RTLD_DEFAULT, "omp_target_memcpy_async");
  *(void **) &rect = dlsym (RTLD_DEFAULT, "omp_target_memcpy_rect_async");
  *(void **) &set = dlsym (RTLD_DEFAULT, "omp_target_memset_async");
  host = omp_get_initial_device ();
  first = omp_get_num_devices () > 0 ? 0 : host;
  last = omp_get_num_devices () > 0 ? omp_get_num_devices () - 1 : host;
  all ();
  for (int threads = 1; threads <= 3; threads++)
#pragma omp parallel num_threads(threads)
#pragma omp single
    all ();
  return failures != 0;
}
