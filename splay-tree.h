/* splay-tree.h -- an intrusive splay tree of disjoint intervals [start, end).

   For trees that mostly have few nodes, or none; range-tree.h is for many.  The tree owns no memory and knows no lock: nodes are embedded in the caller's objects, and
   any call, look-ups included, may change the tree.  Nodes are ordered by start; all starts
   in one tree differ.  Intervals may be empty (start == end) where a tree holds nothing else;
   intervals that are not empty must not overlap.  */

#ifndef GOMP_SPLAY_TREE_H
#define GOMP_SPLAY_TREE_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gomp_splay_node
{
  uint64_t start, end;
  struct gomp_splay_node *left, *right;
};

struct gomp_splay_tree
{
  struct gomp_splay_node *root;
};

/* The node with the greatest start <= KEY, or NULL.  */
struct gomp_splay_node *gomp_splay_floor (struct gomp_splay_tree *, uint64_t key);
/* The node with the smallest start > KEY, or NULL.  */
struct gomp_splay_node *gomp_splay_above (struct gomp_splay_tree *, uint64_t key);
/* The node with the smallest start, or NULL.  */
struct gomp_splay_node *gomp_splay_first (struct gomp_splay_tree *);
/* The node that shares a byte with [START, END), START < END; the lowest if there are several.
   NULL: none.  */
struct gomp_splay_node *gomp_splay_overlap (struct gomp_splay_tree *, uint64_t start,
					    uint64_t end);
/* NODE's start is not in the tree.  */
void gomp_splay_insert (struct gomp_splay_tree *, struct gomp_splay_node *node);
/* NODE is in the tree.  */
void gomp_splay_remove (struct gomp_splay_tree *, struct gomp_splay_node *node);

#endif /* GOMP_SPLAY_TREE_H */
