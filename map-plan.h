/* map-plan.h -- the plan of one construct: what was decoded, found, made and is to be copied.

   A construct is served in two steps.  Planning happens under the device's map_lock: list
   items are looked up, counted, entries made and the device memory of all of them reserved; nothing
   waits and nothing is copied.  Executing happens without the lock: the copies of the
   plan are enqueued on a queue, the region is launched, results come back, one wait.

     entry points (target.c)          decode, gomp_map_decode
     gomp_map_enter (map-enter.c)     plan target, target data, target enter data
     gomp_map_leave, _exit (map-exit.c)   plan the end of these, and target exit data
     gomp_map_update (map-update.c)   plan target update
     gomp_xfer_* (xfer.c)             execute
     gomp_map_finish (map-plan.c)     what is done: unpin, wake waiters, free

   A plan belongs to one thread.  Its arrays are kept for the thread's next construct, so that small
   constructs that the thread has done before allocate nothing here.  */

#ifndef GOMP_MAP_PLAN_H
#define GOMP_MAP_PLAN_H 1

#include "map-kinds.h"
#include "map-table.h"
#include "staging.h"

/* Arrays that grow and keep their memory.  */
#define GOMP_VEC(type) struct { type *v; size_t n, cap; }
/* Address of a new last element.  */
#define gomp_vec_push(vec)						\
  (gomp_unlikely ((vec)->n == (vec)->cap)				\
   ? (void) ((vec)->v = gomp_vec_grow ((vec)->v, &(vec)->cap, (vec)->n + 1, sizeof (*(vec)->v))) \
   : (void) 0,								\
   &(vec)->v[(vec)->n++])
void *gomp_vec_grow (void *v, size_t *cap, size_t need, size_t element);

/* A block that the construct uses: pinned.  */
struct gomp_map_touch
{
  struct gomp_map_block *block;
  bool counted;			/* the construct changed its count */
  bool others;			/* another construct used it since the region began */
};

/* What the end of a region has to do about one list item.  */
struct gomp_map_exit
{
  struct gomp_map_entry *entry;
  uint64_t start, end;		/* host range to be copied; the pointer that was attached */
  bool from, always, detach;
  bool done;			/* the copy is part of the launch already */
};

/* One copy; the direction is told by the list it is on.  */
struct gomp_xfer
{
  gomp_devptr_t dev;
  void *host;
  size_t size;
  size_t at;			/* xfer.c: in the plan's block, or GOMP_XFER_*; not for what is packed */
};

/* One word to be written to device memory, after all copies.  */
struct gomp_store
{
  gomp_devptr_t dev;
  uint64_t value;
};

/* Memory that came or went, to be told to a tool without the lock.  */
struct gomp_map_change
{
  uint64_t host, size;
  gomp_devptr_t dev;
  bool gone;
};

/* A list item, to be told to a tool.  */
struct gomp_map_note
{
  uint64_t host, size;
  gomp_devptr_t dev;		/* 0: it has no counterpart */
  unsigned flags;		/* ompt_target_map_flag_t */
};

/* What an open target data region has mapped.  */
struct gomp_map_record
{
  size_t num_touches, num_exits;
  struct gomp_map_touch *touches;	/* pinned */
  struct gomp_map_exit *exits;
};

/* A pointer that lost its last attachment in this construct.  */
struct gomp_map_detached
{
  struct gomp_map_entry *entry;
  struct gomp_map_attach *attach;
};

#define GOMP_MAP_CACHE_BITS 8
#define GOMP_MAP_CACHE_SIZE (1 << GOMP_MAP_CACHE_BITS)
static inline size_t
gomp_map_cache_slot (uint64_t addr)
{
  /* Neighbours, which are often used together, get different slots.  */
  return (uint32_t) (addr >> 2) * UINT32_C (0x9e3779b1) >> (32 - GOMP_MAP_CACHE_BITS);
}

struct gomp_map_plan
{
  struct gomp_device *dev;
  const struct gomp_region_note *note;
  enum gomp_map_directive directive;
  uint64_t construct;		/* its number in the device's table */
  uint64_t entered;		/* the number of its entry side */
  size_t mapnum;
  void **hostaddrs;		/* the caller's */
  bool busy;

  GOMP_VEC (struct gomp_map_item) items;
  uint32_t ops;			/* bits of the operations that occur among them */
  GOMP_VEC (struct gomp_map_touch) touches;
  GOMP_VEC (struct gomp_map_exit) exits;
  GOMP_VEC (struct gomp_xfer) to;	/* host to device */
  const void *to_memory;	/* where the last of them goes: the chunk, or a block that has none */
  GOMP_VEC (struct gomp_xfer) from;	/* device to host */
  GOMP_VEC (struct gomp_xfer) packed;	/* into the staging block; dev is the final address */
  GOMP_VEC (struct gomp_xfer) unpacked;	/* from the staging block to the host, at the end */
  GOMP_VEC (struct gomp_store) stores;
  GOMP_VEC (struct gomp_map_detached) detached;
  GOMP_VEC (struct gomp_map_change) changes;	/* empty without a tool */
  GOMP_VEC (struct gomp_map_note) notes;	/* the same */
  GOMP_VEC (struct gomp_map_batch *) fills;	/* wait before the device uses what was found */
  GOMP_VEC (struct gomp_map_batch *) leavers;	/* wait before reading host memory */

  struct gomp_map_batch *batch;	/* this construct's, or NULL: nobody can wait for it */
  struct gomp_map_batch *spare_batch;	/* memory for the next one, or NULL */
  struct gomp_map_block *new_blocks;	/* singly linked, newest first */
  struct gomp_map_chunk *chunk;	/* holds the new blocks, private copies, table of arguments */
  bool holds_chunk;		/* counted in chunk->refs for the time of the construct */
  gomp_devptr_t base;		/* where in the chunk the construct's part starts */
  /* The staging block: [base, + staged_size) travels in one copy; what comes back is
     [base + back_start, + back_size).  */
  size_t staged_size, back_start, back_size;
  gomp_devptr_t args;		/* table of arguments, or 0 */
  struct gomp_staging_block block;	/* the staging block on the host; its rest is for copies that
					   go by way of it (staging.h) */
  struct gomp_map_chunk *garbage;
  bool several_threads;		/* somebody may wait ... */
  bool has_fills;		/* ... for what this construct writes: record an event */
  bool keep_pins;		/* the region is open: its end unpins */
  bool has_detach;		/* some of exits detach */
  struct gomp_trace_record *trace;	/* the span of planning, or NULL */
  bool deferred;		/* of a target task: belongs to no thread, and nobody waits for it */
  bool attaches;		/* made a new attachment */
  bool one_phase;		/* deferred region that has given back its counts (map-exit.c) */
  struct gomp_map_batch *flight;	/* deferred: everything that the task does */
  /* one_phase: table->users, protected by map_lock.  */
  struct gomp_map_plan *user_next, **user_prevp;
  bool settled;			/* gomp_map_finish has nothing left to do under the lock */

  /* Entries that the thread found lately (map_lock is held when it is used).  */
  struct
  {
    uint64_t serial, generation;	/* of the table, when it was found */
    uint64_t start;		/* as it was asked for */
    struct gomp_map_entry *entry;
  } cache[GOMP_MAP_CACHE_SIZE];
};

/* Is there an item with one of the operations in MASK?  May be wrongly true.  */
#define GOMP_OP_BIT(op) (UINT32_C (1) << (op))
static inline bool
gomp_map_has (const struct gomp_map_plan *plan, uint32_t mask)
{
  return (plan->ops & mask) != 0;
}

/* The calling thread's plan, empty; give it back after use.  */
struct gomp_map_plan *gomp_map_plan_get (struct gomp_device *, enum gomp_map_directive,
					 const struct gomp_region_note *);
void gomp_map_plan_put (struct gomp_map_plan *);
/* A plan for a target task (target-task.c), which may go from thread to thread.  */
struct gomp_map_plan *gomp_map_plan_deferred (struct gomp_device *, enum gomp_map_directive,
					      const struct gomp_region_note *);
/* The calling thread works on PLAN, a deferred one, or does not any more: NULL.  For errors.  */
void gomp_map_work_on (struct gomp_map_plan *);

/* Turn a compiler's arrays into items: iterators are expanded, NULL items dropped, kinds
   translated.  Ends the program when a kind is not allowed.  */
void gomp_map_decode (struct gomp_map_plan *, size_t mapnum, void **hostaddrs, const size_t *sizes,
		      const unsigned short *kinds);

/* Planning.  Each takes map_lock and releases it.  */
void gomp_map_enter (struct gomp_map_plan *);
void gomp_map_exit (struct gomp_map_plan *);
void gomp_map_update (struct gomp_map_plan *);
/* That of the three which the plan's directive begins with.  */
void gomp_map_begin (struct gomp_map_plan *);
/* The end of the region that the plan entered, or that gomp_map_resume filled it from.  The
   copies that enter foresaw are done.  */
void gomp_map_leave (struct gomp_map_plan *);
/* Does each word of PLAN's table of arguments whose bit is in WRITTEN point to an object that no
   other word in WRITTEN or USED points into?  False where that is not known.  A bit for each of the first 64 words.
   PLAN has been entered.  */
bool gomp_map_args_apart (const struct gomp_map_plan *plan, uint64_t written, uint64_t used);
/* Keep what the end of a data region needs; the pins move to the record.  */
struct gomp_map_record *gomp_map_suspend (struct gomp_map_plan *);
/* And back; frees the record.  */
void gomp_map_resume (struct gomp_map_plan *, struct gomp_map_record *);

/* Everything that was enqueued is complete: wake who waits, unpin (what the plan still pins),
   free.  */
void gomp_map_finish (struct gomp_map_plan *);

/* ---- Between map-*.c ---- */

/* A deferred region has been planned: give its counts back at once if that is possible.  */
void gomp_map_give_back (struct gomp_map_plan *);
/* BLOCK is about to leave the table: regions under way that use it without being counted come
   first.  */
void gomp_map_await_users (struct gomp_map_plan *, struct gomp_map_block *);
/* The construct's transfers come after BATCH.  */
void gomp_map_await_batch (struct gomp_map_plan *, struct gomp_map_batch *);

/* Undo what can be undone, release the lock and end the program with a message.  */
void gomp_map_fatal (struct gomp_map_plan *, const char *fmt, ...)
  __attribute__ ((format (printf, 2, 3), noreturn, cold));
/* The same with more to tell (map-explain.c).  */
struct gomp_map_trouble
{
  const char *what;		/* the range [start, end) is: "not mapped"; NULL: there is none */
  uint64_t start, end;
  const struct gomp_map_entry *old;	/* that is in its way; NULL: the nearest one is told */
  const char *advice;		/* what to write instead, or NULL */
};
void gomp_map_range_fatal (struct gomp_map_plan *, const struct gomp_map_trouble *,
			const char *fmt, ...)
  __attribute__ ((format (printf, 3, 4), noreturn, cold));
/* ITEM ends behind the end of the address space.  */
void gomp_map_wraps (struct gomp_map_plan *, const struct gomp_map_item *)
  __attribute__ ((noreturn, cold));
void gomp_map_lock (struct gomp_map_plan *);	/* takes map_lock, numbers the construct */
void gomp_map_unlock (struct gomp_map_plan *);
/* Planning is over.  When there is nothing to execute, finish at once, under this lock.  */
void gomp_map_planned (struct gomp_map_plan *);
/* BLOCK is new, or GONE: for tools.  */
void gomp_map_changed (struct gomp_map_plan *, const struct gomp_map_block *, bool gone)
  __attribute__ ((cold));
/* The construct maps ITEM, or ends its mapping, in ENTRY, which may be NULL: for tools.  */
void gomp_map_mapped (struct gomp_map_plan *, const struct gomp_map_item *,
		      const struct gomp_map_entry *) __attribute__ ((cold));
/* Tell the tool what changed; no lock is held.  */
void gomp_map_report (struct gomp_map_plan *) __attribute__ ((cold));
/* The plan's batch is complete: nobody waits for it any more.  */
void gomp_map_complete (struct gomp_map_plan *);
/* The same, and unpin.  */
void gomp_map_settle (struct gomp_map_plan *);
/* The construct uses BLOCK: pin it once.  */
struct gomp_map_touch *gomp_map_first_touch (struct gomp_map_plan *, struct gomp_map_block *);
static inline struct gomp_map_touch *
gomp_map_touch_block (struct gomp_map_plan *plan, struct gomp_map_block *block)
{
  return (block->touched != plan->construct ? gomp_map_first_touch (plan, block)
	  : &plan->touches.v[block->touch_index]);
}
/* The entry that holds [START, END) and that the thread has found lately, or NULL.  */
static inline struct gomp_map_entry *
gomp_map_cached (struct gomp_map_plan *plan, uint64_t start, uint64_t end)
{
  const struct gomp_map_table *table = plan->dev->maps;
  size_t slot = gomp_map_cache_slot (start);
  if (plan->cache[slot].start == start && plan->cache[slot].serial == table->serial
      && plan->cache[slot].generation == table->generation)
    {
      struct gomp_map_entry *entry = plan->cache[slot].entry;
      if (entry->node.start <= start && entry->node.end >= end)
	return entry;
    }
  return NULL;
}
/* Look-ups as in map-table.h, through the thread's cache.  */
struct gomp_map_entry *gomp_map_lookup_range (struct gomp_map_plan *, uint64_t start,
					      uint64_t end);
struct gomp_map_entry *gomp_map_lookup_byte (struct gomp_map_plan *, uint64_t addr);
/* Plan to copy the host range [START, END) of ENTRY, except for attached pointers.  */
void gomp_map_copy_to (struct gomp_map_plan *, struct gomp_map_entry *, uint64_t start,
		       uint64_t end);
void gomp_map_copy_from (struct gomp_map_plan *, struct gomp_map_entry *, uint64_t start,
			 uint64_t end);
void gomp_map_store_word (struct gomp_map_plan *, gomp_devptr_t dev, uint64_t value);
/* The device memory of BLOCK is written by the plan's copies.  */
void gomp_map_writes (struct gomp_map_plan *, struct gomp_map_block *);
/* The construct's transfers have to wait for those that fill BLOCK.  */
void gomp_map_await_fill (struct gomp_map_plan *, struct gomp_map_block *);
/* The batch of the construct, made at the first call.  */
struct gomp_map_batch *gomp_map_batch (struct gomp_map_plan *);
/* The plan maps [START, END) anew: wait until what leaves it has arrived on the host.  */
void gomp_map_await_leavers (struct gomp_map_plan *, uint64_t start, uint64_t end);
/* Reserve the memory of new blocks, private copies and arguments (map-layout.c).  */
void gomp_map_layout (struct gomp_map_plan *);
/* Make the entries of a struct's members, or check those there are (map-struct.c).  HEADER is
   the index of the header among the items.  */
void gomp_map_struct (struct gomp_map_plan *, size_t header);
/* A new block that the construct has counted (map-enter.c).  */
struct gomp_map_block *gomp_map_new_block (struct gomp_map_plan *, uint64_t start, uint64_t end,
					   unsigned log2_align, uint64_t align_base);
struct gomp_map_entry *gomp_map_new_entry (struct gomp_map_plan *, struct gomp_map_block *,
					   uint64_t start, uint64_t end);
/* Two errors (map-explain.c).  */
void gomp_map_not_present (struct gomp_map_plan *, uint64_t start, uint64_t size)
  __attribute__ ((noreturn, cold));
void gomp_map_overlap (struct gomp_map_plan *, uint64_t start, uint64_t end,
		       const struct gomp_map_entry *old) __attribute__ ((noreturn, cold));

/* ---- xfer.c ---- */

/* gomp_xfer_enter would not have to wait for anybody.  */
bool gomp_xfer_possible (struct gomp_map_plan *);
/* Enqueue everything that has to be done before a region may run.  */
void gomp_xfer_enter (struct gomp_map_plan *, struct gomp_plugin_queue *);
/* Enqueue the copies back to the host.  */
void gomp_xfer_back (struct gomp_map_plan *, struct gomp_plugin_queue *);
/* Its copies in, or those out, keep the thread until they have arrived (TO_DEVICE: in
   gomp_xfer_enter, otherwise in gomp_xfer_unpack).  */
bool gomp_xfer_is_bulk (const struct gomp_map_plan *, bool to_device);
/* After the wait: hand out what came back through the staging block, and fetch bulk data.  */
void gomp_xfer_unpack (struct gomp_map_plan *);
/* Is there anything to enqueue or to wait for?  */
bool gomp_xfer_needed (const struct gomp_map_plan *);
/* All of it, with a queue of its own and a wait.  */
void gomp_xfer_run (struct gomp_map_plan *);

#endif /* GOMP_MAP_PLAN_H */
