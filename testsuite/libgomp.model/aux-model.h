/* aux-model.h -- the randomised test of the mapping engine: operations, and what its parts know of
   each other.

   An actor is one thread with an arena of host memory and as many devices as there are.  It makes an
   operation (aux-make.c), asks the rules what it has to do (aux-rules.c, aux-enter.c), does it by the entry points
   that compiled programs call, and compares (aux-play.c).  An operation is plain data: a list of
   them is a script (aux-script.c), which can be written down, read back and made shorter.

   Invariants
   1. aux-rules.c, with aux-enter.c, is written from the OpenMP rules (abi/target section 2) and knows nothing of the
      library.  An operation that it calls wrong or undefined leaves its model as it was.
   2. Everything in an operation is relative to the arena: a script means the same in another
      process.
   3. An actor's arena is mapped by nobody else.  What several actors map are the shared objects, whose
      contents never change.  */

#ifndef AUX_MODEL_H
#define AUX_MODEL_H 1

#include "../libgomp.offload/aux-direct.h"

enum
{
  MAX_ITEMS = 28,		/* of an operation, elements of iterators included */
  MAX_WRITES = 4,
  MAX_DEVICES = 2,
  MAX_DEPTH = 6,		/* open target data regions */
  MAX_FLIGHTS = 4,		/* target tasks that nobody has waited for */
  MAX_ENTRIES = 80,		/* mapped at the same time on a device */
  NO_ELEMENTS = 255,
  MAX_ERROR = 200,
  POINTERS_EVERY = 64,		/* here the arena has pointer variables, and descriptors */
  SHARED_OBJECTS = 4, SHARED_SIZE = 200
};

enum op_type
{
  OP_WRITE,			/* the host writes LEN bytes at OFF */
  OP_POINT,			/* the pointer variable at OFF gets the address of VALUE, -1: NULL */
  OP_ENTER, OP_EXIT, OP_UPDATE, OP_DATA, OP_TARGET,
  OP_END_DATA,
  OP_ASSOCIATE, OP_DISASSOCIATE,	/* OFF, LEN */
  OP_COPY_IN,			/* omp_target_memcpy of LEN bytes at VALUE to the copy of OFF */
  OP_COPY_OUT,			/* of the copy of OFF to VALUE */
  OP_COPY_DEVICE,		/* of the copy of OFF to that of VALUE on device OTHER */
  OP_FILL,			/* omp_target_memset of the copy of OFF with VALUE */
  OP_SHARE, OP_UNSHARE,		/* enter and release shared object VALUE */
  OP_TYPES
};

struct map_item
{
  unsigned char kind, align;
  unsigned char elements;	/* an iterator over this item and the following ones, in all that
				   many; 0: none; NO_ELEMENTS: an iterator that has none */
  bool null;			/* the address is NULL */
  bool slot;			/* ATTACH: the address is that of the item before the last one */
  int off;			/* in the arena; FIRSTPRIVATE_INT: the value */
  long size;			/* or the bias, or the number of members */
};

/* What a region does: it writes LEN bytes made from SEED, OFF bytes behind the address that it finds for
   item ITEM.  */
struct kernel_write
{
  int item, off, len;
  unsigned seed;
};

struct op
{
  unsigned char type, dev, other, n, num_writes;
  bool shared;			/* target: the shared objects are mapped, too */
  bool nowait;			/* enter, exit, update, target: a task, behind the others of the actor */
  int off, len;
  long value;
  struct map_item items[MAX_ITEMS];
  struct kernel_write writes[MAX_WRITES];
};

/* Pseudo-random numbers.  */
static inline unsigned
rnd_next (uint64_t *state, unsigned n)
{
  uint64_t x = *state;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  *state = x;
  return (x >> 20) % n;
}

static inline unsigned char
pattern (unsigned seed, unsigned i)
{
  return (seed * 2654435761u + i * 40503u) >> 13;
}

/* ---- aux-rules.c ---- */

/* A block of the model: what got its memory together and has one count.  */
struct block
{
  uint64_t count;
  uint64_t delta;		/* device address - host address, once it is learned */
  uint64_t host;		/* base that has the alignment */
  unsigned char align;
  bool permanent, mapped, learned;
};

struct entry
{
  uint64_t start, end;
  unsigned block;
  bool counters;		/* something was attached to it once */
  bool fresh;			/* made for a member that the list has not come to */
  bool descriptor;		/* an array descriptor made it, */
  bool null_descriptor;		/* whose pointer was NULL then */
  bool by_pointer;		/* the pointer in it was set when it was made: */
  unsigned target;		/* into that block, 0: NULL */
};

/* A word on the device that is a device address: that of host address VALUE in BLOCK, whether it is in
   there or not.  Block 0: none here.  */
struct device_word
{
  unsigned block;
  uint64_t value;
};

struct device_model
{
  struct entry entries[MAX_ENTRIES];
  unsigned n;
  /* By offset in the arena, which is enough because entries do not overlap.  */
  unsigned char *bytes, *known;	/* known 0: the byte may be anything */
  struct device_word *words;
  unsigned *attached;		/* counts of attachments of words */
  unsigned num_words, num_attached;	/* that are not 0 */
  uint64_t spare;		/* device memory to be associated */
};

struct pending			/* what the end of a region does for one item */
{
  unsigned block;
  uint64_t start, end;
  bool from, always, detach;
};

struct frame			/* an open region */
{
  int dev;
  unsigned n, num_counted;
  struct pending pending[2 * MAX_ITEMS];
  unsigned counted[MAX_ITEMS];
};

struct model
{
  unsigned size;		/* of the arena */
  uint64_t base;		/* its address */
  unsigned num_devices;
  unsigned char *host, *host_known;	/* known 0: the library wrote what nobody knows */
  struct device_model dev[MAX_DEVICES];
  struct frame frames[MAX_DEPTH];
  unsigned depth;
  struct block *blocks;		/* by number, from 1 */
  unsigned num_blocks, room_blocks;
  int result;			/* of the last omp_target_associate_ptr or _disassociate_ptr */
  char error[MAX_ERROR];	/* of the last one that was WRONG */
};

/* What a region or target data must find in a slot, or in hostaddrs.  */
struct expected_slot
{
  enum { SLOT_ANY, SLOT_VALUE, SLOT_BLOCK, SLOT_PRIVATE } how;
  unsigned block;		/* SLOT_BLOCK: the address of VALUE in it */
  uint64_t value;
  unsigned char align;
};

/* Bytes that a region must find at OFF from the address in a slot.  */
struct expected_view
{
  int slot, off, len;
  unsigned at;			/* where they are in bytes and known */
};

enum { MAX_VIEWS = MAX_ITEMS, MAX_WORDS = 128, VIEW_BYTES = 64 * 1024 };
#define WORD_OF_SLOT UINT32_MAX

struct expected
{
  unsigned num_slots, num_views, num_bytes, num_touched, num_words;
  struct expected_slot slots[MAX_ITEMS];
  struct expected_view views[MAX_VIEWS];
  struct { unsigned at; struct device_word word; } words[MAX_WORDS];	/* in them; block
						   WORD_OF_SLOT: what is in that slot */
  unsigned touched[2 * MAX_ITEMS];	/* blocks */
  unsigned char bytes[VIEW_BYTES], known[VIEW_BYTES];
};

enum verdict
{
  RIGHT,			/* done */
  WRONG,			/* ends the program with the text in model->error */
  UNDEFINED			/* the rules do not say what happens, or the model is full */
};

void model_init (struct model *, void *arena, unsigned size, unsigned num_devices);
void model_free (struct model *);
enum verdict model_do (struct model *, const struct op *, struct expected *);
struct entry *model_entry_at (struct model *, int dev, uint64_t addr);

/* ---- aux-make.c ---- */

/* A random operation; most are right.  */
void make_op (struct model *, uint64_t *state, struct op *);

/* ---- aux-play.c ---- */

struct player
{
  struct model model;
  unsigned char *arena;
  void *log[MAX_DEVICES];	/* device memory in which regions report: one log, and those of flights */
  void *spare[MAX_DEVICES];	/* device memory to be associated: as large as the arena */
  unsigned shares[MAX_DEVICES][SHARED_OBJECTS];
  struct expected expected;
  /* Operations with nowait, in order; each depends on the one before.  */
  unsigned flights;
  struct { struct op op; struct expected expected; } flight[MAX_FLIGHTS];
  unsigned steps;
  char failure[400];		/* "" as long as there is none */
};

bool player_init (struct player *, unsigned size);
void player_free (struct player *);
/* Do it and compare, those with nowait not before the next one without.  False: there is a difference, told in failure.  */
bool player_do (struct player *, const struct op *, enum verdict *);
/* The operation must end the program.  */
void player_die (struct player *, const struct op *);
/* Compare everything.  */
bool player_compare_all (struct player *);
/* The next of the operations that undo what is mapped and open; false: nothing is left.  */
bool player_unwind (struct player *, struct op *);

/* ---- aux-script.c ---- */

struct script
{
  struct op *ops;
  size_t n, room;
  unsigned size;		/* of the arena */
};

void script_add (struct script *, const struct op *);
void script_print (const struct script *, FILE *);
bool script_read (struct script *, FILE *);
/* Leave away what is not needed for a failure.  */
void script_shrink (struct script *);

#endif /* AUX_MODEL_H */
