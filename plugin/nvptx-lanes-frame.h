/* nvptx-lanes-frame.h -- what a function that all lanes run, and its regions, do with the function's frame (nvptx-lanes-frame.c).  */

#ifndef GOMPX_NVPTX_LANES_FRAME_H
#define GOMPX_NVPTX_LANES_FRAME_H 1

#include "nvptx-lanes-work.h"

/* Texts with which all lanes of a warp, or of the block, wait for each other.  The block's is not
   `barrier.sync 0': where lanes of a warp have come apart, which also happens where their ways meet
   again, a barrier without a number of threads is an illegal instruction on an H200, or none.  */
#define LANES_MEET_WARP "\tbar.warp.sync 4294967295;\n"
#define LANES_MEET_BLOCK LANES_MEET_WARP "\tbar.sync 0;\n"

#pragma GCC visibility push (hidden)

enum
{
  LANES_FRAME_WORDS = 64,	/* that are known one by one */
  LANES_FRAME_SHARED = 1024	/* bytes in the block's memory */
};

/* Registers that are addresses in the frame, and which.  */
struct lanes_places
{
  const struct ptx_function *f;
  uint8_t *known;		/* by var, a bit for each element; 0: the whole */
  int32_t *offset;		/* by var and element; frames are small */
  const uint8_t *moving;	/* by var: it is not looked at; NULL: all are */
};

/* Bytes of the frame that are used together.  */
struct lanes_frame_word
{
  int64_t offset;
  unsigned size;
  bool mixed;			/* other words have bytes of it */
  bool plain;			/* what is there is no address in the frame */
  bool pointer;			/* it always is, this one: */
  int64_t target;
  bool shared;			/* a region writes there */
};

struct lanes_frame
{
  uint64_t bytes;
  struct lanes_places places;	/* of the function */
  struct lanes_frame_word words[LANES_FRAME_WORDS];
  unsigned num;
  bool pointers, shared;	/* there are such words */
  bool full;			/* there are others as well */
  bool mixed;			/* shared ones have bytes of others */
  int64_t low, high;		/* from the first to the last of those that are shared */
};

/* What a statement has to do with the frame.  */
enum lanes_frame_use
{
  LANES_FRAME_NONE,
  LANES_FRAME_BAD,		/* something that is not known */
  LANES_FRAME_PLACE,		/* makes an address; maybe by loading it */
  LANES_FRAME_ACCESS,		/* a plain load or store */
  LANES_FRAME_ATOMIC
};

/* Begin: the frame of LF, and what LF does.  False: it can't be followed; or there is no memory.  */
bool lanes_frame_begin (struct lanes_work *w, struct lanes_frame *frame, const struct lanes_function *lf);
/* The same where the frame stays in memory: nothing is known of it, and nothing is an address in it.  */
bool lanes_frame_unknown (struct lanes_work *w, struct lanes_frame *frame, const struct lanes_function *lf);
/* What LF stores at known places of its frame, whatever else it does with addresses there: the words that hold such addresses.  False:
   that can't be told.  */
bool lanes_frame_pointers (struct lanes_work *w, struct lanes_frame *frame, const struct lanes_function *lf);
/* The word of 8 bytes at OFFSET that holds one and the same address, if it does; else NULL.  */
const struct lanes_frame_word *lanes_frame_pointer (const struct lanes_frame *frame, int64_t offset);
/* F is called with the address AT in the frame.  *PLACES: of F.  May be called again: *MORE if another word is shared now.  *IN, *OUT: words
   that it uses in the block's memory, those that it writes; bits.  */
bool lanes_frame_region (struct lanes_work *w, struct lanes_frame *frame, const struct ptx_function *f, int64_t at,
			 struct lanes_places *places, bool *more, uint64_t *in, uint64_t *out);
/* All have been looked at.  */
bool lanes_frame_end (struct lanes_frame *frame);

/* How often does S mention such a register?  */
uint32_t lanes_frame_mentions (const struct lanes_places *places, const struct ptx_stmt *s);
/* Is O such an address?  */
bool lanes_frame_is_place (const struct lanes_places *places, const struct ptx_operand *o, int64_t *offset);
/* Is S a plain load or store, or an atomic operation, at such an address?  */
bool lanes_frame_is_at (const struct lanes_places *places, const struct ptx_stmt *s, int64_t *offset);
/* What does statement I of the function do?  */
enum lanes_frame_use lanes_frame_use (const struct lanes_frame *frame, uint32_t i);
/* The word of SIZE bytes at OFFSET; NULL: there is none.  */
const struct lanes_frame_word *lanes_frame_word (const struct lanes_frame *frame, int64_t offset, unsigned size);
/* Does S, a load or store at OFFSET, go to the block's memory in a region?  */
bool lanes_frame_is_shared (const struct lanes_frame *frame, const struct ptx_stmt *s, int64_t offset);
/* The statement of F that loads its only parameter; PTX_NO_INDEX: there is not just one.  */
uint32_t lanes_frame_param (const struct ptx_function *f);

/* ---- nvptx-lanes-slots.c ---- */

enum { LANES_MOST_SLOTS = 64 };

struct lanes_slots
{
  uint64_t bytes;		/* of the frame */
  bool in_memory;		/* not registers: an array of the lane's own */
  unsigned num;
  struct { int64_t offset; unsigned size; } v[LANES_MOST_SLOTS];
};

/* S, a plain load or store of F, is at AT in the frame.  False: it isn't, as that is too small.  */
bool lanes_add_slots (const struct ptx_function *f, const struct ptx_stmt *s, int64_t at, struct lanes_slots *slots);
/* The same of all loads of region F.  */
bool lanes_add_loads (const struct ptx_function *f, const struct lanes_places *places, struct lanes_slots *slots);
/* What regions write has a place outside of regions as well.  */
bool lanes_add_shared (const struct lanes_frame *frame, struct lanes_slots *slots);

/* Append the guard of S.  */
void lanes_put_guard (struct ptx_text *out, const struct ptx_function *f, const struct ptx_stmt *s);
/* What S, which was added, becomes.  */
void lanes_put_slots (struct ptx_text *out, const struct ptx_function *f, const struct ptx_stmt *s, int64_t at,
		      const struct lanes_slots *slots);
/* S of REGION, which warps run, if all lanes of one load 64 bits of the block's memory, which other warps may change: all get what lane 0
   does.  Such a load may be made in two parts, and what is stored in between would part the lanes, for ever, as one of them makes the
   atomic operations of all (device-runtime.md, "What is true on an NVIDIA GPU").  In global memory, where the frame was, it isn't.  */
bool lanes_put_uniform_load (struct ptx_text *out, const struct lanes_function *region, const struct lanes_frame *frame,
			     const struct lanes_places *places, const struct ptx_stmt *s);
/* Words of WHICH go to the block's memory, or (BACK) come from there.  */
void lanes_put_words (struct ptx_text *out, const struct lanes_frame *frame, const struct lanes_slots *slots, uint64_t which,
		      bool back);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_LANES_FRAME_H */
