/* range-tree.c -- the B+-tree of range-tree.h.

   A look-up among 100 000 objects that lie anywhere in memory costs what it misses in the caches.
   A binary tree misses on nearly each of its 17 levels, a splay tree writes to them as
   well.  Here the bounds of 20 intervals lie side by side in a leaf, inner nodes have up to
   28 children and stay in the cache: three or four nodes on the way, of which only the leaf is
   likely to be missed.  Objects are often mapped, used and unmapped in the order of their
   addresses: the tree tries the leaf of the last access (the finger) before it descends.

   Invariants
   1. Leaves are linked in order.  A leaf is not empty unless the tree is; then the root is an
      empty leaf, or NULL if there was never anything.
   2. Separator i of an inner node is greater than every start below children 0 to i, and not
      greater than any below the others.  It need not be one of them: removals leave it.
   3. A node that gets less than a quarter full is merged with a sibling if both fit into
      one.  So n intervals take O (n) memory, whatever was there before.
   4. Starts and separators behind those in use are UINT64_MAX, so that a search need not know
      how many there are.  */

#include "range-tree.h"
#include "libgomp.h"

#define LEAF_MAX 20
#define INNER_MAX 28
#define MAX_HEIGHT 16		/* a level more takes 14 times as many insertions */
#define NODE 512
#define KEEP_SLABS 16		/* nodes of some 30 000 intervals */

struct gomp_range_leaf
{
  _Alignas (64) struct gomp_range_leaf *prev;
  struct gomp_range_leaf *next;
  unsigned n;
  uint64_t start[LEAF_MAX], end[LEAF_MAX];
  struct gomp_range *range[LEAF_MAX];
};

struct inner
{
  _Alignas (64) unsigned n;	/* children */
  uint64_t separator[INNER_MAX];	/* one less than children; the last one is never used */
  void *child[INNER_MAX];
};

/* The way from the root to a leaf.  */
struct path
{
  struct inner *node[MAX_HEIGHT];	/* of each level, 0 is just above the leaves */
  unsigned at[MAX_HEIGHT];	/* index of the child that was taken */
};

_Static_assert (sizeof (struct gomp_range_leaf) <= NODE && sizeof (struct inner) <= NODE,
		"one pool for all nodes");

static void *
new_node (struct gomp_range_tree *tree)
{
  if (gomp_unlikely (tree->nodes.object == 0))
    {
      tree->nodes.object = NODE;
      tree->nodes.keep = KEEP_SLABS;
    }
  return gomp_slab_get (&tree->nodes);
}

/* How many of the SIZE ascending numbers at V are <= KEY.  SIZE is a constant and a multiple of 4.
   One look at every fourth of them, and one at four: all comparisons of a look are independent,
   and no branch is mispredicted half of the time, as those of a binary search are.  */
static inline __attribute__ ((always_inline)) unsigned
count_up_to (const uint64_t *v, unsigned size, uint64_t key)
{
  unsigned groups = 0;

#pragma GCC unroll 8
  for (unsigned i = 3; i + 4 < size; i += 4)
    groups += v[i] <= key;
  v += 4 * groups;
  return (4 * groups + (v[0] <= key) + (v[1] <= key) + (v[2] <= key) + (v[3] <= key));
}

/* The positions from N on are not in use (invariant 4).  */
static inline void
clear_from (uint64_t *v, unsigned n, unsigned size)
{
  for (; n < size; n++)
    v[n] = UINT64_MAX;
}

/* How many intervals of LEAF start at or below KEY.  */
static inline unsigned
place_in (const struct gomp_range_leaf *leaf, uint64_t key)
{
  unsigned i = count_up_to (leaf->start, LEAF_MAX, key);
  return i < leaf->n ? i : leaf->n;
}

/* The index of NODE's child for KEY.  */
static inline unsigned
child_for (const struct inner *node, uint64_t key)
{
  unsigned i = count_up_to (node->separator, INNER_MAX, key);
  return i < node->n ? i : node->n - 1;
}

/* Among many leaves this one is in no cache: ask for all of its lines at once instead of missing
   one after the other.  */
static inline void
prefetch_node (const void *node)
{
#pragma GCC unroll 8
  for (size_t i = 0; i < NODE; i += 64)
    __builtin_prefetch ((const char *) node + i, 0, 3);
}

/* The leaf below which KEY belongs; the tree has nodes.  */
static inline struct gomp_range_leaf *
descend (const struct gomp_range_tree *tree, uint64_t key)
{
  void *node = tree->root;
  for (unsigned level = tree->height; level > 0; level--)
    {
      const struct inner *inner = node;
      prefetch_node (inner);
      node = inner->child[child_for (inner, key)];
    }
  prefetch_node (node);
  return node;
}

static struct gomp_range_leaf *
descend_path (const struct gomp_range_tree *tree, uint64_t key, struct path *path)
{
  void *node = tree->root;
  for (unsigned level = tree->height; level-- > 0; )
    {
      struct inner *inner = node;
      path->node[level] = inner;
      path->at[level] = child_for (inner, key);
      node = inner->child[path->at[level]];
    }
  return node;
}

/* Does KEY surely lie below LEAF?  False for keys behind its last start, unless there is no
   other leaf: those may be below the next one.  */
static inline bool
is_below (const struct gomp_range_leaf *leaf, uint64_t key)
{
  return (key >= leaf->start[0]
	  && (key <= leaf->start[leaf->n - 1] || leaf->next == NULL));
}

/* The leaf for KEY, or NULL in a tree without nodes.  It becomes the finger.  */
static inline struct gomp_range_leaf *
find_leaf (struct gomp_range_tree *tree, uint64_t key)
{
  struct gomp_range_leaf *leaf = tree->finger;
  if (leaf != NULL && leaf->n > 0 && is_below (leaf, key))
    return leaf;
  if (tree->root == NULL)
    return NULL;
  return tree->finger = descend (tree, key);
}

/* ---- Look-ups ---- */

/* Position I of LEAF, which may be just behind its end.  */
static inline struct gomp_range *
at_position (const struct gomp_range_leaf *leaf, unsigned i)
{
  if (i < leaf->n)
    return leaf->range[i];
  return leaf->next != NULL ? leaf->next->range[0] : NULL;
}

struct gomp_range *
gomp_range_floor (struct gomp_range_tree *tree, uint64_t key)
{
  const struct gomp_range_leaf *leaf = find_leaf (tree, key);
  if (leaf == NULL)
    return NULL;
  unsigned i = place_in (leaf, key);
  if (i > 0)
    return leaf->range[i - 1];
  return leaf->prev != NULL ? leaf->prev->range[leaf->prev->n - 1] : NULL;
}

struct gomp_range *
gomp_range_above (struct gomp_range_tree *tree, uint64_t key)
{
  const struct gomp_range_leaf *leaf = find_leaf (tree, key);
  return leaf != NULL ? at_position (leaf, place_in (leaf, key)) : NULL;
}

struct gomp_range *
gomp_range_first (struct gomp_range_tree *tree)
{
  const struct gomp_range_leaf *leaf = tree->root != NULL ? descend (tree, 0) : NULL;
  return leaf != NULL ? at_position (leaf, 0) : NULL;
}

struct gomp_range *
gomp_range_at (struct gomp_range_tree *tree, uint64_t addr)
{
  /* Pointers on the stack are looked up with each section, lie behind everything that is mapped,
     and leave the finger where it is.  */
  if (addr < tree->low || addr >= tree->high)
    return NULL;
  const struct gomp_range_leaf *leaf = find_leaf (tree, addr);
  if (leaf == NULL)
    return NULL;
  unsigned i = place_in (leaf, addr);
  if (gomp_unlikely (i == 0))
    {
      leaf = leaf->prev;
      if (leaf == NULL)
	return NULL;
      i = leaf->n;
    }
  return leaf->end[i - 1] > addr ? leaf->range[i - 1] : NULL;
}

struct gomp_range *
gomp_range_overlap (struct gomp_range_tree *tree, uint64_t start, uint64_t end)
{
  if (end <= tree->low || start >= tree->high)
    return NULL;
  const struct gomp_range_leaf *leaf = find_leaf (tree, start);
  if (leaf == NULL)
    return NULL;
  unsigned i = place_in (leaf, start);
  if (gomp_likely (i > 0))
    {
      if (leaf->end[i - 1] > start)
	return leaf->range[i - 1];
    }
  else if (leaf->prev != NULL && leaf->prev->end[leaf->prev->n - 1] > start)
    return leaf->prev->range[leaf->prev->n - 1];
  if (i == leaf->n)
    {
      leaf = leaf->next;
      i = 0;
    }
  return leaf != NULL && i < leaf->n && leaf->start[i] < end ? leaf->range[i] : NULL;
}

/* ---- Insertion ---- */

static inline void
move (struct gomp_range_leaf *leaf, unsigned to, unsigned from)
{
  leaf->start[to] = leaf->start[from];
  leaf->end[to] = leaf->end[from];
  leaf->range[to] = leaf->range[from];
  /* Keep the compiler from making three calls of memmove of the loop around this: they would be
     mispredicted several times each, by the number of bytes.  */
  __asm__ volatile ("" : : : "memory");
}

/* Two elements, wherever they lie.  */
typedef uint64_t pair __attribute__ ((vector_size (16), aligned (8), may_alias));

/* Elements I to LEAF_MAX - 2 of V go one up.  All are stored, most of them unchanged: a loop that ends at I
   is mispredicted where addresses have no pattern, and until that shows the processor has gone
   ahead with what is wrong instead of the rest of the construct.  */
static inline __attribute__ ((always_inline)) void
shift_up (void *v, unsigned i)
{
  static const uint64_t behind[2 * LEAF_MAX] = { [LEAF_MAX ... 2 * LEAF_MAX - 1] = UINT64_MAX };
  const uint64_t *mask = &behind[LEAF_MAX - 1 - i];	/* of element k: is it behind I?  */
#pragma GCC unroll 10
  for (unsigned k = LEAF_MAX - 2; k > 0; k -= 2)
    {
      pair *to = (pair *) ((uint64_t *) v + k);
      pair old = *to, below = *(pair *) ((uint64_t *) v + k - 1);
      *to = old ^ ((old ^ below) & *(const pair *) (mask + k));
    }
  uint64_t *first = v;
  first[1] = i == 0 ? first[0] : first[1];
}

static inline void
put (struct gomp_range_leaf *leaf, unsigned i, struct gomp_range *range)
{
  if (i < leaf->n)
    {
      shift_up (leaf->start, i);
      shift_up (leaf->end, i);
      shift_up (leaf->range, i);
    }
  leaf->start[i] = range->start;
  leaf->end[i] = range->end;
  leaf->range[i] = range;
  leaf->n++;
}

/* Move COUNT intervals from position I of FROM to the end of TO.  */
static void
append (struct gomp_range_leaf *to, struct gomp_range_leaf *from, unsigned i, unsigned count)
{
  memcpy (&to->start[to->n], &from->start[i], count * sizeof (to->start[0]));
  memcpy (&to->end[to->n], &from->end[i], count * sizeof (to->end[0]));
  memcpy (&to->range[to->n], &from->range[i], count * sizeof (to->range[0]));
  to->n += count;
  from->n -= count;
  clear_from (from->start, from->n, from->n + count);
}

static void
put_child (struct inner *node, unsigned i, uint64_t separator, void *child)
{
  memmove (&node->child[i + 1], &node->child[i], (node->n - i) * sizeof (node->child[0]));
  memmove (&node->separator[i], &node->separator[i - 1],
	   (node->n - i) * sizeof (node->separator[0]));
  node->separator[i - 1] = separator;
  node->child[i] = child;
  node->n++;
}

/* CHILD has been split off the node that PATH leads to, and lies behind it, from SEPARATOR on.  */
static void
add_child (struct gomp_range_tree *tree, struct path *path, uint64_t separator, void *child)
{
  for (unsigned level = 0; level < tree->height; level++)
    {
      struct inner *node = path->node[level];
      unsigned i = path->at[level] + 1;
      if (node->n < INNER_MAX)
	{
	  put_child (node, i, separator, child);
	  return;
	}
      /* At the end of everything nodes stay full, since insertions in order come there.  */
      unsigned keep = i == INNER_MAX ? INNER_MAX - 1 : INNER_MAX / 2;
      struct inner *half = new_node (tree);
      uint64_t between = node->separator[keep - 1];
      half->n = INNER_MAX - keep;
      memcpy (half->child, &node->child[keep], half->n * sizeof (half->child[0]));
      memcpy (half->separator, &node->separator[keep],
	      (half->n - 1) * sizeof (half->separator[0]));
      clear_from (half->separator, half->n - 1, INNER_MAX);
      node->n = keep;
      clear_from (node->separator, keep - 1, INNER_MAX);
      if (i > keep)
	put_child (half, i - keep, separator, child);
      else
	put_child (node, i, separator, child);
      separator = between;
      child = half;
    }
  struct inner *root = new_node (tree);
  root->n = 2;
  root->child[0] = tree->root;
  root->child[1] = child;
  root->separator[0] = separator;
  clear_from (root->separator, 1, INNER_MAX);
  tree->root = root;
  tree->height++;
}

static struct gomp_range_leaf *
new_leaf (struct gomp_range_tree *tree, struct gomp_range_leaf *prev)
{
  struct gomp_range_leaf *leaf = new_node (tree);
  leaf->n = 0;
  clear_from (leaf->start, 0, LEAF_MAX);
  leaf->prev = prev;
  leaf->next = prev != NULL ? prev->next : NULL;
  if (leaf->next != NULL)
    leaf->next->prev = leaf;
  if (prev != NULL)
    prev->next = leaf;
  return leaf;
}

void
gomp_range_insert (struct gomp_range_tree *tree, struct gomp_range *range)
{
  uint64_t key = range->start;
  struct path path;

  if (gomp_unlikely (tree->root == NULL))
    tree->root = new_leaf (tree, NULL);
  if (tree->count++ == 0)
    {
      tree->low = key;
      tree->high = range->end;
    }
  else
    {
      if (key < tree->low)
	tree->low = key;
      if (range->end > tree->high)
	tree->high = range->end;
    }
  struct gomp_range_leaf *leaf = find_leaf (tree, key);
  unsigned i = place_in (leaf, key);
  if (gomp_likely (leaf->n < LEAF_MAX))
    {
      put (leaf, i, range);
      return;
    }
  descend_path (tree, key, &path);
  struct gomp_range_leaf *half = new_leaf (tree, leaf);
  /* As in add_child.  */
  unsigned keep = i == LEAF_MAX && half->next == NULL ? LEAF_MAX : LEAF_MAX / 2;
  append (half, leaf, keep, LEAF_MAX - keep);
  if (i > keep || keep == LEAF_MAX)
    {
      put (half, i - keep, range);
      tree->finger = half;
    }
  else
    put (leaf, i, range);
  add_child (tree, &path, half->start[0], half);
}

/* ---- Removal ---- */

static void
drop_child (struct inner *node, unsigned i)
{
  unsigned s = i > 0 ? i - 1 : 0;	/* the separator that goes */
  node->n--;
  memmove (&node->child[i], &node->child[i + 1], (node->n - i) * sizeof (node->child[0]));
  if (node->n > 0)
    {
      memmove (&node->separator[s], &node->separator[s + 1],
	       (node->n - 1 - s) * sizeof (node->separator[0]));
      node->separator[node->n - 1] = UINT64_MAX;
    }
}

/* LEAF, child I of PARENT, has become small.  True: PARENT has a child less.  */
static bool
shrink_leaf (struct gomp_range_tree *tree, struct inner *parent, unsigned i)
{
  struct gomp_range_leaf *gone, *leaf = parent->child[i];

  if (leaf->n == 0)
    gone = leaf;
  else
    {
      /* Merge the right one of two neighbours into the left one.  */
      if (i + 1 == parent->n)
	{
	  if (i == 0)
	    return false;
	  leaf = parent->child[--i];
	}
      gone = parent->child[++i];
      if (leaf->n + gone->n > LEAF_MAX)
	return false;
      append (leaf, gone, 0, gone->n);
    }
  if (gone->prev != NULL)
    gone->prev->next = gone->next;
  if (gone->next != NULL)
    gone->next->prev = gone->prev;
  gomp_slab_put (&tree->nodes, gone);
  tree->finger = NULL;
  drop_child (parent, i);
  return true;
}

/* The same one level up and higher: NODE is child I of PARENT.  */
static bool
shrink_inner (struct gomp_range_tree *tree, struct inner *parent, unsigned i)
{
  struct inner *gone, *node = parent->child[i];

  if (node->n == 0)
    gone = node;
  else
    {
      if (i + 1 == parent->n)
	{
	  if (i == 0)
	    return false;
	  node = parent->child[--i];
	}
      gone = parent->child[++i];
      if (node->n + gone->n > INNER_MAX)
	return false;
      node->separator[node->n - 1] = parent->separator[i - 1];
      memcpy (&node->separator[node->n], gone->separator,
	      (gone->n - 1) * sizeof (gone->separator[0]));
      memcpy (&node->child[node->n], gone->child, gone->n * sizeof (gone->child[0]));
      node->n += gone->n;
    }
  gomp_slab_put (&tree->nodes, gone);
  drop_child (parent, i);
  return true;
}

/* The leaf below which KEY was is small.  */
static void __attribute__ ((noinline))
shrink (struct gomp_range_tree *tree, uint64_t key)
{
  struct path path;
  unsigned level = 0;

  descend_path (tree, key, &path);
  bool less = shrink_leaf (tree, path.node[0], path.at[0]);
  while (less && level + 1 < tree->height && path.node[level]->n < INNER_MAX / 4)
    {
      level++;
      less = shrink_inner (tree, path.node[level], path.at[level]);
    }
  while (tree->height > 0 && ((struct inner *) tree->root)->n == 1)
    {
      struct inner *root = tree->root;
      tree->root = root->child[0];
      tree->height--;
      gomp_slab_put (&tree->nodes, root);
    }
  if (tree->height > 0 && ((struct inner *) tree->root)->n == 0)
    {
      gomp_slab_put (&tree->nodes, tree->root);
      tree->root = NULL;
      tree->height = 0;
    }
}

void
gomp_range_remove (struct gomp_range_tree *tree, struct gomp_range *range)
{
  uint64_t key = range->start;
  struct gomp_range_leaf *leaf = find_leaf (tree, key);
  unsigned i = place_in (leaf, key) - 1;
#if GOMP_CHECKING
  if (leaf->range[i] != range)
    gomp_internal_fatal ("internal error: the range [%p..%p) is not in its tree", (void *) range->start,
			 (void *) range->end);
#endif
  unsigned n = --leaf->n;

  tree->count--;
  for (unsigned k = i; k < n; k++)
    move (leaf, k, k + 1);
  leaf->start[n] = UINT64_MAX;
  if (gomp_unlikely (n < LEAF_MAX / 4) && tree->height > 0)
    shrink (tree, key);
}
