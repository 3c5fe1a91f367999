/* Target constructs and copies wait for the tasks that they depend on, and tasks for them.
   TEST-OPTIONS: -ldl
   TEST-MODES: host cpu gpu */
#define _GNU_SOURCE
#include <dlfcn.h>
#include "../libgomp.c/aux-depend.h"

static void
sequence (void)
{
  int x = 0, y = 0, z = 0;

#pragma omp target enter data map(alloc: x)
  for (int i = 1; i <= 10; i++)
    {
#pragma omp task depend(inout: x) shared(x)
      x = i;
#pragma omp target update to(x) depend(inout: x) nowait
#pragma omp task depend(inout: x) shared(x, y)
      y = x;
#pragma omp target map(x) depend(inout: x) nowait
      x = 2 * x + 1;
#pragma omp target update from(x) depend(inout: x)
#pragma omp task depend(in: x) depend(inout: z) shared(x, z)
      z = z + x;
      CHECK (y == i && x == 2 * i + 1);
    }
#pragma omp target exit data map(delete: x)
#pragma omp taskwait
  CHECK (z == 120);

  for (int i = 1; i <= 10; i++)
    {
#pragma omp task depend(out: x) shared(x)
      x = i;
#pragma omp target enter data map(to: x) depend(inout: x)
#pragma omp target map(x) depend(inout: x)
      x += 100;
#pragma omp target exit data map(from: x) depend(inout: x) nowait
#pragma omp taskwait
      CHECK (x == 100 + i);
    }
}

/* A construct does not wait for other tasks.  */
static void
nothing_else (void)
{
  omp_event_handle_t event;
  int x = 0, y = 0;
#pragma omp task detach(event) depend(inout: y)
  { }
#pragma omp task depend(inout: x) shared(x)
  x = 1;
#pragma omp target map(x) depend(inout: x)
  x++;
  CHECK (x == 2);
  omp_fulfill_event (event);
#pragma omp taskwait
}

static void
copies (void)
{
  int (*copy) (void *, const void *, size_t, size_t, size_t, int, int, int, void *);
  int (*rect) (void *, const void *, size_t, int, const size_t *, const size_t *, const size_t *,
	       const size_t *, const size_t *, int, int, int, void *);
  void *(*set) (void *, int, size_t, int, int, void *);
  int device = omp_get_default_device (), host = omp_get_initial_device ();
  int from[20], to[20];
  struct object objects[20];
  const size_t volume[1] = { 20 }, zero[1] = { 0 };

  /* Not in the libraries of older compilers.  */
  *(void **) &copy = dlsym (RTLD_DEFAULT, "omp_target_memcpy_async");
  *(void **) &rect = dlsym (RTLD_DEFAULT, "omp_target_memcpy_rect_async");
  *(void **) &set = dlsym (RTLD_DEFAULT, "omp_target_memset_async");
  if (omp_get_num_devices () == 0)
    device = host;
  int *there = omp_target_alloc (sizeof (from), device);

  for (int i = 0; i < 20; i++)
    objects[i] = (struct object) { &from[i], INOUT };
  for (int round = 1; round <= 5; round++)
    {
      for (int i = 0; i < 20; i++)
#pragma omp task depend(out: from[i]) shared(from) firstprivate(i, round)
	from[i] = round * 100 + i;
      CHECK (copy (there, from, sizeof (from), 0, 0, device, host, 20, objects) == 0);
#pragma omp task depend(out: to) shared(to)
      memset (to, 0, sizeof (to));
      /* After that, and after the first copy.  */
      struct object on_to = { to, INOUT }, on_both[2] = { on_to, objects[7] };
      CHECK (rect (to, there, sizeof (int), 1, volume, zero, zero, volume, volume, host, device, 2,
		   on_both) == 0);
#pragma omp taskwait
      for (int i = 0; i < 20; i++)
	CHECK (to[i] == round * 100 + i);
#pragma omp task depend(out: to) shared(to)
      memset (to, 0, sizeof (to));
      CHECK (set (to, 1, sizeof (to), host, 1, &on_to) == to);
#pragma omp taskwait
      for (int i = 0; i < 20; i++)
	CHECK (to[i] == 0x01010101);
      CHECK (copy (to, there, sizeof (to), 0, 0, host, device, 0, NULL) == 0);
#pragma omp taskwait
      CHECK (to[19] == round * 100 + 19);
    }
  omp_target_free (there, device);
}

static void
all (void)
{
  sequence ();
  nothing_else ();
  copies ();
}

int
main (void)
{
  all ();
  for (int threads = 1; threads <= 3; threads++)
#pragma omp parallel num_threads(threads)
#pragma omp single
    all ();
  return failures != 0;
}
