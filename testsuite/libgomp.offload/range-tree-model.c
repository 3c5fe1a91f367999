/* The tree of mapped ranges against a sorted array: random insertions, removals and look-ups in
   phases that grow and shrink it, in ascending and descending order, too.
   TEST-MODES: host
   TEST-OPTIONS: -I@top_srcdir@ -DGOMP_CHECKING=1 -O2  */

#define GOMP_LIBGOMP_H 1		/* the tree alone, without the library's headers */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define gomp_fatal(...) abort ()
#define gomp_internal_fatal(...) abort ()
#define gomp_unlikely(x) (x)
#define gomp_likely(x) (x)

static long slabs;

static void *
gomp_aligned_alloc (size_t align, size_t size)
{
  slabs++;
  return aligned_alloc (align, size);
}

static void
count_and_free (void *p)
{
  slabs--;
  free (p);
}
#define free count_and_free
#include "slab.c"
#include "range-tree.c"
#undef free

#define MOST 6000
#define SPACE 100000

static struct gomp_range *sorted[MOST];
static size_t n;
static struct gomp_range_tree tree;
static uint64_t state = 88172645463325252;

static uint64_t
any (uint64_t below)
{
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state % below;
}

static void
fail (const char *what, uint64_t key)
{
  printf ("%s is wrong for %llu with %zu intervals\n", what, (unsigned long long) key, n);
  exit (1);
}

/* Number of those that start at or below KEY.  */
static size_t
position (uint64_t key)
{
  size_t low = 0, high = n;
  while (low < high)
    {
      size_t middle = (low + high) / 2;
      if (sorted[middle]->start <= key)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

static void
look (uint64_t key)
{
  size_t i = position (key);
  struct gomp_range *floor = i > 0 ? sorted[i - 1] : NULL;
  struct gomp_range *above = i < n ? sorted[i] : NULL;
  uint64_t end = key < UINT64_MAX - 60 ? key + 1 + any (60) : UINT64_MAX;

  /* In any order: each leaves the finger somewhere.  */
  switch (any (5))
    {
    case 0:
      if (gomp_range_floor (&tree, key) != floor)
	fail ("floor", key);
      break;
    case 1:
      if (gomp_range_above (&tree, key) != above)
	fail ("above", key);
      break;
    case 2:
      if (gomp_range_at (&tree, key) != (floor != NULL && floor->end > key ? floor : NULL))
	fail ("at", key);
      break;
    case 3:
      if (gomp_range_overlap (&tree, key, end)
	  != (floor != NULL && floor->end > key ? floor
	      : above != NULL && above->start < end ? above : NULL))
	fail ("overlap", key);
      break;
    case 4:
      if (gomp_range_first (&tree) != (n > 0 ? sorted[0] : NULL))
	fail ("first", key);
      break;
    }
}

static void
add (uint64_t start, uint64_t size)
{
  size_t i = position (start);
  if (n == MOST || (i > 0 && sorted[i - 1]->end > start)
      || (i < n && sorted[i]->start < start + size))
    return;
  struct gomp_range *range = malloc (sizeof (*range));
  range->start = start;
  range->end = start + size;
  memmove (&sorted[i + 1], &sorted[i], (n - i) * sizeof (sorted[0]));
  sorted[i] = range;
  n++;
  gomp_range_insert (&tree, range);
}

static void
take (size_t i)
{
  struct gomp_range *range = sorted[i];
  n--;
  memmove (&sorted[i], &sorted[i + 1], (n - i) * sizeof (sorted[0]));
  gomp_range_remove (&tree, range);
  free (range);
}

/* Invariant 4 of the tree, below NODE.  */
static void
check_unused (const void *node, unsigned level)
{
  const struct gomp_range_leaf *leaf = node;
  const struct inner *inner = node;
  if (node == NULL)
    return;
  for (unsigned i = level > 0 ? inner->n - 1 : leaf->n; i < (level > 0 ? INNER_MAX : LEAF_MAX); i++)
    if ((level > 0 ? inner->separator[i] : leaf->start[i]) != UINT64_MAX)
      fail ("a number that is not in use", i);
  for (unsigned i = 0; level > 0 && i < inner->n; i++)
    check_unused (inner->child[i], level - 1);
}

static void
check_all (void)
{
  size_t i = 0;
  check_unused (tree.root, tree.height);
  for (struct gomp_range *range = gomp_range_first (&tree); range != NULL;
       range = gomp_range_above (&tree, range->start))
    if (i == n || range != sorted[i++])
      fail ("the order", i);
  if (i != n || tree.count != n)
    fail ("the number", i);
  /* Leaves a quarter full, or not mergeable with a neighbour; inner nodes on top.  */
  if (tree.nodes.used > n / 2 + 8)
    fail ("the number of nodes", tree.nodes.used);
  /* Those in use lie in slabs, of which a few may be kept.  */
  if (n == 0 && slabs > KEEP_SLABS + 1)
    fail ("the number of slabs", slabs);
}

int
main (void)
{
  for (int phase = 0; phase < 60; phase++)
    {
      unsigned grow = phase % 4 == 0 ? 90 : phase % 4 == 1 ? 50 : phase % 4 == 2 ? 10 : 30;
      for (int i = 0; i < 3000; i++)
	{
	  if (any (100) < grow)
	    add (any (SPACE), any (30) + 1);
	  else if (n > 0)
	    take (any (n));
	  look (any (SPACE));
	  if (i % 50 == 0)
	    look (UINT64_MAX - any (2));
	  if (n > 0)
	    look (sorted[any (n)]->start);
	}
      check_all ();
      /* In order: up or down, from an end or the middle; then some of it removed in order.  */
      uint64_t at = any (SPACE);
      bool up = any (2);
      for (unsigned i = 0; i < 1500; i++)
	add (SPACE + (up ? at + 40 * i : at + 40 * (1500 - i)), 1 + any (40));
      check_all ();
      size_t gone = any (n + 1);
      while (gone-- > 0)
	{
	  take (up ? 0 : n - 1);
	  look (any (SPACE));
	}
      check_all ();
      if (phase % 8 == 7)
	{
	  while (n > 0)
	    take (any (n));
	  check_all ();
	  look (any (SPACE));
	}
    }
  return 0;
}
