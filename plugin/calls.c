/* calls.c -- which functions of the host device code may call, by the device addresses of their
   counterparts there.

   Part of each plugin of GPUs.  Its image file notes the functions of an image when it has been loaded
   and forgets them with it; slots.c and the plugin's reverse file ask for every call.

   Invariants
   1. An image's functions are sorted and do not change while they are in the list.
   2. An image is not forgotten while its code is calling.  So what a thread has found once may be used
      again as long as plugin_calls_xchanges is the same.  */

#include "calls.h"

#include <stdlib.h>

struct callee
{
  uint64_t address;		/* on the device */
  size_t index;			/* in the host's table */
};

struct plugin_callees
{
  struct plugin_callees *next;
  struct gomp_plugin_image *image;
  size_t num;
  struct callee callees[];	/* by address */
};

_Atomic unsigned plugin_calls_xchanges;

static int
by_address (const void *a, const void *b)
{
  uint64_t x = ((const struct callee *) a)->address;
  uint64_t y = ((const struct callee *) b)->address;
  return x < y ? -1 : x > y;
}

bool
plugin_calls_note (struct plugin_calls *calls, struct gomp_plugin_image *image, const uint64_t *table,
		   size_t num)
{
  struct plugin_callees *c = malloc (sizeof (*c) + num * sizeof (c->callees[0]));
  if (c == NULL)
    return false;
  c->image = image;
  c->num = 0;
  for (size_t i = 0; i < num; i++)
    if (table[i] != 0)
      c->callees[c->num++] = (struct callee) { table[i], i };
  qsort (c->callees, c->num, sizeof (c->callees[0]), by_address);
  pthread_mutex_lock (calls->lock);
  c->next = calls->list;
  calls->list = c;
  atomic_fetch_add_explicit (&plugin_calls_xchanges, 1, memory_order_relaxed);
  pthread_mutex_unlock (calls->lock);
  return true;
}

void
plugin_calls_forget (struct plugin_calls *calls, struct gomp_plugin_image *image)
{
  struct plugin_callees **p = &calls->list;

  pthread_mutex_lock (calls->lock);
  while (*p != NULL)
    if ((*p)->image == image)
      {
	struct plugin_callees *found = *p;
	*p = found->next;
	atomic_fetch_add_explicit (&plugin_calls_xchanges, 1, memory_order_relaxed);
	free (found);
      }
    else
      p = &(*p)->next;
  pthread_mutex_unlock (calls->lock);
}

struct plugin_called *
plugin_calls_last (void)
{
  static __thread struct plugin_called last;
  return &last;
}

void
plugin_calls_search (struct plugin_calls *calls, uint64_t address, struct plugin_called *called)
{
  const struct callee key = { .address = address }, *found = NULL;
  /* Relaxed: invariant 2.  Before the list: what changes it meanwhile makes the answer an old one.  */
  unsigned changes = atomic_load_explicit (&plugin_calls_xchanges, memory_order_relaxed);

  *called = (struct plugin_called) { .calls = calls, .address = address, .changes = changes };
  pthread_mutex_lock (calls->lock);
  for (struct plugin_callees *c = calls->list; c != NULL && found == NULL; c = c->next)
    {
      found = bsearch (&key, c->callees, c->num, sizeof (key), by_address);
      if (found != NULL)
	{
	  called->image = c->image;
	  called->index = found->index;
	}
    }
  pthread_mutex_unlock (calls->lock);
}
