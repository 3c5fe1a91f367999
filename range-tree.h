/* range-tree.h -- an ordered index of disjoint intervals [start, end), for many of them: a B+-tree.

   The intervals are embedded in the caller's objects and do not change while they are in the
   tree.  The tree has copies of their bounds, so that a look-up touches none of the objects but the
   one that it answers, and nodes of its own for them.  It knows no lock, and any call, look-ups
   included, may write to it.  All starts in one tree differ.  Intervals may be empty
   (start == end) where a tree holds nothing else; those that are not must not overlap.

   For a handful of intervals the splay tree (splay-tree.h) is the better one: it needs no
   memory.  */

#ifndef GOMP_RANGE_TREE_H
#define GOMP_RANGE_TREE_H 1

#include <stddef.h>
#include <stdint.h>

#include "slab.h"

struct gomp_range
{
  uint64_t start, end;
};

struct gomp_range_leaf;		/* range-tree.c */

/* All zero: empty.  */
struct gomp_range_tree
{
  size_t count;
  uint64_t low, high;		/* all bytes of all intervals are in [low, high) */
  void *root;			/* NULL, or a leaf if height is 0, otherwise an inner node */
  unsigned height;		/* levels of inner nodes */
  struct gomp_range_leaf *finger;	/* the leaf that was used last, or NULL */
  struct gomp_slab_pool nodes;
};

/* The interval with the greatest start <= KEY, or NULL.  */
struct gomp_range *gomp_range_floor (struct gomp_range_tree *, uint64_t key);
/* The interval with the smallest start > KEY, or NULL.  */
struct gomp_range *gomp_range_above (struct gomp_range_tree *, uint64_t key);
/* The interval with the smallest start, or NULL.  */
struct gomp_range *gomp_range_first (struct gomp_range_tree *);
/* The interval that holds ADDR, or NULL.  */
struct gomp_range *gomp_range_at (struct gomp_range_tree *, uint64_t addr);
/* The interval that shares a byte with [START, END), START < END; the lowest if there are
   several.  NULL: none.  */
struct gomp_range *gomp_range_overlap (struct gomp_range_tree *, uint64_t start, uint64_t end);
/* RANGE's start is not in the tree.  */
void gomp_range_insert (struct gomp_range_tree *, struct gomp_range *range);
/* RANGE is in the tree.  */
void gomp_range_remove (struct gomp_range_tree *, struct gomp_range *range);

#endif /* GOMP_RANGE_TREE_H */
