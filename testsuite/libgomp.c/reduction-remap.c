/* Registration and look-up of task reductions by direct calls: storage that is zero and aligned,
   a chunk for each thread, originals and private copies of any thread as addresses, the original
   as second output, nested groups, linked descriptions, few and many items.  */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "aux-gomp.h"

extern void GOMP_taskgroup_start (void);
extern void GOMP_taskgroup_end (void);
extern void GOMP_taskgroup_reduction_register (uintptr_t *);
extern void GOMP_taskgroup_reduction_unregister (uintptr_t *);
extern void GOMP_task_reduction_remap (size_t, size_t, void **);

static int bad;
#define CHECK(ok)							\
  do									\
    if (!(ok))								\
      {									\
	printf ("line %d: wrong: %s\n", __LINE__, #ok);			\
	__atomic_fetch_add (&bad, 1, __ATOMIC_RELAXED);			\
      }									\
  while (0)

#define WORDS(n) (7 + 3 * (n))

static void
describe (uintptr_t *array, size_t n, size_t align, char *items, size_t item_size, size_t first)
{
  memset (array, 0x55, WORDS (n) * sizeof (uintptr_t));
  array[0] = n;
  array[1] = (first + n * item_size + align - 1) / align * align;
  array[2] = align;
  array[3] = -1;
  array[4] = 0;
  for (size_t k = 0; k < n; k++)
    {
      /* Originals neither in the order of the offsets nor evenly spaced.  */
      size_t place = (k * 7919) % n;
      array[7 + 3 * k] = (uintptr_t) (items + place * item_size + (place / 3) * 40);
      array[8 + 3 * k] = first + k * item_size;
    }
}

static uintptr_t
map_one (uintptr_t address, uintptr_t *original)
{
  void *p[2] = { (void *) address, NULL };
  if (original != NULL)
    {
      GOMP_task_reduction_remap (1, 1, p);
      *original = (uintptr_t) p[1];
    }
  else
    GOMP_task_reduction_remap (1, 0, p);
  return (uintptr_t) p[0];
}

static void
check_array (const uintptr_t *array)
{
  uintptr_t t = omp_get_thread_num (), n = omp_get_num_threads (), original;
  for (uintptr_t k = 0; k < array[0]; k++)
    {
      uintptr_t address = array[7 + 3 * k], offset = array[8 + 3 * k];
      uintptr_t mine = array[2] + t * array[1] + offset;
      CHECK (map_one (address, NULL) == mine);
      CHECK (map_one (address, &original) == mine && original == address);
      for (uintptr_t other = 0; other < n; other++)
	{
	  uintptr_t theirs = array[2] + other * array[1] + offset;
	  CHECK (map_one (theirs, NULL) == mine);
	  CHECK (map_one (theirs, &original) == mine && original == address);
	}
    }
}

static void
check_fresh (const uintptr_t *array, size_t align)
{
  CHECK (array[2] % align == 0);
  const char *storage = (const char *) array[2];
  size_t wrong = 0;
  for (size_t i = 0; i < array[1] * omp_get_num_threads (); i++)
    wrong += storage[i] != 0;
  CHECK (wrong == 0);
}

static char items[200000];

static void
groups (void)
{
  static const size_t counts[] = { 1, 2, 4, 5, 8, 33, 100, 1000 };
  for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
    for (size_t align = 8; align <= 4096; align *= 8)
      {
	size_t n = counts[c];
	uintptr_t *outer = malloc (WORDS (n) * sizeof (uintptr_t));
	uintptr_t *inner = malloc (WORDS (n) * sizeof (uintptr_t));
	int level = omp_get_level ();
	describe (outer, n, align, items, 24, 0);
	uintptr_t chunk = outer[1];
	GOMP_taskgroup_start ();
	GOMP_taskgroup_reduction_register (outer);
	CHECK (outer[0] == n && outer[1] == chunk && outer[3] == (uintptr_t) -1);
	CHECK (omp_get_level () == level);
	check_fresh (outer, align);
	/* So that storage that is used again would show.  */
	memset ((void *) outer[2], 0xaa, outer[1] * omp_get_num_threads ());
	check_array (outer);

	/* Inside, the same items again, half of them.  */
	describe (inner, (n + 1) / 2, align, items, 24, 16);
	for (size_t k = 0; k < (n + 1) / 2; k++)
	  inner[7 + 3 * k] = outer[7 + 3 * 2 * k];
	GOMP_taskgroup_start ();
	GOMP_taskgroup_reduction_register (inner);
	check_fresh (inner, align);
	check_array (inner);
	for (size_t k = 1; k < n; k += 2)
	  CHECK (map_one (outer[7 + 3 * k], NULL)
		 == outer[2] + omp_get_thread_num () * outer[1] + outer[8 + 3 * k]);
	/* A group without reductions in between.  */
	GOMP_taskgroup_start ();
	check_array (inner);
#pragma omp task
	check_array (inner);
#pragma omp task if (0)
	check_array (inner);
	GOMP_taskgroup_end ();
	/* A private copy of the outer group as original of an inner one.  */
	uintptr_t copy[WORDS (1)];
	describe (copy, 1, align, items, 8, 0);
	copy[7] = outer[2] + outer[8 + 3 * (n - 1)];
	GOMP_taskgroup_start ();
	GOMP_taskgroup_reduction_register (copy);
	check_array (copy);
	GOMP_taskgroup_end ();
	GOMP_taskgroup_reduction_unregister (copy);

	GOMP_taskgroup_end ();
	GOMP_taskgroup_reduction_unregister (inner);
	check_array (outer);
#pragma omp task
	check_array (outer);
	GOMP_taskgroup_end ();
	GOMP_taskgroup_reduction_unregister (outer);
	free (outer);
	free (inner);
      }
}

/* Several descriptions of one construct, and several items in one call.  */
static void
linked (void)
{
  uintptr_t a[WORDS (3)], b[WORDS (1)], c[WORDS (20)], around[WORDS (1)];
  describe (around, 1, 64, items + 150000, 8, 0);
  describe (a, 3, 64, items, 8, 0);
  describe (b, 1, 1024, items + 50000, 100, 12);
  describe (c, 20, 256, items + 100000, 8, 0);
  a[4] = (uintptr_t) b;
  b[4] = (uintptr_t) c;
  GOMP_taskgroup_start ();
  GOMP_taskgroup_reduction_register (around);
  GOMP_taskgroup_start ();
  GOMP_taskgroup_reduction_register (a);
  check_fresh (a, 64);
  check_fresh (b, 1024);
  check_fresh (c, 256);
  memset ((void *) a[2], 1, a[1] * omp_get_num_threads ());
  check_fresh (b, 1024);
  memset ((void *) b[2], 1, b[1] * omp_get_num_threads ());
  check_fresh (c, 256);
  check_array (a);
  check_array (b);
  check_array (c);
  check_array (around);
  uintptr_t t = omp_get_thread_num ();
  void *p[6] = { (void *) c[10], (void *) b[7], (void *) around[7], (void *) a[13], &p, &p };
  GOMP_task_reduction_remap (4, 2, p);
  CHECK ((uintptr_t) p[0] == c[2] + t * c[1] + c[11] && (uintptr_t) p[1] == b[2] + t * b[1] + 12);
  CHECK ((uintptr_t) p[2] == around[2] + t * around[1]);
  CHECK ((uintptr_t) p[3] == a[2] + t * a[1] + a[14]);
  CHECK ((uintptr_t) p[4] == c[10] && (uintptr_t) p[5] == b[7]);
  GOMP_task_reduction_remap (0, 0, NULL);
  GOMP_taskgroup_end ();
  GOMP_taskgroup_reduction_unregister (a);
  check_array (around);
  GOMP_taskgroup_end ();
  GOMP_taskgroup_reduction_unregister (around);
}

/* Look-ups in all threads of a team at the same time.  */
static void
many_threads (void)
{
  uintptr_t a[WORDS (100)];
  describe (a, 100, 64, items, 8, 0);
#pragma omp parallel num_threads (4)
#pragma omp single
  {
    GOMP_taskgroup_start ();
    GOMP_taskgroup_reduction_register (a);
    check_fresh (a, 64);
    for (int k = 0; k < 20; k++)
#pragma omp task
      check_array (a);
    GOMP_taskgroup_end ();
    GOMP_taskgroup_reduction_unregister (a);
  }
}

int
main (void)
{
  groups ();
  linked ();
#pragma omp parallel num_threads (3)
#pragma omp single
  {
    groups ();
    linked ();
  }
#pragma omp parallel num_threads (1)
  linked ();
  many_threads ();
  return bad != 0;
}
