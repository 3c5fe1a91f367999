/* map-plan.c -- the life of a plan: a thread's arrays, decoding, pins, planned copies, the end.

   What is common to the planning of all constructs.  map-plan.h tells the whole story.  */

#include "image.h"
#include "map-plan.h"
#include "ompt-target.h"
#include "plugin/thread-own.h"
#include "trace.h"

#include <pthread.h>

/* Arrays larger than this are not kept for the next construct.  */
#define KEEP_BYTES ((size_t) 1 << 20)

/* More elements of an iterator than fit on any stack.  */
#define MAX_ELEMENTS (UINT64_C (1) << 28)
/* No frame of a function is larger.  */
#define FRAME_REACH (UINT64_C (64) << 20)

/* Plans of target tasks that are complete; protected by the lock.  */
enum { KEEP_PLANS = 64 };
static gomp_mutex_t spare_lock;
static struct gomp_map_plan *spare_plans[KEEP_PLANS];
static unsigned num_spare_plans;
static pthread_key_t plan_key;
static pthread_once_t plan_once = PTHREAD_ONCE_INIT;

#define FOR_EACH_VEC(plan, do_it)					\
  do									\
    {									\
      do_it ((plan)->items);						\
      do_it ((plan)->touches);						\
      do_it ((plan)->exits);						\
      do_it ((plan)->to);						\
      do_it ((plan)->from);						\
      do_it ((plan)->packed);						\
      do_it ((plan)->unpacked);						\
      do_it ((plan)->stores);						\
      do_it ((plan)->detached);						\
      do_it ((plan)->changes);						\
      do_it ((plan)->fills);						\
      do_it ((plan)->leavers);						\
    }									\
  while (0)

void *
gomp_vec_grow (void *v, size_t *cap, size_t need, size_t element)
{
  size_t n = *cap ? *cap : 16;
  while (n < need)
    n *= 2;
  v = gomp_realloc_array (v, n, element);
  *cap = n;
  if (gomp_unlikely (n * element > KEEP_BYTES))
    gomp_own ()->has_large = true;
  return v;
}

static void
free_plan (void *arg)
{
  struct gomp_map_plan *plan = arg;
#define FREE_VEC(vec) free ((vec).v)
  FOR_EACH_VEC (plan, FREE_VEC);
  gomp_staging_block_drop (&plan->block);
  free (plan->spare_batch);
  free (plan);
}

static void
free_thread_plan (void *arg)
{
  struct gomp_own *own = gomp_own_block;
  if (own != NULL && own->plan == arg)
    own->plan = NULL;
  free_plan (arg);
}

static void
make_key (void)
{
  if (pthread_key_create (&plan_key, free_thread_plan) != 0)
    gomp_fatal ("pthread_key_create failed");
}

struct gomp_map_plan *
gomp_map_plan_get (struct gomp_device *dev, enum gomp_map_directive directive,
		   const struct gomp_region_note *note)
{
  struct gomp_own *own = gomp_own ();
  struct gomp_map_plan *plan = own->plan;

  if (gomp_unlikely (plan == NULL))
    {
      pthread_once (&plan_once, make_key);
      /* One is there when a helper is at its end.  */
      own->plan = plan = pthread_getspecific (plan_key);
      if (plan == NULL)
	{
	  plan = gomp_calloc (1, sizeof (*plan));
	  if (pthread_setspecific (plan_key, plan) == 0)
	    own->plan = plan;
	}
    }
  else if (gomp_unlikely (plan->busy))
    /* A construct inside of another one of this thread, while that one waits.  */
    plan = gomp_calloc (1, sizeof (*plan));
  plan->busy = true;
  plan->dev = dev;
  plan->directive = directive;
  plan->note = note;
  return plan;
}

struct gomp_map_plan *
gomp_map_plan_deferred (struct gomp_device *dev, enum gomp_map_directive directive,
			const struct gomp_region_note *note)
{
  struct gomp_map_plan *plan = NULL;

  gomp_mutex_lock (&spare_lock);
  if (num_spare_plans > 0)
    plan = spare_plans[--num_spare_plans];
  gomp_mutex_unlock (&spare_lock);
  if (plan == NULL)
    plan = gomp_calloc (1, sizeof (*plan));
  plan->dev = dev;
  plan->directive = directive;
  plan->note = note;
  plan->deferred = true;
  return plan;
}

static void
reset_plan (struct gomp_map_plan *plan)
{
#define RESET_VEC(vec) (vec).n = 0
  FOR_EACH_VEC (plan, RESET_VEC);
#define DROP_LARGE(vec)							\
  do									\
    if ((vec).cap * sizeof (*(vec).v) > KEEP_BYTES)			\
      {									\
	free ((vec).v);							\
	(vec).v = NULL;							\
	(vec).cap = 0;							\
      }									\
  while (0)
  /* The plan of a task may have grown in another thread.  */
  struct gomp_own *own = gomp_own ();
  if (gomp_unlikely (own->has_large) || plan->deferred)
    {
      FOR_EACH_VEC (plan, DROP_LARGE);
      if (!plan->deferred)
	own->has_large = false;
    }
  if (gomp_unlikely (plan->block.size > KEEP_BYTES))
    gomp_staging_block_drop (&plan->block);
  plan->mapnum = 0;
  plan->ops = 0;
  plan->new_blocks = NULL;
  plan->chunk = NULL;
  plan->holds_chunk = false;
  plan->staged_size = plan->back_start = plan->back_size = 0;
  plan->args = 0;
  plan->keep_pins = plan->has_detach = false;
  plan->attaches = false;
  plan->busy = false;
}

void
gomp_map_plan_put (struct gomp_map_plan *plan)
{
  bool kept = false;

  if (gomp_likely (plan == gomp_own ()->plan))
    {
      reset_plan (plan);
      return;
    }
  if (plan->deferred)
    {
      reset_plan (plan);
      plan->one_phase = false;
      plan->flight = NULL;
      gomp_mutex_lock (&spare_lock);
      if (num_spare_plans < KEEP_PLANS)
	{
	  spare_plans[num_spare_plans++] = plan;
	  kept = true;
	}
      gomp_mutex_unlock (&spare_lock);
    }
  if (!kept)
    free_plan (plan);
}

void
gomp_map_work_on (struct gomp_map_plan *plan)
{
  gomp_own ()->deferred_plan = plan;
}

void
gomp_map_abandon (void)
{
  const struct gomp_own *own = gomp_own_now ();
  if (own->deferred_plan != NULL && own->deferred_plan->batch != NULL)
    gomp_map_batch_abandon (own->deferred_plan->batch);
  if (own->deferred_plan != NULL && own->deferred_plan->flight != NULL)
    gomp_map_batch_abandon (own->deferred_plan->flight);
  if (own->plan != NULL && own->plan->busy && own->plan->batch != NULL)
    gomp_map_batch_abandon (own->plan->batch);
}

/* ---- Decoding ---- */

static void __attribute__ ((noreturn, cold))
unhandled_kind (const struct gomp_map_plan *plan, unsigned kind, size_t i, const void *addr)
{
  const char *who = (plan->directive & (GOMP_DIR_ENTER | GOMP_DIR_EXIT)
		     ? "GOMP_target_enter_exit_data" : "gomp_map_vars_internal:");
  gomp_fatal ("%s unhandled kind 0x%.2x (list item %zu at %p, directive %s, called from %s)", who,
	      kind & 0xff, i, addr, plan->note->construct, gomp_call_name (plan->note->call_site));
}

static struct gomp_map_item *
push_item (struct gomp_map_plan *plan, const struct gomp_map_item *form, const void *addr,
	   uint64_t size)
{
  struct gomp_map_item *item = gomp_vec_push (&plan->items);
  *item = *form;
  item->host = (uint64_t) addr;
  item->size = size;
  if (addr == NULL)
    item->op = GOMP_OP_NONE;	/* the slot is NULL; the size may be garbage */
  plan->ops |= GOMP_OP_BIT (item->op);
  return item;
}

/* WORDS is {count, address, size, address, size ...}.  */
static void
expand_iterator (struct gomp_map_plan *plan, const struct gomp_map_item *form,
		 void *const *words)
{
  struct gomp_map_item element = *form;
  uint64_t count = (uint64_t) words[0];

  if (count == 0)
    push_item (plan, &element, NULL, 0);	/* nothing is mapped, but there is a slot */
  for (uint64_t i = 0; i < count; i++)
    {
      push_item (plan, &element, words[2 * i + 1], (uint64_t) words[2 * i + 2]);
      element.flags |= GOMP_ITEM_REPEAT;
    }
}

/* The size of such an item says where the section starts that its pointer belongs to.  */
static inline bool
size_is_bias (const struct gomp_map_item *item)
{
  return (item->op == GOMP_OP_ATTACH || item->op == GOMP_OP_DETACH || item->op == GOMP_OP_POINTER
	  || item->op == GOMP_OP_STORE_POINTER);
}

/* Compilers keep the words of an iterator in the frame of the function that has the construct.  */
static inline bool
is_near (const void *a, const void *b)
{
  return (uintptr_t) a - (uintptr_t) b + FRAME_REACH <= 2 * FRAME_REACH;
}

/* Item I, FORM, has the size SIZE_MAX: does its address lead to the words of an iterator?  It may
   be a section of length -1, where the program's own data would be taken for a count.  Of a
   pointer only if data before it has an iterator of the same length.  It may be the bias of char *p
   in map(p[-1:n]); and GCC 16 passes &q itself for the pointer q of map(iterator(...): q[i][:n]):
   then *BIAS (out) is 0, since q is meant, not one of the sections.  */
static bool
is_iterator (const struct gomp_map_plan *plan, const struct gomp_map_item *form, size_t i,
	     void *const *hostaddrs, const size_t *sizes, const unsigned short *kinds,
	     uint64_t *bias)
{
  struct gomp_map_item earlier;
  uint64_t count;

  if (hostaddrs[i] == NULL || form->op == GOMP_OP_VALUE)
    return false;
  memcpy (&count, hostaddrs[i], sizeof (count));
  /* HOSTADDRS may be a task's copy, and frames may be on a heap of a sanitizer.  */
  if (!size_is_bias (form))
    return count <= MAX_ELEMENTS && (is_near (hostaddrs[i], __builtin_frame_address (0))
				     || is_near (hostaddrs[i], hostaddrs));
  for (size_t k = 0; k < i; k++)
    if (sizes[k] == SIZE_MAX && hostaddrs[k] != NULL
	&& gomp_map_translate (kinds[k], plan->directive, &earlier) && !size_is_bias (&earlier)
	&& earlier.op != GOMP_OP_VALUE)
      {
	*bias = 0;
	if (memcmp (hostaddrs[k], &count, sizeof (count)) == 0)
	  return true;
      }
  return false;
}

void
gomp_map_decode (struct gomp_map_plan *plan, size_t mapnum, void **hostaddrs, const size_t *sizes,
		 const unsigned short *kinds)
{
  plan->mapnum = mapnum;
  plan->hostaddrs = hostaddrs;
  for (size_t i = 0; i < mapnum; i++)
    {
      /* Most items are what they look like: made in place.  */
      struct gomp_map_item *item = gomp_vec_push (&plan->items);
      if (!gomp_map_translate (kinds[i], plan->directive, item))
	unhandled_kind (plan, kinds[i], i, hostaddrs[i]);
      item->slot = i;
      item->host = (uint64_t) hostaddrs[i];
      item->size = sizes[i];
      item->value = 0;
      item->entry = NULL;
      /* Its data is gathered when everything has been planned: by then it is in the cache, however far
	 from the last construct's it lies.  */
      if (item->flags & GOMP_ITEM_TO)
	__builtin_prefetch (hostaddrs[i], 0, 3);
      /* Constant tables are mapped tofrom implicitly: there is nothing to copy back, and nowhere
	 to copy it to.  */
      if ((item->flags & GOMP_ITEM_FROM) && sizes[i] != SIZE_MAX
	  && gomp_unlikely (gomp_executable_read_only (item->host, item->host + item->size)))
	item->flags &= ~GOMP_ITEM_FROM;
      /* No device asks for more than a page, and no shift is undefined.  */
      if (gomp_unlikely (item->log2_align > 30))
	item->log2_align = 30;
      if (item->op == GOMP_OP_ATTACH && i > 0 && hostaddrs[i] != NULL
	  && gomp_map_kind_is_private (kinds[i - 1]) && plan->directive == GOMP_DIR_TARGET)
	item->flags |= GOMP_ITEM_CONSUMED;
      if (gomp_unlikely (sizes[i] == SIZE_MAX)
	  && is_iterator (plan, item, i, hostaddrs, sizes, kinds, &item->size))
	{
	  const struct gomp_map_item form = *item;
	  plan->items.n--;
	  expand_iterator (plan, &form, hostaddrs[i]);
	  continue;
	}
      if (gomp_unlikely (hostaddrs[i] == NULL))
	item->op = GOMP_OP_NONE;	/* the slot is NULL; the size may be garbage */
      plan->ops |= GOMP_OP_BIT (item->op);
    }
}

/* ---- Under the lock ---- */

void
gomp_map_lock (struct gomp_map_plan *plan)
{
  struct gomp_device *dev = plan->dev;

  plan->trace = gomp_trace_begin (GOMP_TRACE_MAP, dev, "plan the mapping");
  gomp_lock_ranked (&dev->map_lock, GOMP_RANK_MAP);
  struct gomp_map_table *table = dev->maps;
  plan->construct = ++table->last_construct;
  plan->settled = plan->has_fills = false;
  if (gomp_unlikely (table->first_thread != gomp_map_thread ()))
    {
      if (table->first_thread == NULL)
	table->first_thread = gomp_map_thread ();
      else
	table->several_threads = true;
    }
  /* Another construct of the same thread may come before a target task is complete.  */
  if (gomp_unlikely (plan->deferred))
    table->several_threads = true;
  plan->several_threads = table->several_threads;
}

void
gomp_map_unlock (struct gomp_map_plan *plan)
{
  gomp_unlock_ranked (&plan->dev->map_lock, GOMP_RANK_MAP);
}

static void
await (struct gomp_map_batch *batch, struct gomp_map_batch ***v, size_t *n, size_t *cap)
{
  for (size_t i = *n; i-- > 0; )
    if ((*v)[i] == batch)
      return;
  if (*n == *cap)
    *v = gomp_vec_grow (*v, cap, *n + 1, sizeof (**v));
  (*v)[(*n)++] = batch;
  /* Relaxed: the lock orders it before any decrement that could be the last.  */
  gomp_add_relaxed (&batch->xrefs, 1);
}

void
gomp_map_await_fill (struct gomp_map_plan *plan, struct gomp_map_block *block)
{
  if (gomp_unlikely (block->fill != NULL) && block->fill != plan->batch)
    await (block->fill, &plan->fills.v, &plan->fills.n, &plan->fills.cap);
}

void
gomp_map_await_leavers (struct gomp_map_plan *plan, uint64_t start, uint64_t end)
{
  struct gomp_map_block *block = plan->dev->maps->leaving;
  for (; gomp_unlikely (block != NULL); block = block->leaving_next)
    if (block->host < end && block->host + block->size > start)
      await (block->leaving, &plan->leavers.v, &plan->leavers.n, &plan->leavers.cap);
}

struct gomp_map_touch *
gomp_map_first_touch (struct gomp_map_plan *plan, struct gomp_map_block *block)
{
  block->touched = plan->construct;
  block->touch_index = plan->touches.n;
  struct gomp_map_touch *touch = gomp_vec_push (&plan->touches);
  touch->block = block;
  touch->counted = touch->others = false;
  block->pins++;
  gomp_map_await_fill (plan, block);
  if (gomp_unlikely (block->leaving != NULL) && block->leaving != plan->batch)
    await (block->leaving, &plan->leavers.v, &plan->leavers.n, &plan->leavers.cap);
  return touch;
}

void
gomp_map_await_batch (struct gomp_map_plan *plan, struct gomp_map_batch *batch)
{
  await (batch, &plan->fills.v, &plan->fills.n, &plan->fills.cap);
}

void
gomp_map_await_users (struct gomp_map_plan *plan, struct gomp_map_block *block)
{
  struct gomp_map_plan *user = plan->dev->maps->users;
  for (; gomp_unlikely (user != NULL); user = user->user_next)
    for (size_t i = 0; user != plan && i < user->touches.n; i++)
      if (user->touches.v[i].block == block)
	{
	  gomp_map_await_batch (plan, user->flight);
	  break;
	}
}

struct gomp_map_batch *
gomp_map_batch (struct gomp_map_plan *plan)
{
  if (plan->batch == NULL)
    {
      plan->batch = (plan->spare_batch != NULL ? gomp_map_batch_again (plan->spare_batch)
		     : gomp_map_batch_new ());
      plan->spare_batch = NULL;
      if (gomp_unlikely (plan->deferred))
	plan->batch->owner = NULL;
    }
  return plan->batch;
}

void
gomp_map_writes (struct gomp_map_plan *plan, struct gomp_map_block *block)
{
  /* The construct waits for an earlier fill itself: whoever waits for this one has waited for
     both.  */
  gomp_map_await_fill (plan, block);
  gomp_map_set_fill (block, gomp_map_batch (plan));
  plan->has_fills = true;
}

/* ---- Look-ups through the cache ---- */

static struct gomp_map_entry *
remember (struct gomp_map_plan *plan, const struct gomp_map_table *table, uint64_t start,
	  struct gomp_map_entry *entry)
{
  /* What this very construct has made may be short-lived: its end would empty every cache.  */
  if (entry != NULL && entry->block->touched != plan->construct)
    {
      size_t slot = gomp_map_cache_slot (start);
      entry->cached = true;
      plan->cache[slot].serial = table->serial;
      plan->cache[slot].generation = table->generation;
      plan->cache[slot].start = start;
      plan->cache[slot].entry = entry;
    }
  return entry;
}

struct gomp_map_entry *
gomp_map_lookup_range (struct gomp_map_plan *plan, uint64_t start, uint64_t end)
{
  struct gomp_map_table *table = plan->dev->maps;
  struct gomp_map_entry *entry = gomp_map_cached (plan, start, end);
  return entry ? entry : remember (plan, table, start, gomp_map_find_range (table, start, end));
}

struct gomp_map_entry *
gomp_map_lookup_byte (struct gomp_map_plan *plan, uint64_t addr)
{
  struct gomp_map_table *table = plan->dev->maps;
  struct gomp_map_entry *entry = gomp_map_cached (plan, addr, addr + 1);
  return entry ? entry : remember (plan, table, addr, gomp_map_find_byte (table, addr));
}

/* ---- Planned copies ---- */

/* Does DEV lie in the part [START, START + SIZE) of the plan's own chunk?  */
static inline bool
in_chunk (const struct gomp_map_plan *plan, const struct gomp_map_block *block, gomp_devptr_t dev,
	  size_t start, size_t size)
{
  return (plan->chunk != NULL && block->chunk == plan->chunk
	  && dev - (plan->base + start) < size);
}

/* One copy may go to several places with the same answer.  Variables of an image, and what programs have
   associated, are memory of their own, even where they touch: drivers refuse a copy that goes
   from one allocation, or variable, into the next.  */
static inline const void *
memory_of (const struct gomp_map_block *block)
{
  return block->chunk != NULL ? (const void *) block->chunk : block;
}

static void
copy_piece_to (struct gomp_map_plan *plan, struct gomp_map_entry *entry, uint64_t start,
	       uint64_t end)
{
  gomp_devptr_t dev = gomp_map_dev (entry->block, start);
  struct gomp_xfer *xfer;

  if (start >= end)
    return;
  if (in_chunk (plan, entry->block, dev, 0, plan->staged_size))
    xfer = gomp_vec_push (&plan->packed);
  else
    {
      const void *memory = memory_of (entry->block);
      if (plan->to.n > 0 && plan->to_memory == memory)
	{
	  /* Neighbours go together.  */
	  xfer = &plan->to.v[plan->to.n - 1];
	  if (xfer->dev + xfer->size == dev && (uint64_t) xfer->host + xfer->size == start)
	    {
	      xfer->size += end - start;
	      return;
	    }
	}
      xfer = gomp_vec_push (&plan->to);
      plan->to_memory = memory;
    }
  xfer->dev = dev;
  xfer->host = (void *) start;
  xfer->size = end - start;
}

static void
copy_piece_from (struct gomp_map_plan *plan, struct gomp_map_entry *entry, uint64_t start,
		 uint64_t end)
{
  gomp_devptr_t dev = gomp_map_dev (entry->block, start);
  struct gomp_xfer *xfer;

  if (start >= end)
    return;
  if (in_chunk (plan, entry->block, dev, plan->back_start, plan->back_size))
    xfer = gomp_vec_push (&plan->unpacked);
  else
    xfer = gomp_vec_push (&plan->from);
  xfer->dev = dev;
  xfer->host = (void *) start;
  xfer->size = end - start;
}

/* Call PIECE for what of [START, END) is not an attached pointer.  */
static inline void
without_pointers (struct gomp_map_plan *plan, struct gomp_map_entry *entry, uint64_t start,
		  uint64_t end, void (*piece) (struct gomp_map_plan *, struct gomp_map_entry *,
					       uint64_t, uint64_t))
{
  if (gomp_unlikely (entry->attached.root != NULL))
    {
      struct gomp_map_attach *attach;
      while ((attach = gomp_map_next_attach (entry, start)) != NULL && attach->node.start < end)
	{
	  piece (plan, entry, start, attach->node.start);
	  start = attach->node.end;
	}
    }
  piece (plan, entry, start, end);
}

void
gomp_map_copy_to (struct gomp_map_plan *plan, struct gomp_map_entry *entry, uint64_t start,
		  uint64_t end)
{
  without_pointers (plan, entry, start, end, copy_piece_to);
}

void
gomp_map_copy_from (struct gomp_map_plan *plan, struct gomp_map_entry *entry, uint64_t start,
		    uint64_t end)
{
  without_pointers (plan, entry, start, end, copy_piece_from);
}

void
gomp_map_store_word (struct gomp_map_plan *plan, gomp_devptr_t dev, uint64_t value)
{
  struct gomp_store *store = gomp_vec_push (&plan->stores);
  store->dev = dev;
  store->value = value;
}

/* ---- The end ---- */

void
gomp_map_complete (struct gomp_map_plan *plan)
{
  if (plan->batch == NULL)
    return;
  for (size_t i = 0; i < plan->touches.n; i++)
    {
      struct gomp_map_block *block = plan->touches.v[i].block;
      if (gomp_unlikely (block->leaving != NULL) && block->leaving == plan->batch)
	gomp_map_has_left (block);
    }
  gomp_map_batch_done (plan->batch);
  /* Acquire: who waited for it is finished with it.  New ones need the lock to find it.  */
  if (plan->spare_batch == NULL && plan->batch->event == NULL
      && gomp_load_acquire (&plan->batch->xrefs) == 1)
    plan->spare_batch = plan->batch;
  else
    gomp_map_batch_unref (plan->dev, plan->batch);
  plan->batch = NULL;
}

void
gomp_map_settle (struct gomp_map_plan *plan)
{
  gomp_map_complete (plan);
  if (!plan->keep_pins)
    {
      if (gomp_unlikely (plan->user_prevp != NULL))
	{
	  *plan->user_prevp = plan->user_next;
	  if (plan->user_next != NULL)
	    plan->user_next->user_prevp = plan->user_prevp;
	  plan->user_prevp = NULL;
	}
      for (size_t i = 0; i < plan->touches.n; i++)
	gomp_map_unpin (plan->dev->maps, plan->touches.v[i].block, &plan->garbage);
      plan->touches.n = 0;
      if (plan->holds_chunk)
	{
	  plan->holds_chunk = false;
	  gomp_map_chunk_unref (plan->chunk, &plan->garbage);
	}
    }
  plan->settled = true;
}

/* How many of the N copies back at XFERS remain without those to read-only memory.  */
static size_t
without_read_only (struct gomp_xfer *xfers, size_t n)
{
  size_t kept = 0;

  for (size_t i = 0; i < n; i++)
    if (gomp_likely (!gomp_memory_read_only ((uintptr_t) xfers[i].host,
					     (uintptr_t) xfers[i].host + xfers[i].size)))
      xfers[kept++] = xfers[i];
  return kept;
}

void
gomp_map_planned (struct gomp_map_plan *plan)
{
  if (!gomp_xfer_needed (plan))
    gomp_map_settle (plan);
  gomp_map_unlock (plan);
  if ((plan->from.n | plan->unpacked.n) != 0)
    {
      /* Constant tables of libraries, and elements of iterators: see gomp_map_decode.  */
      gomp_read_only_refresh ();
      plan->from.n = without_read_only (plan->from.v, plan->from.n);
      plan->unpacked.n = without_read_only (plan->unpacked.v, plan->unpacked.n);
    }
  if (gomp_unlikely (plan->notes.n > 0))
    {
      gomp_ompt_map (plan->notes.v, plan->notes.n, plan->note->call_site);
      plan->notes.n = 0;
    }
  gomp_trace_count (plan->trace, plan->touches.n);
  gomp_trace_end (plan->trace);
}

void
gomp_map_begin (struct gomp_map_plan *plan)
{
  switch (plan->directive)
    {
    case GOMP_DIR_UPDATE:
      gomp_map_update (plan);
      break;
    case GOMP_DIR_EXIT:
      gomp_map_exit (plan);
      break;
    default:
      gomp_map_enter (plan);
      break;
    }
}

void
gomp_map_changed (struct gomp_map_plan *plan, const struct gomp_map_block *block, bool gone)
{
  *gomp_vec_push (&plan->changes) = (struct gomp_map_change) {
    .host = block->host, .size = block->size, .dev = block->dev, .gone = gone
  };
}

void
gomp_map_mapped (struct gomp_map_plan *plan, const struct gomp_map_item *item,
		 const struct gomp_map_entry *entry)
{
  unsigned flags = 0;

  if (item->op == GOMP_OP_RELEASE)
    flags = ompt_target_map_flag_release;
  else if (item->op == GOMP_OP_DELETE)
    flags = ompt_target_map_flag_delete;
  if (item->flags & GOMP_ITEM_TO)
    flags |= ompt_target_map_flag_to;
  if (item->flags & GOMP_ITEM_FROM)
    flags |= ompt_target_map_flag_from;
  if (flags == 0)
    flags = ompt_target_map_flag_alloc;
  if (item->flags & GOMP_ITEM_IMPLICIT)
    flags |= ompt_target_map_flag_implicit;
  *gomp_vec_push (&plan->notes) = (struct gomp_map_note) {
    .host = item->host, .flags = flags,
    .size = item->op == GOMP_OP_POINTER ? sizeof (void *) : item->size,
    .dev = entry != NULL ? gomp_map_dev (entry->block, item->host) : 0
  };
}

void
gomp_map_report (struct gomp_map_plan *plan)
{
  /* New ones are noted newest first.  */
  for (size_t i = plan->changes.n; i-- > 0; )
    {
      const struct gomp_map_change *c = &plan->changes.v[i];
      if (c->gone)
	gomp_ompt_op (ompt_target_data_delete, plan->dev, c->dev, NULL, c->host, c->size, NULL);
      else
	gomp_ompt_op (ompt_target_data_alloc, NULL, c->host, plan->dev, c->dev, c->size, NULL);
    }
  plan->changes.n = 0;
}

void
gomp_map_finish (struct gomp_map_plan *plan)
{
  if (!plan->settled)
    {
      gomp_lock_ranked (&plan->dev->map_lock, GOMP_RANK_MAP);
      gomp_map_settle (plan);
      gomp_map_unlock (plan);
    }
  if (plan->garbage != NULL)
    {
      gomp_map_free_chunks (plan->dev, plan->garbage);
      plan->garbage = NULL;
    }
  if (gomp_unlikely (plan->changes.n > 0))
    gomp_map_report (plan);
}

struct gomp_map_record *
gomp_map_suspend (struct gomp_map_plan *plan)
{
  size_t touches = plan->touches.n * sizeof (struct gomp_map_touch);
  size_t exits = plan->exits.n * sizeof (struct gomp_map_exit);
  struct gomp_map_record *record = gomp_malloc (sizeof (*record) + exits + touches);

  record->num_touches = plan->touches.n;
  record->num_exits = plan->exits.n;
  record->exits = (struct gomp_map_exit *) (record + 1);
  record->touches = (struct gomp_map_touch *) (record->exits + record->num_exits);
  if (exits > 0)
    memcpy (record->exits, plan->exits.v, exits);
  if (touches > 0)
    memcpy (record->touches, plan->touches.v, touches);
  plan->touches.n = plan->exits.n = 0;
  return record;
}

void
gomp_map_resume (struct gomp_map_plan *plan, struct gomp_map_record *record)
{
  for (size_t i = 0; i < record->num_touches; i++)
    *gomp_vec_push (&plan->touches) = record->touches[i];
  for (size_t i = 0; i < record->num_exits; i++)
    {
      *gomp_vec_push (&plan->exits) = record->exits[i];
      plan->has_detach |= record->exits[i].detach;
    }
  free (record);
}

bool
gomp_map_args_apart (const struct gomp_map_plan *plan, uint64_t written, uint64_t used)
{
  enum { WORDS = 64 };
  struct { uint64_t low, high; } of[WORDS] = { { 0, 0 } };

  for (size_t i = 0; i < plan->items.n; i++)
    {
      const struct gomp_map_item *item = &plan->items.v[i];
      if (item->slot < WORDS)
	{
	  of[item->slot].low = item->low;
	  of[item->slot].high = item->high;
	}
    }
  for (unsigned w = 0; w < WORDS; w++)
    {
      if ((written >> w & 1) == 0)
	continue;
      if (of[w].low >= of[w].high)
	return false;
      for (unsigned u = 0; u < WORDS; u++)
	if (u != w && ((written | used) >> u & 1) != 0
	    && (of[u].low >= of[u].high
		|| (of[w].low < of[u].high && of[u].low < of[w].high)))
	  return false;
    }
  return true;
}
