/* slots-proto.h -- how code on a GPU calls the host: requests of many threads at once, across a bus.

   Shared by the device runtime (config/accel/reverse.c), plugins (slots.c) and tests.
   Freestanding C, fixed widths, no pointers in what both sides see.  The cpu device, which has no
   bus, uses reverse-proto.h instead; the plugin turns a request of this file into one of that
   one, so that the core knows one form.  doc/reverse-offload.md tells the whole story, with what the
   variants cost that were tried.

   A *slot* is a request and an answer in pinned memory of the host.  Each is a sequence of *tagged
   words*: 64 bits, the upper half the number of the request, the lower half 32 bits of what is said.
   A tagged word is written at once, so whoever finds the number in it has found what belongs to it.
   That is why there is no fence, no order between the words, and no state: a record is there when
   all of its words have its number.  The lanes of a warp write a word each, with one store for all,
   and read the answer while they wait for it.  Across the bus a fence, or a second load to fetch the
   result, would cost as much as everything else together.

     device   owner[i] is even                        free: it is the number of the last request
       acquire  | exchange owner[i] by an odd number, in the device's own memory; the next number now
     device   request words, tagged
       ring     | bell[i] = the number modulo 256     any time before or after the words
     host     bell[i] differs from what was taken, and every word has the number
       take     | compare-and-swap in the host's own memory, exactly one thread
     host     the function runs
       answer   | answer words, tagged
     device   every word has the number
       release  | owner[i] = the number
     device   free

   Invariants
   1. The device writes requests and bells, the host writes answers: no word has two writers, and
      nothing is atomic across the bus but single loads and stores of 64 bits.
   2. Request words are overwritten only after the answer to them was found complete, and answer words
      only after a new request was found complete.  So the words of a record stay until they were read.
   3. Bells may come early, late, and out of order with words; a bell that was seen before its record is
      complete is looked at again.
   4. The number of a slot grows by GOMPX_NUMBER_STEP with each request, modulo 2^32, so it is even.  So that a
      word which was not written for 2^31 requests does not look new, a record has all words when its
      number is a multiple of GOMPX_SLOTS_REFRESH.
   5. Tags say nothing about memory outside of the slot: whoever passes on that something lies there
      uses fences (reverse.c).
   6. The host believes nothing in here.  */

#ifndef GOMPX_SLOTS_PROTO_H
#define GOMPX_SLOTS_PROTO_H 1

#include <stdint.h>

#define GOMPX_SLOTS_VERSION 2u
#define GOMPX_SLOTS_MAX 512u		/* slots; a power of 2 */
#define GOMPX_SLOT_WORDS 256u		/* of a record */
#define GOMPX_SLOT_BYTES ((GOMPX_SLOT_WORDS - GOMPX_ANSWER_DATA) * 4)	/* of a service's answer */
#define GOMPX_SLOTS_REFRESH (1u << 28)
#define GOMPX_NUMBER_STEP 2u

/* Words of a request.  */
enum
{
  GOMPX_REQUEST_HEAD,		/* GOMPX_HEAD (words, type, TARGET: items, or GOMPX_COUNT_FAR) */
  GOMPX_REQUEST_FUNCTION,	/* and the next word: low half first, as always */
  /* TARGET: items and data.  */
  GOMPX_REQUEST_ITEMS = 3,
  /* Services, and TARGET with more items than a slot has room for.  */
  GOMPX_REQUEST_COUNT = 3,	/* items; services: bytes of data */
  GOMPX_REQUEST_ADDRS,		/* where the caller's table is; services: an argument */
  GOMPX_REQUEST_DATA = 6,	/* addresses of sizes and kinds; services: data */
  GOMPX_REQUEST_FAR_WORDS = 10
};
#define GOMPX_COUNT_FAR 255u

/* Words for each item: the addresses of all, then the sizes of all, then a word for each kind.  The bytes that
   travel with them follow, in their order, each a whole number of words: those that gomp_reverse_bytes says
   are read, as long as there is room.  */
enum { GOMPX_ITEM_ADDRESS = 2, GOMPX_ITEM_SIZE = 2, GOMPX_ITEM_KIND = 1, GOMPX_ITEM_WORDS = 5 };
#define GOMPX_SLOT_MAX_ITEMS 32u

/* The other form, whose head says GOMPX_COUNT_ROWS more: a row of words for each item, behind one for the head and the
   function.  A lane that has a row writes all of it, wherever the others are.  The last word is the item's bytes if it
   has 4 or less; otherwise it tells at which word they begin, 0: they do not travel.  Items whose size has more than
   16 bits have the form above.  */
enum
{
  GOMPX_ROW_ADDRESS,		/* and the next word */
  GOMPX_ROW_KIND = 2,		/* and the size in the upper half */
  GOMPX_ROW_BYTES,
  GOMPX_ROW_WORDS
};
#define GOMPX_COUNT_ROWS 64u
#define GOMPX_ROWS_MAX_ITEMS 31u

/* The answer to it: the head is a word with bit I set if item I - 1 has come back, and word I has its bytes, or tells at
   which word they begin, as in the request.  If device memory was changed, the number of the head is one more than that
   of the others.  */

/* Words of an answer.  */
enum
{
  GOMPX_ANSWER_HEAD,		/* GOMPX_HEAD (words, status, flags) */
  GOMPX_ANSWER_VALUE,		/* TARGET: bit I: item I has come back; services: a result of 64 bits */
  GOMPX_ANSWER_DATA = 3		/* TARGET: the bytes of those items; services: data */
};

#define GOMPX_HEAD(words, type, flags) \
  ((uint32_t) (words) | (uint32_t) (type) << 16 | (uint32_t) (flags) << 24)
#define GOMPX_HEAD_WORDS(head) ((uint32_t) (head) & 0xffffu)
#define GOMPX_HEAD_TYPE(head) ((uint32_t) (head) >> 16 & 0xffu)
#define GOMPX_HEAD_FLAGS(head) ((uint32_t) (head) >> 24)

/* Flags of an answer.  */
enum { GOMPX_ANSWER_COPIED = 1u << 0 };	/* device memory was changed: what is cached may be old */

struct gompx_slot
{
  uint64_t request[GOMPX_SLOT_WORDS];
  uint64_t answer[GOMPX_SLOT_WORDS];
};

/* The area, in pinned memory.  */
struct gompx_slots
{
  uint8_t bell[GOMPX_SLOTS_MAX];
  struct gompx_slot slots[];
};

/* In memory of the device; the image's variable gompx_reverse points to it.  */
struct gompx_reverse
{
  uint32_t version;		/* GOMPX_SLOTS_VERSION; constant, as is all but owner and delay */
  uint32_t num_slots;		/* a power of 2 */
  uint32_t services;		/* bit N: requests of the type N are served */
  uint32_t reserved;
  /* What every call wants to know, in one load.  */
  uint64_t area;		/* struct gompx_slots, as the device sees it */
  uint32_t mask;		/* num_slots - 1 */
  uint32_t flags;		/* GOMPX_REVERSE_* */
  uint32_t reserved_too[8];
  uint32_t owner[GOMPX_SLOTS_MAX];
  uint32_t delay[GOMPX_SLOTS_MAX];	/* accel_call_await's; belongs to the owner */
};

enum
{
  /* The host reads and writes memory of the device without copies of the plugin (unified shared
     memory): fences with every request.  Not a bit that gcn/reverse-text.c knows of a kind.  */
  GOMPX_REVERSE_SHARED = 1u << 2
};

#define GOMPX_REVERSE_VARIABLE "gompx_reverse"

static inline uint64_t
gompx_tagged (uint32_t number, uint32_t word)
{
  return (uint64_t) number << 32 | word;
}

static inline uint64_t
gompx_slots_size (uint32_t num_slots)
{
  return sizeof (struct gompx_slots) + (uint64_t) num_slots * sizeof (struct gompx_slot);
}

_Static_assert (sizeof (struct gompx_slot) == 4096 && sizeof (struct gompx_slots) == 512
		&& sizeof (struct gompx_reverse) == 64 + 8 * GOMPX_SLOTS_MAX, "layout of the area");
_Static_assert (GOMPX_REQUEST_ITEMS + GOMPX_SLOT_MAX_ITEMS * GOMPX_ITEM_WORDS < GOMPX_SLOT_WORDS
		&& GOMPX_SLOT_MAX_ITEMS < GOMPX_COUNT_ROWS
		&& (GOMPX_ROWS_MAX_ITEMS + 1) * GOMPX_ROW_WORDS < GOMPX_SLOT_WORDS
		&& GOMPX_COUNT_ROWS + GOMPX_ROWS_MAX_ITEMS < GOMPX_COUNT_FAR, "room for the items");

#endif /* GOMPX_SLOTS_PROTO_H */
