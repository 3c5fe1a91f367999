/* map-table.h -- what is mapped on one device: entries, blocks, counts, attachments.

   An entry is a host range that has a device counterpart.  A block is a piece of device memory
   with one reference count; it has one entry, or several when members of one struct were
   mapped together.  A chunk is what the device allocator gave: the blocks that one construct made
   share it, and so do those of small constructs one after the other; it is freed with the last
   of them.  A batch is one construct's work on the
   device, as other threads see it.

   Everything here is protected by the device's map_lock unless it says otherwise.

   Invariants
   1. Entries that are not empty do not overlap; their starts differ.  Empty entries [a, a) live in a
      tree of their own, one for an address at most.
   2. A block is mapped from its insertion until its count reaches 0; then all of its entries
      leave the table together.  refcount > 0 if and only if the block is mapped.
   3. A block (the struct and its device memory) lives as long as it is mapped or pinned.  A construct
      pins every block it uses until its transfers and its kernel are complete, so that a
      delete by another thread takes the mapping away but never the memory.
   4. block->fill is the batch of the last construct that writes the block's device memory at its
      entry side, from planning until that batch is done; then it is NULL.  Who finds a block with a
      fill waits for the batch, without the lock, before using the data.  Constructs wait only for
      batches that were planned before them: there are no cycles.
   5. A block whose data is on the way back to the host, because nobody uses it any more, says so in
      `leaving' until the data has arrived.  It is unmapped, then it is on the table's list of such
      blocks; or about to be: the copies back of a target region are enqueued right behind it.  Who
      maps any part of the range, anew or by finding the block, waits for the data first, as if he
      had come later.
   6. A count changes at most once for a construct: touched holds the number of the last construct that
      used the block, touch_index where that construct notes whether it has counted.
   7. A link variable that nobody has mapped is in the tree `links' only: it looks unmapped.
   8. generation changes whenever an entry that some thread may have cached disappears.  */

#ifndef GOMP_MAP_TABLE_H
#define GOMP_MAP_TABLE_H 1

#include "target.h"
#include "range-tree.h"
#include "slab.h"
#include "splay-tree.h"

#define GOMP_MAP_PERMANENT UINT64_MAX

/* One allocation of device memory.  */
struct gomp_map_chunk
{
  gomp_devptr_t dev;
  size_t refs;			/* blocks, constructs that run and need it, and the table
				   while it is the open one */
  struct gomp_map_chunk *next;	/* list of chunks to be freed when the lock is released, or of
				   spare ones */
  struct gomp_map_table *keeper;	/* where it becomes a spare one, or NULL */
};

/* Spare chunks, for constructs that need a little memory for their own time only.  */
enum { GOMP_MAP_SPARE_SIZE = 4096, GOMP_MAP_SPARE_LOG2_ALIGN = 8, GOMP_MAP_KEEP_SPARES = 16 };

/* Small constructs that make blocks get parts of a chunk one after the other: a program that maps
   many objects, one by one, needs an allocation for a few dozen of them.  When all blocks in it are
   gone it is used from its start again.  A block that stays keeps the whole chunk from being
   freed, so chunks are small.  */
enum { GOMP_MAP_OPEN_SIZE = 4096, GOMP_MAP_OPEN_LARGEST = 512, GOMP_MAP_OPEN_LOG2_ALIGN = 8 };

/* States of a batch.

     PENDING ---------------------> DONE        gomp_map_batch_done
	\----> RECORDED -----------/            gomp_map_batch_recorded
     PENDING, RECORDED -> ABANDONED              gomp_map_batch_abandon

   WAITED is added when somebody sleeps on the word.  */
enum gomp_batch_state
{
  GOMP_BATCH_PENDING = 0,	/* its transfers are not all enqueued */
  GOMP_BATCH_RECORDED = 1,	/* event marks the end of its transfers to the device */
  GOMP_BATCH_DONE = 2,		/* complete */
  GOMP_BATCH_ABANDONED = 3,	/* never will be: its thread ends the program */
  GOMP_BATCH_STATE = 3,
  GOMP_BATCH_WAITED = 4
};

struct gomp_map_block;

struct gomp_map_batch
{
  _Atomic (uint32_t) xstate;	/* enum gomp_batch_state; futex.  RECORDED is stored with release
				   after event, DONE after everything the construct did */
  _Atomic (uint32_t) xrefs;	/* the construct itself and every waiter */
  struct gomp_plugin_event *event;	/* from RECORDED on, else NULL; fixed then */
  struct gomp_map_block *fills;	/* map_lock: blocks whose fill this is */
  const void *owner;		/* thread of the construct; NULL: of a target task; fixed */
};

/* A pointer variable whose device copy points to device memory.  */
struct gomp_map_attach
{
  struct gomp_splay_node node;	/* [address of the pointer, + 8) */
  uint32_t count;
  struct gomp_map_entry *entry;	/* that holds the pointer */
  struct gomp_map_block *target;	/* that it points into; NULL: none, or it is gone */
  struct gomp_map_attach *next, **prevp;	/* target's list */
};

struct gomp_map_link;

/* A cache line, in most cases that behind the block's first.  */
struct gomp_map_entry
{
  struct gomp_range node;	/* host range; first, so that a range in the tree is an entry */
  struct gomp_map_block *block;
  struct gomp_map_entry *sibling;	/* next entry of the block */
  struct gomp_splay_tree attached;	/* struct gomp_map_attach, by address */
  struct gomp_map_link *link;	/* the link variable whose device pointer shows here */
  struct gomp_map_attach *pointee;	/* where the pointer in it was set to when it was made,
				   for entries of pointers and array descriptors */
  bool counters;		/* something was attached once */
  bool null_descriptor;		/* array descriptor, first mapped when its pointer was NULL */
  bool filled;			/* the construct that made it copies its data in */
  bool cached;			/* some thread's look-up cache may hold it */
};

/* From map-memory.c.  What a construct needs of a block that it finds and uses is in the
   first two cache lines.  */
struct gomp_map_block
{
  _Alignas (64) uint64_t host;	/* start of the first entry */
  gomp_devptr_t dev;		/* counterpart of host */
  uint64_t refcount;		/* GOMP_MAP_PERMANENT: never changes */
  /* Belong to the construct whose number is here.  */
  uint64_t touched;
  uint32_t touch_index;
  unsigned pins;		/* constructs under way */
  struct gomp_map_batch *fill;
  struct gomp_map_batch *leaving;	/* its data is on the way back to the host */
  bool mapped;
  bool associated;		/* omp_target_associate_ptr */
  /* Layout of a block that is being made: these, and more below.  */
  bool wants_data;		/* something is copied in */
  bool wants_result;		/* something is copied out at the end */
  uint8_t log2_align;

  struct gomp_map_entry first;	/* most blocks have no other */

  uint64_t size;		/* from host to the end of the last entry */
  struct gomp_map_chunk *chunk;	/* NULL: the memory is not ours */
  uint64_t dynamic;		/* of refcount, by enter data and not yet by exit data */
  void *image;			/* of a declare target variable */
  struct gomp_map_entry *entries;
  struct gomp_map_attach *pointers;	/* attached pointers that point into the block */
  struct gomp_map_block *fill_next, **fill_prevp;
  struct gomp_map_block *leaving_next, **leaving_prevp;	/* unmapped: table->leaving;
							   prevp is NULL while mapped */
  struct gomp_map_block *new_next, *layout_next;
  uint64_t align_base;		/* this host address gets the alignment */
  const char *construct;	/* that made it, for messages: a literal */
  const void *call_site;	/* where that was called, or NULL */
};

/* A declare target link variable.  */
struct gomp_map_link
{
  struct gomp_splay_node node;	/* the whole variable */
  gomp_devptr_t pointer;	/* where the device keeps its pointer to it; with
				   GOMP_CAP_LINK_IN_PLACE where the device has the variable */
  struct gomp_map_entry *owner;	/* what the pointer shows, or NULL: not mapped */
  void *image;
};

struct gomp_map_index;		/* map-index.c */

struct gomp_map_table
{
  struct gomp_range_tree ranges, empties;
  struct gomp_splay_tree links;
  uint64_t last_construct;	/* constructs are numbered from 1 */
  uint64_t generation;
  uint64_t serial;		/* of this table; fixed: a cache may outlive a table */
  struct gomp_map_block *leaving;	/* unmapped blocks with data on the way back */
  struct gomp_map_plan *users;	/* target tasks under way that use blocks without being counted */
  const void *first_thread;	/* who used the table first */
  bool several_threads;		/* somebody else did later */
  struct gomp_map_index *by_device;	/* blocks by device address; NULL: nobody has asked */
  /* Another number, of all tables, whenever a block has come into by_device.  Changed under map_lock, with release;
     read without.  */
  _Atomic (uint64_t) xindexed;
  struct gomp_slab_pool memory;	/* map-memory.c: of blocks */
  struct gomp_map_chunk *spares;
  unsigned num_spares;
  /* The chunk that small constructs share, or NULL, and where it is free from.  */
  struct gomp_map_chunk *open;
  size_t open_used;
};

static inline gomp_devptr_t
gomp_map_dev (const struct gomp_map_block *block, uint64_t host)
{
  return block->dev + (host - block->host);
}

/* Look-ups; map_lock is held.  */
/* The lowest entry that shares a byte with [START, END), START < END.  */
struct gomp_map_entry *gomp_map_find_range (struct gomp_map_table *, uint64_t start, uint64_t end);
/* The entry that holds the byte at ADDR.  */
struct gomp_map_entry *gomp_map_find_byte (struct gomp_map_table *, uint64_t addr);
/* What stands for an empty range at ADDR: an empty entry there, or one that has ADDR inside.  */
struct gomp_map_entry *gomp_map_find_empty (struct gomp_map_table *, uint64_t addr);
/* What a pointer to ADDR points into: holds the byte, or ends there, or is empty there.  */
struct gomp_map_entry *gomp_map_find_pointer (struct gomp_map_table *, uint64_t addr);
/* The attachment of the pointer at ADDR in ENTRY.  */
struct gomp_map_attach *gomp_map_find_attach (struct gomp_map_entry *entry, uint64_t addr);
/* The attachment in ENTRY with the smallest address that ends after ADDR.  */
struct gomp_map_attach *gomp_map_next_attach (struct gomp_map_entry *entry, uint64_t addr);

/* map-index.c: the lowest block that shares a byte with the device range [START, END).  */
struct gomp_map_block *gomp_map_find_device (struct gomp_map_table *, gomp_devptr_t start,
					     gomp_devptr_t end);
/* Where nothing of the table is: the device range [START, END) with the byte at ADDR, as large as can be
   told; empty if a block has that byte.  This is so as long as xindexed is what it was when the lock was held.  */
void gomp_map_device_gap (struct gomp_map_table *, gomp_devptr_t addr, gomp_devptr_t *start, gomp_devptr_t *end);
/* BLOCK, which is in the table, has got its place on the device; BLOCK leaves the table.  Only
   if by_device is not NULL.  */
void gomp_map_index_add (struct gomp_map_table *, struct gomp_map_block *);
void gomp_map_index_remove (struct gomp_map_table *, struct gomp_map_block *);

/* A block for [HOST, HOST + SIZE) that is not in the table yet, without entries.  */
struct gomp_map_block *gomp_map_block_new (struct gomp_map_table *, uint64_t host, uint64_t size);
/* Put the entry [START, END) of BLOCK into the table.  */
struct gomp_map_entry *gomp_map_insert (struct gomp_map_table *, struct gomp_map_block *block,
					uint64_t start, uint64_t end);
/* Take a mapped block out of the table; the struct goes with its last pin, at once if there is
   none.  Chunks that nobody uses any more are put on *GARBAGE.  */
void gomp_map_remove (struct gomp_map_table *, struct gomp_map_block *,
		      struct gomp_map_chunk **garbage);
void gomp_map_unpin (struct gomp_map_table *, struct gomp_map_block *,
		     struct gomp_map_chunk **garbage);
void gomp_map_chunk_unref (struct gomp_map_chunk *, struct gomp_map_chunk **garbage);
/* A spare chunk that nobody uses, or NULL.  */
struct gomp_map_chunk *gomp_map_spare_get (struct gomp_map_table *);
/* Free chunks; map_lock is not held.  */
void gomp_map_free_chunks (struct gomp_device *, struct gomp_map_chunk *garbage);
/* Attach the pointer at ADDR in ENTRY, which is not attached; TARGET may be NULL.  */
struct gomp_map_attach *gomp_map_attach_new (struct gomp_map_entry *entry, uint64_t addr,
					     struct gomp_map_block *target);
void gomp_map_attach_free (struct gomp_map_attach *);
/* ENTRY is a pointer or a descriptor, whose device copy points into TARGET now; NULL: nowhere.  */
void gomp_map_set_pointee (struct gomp_map_entry *entry, struct gomp_map_block *target);
/* Does it point nowhere, or to what has been unmapped since?  */
static inline bool
gomp_map_is_dangling (const struct gomp_map_entry *entry)
{
  return entry->pointee != NULL && entry->pointee->target == NULL;
}

/* map-memory.c: memory for a block, all zero; map_lock is held.  */
void gomp_map_memory_init (struct gomp_map_table *);
struct gomp_map_block *gomp_map_memory_get (struct gomp_map_table *);
void gomp_map_memory_put (struct gomp_map_table *, struct gomp_map_block *);
/* Give back what no block uses.  */
void gomp_map_memory_trim (struct gomp_map_table *);

/* Batches.  */
/* The calling thread, as a value to compare.  */
const void *gomp_map_thread (void);
struct gomp_map_batch *gomp_map_batch_new (void);
/* The same in memory of one that nobody knows any more.  */
struct gomp_map_batch *gomp_map_batch_again (struct gomp_map_batch *);
/* Make BATCH the fill of BLOCK; map_lock is held.  */
void gomp_map_set_fill (struct gomp_map_block *, struct gomp_map_batch *);
/* BATCH is complete: nobody waits for it any more; map_lock is held.  */
void gomp_map_batch_done (struct gomp_map_batch *);
/* BATCH will never be complete, because its thread ends the program; no lock is needed.  */
void gomp_map_batch_abandon (struct gomp_map_batch *);
/* The data of BLOCK is on the way back to the host, as part of BATCH; and: it has arrived.  */
void gomp_map_leaving (struct gomp_map_table *, struct gomp_map_block *, struct gomp_map_batch *);
void gomp_map_has_left (struct gomp_map_block *);
/* Sleep until BATCH has reached STATE; answers what it has reached.  No lock is held.  A
   construct inside of another one of the same thread does not wait for that.  Does not return
   when the batch is abandoned.  */
enum gomp_batch_state gomp_map_batch_wait (struct gomp_map_batch *, enum gomp_batch_state state);
/* Its transfers are enqueued, EVENT marks their end.  */
void gomp_map_batch_recorded (struct gomp_map_batch *, struct gomp_plugin_event *event);
void gomp_map_batch_unref (struct gomp_device *, struct gomp_map_batch *);

/* What the omp_target_* routines need; map_lock is NOT held.  */
/* Is the byte at ADDR mapped?  */
bool gomp_map_is_present (struct gomp_device *, const void *addr);
/* Are SIZE bytes at the device address ADDR in one block of the table?  SIZE > 0.  */
bool gomp_map_has_device_range (struct gomp_device *, gomp_devptr_t addr, size_t size);
/* The device address of the byte at ADDR; false: not mapped.  */
bool gomp_map_translate_addr (struct gomp_device *, const void *addr, gomp_devptr_t *dev);
/* omp_target_associate_ptr and _disassociate_ptr: 0 or EINVAL.  */
int gomp_map_associate (struct gomp_device *, const void *host, gomp_devptr_t dev, size_t size);
int gomp_map_disassociate (struct gomp_device *, const void *host);

#endif /* GOMP_MAP_TABLE_H */
