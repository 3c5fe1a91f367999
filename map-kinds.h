/* map-kinds.h -- what the mapping engine is asked to do, free of any compiler's encoding.

   A front door (target.c for GCC's calls) turns its arguments into a list of struct gomp_map_item;
   map-enter.c, map-exit.c and map-update.c work on nothing else.  map-kinds.c is the translation of
   GCC's map kinds (abi/target section 2.2): the only file that knows their values.  */

#ifndef GOMP_MAP_KINDS_H
#define GOMP_MAP_KINDS_H 1

#include "libgomp.h"

enum gomp_map_directive
{
  GOMP_DIR_TARGET = 1,		/* target: enters, runs, leaves */
  GOMP_DIR_DATA = 2,		/* target data */
  GOMP_DIR_ENTER = 4,
  GOMP_DIR_EXIT = 8,
  GOMP_DIR_UPDATE = 16
};

enum gomp_map_op
{
  GOMP_OP_NONE,			/* nothing (NULL address); the slot is what VALUE says */
  GOMP_OP_DATA,			/* the range [host, host + size) */
  GOMP_OP_ZERO_LENGTH,		/* the entry that holds the byte at host, if there is one */
  GOMP_OP_POINTER,		/* a pointer variable of its own; size is the bias */
  GOMP_OP_DESCRIPTOR,		/* an array descriptor; the pointers in it follow */
  GOMP_OP_STORE_POINTER,	/* store the device address of the item before; size: bias */
  GOMP_OP_ATTACH,		/* attach the pointer at host; size is the bias */
  GOMP_OP_DETACH,
  GOMP_OP_STRUCT,		/* header of size members that share one block */
  GOMP_OP_USE_DEVICE,		/* hand the device address back to the caller */
  GOMP_OP_PRIVATE,		/* a private copy of the bytes, for one launch */
  GOMP_OP_VALUE,		/* host is the value itself */
  GOMP_OP_RELEASE,		/* exit: count down */
  GOMP_OP_DELETE,		/* exit: count to zero */
  GOMP_OP_COUNT
};

/* Flags of an item.  The first group comes from the front door.  */
enum
{
  GOMP_ITEM_TO = 1 << 0,
  GOMP_ITEM_FROM = 1 << 1,
  GOMP_ITEM_ALWAYS = 1 << 2,	/* copy whatever the counts are */
  GOMP_ITEM_PRESENT = 1 << 3,	/* must be mapped already */
  GOMP_ITEM_IMPLICIT = 1 << 4,	/* the relaxed containment rule */
  GOMP_ITEM_LENIENT = 1 << 5,	/* pointers: what they point at need not be mapped */
  GOMP_ITEM_BYTE = 1 << 6,	/* exit: look the byte at host up, not a range */
  /* The second group belongs to the engine.  */
  GOMP_ITEM_MEMBER = 1 << 8,	/* of the struct whose header came before */
  GOMP_ITEM_CONSUMED = 1 << 9,	/* handled with an item before it */
  GOMP_ITEM_NEW = 1 << 10,	/* this item made its entry */
  GOMP_ITEM_WRITE = 1 << 11,	/* its pointer is to be stored */
  GOMP_ITEM_COPY = 1 << 12,	/* its range is to be copied in */
  GOMP_ITEM_REPEAT = 1 << 13	/* second or later element of an iterator: has no slot */
};

struct gomp_map_entry;

struct gomp_map_item
{
  uint8_t op;			/* enum gomp_map_op */
  uint8_t log2_align;		/* of the device copy */
  uint16_t flags;
  uint32_t slot;		/* index in the caller's arrays */
  uint64_t host;		/* address, or the value of GOMP_OP_VALUE */
  uint64_t size;		/* bytes, or as told at the op */
  /* Filled in by the engine.  */
  uint64_t value;		/* what the region finds in the slot */
  struct gomp_map_entry *entry;
  uint64_t low, high;		/* target: the device memory that value points into, all that the host knows as
				   one object; empty: not known */
};

/* GCC's encoding.  False: KIND does not belong into DIRECTIVE.  */
bool gomp_map_translate (unsigned kind, enum gomp_map_directive directive,
			 struct gomp_map_item *item);
/* A kind of the 8-bit calls of 2013 as a 16-bit one.  */
static inline unsigned short
gomp_map_widen_kind (unsigned char kind)
{
  return (kind & 7) | (kind >> 3) << 8;
}
/* The kinds that host fallback and reverse calls look at.  */
enum
{
  GOMP_KIND_TO = 0x01, GOMP_KIND_FROM = 0x02, GOMP_KIND_TOFROM = 0x03,
  GOMP_KIND_PRIVATE = 0x0c, GOMP_KIND_VALUE = 0x0d, GOMP_KIND_SECTION = 0x0f, GOMP_KIND_ATTACH = 0x50
};

static inline bool
gomp_map_kind_is_private (unsigned kind)
{
  return (kind & 0xff) == GOMP_KIND_PRIVATE;
}

/* The region gets the host address where nothing is mapped at it.  */
static inline bool
gomp_map_kind_keeps_address (unsigned kind)
{
  return (kind & 0xff) == GOMP_KIND_VALUE || (kind & 0xff) == GOMP_KIND_SECTION;
}

static inline bool
gomp_map_kind_is_attach (unsigned kind)
{
  return (kind & 0xff) == GOMP_KIND_ATTACH;
}

/* "map(tofrom)", for messages.  */
const char *gomp_map_kind_name (unsigned kind);

#endif /* GOMP_MAP_KINDS_H */
