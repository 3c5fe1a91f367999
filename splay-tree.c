/* splay-tree.c -- the splay tree of splay-tree.h.

   Top-down splaying (Sleator and Tarjan, 1985): one walk from the root takes the tree apart
   into what is below and what is above the key, and brings the last node that it meets to
   the root.  That node is the key's neighbour on one side, which is all that the look-ups here
   need.

   Look-ups splay only when they had to go deep: writing to
   every node on the way costs more than a few steps, and what threads look for again they find
   in their caches (map-plan.c).  A deep path is paid for by the splaying that follows, as in
   the plain splay tree.  */

#include "splay-tree.h"

/* Depth at which a look-up splays: trees of some thousand nodes that are in good shape stay below
   it.  */
#define DEEP 32

/* Splay the tree T, which is not empty, around KEY; answer the new root: the node that starts
   at KEY or, if there is none, its neighbour below or above.  */
static struct gomp_splay_node *
splay (struct gomp_splay_node *t, uint64_t key)
{
  struct gomp_splay_node *below = NULL, *above = NULL;
  struct gomp_splay_node **below_end = &below, **above_end = &above;

  for (;;)
    {
      if (key < t->start)
	{
	  struct gomp_splay_node *child = t->left;
	  if (child == NULL)
	    break;
	  if (key < child->start)
	    {
	      /* Two steps in one direction: rotate first, which is what halves long paths.  */
	      t->left = child->right;
	      child->right = t;
	      t = child;
	      if (t->left == NULL)
		break;
	    }
	  *above_end = t;
	  above_end = &t->left;
	  t = t->left;
	}
      else if (key > t->start)
	{
	  struct gomp_splay_node *child = t->right;
	  if (child == NULL)
	    break;
	  if (key > child->start)
	    {
	      t->right = child->left;
	      child->left = t;
	      t = child;
	      if (t->right == NULL)
		break;
	    }
	  *below_end = t;
	  below_end = &t->right;
	  t = t->right;
	}
      else
	break;
    }

  *below_end = t->left;
  *above_end = t->right;
  t->left = below;
  t->right = above;
  return t;
}

struct gomp_splay_node *
gomp_splay_floor (struct gomp_splay_tree *tree, uint64_t key)
{
  struct gomp_splay_node *best = NULL, *node = tree->root;
  unsigned depth = 0;

  while (node != NULL)
    {
      depth++;
      if (node->start <= key)
	{
	  best = node;
	  if (node->start == key)
	    break;
	  node = node->right;
	}
      else
	node = node->left;
    }
  if (depth > DEEP)
    tree->root = splay (tree->root, key);
  return best;
}

struct gomp_splay_node *
gomp_splay_above (struct gomp_splay_tree *tree, uint64_t key)
{
  struct gomp_splay_node *best = NULL, *node = tree->root;
  unsigned depth = 0;

  while (node != NULL)
    {
      depth++;
      if (node->start > key)
	{
	  best = node;
	  node = node->left;
	}
      else
	node = node->right;
    }
  if (depth > DEEP)
    tree->root = splay (tree->root, key);
  return best;
}

struct gomp_splay_node *
gomp_splay_first (struct gomp_splay_tree *tree)
{
  if (tree->root == NULL)
    return NULL;
  return tree->root = splay (tree->root, 0);
}

struct gomp_splay_node *
gomp_splay_overlap (struct gomp_splay_tree *tree, uint64_t start, uint64_t end)
{
  struct gomp_splay_node *node = gomp_splay_floor (tree, start);
  if (node != NULL && node->end > start)
    return node;
  node = gomp_splay_above (tree, start);
  if (node != NULL && node->start < end)
    return node;
  return NULL;
}

void
gomp_splay_insert (struct gomp_splay_tree *tree, struct gomp_splay_node *node)
{
  node->left = node->right = NULL;
  if (tree->root != NULL)
    {
      struct gomp_splay_node *root = splay (tree->root, node->start);
      if (root->start < node->start)
	{
	  node->left = root;
	  node->right = root->right;
	  root->right = NULL;
	}
      else
	{
	  node->right = root;
	  node->left = root->left;
	  root->left = NULL;
	}
    }
  tree->root = node;
}

void
gomp_splay_remove (struct gomp_splay_tree *tree, struct gomp_splay_node *node)
{
  tree->root = splay (tree->root, node->start);
  if (node->left == NULL)
    tree->root = node->right;
  else
    {
      struct gomp_splay_node *rest = node->right;
      tree->root = splay (node->left, node->start);
      tree->root->right = rest;
    }
  node->left = node->right = NULL;
}
