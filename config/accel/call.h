/* call.h -- a request to the host, on the device: for reverse.c and service.c.

   plugin/slots-proto.h tells what a request is and why.  All of this is inlined into the few functions
   that make requests, where values that differ between lanes stay in registers.

   A call is begun, sent, awaited, and ended:

     struct accel_call c;
     if (accel_call_begin (&c))		somebody serves
       {
	 c.head = ...; ...		what is asked
	 accel_call_send (&c);
	 accel_call_await (&c);		or accel_call_is_done, and other things meanwhile
	 ...				accel_call_word, accel_call_bring
	 accel_call_end (&c);
       }

   Invariants
   1. In uniform code all lanes of the warp do all of this together; in simd code each by itself.
   2. Between begin and end nothing waits for another thread of the device.  */

#ifndef GOMPX_ACCEL_CALL_H
#define GOMPX_ACCEL_CALL_H 1

#include <stddef.h>

#include "remote.h"
#include "slots-proto.h"
#include "reverse-bytes.h"

#pragma omp declare target

/* Written by the plugin before any kernel starts.  Before that it points to one without an area, so that it can be read through
   without a look at it: nobody serves.  */
extern struct gompx_reverse *gompx_reverse;

/* How it went, as the answer's head says: enum gomp_reverse_status.  */
enum { ACCEL_CALL_OK, ACCEL_CALL_UNKNOWN };

/* service.c: what include/gompx.h asks for; a struct gompx_request.  */
void accel_service (void *request);

#ifndef REMOTE_ROWS
# define REMOTE_ROWS 0
#endif
/* Where a driver compiles it: parts of their own are compiled at the same time, so that less is waited for.  Values that differ between lanes
   can be parameters, but not in memory.  */
#ifndef REMOTE_APART
# define REMOTE_APART REMOTE_INLINE
#endif

struct accel_call
{
  struct gompx_reverse *r;
  struct gompx_slots *area;	/* of *r, and these */
  uint32_t mask;
  bool shared;			/* GOMPX_REVERSE_SHARED */
  struct gompx_slot *slot;
  unsigned index;		/* of the slot */
  uint32_t number;
  unsigned lane, lanes;
  uint32_t delay;		/* before the first look for the answer */
  uint64_t mine;		/* the answer's word of this lane */
  /* The request.  */
  unsigned words;		/* of it */
  uint8_t type;
  uint8_t items;		/* the head's third part */
  uint32_t count;
  uint64_t function, argument;
  /* TARGET: the items.  Services have COUNT bytes at DATA, which is NULL for others.  */
  bool target;			/* not a service; TYPE does not tell, a program's services have any */
  const uint64_t *addrs, *sizes;
  const uint16_t *kinds;
  bool far;			/* more items than a request can have */
  uint32_t travels;		/* bit I: the bytes of item I are in the request */
  const unsigned char *data;
  /* TARGET, in rows (REMOTE_ROWS): COUNT items, and that of this lane.  */
  bool rows;
  uint64_t address;
  uint32_t kind, bytes;		/* words of the row */
};

REMOTE_INLINE bool
accel_call_in_rows (const struct accel_call *c)
{
  return REMOTE_ROWS && c->rows;
}

/* Turn TURN of a loop that waits.  */
REMOTE_APART void
accel_call_pause_apart (unsigned turn)
{
  remote_pause (turn);
}

/* A call in rows keeps no registers for functions.  */
REMOTE_INLINE void
accel_call_pause (const struct accel_call *c, unsigned turn)
{
  if (accel_call_in_rows (c))
    remote_pause (turn);
  else
    accel_call_pause_apart (turn);
}

/* ---- a slot ---- */

/* Who serves, and who calls.  False: nobody serves.  */
REMOTE_INLINE bool
accel_call_resume (struct accel_call *c)
{
  c->lane = remote_lane (&c->lanes);
  c->r = gompx_reverse;
  c->area = (struct gompx_slots *) (uintptr_t) c->r->area;
  c->mask = c->r->mask;
  c->shared = (c->r->flags & GOMPX_REVERSE_SHARED) != 0;
  c->rows = false;
  return c->area != NULL;
}

/* Ask for a slot: the exchange is on its way while the caller makes up its request.  */
REMOTE_INLINE void
accel_call_ask (struct accel_call *c)
{
  c->index = remote_place () & c->mask;
  c->number = remote_exchange (&c->r->owner[c->index], 1, c->lane);
  /* What was learned there is good for another slot, too.  */
  c->delay = remote_load32 (&c->r->delay[c->index]);
}

/* Both.  False: nobody serves.  */
REMOTE_INLINE bool
accel_call_begin (struct accel_call *c)
{
  if (!accel_call_resume (c))
    return false;
  accel_call_ask (c);
  return true;
}

/* Have the slot, or another one.  */
REMOTE_INLINE void
accel_call_have_slot (struct accel_call *c)
{
  uint32_t old;
  for (unsigned tries = 1; ; tries++)
    {
      /* The numbers in the words are what orders a request and the next one.  */
      old = remote_from_lane (c->lanes, c->number, 0);
      if ((old & 1) == 0)
	break;
      /* An odd step comes to all.  */
      c->index = (c->index + 7) & c->mask;
      if ((tries & c->mask) == 0)
	accel_call_pause (c, tries);
      c->number = __atomic_exchange_n (&c->r->owner[c->index], 1, __ATOMIC_RELAXED);
    }
  c->number = old + GOMPX_NUMBER_STEP;
  c->slot = &c->area->slots[c->index];
}

REMOTE_INLINE void
accel_call_end (struct accel_call *c)
{
  remote_join (c->lanes);
  remote_store32 (&c->r->owner[c->index], c->number, c->lane);
}

/* ---- the request ---- */

/* The 32 bits at ADDRESS, of which LEFT bytes are there; the others are 0.  */
REMOTE_INLINE uint32_t
accel_call_load (const unsigned char *address, uint64_t left)
{
  if (((uintptr_t) address & 3) == 0 && left >= 4)
    return *(const uint32_t *) address;
  uint32_t word = 0;
  for (unsigned i = 0; i < 4 && i < left; i++)
    word |= (uint32_t) address[i] << 8 * i;
  return word;
}

REMOTE_INLINE void
accel_call_store (unsigned char *address, uint32_t word, uint64_t left)
{
  if (((uintptr_t) address & 3) == 0 && left >= 4)
    *(uint32_t *) address = word;
  else
    for (unsigned i = 0; i < 4 && i < left; i++)
      address[i] = word >> 8 * i;
}

REMOTE_INLINE uint32_t
accel_call_half (uint64_t value, unsigned upper)
{
  return upper ? (uint32_t) (value >> 32) : (uint32_t) value;
}

/* Word W of the items and their data.  */
REMOTE_INLINE uint32_t
accel_call_item_word (const struct accel_call *c, unsigned w)
{
  typedef uint32_t __attribute__ ((may_alias)) half;
  unsigned i, n = c->count;
  if (w < 4 * n)
    return w < 2 * n ? ((const half *) c->addrs)[w] : ((const half *) c->sizes)[w - 2 * n];
  if (w < GOMPX_ITEM_WORDS * n)
    return c->kinds[w - 4 * n];
  unsigned at = n * GOMPX_ITEM_WORDS;
  for (i = 0; i < c->count; i++)
    if (c->travels >> i & 1)
      {
	bool filled;
	uint64_t bytes = gomp_reverse_bytes (c->kinds[i], c->addrs[i], c->sizes[i], &filled);
	unsigned num = (bytes + 3) / 4, k = w - at;
	if (k < num)
	  return accel_call_load ((const unsigned char *) (uintptr_t) c->addrs[i] + 4 * k,
				  bytes - 4 * k);
	at += num;
      }
  return 0;
}

REMOTE_INLINE uint32_t
accel_call_request_word (const struct accel_call *c, unsigned w)
{
  if (w < GOMPX_REQUEST_ITEMS)
    return (w == GOMPX_REQUEST_HEAD ? GOMPX_HEAD (c->words, c->type, c->items)
	    : accel_call_half (c->function, ~w & 1));
  if (w >= c->words)
    return 0;			/* of a refreshing record */
  if (c->target && !c->far)
    return accel_call_item_word (c, w - GOMPX_REQUEST_ITEMS);
  if (w < GOMPX_REQUEST_DATA)
    return w == GOMPX_REQUEST_COUNT ? c->count : accel_call_half (c->argument, w & 1);
  w -= GOMPX_REQUEST_DATA;
  return (!c->far ? accel_call_load (c->data + 4 * w, c->count - 4 * w)
	  : accel_call_half (w < 2 ? (uintptr_t) c->sizes : (uintptr_t) c->kinds, w & 1));
}

#ifdef REMOTE_PUT
/* BYTES bytes at ADDRESS become words of the request, from AT on.  */
REMOTE_INLINE unsigned
accel_call_put (const struct accel_call *c, unsigned at, const unsigned char *address, uint64_t bytes)
{
  uint64_t *request = c->slot->request, done = 0;
  if (((uintptr_t) address & 3) == 0)
    {
      remote_put (&request[at], address, bytes / 4, c->number);
      done = bytes / 4;
    }
  for (; 4 * done < bytes; done++)
    remote_store (&request[at + done], gompx_tagged (c->number, accel_call_load (address + 4 * done, bytes - 4 * done)));
  return at + done;
}

/* WORDS words of the request, piece by piece: the same as accel_call_request_word for each, where one lane has to make
   all of them.  */
REMOTE_INLINE void
accel_call_pieces (const struct accel_call *c, unsigned words)
{
  unsigned at = 0, n = c->count;
  uint64_t *request = c->slot->request;
  for (; at < GOMPX_REQUEST_ITEMS; at++)
    remote_store (&request[at], gompx_tagged (c->number, accel_call_request_word (c, at)));
  if (c->target && !c->far)
    {
      at = accel_call_put (c, at, (const unsigned char *) c->addrs, n * 8);
      at = accel_call_put (c, at, (const unsigned char *) c->sizes, n * 8);
      remote_put_halves (&request[at], c->kinds, n, c->number);
      at += n;
      for (unsigned i = 0; i < n; i++)
	if (c->travels >> i & 1)
	  {
	    bool filled;
	    uint64_t bytes = gomp_reverse_bytes (c->kinds[i], c->addrs[i], c->sizes[i], &filled);
	    at = accel_call_put (c, at, (const unsigned char *) (uintptr_t) c->addrs[i], bytes);
	  }
    }
  else
    {
      unsigned front = c->far ? GOMPX_REQUEST_FAR_WORDS : GOMPX_REQUEST_DATA;
      for (; at < front && at < words; at++)
	remote_store (&request[at], gompx_tagged (c->number, accel_call_request_word (c, at)));
      if (!c->far && c->data != NULL)
	at = accel_call_put (c, at, c->data, n);
    }
  for (; at < words; at++)
    remote_store (&request[at], gompx_tagged (c->number, 0));
}
#endif

/* A lane's item, while it comes from memory.  */
struct accel_row
{
  uint64_t address, size;
  uint32_t kind;
};

/* False: a call of COUNT items by *C has no rows.  */
REMOTE_INLINE bool
accel_call_load_row (const struct accel_call *c, struct accel_row *row, uint32_t count, const uint64_t *addrs,
		     const uint64_t *sizes, const uint16_t *kinds)
{
  if (!REMOTE_ROWS || c->lanes != 32 || count - 1 >= GOMPX_ROWS_MAX_ITEMS)
    return false;
  /* Lanes without an item look at the first one, too.  */
  unsigned i = c->lane - 1 < count ? c->lane - 1 : 0;
  row->address = addrs[i];
  row->size = sizes[i];
  row->kind = kinds[i];
  return true;
}

/* The request C is a reverse call whose items are values, and variables of 4 bytes, one for each lane but the first: so
   all that is done for one of them is done for all at once, and lanes do not part, also not to find out what
   gomp_reverse_bytes says.  False: it is another one.  */
REMOTE_INLINE bool
accel_call_set_rows (struct accel_call *c, const struct accel_row *row, uint32_t count, const uint64_t *addrs)
{
  uint64_t address = row->address, size = row->size;
  uint32_t kind = row->kind;
  /* Alloc, to, from, tofrom, also with "always".  */
  bool four = (kind & 0xec) == 0 && size == 4 && (address & 3) == 0 && address != 0;
  bool value = (kind & 0xff) == GOMP_REVERSE_KIND_VALUE && size < 1u << 16;
  bool read = four && (kind & 1) != 0;
  if (!remote_all (c->lanes, four || value))
    return false;
  /* Others read something that is there.  */
  uint32_t bytes = *(const uint32_t *) (uintptr_t) (read ? address : (uintptr_t) addrs);
  c->rows = true;
  c->count = count;
  c->words = (count + 1) * GOMPX_ROW_WORDS;
  c->address = address;
  c->kind = kind | (uint32_t) size << 16;
  c->bytes = read ? bytes : 0;
  return true;
}

#if REMOTE_ROWS
REMOTE_INLINE void
accel_call_put_row (const struct accel_call *c)
{
  uint64_t *row = &c->slot->request[c->lane * GOMPX_ROW_WORDS];
  uint64_t front = (uint64_t) (uint32_t) c->function << 32 | GOMPX_HEAD (c->words, c->type, GOMPX_COUNT_ROWS + c->count);
  uint64_t address = c->lane == 0 ? front : c->address;
  uint32_t kind = c->lane == 0 ? (uint32_t) (c->function >> 32) : c->kind;
  if (c->lane <= c->count)
    {
      remote_store_two (&row[GOMPX_ROW_ADDRESS], gompx_tagged (c->number, (uint32_t) address),
			gompx_tagged (c->number, (uint32_t) (address >> 32)));
      remote_store_two (&row[GOMPX_ROW_KIND], gompx_tagged (c->number, kind), gompx_tagged (c->number, c->bytes));
    }
  if (c->number % GOMPX_SLOTS_REFRESH == 0)
    for (unsigned w = c->words + c->lane; w < GOMPX_SLOT_WORDS; w += c->lanes)
      remote_store (&c->slot->request[w], gompx_tagged (c->number, 0));
}
_Static_assert ((int) GOMPX_REQUEST_HEAD == (int) GOMPX_ROW_ADDRESS
		&& (int) GOMPX_REQUEST_FUNCTION == (int) GOMPX_ROW_ADDRESS + 1
		&& GOMPX_ROW_KIND == GOMPX_ROW_ADDRESS + 2 && GOMPX_ROW_BYTES == GOMPX_ROW_KIND + 1, "accel_call_put_row");
#endif

/* The request C is one of a service, with COUNT bytes at DATA.  */
REMOTE_INLINE void
accel_call_set_data (struct accel_call *c, const void *data, uint32_t count)
{
  c->target = false;
  c->count = count;
  c->addrs = c->sizes = NULL;
  c->kinds = NULL;
  c->items = 0;
  c->travels = 0;
  c->far = false;
  c->data = data;
  c->words = GOMPX_REQUEST_DATA + (count + 3) / 4;
}

/* A request that has no rows goes into the slot.  */
REMOTE_INLINE void
accel_call_put_words (const struct accel_call *c)
{
  unsigned words = c->number % GOMPX_SLOTS_REFRESH == 0 ? GOMPX_SLOT_WORDS : c->words;
#ifdef REMOTE_PUT
  accel_call_pieces (c, words);
#else
  for (unsigned w = c->lane; w < words; w += c->lanes)
    remote_store (&c->slot->request[w], gompx_tagged (c->number, accel_call_request_word (c, w)));
#endif
}

/* The request is in the slot: let the host see it.  */
REMOTE_INLINE void
accel_call_ring (const struct accel_call *c)
{
  remote_ring (&c->area->bell[c->index], c->number, c->lane);
}

/* All of it, of a service.  */
REMOTE_INLINE void
accel_call_send (struct accel_call *c)
{
  accel_call_have_slot (c);
  accel_call_put_words (c);
  accel_call_ring (c);
}

/* ---- the answer ---- */

/* Look once: is the answer's begin there?  */
REMOTE_INLINE bool
accel_call_is_done (struct accel_call *c)
{
  c->mine = remote_load (&c->slot->answer[c->lane]);
  /* The words of one load need not be of one time: each one's number is looked at.  */
  if (accel_call_in_rows (c))
    return remote_all (c->lanes, c->lane > c->count
				 || (uint32_t) (c->mine >> 32) - c->number <= (c->lane == 0));
  uint32_t number = remote_from_lane (c->lanes, c->mine >> 32, 0);
  uint32_t words = GOMPX_HEAD_WORDS (remote_from_lane (c->lanes, (uint32_t) c->mine, 0));
  return (number == c->number
	  && remote_all (c->lanes, c->lane >= words || c->mine >> 32 == c->number));
}

/* Wait for the answer.  A look takes a round trip across the bus, as long as everything else together,
   so one that comes a moment too early costs a whole one more.  The first look is made when the
   answer came the last times: a little later if it was not there, a little earlier if it was.  */
REMOTE_INLINE void
accel_call_await (struct accel_call *c)
{
  unsigned looks = 0;
  remote_spin (c->delay);
  while (!accel_call_is_done (c))
    accel_call_pause (c, looks++);
  uint32_t delay = c->delay;
  if (looks == 0)
    delay -= delay < REMOTE_EARLIER ? delay : REMOTE_EARLIER;
  else if (delay < REMOTE_LONGEST)
    delay += REMOTE_LATER;
  remote_store32 (&c->r->delay[c->index], delay, c->lane);
}

/* What is cached of memory of the device may be old.  */
REMOTE_INLINE bool
accel_call_copied (const struct accel_call *c)
{
  if (accel_call_in_rows (c))
    return remote_from_lane (c->lanes, (uint32_t) (c->mine >> 32), 0) != c->number;
  return (GOMPX_HEAD_FLAGS (remote_from_lane (c->lanes, (uint32_t) c->mine, GOMPX_ANSWER_HEAD)) & GOMPX_ANSWER_COPIED) != 0;
}

/* What has come back of this lane's item goes to its place.  */
REMOTE_INLINE void
accel_call_bring_row (const struct accel_call *c)
{
  uint32_t returned = remote_from_lane (c->lanes, (uint32_t) c->mine, 0);
  if (c->lane != 0 && (returned >> c->lane & 1) != 0)
    *(uint32_t *) (uintptr_t) c->address = (uint32_t) c->mine;
}

/* The answer's word W, which may be another one for each lane if it is one that is not the lane's
   own.  The answer has begun.  */
REMOTE_INLINE uint32_t
accel_call_far_word (const struct accel_call *c, unsigned w)
{
  uint64_t word;
  for (unsigned turn = 0; (word = remote_load (&c->slot->answer[w])) >> 32 != c->number; turn++)
    accel_call_pause (c, turn);
  return (uint32_t) word;
}

/* The same of NUMBER's request, where it is not often wanted.  */
REMOTE_APART uint32_t
accel_call_word_apart (struct gompx_slot *slot, uint32_t number, unsigned w)
{
  const struct accel_call c = { .slot = slot, .number = number };
  return accel_call_far_word (&c, w);
}

/* The same, W and the result alike in all lanes.  */
REMOTE_INLINE uint32_t
accel_call_word (const struct accel_call *c, unsigned w)
{
  return (w < c->lanes ? remote_from_lane (c->lanes, (uint32_t) c->mine, w)
	  : accel_call_word_apart (c->slot, c->number, w));
}

REMOTE_INLINE uint64_t
accel_call_value (const struct accel_call *c)
{
  return (accel_call_word (c, GOMPX_ANSWER_VALUE)
	  | (uint64_t) accel_call_word (c, GOMPX_ANSWER_VALUE + 1) << 32);
}

/* BYTES bytes of the answer, from its word AT on, to ADDRESS.  */
REMOTE_INLINE void
accel_call_bring (const struct accel_call *c, unsigned at, void *address, uint64_t bytes)
{
  unsigned end = at + (bytes + 3) / 4;
#ifdef REMOTE_PUT
  if (((uintptr_t) address & 3) == 0)
    {
      unsigned whole = bytes / 4;
      remote_take (address, &c->slot->answer[at], whole, c->number);
      if (whole * 4 < bytes)
	accel_call_store ((unsigned char *) address + 4 * whole, accel_call_far_word (c, at + whole), bytes - 4 * whole);
      return;
    }
#endif
  for (unsigned w = at + ((c->lane - at) & (c->lanes - 1)); w < end; w += c->lanes)
    accel_call_store ((unsigned char *) address + 4 * (w - at),
		      w < c->lanes ? (uint32_t) c->mine : accel_call_far_word (c, w),
		      bytes - 4 * (w - at));
}

#pragma omp end declare target

#endif /* GOMPX_ACCEL_CALL_H */
