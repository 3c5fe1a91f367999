/* slots.c -- calls of device code to the host, from images that have our device library.

   Part of each plugin of GPUs.  slots-proto.h tells how a request gets here.  The area is memory that both sides
   reach, of the plugin, which lives as long as reverse offload is enabled for the device; all images of a device
   share it.  helpers.c decides who looks and when; this file finds a request, reads it, lets the core
   serve it and writes the answer.

   A request is read into memory of the thread that serves it, and handed to the core in the form of
   reverse-proto.h: with the bytes that have come with it, and room for those that go back.  So a
   request whose data fits makes no driver call.

   Invariants
   1. xnumber[i] is the number of the last request of slot i that was taken.  Who changes it to
      the next number serves that request; it is changed only when the whole record was read.
   2. xtaken[i] is the lower byte of xnumber[i], or is about to be.  It only tells where to look.
   3. What was read is checked here as far as this file uses it (numbers of words and items), the rest by
      the core.
   4. A device that was lost gets no answer.  */

#include "slots.h"
#include "clock.h"
#include "reverse-proto.h"

#include <stdlib.h>
#include <string.h>

enum
{
  NUM_SLOTS = GOMPX_SLOTS_MAX,
  BELLS = NUM_SLOTS / 8,
  MOST_AT_ONCE = 32		/* requests served before the thread looks for others and at what it waits for */
};

struct plugin_slots
{
  struct plugin_slots_user user;	/* fixed */
  struct gompx_slots *area;	/* fixed */
  /* What was taken: invariants 1 and 2.  */
  _Atomic uint32_t xnumber[NUM_SLOTS];
  _Alignas (128) union
  {
    _Atomic uint8_t xtaken[NUM_SLOTS];
    _Atomic uint64_t xtakens[BELLS];
  } u;
};

/* A request as it was read, with the tags.  */
struct record
{
  uint64_t words[GOMPX_SLOT_WORDS];
  uint32_t num;
  uint32_t rows;		/* items, if each has a row */
};

/* An answer that is being written.  */
struct answer
{
  uint64_t *words;		/* in the area */
  uint32_t number, num;		/* the tag; words so far */
};

struct plugin_slots *
plugin_slots_new (const struct plugin_slots_user *user, struct gompx_slots *area)
{
  struct plugin_slots *s = aligned_alloc (_Alignof (struct plugin_slots), sizeof (*s));
  if (s == NULL)
    return NULL;
  memset (s, 0, sizeof (*s));
  s->user = *user;
  s->area = area;
  return s;
}

void
plugin_slots_free (struct plugin_slots *s)
{
  free (s);
}

static inline bool
is_lost (const struct plugin_slots *s)
{
  /* Relaxed: nothing is published with it.  */
  return atomic_load_explicit (s->user.xlost, memory_order_relaxed) != 0;
}

/* ---- finding a request ---- */

static inline uint64_t
bells (const struct plugin_slots *s, unsigned i)
{
  uint64_t value;
  /* Relaxed: it only tells where to look.  */
  __atomic_load ((const uint64_t *) s->area->bell + i, &value, __ATOMIC_RELAXED);
  return value;
}

/* The bells of word B that say something new, as bits.  */
static inline uint64_t
rung (const struct plugin_slots *s, unsigned b)
{
  /* Relaxed: the same.  */
  return bells (s, b) ^ atomic_load_explicit (&s->u.xtakens[b], memory_order_relaxed);
}

/* The upper bit of each byte of BITS that is not 0.  */
static inline uint64_t
upper_bits (uint64_t bits)
{
  const uint64_t upper = UINT64_C (0x8080808080808080);
  return (((bits & ~upper) + ~upper) | bits) & upper;
}

unsigned
plugin_slots_pending (struct plugin_slots *s)
{
  uint64_t n = 0;
  for (unsigned b = 0; b < BELLS; b++)
    {
      uint64_t bits = rung (s, b);
      if (__builtin_expect (bits != 0, 0))
	n += (upper_bits (bits) >> 7) * UINT64_C (0x0101010101010101) >> 56;	/* the sum of the bytes */
    }
  return (unsigned) n;
}

uint32_t
plugin_slots_first (struct plugin_slots *s)
{
  for (unsigned b = 0; b < BELLS; b++)
    {
      uint64_t bits = rung (s, b);
      if (bits != 0)
	{
	  unsigned i = 8 * b + (unsigned) __builtin_ctzll (bits) / 8;
	  return i << 8 | atomic_load_explicit (&s->u.xtaken[i], memory_order_relaxed);
	}
    }
  return UINT32_MAX;
}

/* Read the record NUMBER of slot I.  False: it is not there, or not all of it.  */
static bool
read_record (const struct plugin_slots *s, unsigned i, uint32_t number, struct record *record)
{
  const uint64_t *words = s->area->slots[i].request;
  uint64_t word, wrong = 0;
  /* A word tells by its number that it is the right one.  Acquire, here and below: the core looks afterwards at what was
     mapped before the request.  */
  __atomic_load (&words[0], &word, __ATOMIC_ACQUIRE);
  if (word >> 32 != number)
    return false;
  uint32_t num = GOMPX_HEAD_WORDS (word);
  num = num < GOMPX_REQUEST_ITEMS ? GOMPX_REQUEST_ITEMS : num > GOMPX_SLOT_WORDS ? GOMPX_SLOT_WORDS : num;
  record->words[0] = word;
  record->num = num;
  for (uint32_t w = 1; w < num; w++)
    {
      __atomic_load (&words[w], &word, __ATOMIC_ACQUIRE);
      wrong |= word ^ gompx_tagged (number, 0);
      record->words[w] = word;
    }
  return wrong >> 32 == 0;
}

/* Where the calling thread looks next.  Threads that look at the same time begin at different places, and so
   take different requests.  */
static unsigned *
next_bell (void)
{
  static __thread unsigned next = UINT32_MAX;
  static _Atomic unsigned xthreads;
  if (__builtin_expect (next == UINT32_MAX, 0))
    next = atomic_fetch_add_explicit (&xthreads, 1, memory_order_relaxed) * 5 % BELLS;
  return &next;
}

/* Fetch the line of the answer of slot I, to be written.  Device code looks at it all the time, and a thread that
   writes what it has to wait for is held up at its next locked instruction, taking the next request.  */
static inline void
fetch_answer (struct plugin_slots *s, unsigned i)
{
  const uint64_t *line = s->area->slots[i].answer;
#ifdef __x86_64__
  /* As gomp_prefetch_write of atomics.h, which is the core's: plugins don't include it.  */
  __asm__ volatile ("prefetchw %0" : : "m" (*line));
#else
  __builtin_prefetch (line, 1);
#endif
}

/* Collect up to MOST slots that seem to have a request, and let their words and the lines of the answers come from memory
   meanwhile.  */
static unsigned
collect (struct plugin_slots *s, unsigned *slots, unsigned most)
{
  unsigned *where = next_bell (), first = *where, num = 0;
  for (unsigned n = 0; n < BELLS && num < most; n++)
    {
      unsigned b = (first + n) % BELLS;
      uint64_t bits = rung (s, b);
      if (bits == 0)
	continue;
      *where = b;
      for (bits = upper_bits (bits); bits != 0 && num < most; bits &= bits - 1)
	{
	  unsigned i = 8 * b + (unsigned) __builtin_ctzll (bits) / 8;
	  slots[num++] = i;
	  __builtin_prefetch (s->area->slots[i].request);
	  __builtin_prefetch (s->area->slots[i].request + 8);
	  fetch_answer (s, i);
	}
    }
  return num;
}

/* Take the request of slot I: its number, with its words in *RECORD.  It was there when *COUNT was looked at: no other one
   has its number.  */
static bool
take (struct plugin_slots *s, unsigned i, uint32_t *number, struct record *record, const _Atomic unsigned *count, unsigned seen)
{
  uint32_t last = atomic_load_explicit (&s->xnumber[i], memory_order_relaxed);
  *number = last + GOMPX_NUMBER_STEP;
  /* Acquire: what was done before it was changed.  Relaxed: nobody passes anything on with it; the words are read already.  */
  if (!read_record (s, i, *number, record)
      || (count != NULL && atomic_load_explicit (count, memory_order_acquire) != seen)
      || !atomic_compare_exchange_strong_explicit (&s->xnumber[i], &last, *number,
						   memory_order_relaxed, memory_order_relaxed))
    return false;
  atomic_store_explicit (&s->u.xtaken[i], (uint8_t) *number, memory_order_relaxed);
  return true;
}

/* ---- what it says ---- */

static inline uint64_t
word64 (const struct record *r, unsigned w)
{
  return (uint32_t) r->words[w] | r->words[w + 1] << 32;
}

/* Words of SIZE bytes.  */
static inline uint64_t
words_of (uint64_t size)
{
  return size / 4 + (size % 4 != 0);
}

/* Copy SIZE bytes, which begin with word W.  */
static inline void
copy_words (void *to, const struct record *r, uint64_t w, uint64_t size)
{
  unsigned char *bytes = to;
  for (; size >= sizeof (uint32_t); size -= sizeof (uint32_t), bytes += sizeof (uint32_t))
    memcpy (bytes, &(uint32_t) { (uint32_t) r->words[w++] }, sizeof (uint32_t));
  if (size > 0)
    memcpy (bytes, &(uint32_t) { (uint32_t) r->words[w] }, size);
}

/* The same of items in rows.  */
static void
unpack_rows (const struct record *record, struct gomp_reverse_slot *slot)
{
  struct gomp_reverse_item *items = gomp_reverse_items (slot);
  uint64_t go = 1 + slot->count, at = slot->count * sizeof (struct gomp_reverse_item);

  for (uint64_t i = 0; i < slot->count; i++)
    {
      unsigned row = (unsigned) (i + 1) * GOMPX_ROW_WORDS;
      uint32_t kind = (uint32_t) record->words[row + GOMPX_ROW_KIND];
      struct gomp_reverse_item *item = &items[i];
      *item = (struct gomp_reverse_item) { .addr = word64 (record, row + GOMPX_ROW_ADDRESS),
					   .size = kind >> 16, .kind = (uint16_t) kind };
      bool filled;
      uint64_t bytes = gomp_reverse_bytes (item->kind, item->addr, item->size, &filled);
      if (bytes == 0 || bytes > GOMP_REVERSE_DATA)
	continue;
      uint64_t words = words_of (bytes);
      uint32_t come = row + GOMPX_ROW_BYTES;
      if (words > 1)
	{
	  come = (uint32_t) record->words[come];
	  filled = (filled && come >= (slot->count + 1) * GOMPX_ROW_WORDS && come <= record->num
		    && words <= record->num - come);
	}
      if ((words == 1 || words <= GOMPX_SLOT_WORDS - go) && at <= GOMP_REVERSE_DATA && bytes <= GOMP_REVERSE_DATA - at)
	{
	  item->at = (uint32_t) at;
	  item->flags = filled ? GOMP_REVERSE_INLINE | GOMP_REVERSE_FILLED : GOMP_REVERSE_INLINE;
	  if (filled)
	    copy_words (slot->data + at, record, come, bytes);
	  at = (at + bytes + 7) & ~UINT64_C (7);
	  go += words == 1 ? 0 : words;
	}
    }
}

/* The items of RECORD with their bytes, in the form of the core.  */
static void
unpack_items (const struct record *record, struct gomp_reverse_slot *slot)
{
  struct gomp_reverse_item *items = gomp_reverse_items (slot);
  uint64_t come = GOMPX_REQUEST_ITEMS + slot->count * GOMPX_ITEM_WORDS;	/* where the next bytes are */
  uint64_t go = GOMPX_ANSWER_DATA;	/* and where the next ones go back */
  uint64_t at = slot->count * sizeof (struct gomp_reverse_item);

  unsigned num = (unsigned) slot->count;
  unsigned addrs = GOMPX_REQUEST_ITEMS, sizes = addrs + num * GOMPX_ITEM_ADDRESS, kinds = sizes + num * GOMPX_ITEM_SIZE;
  for (unsigned i = 0; i < num; i++)
    {
      bool filled, room;
      struct gomp_reverse_item *item = &items[i];
      *item = (struct gomp_reverse_item) { .addr = word64 (record, addrs + i * GOMPX_ITEM_ADDRESS),
					   .size = word64 (record, sizes + i * GOMPX_ITEM_SIZE),
					   .kind = (uint16_t) record->words[kinds + i] };
      if ((item->kind & 0xff) == GOMP_REVERSE_KIND_VALUE)
	continue;
      uint64_t bytes = gomp_reverse_bytes (item->kind, item->addr, item->size, &filled);
      if (bytes == 0 || bytes > GOMP_REVERSE_DATA)
	continue;
      uint64_t words = words_of (bytes);
      filled = filled && words <= record->num - come;
      room = words <= GOMPX_SLOT_WORDS - go && at <= GOMP_REVERSE_DATA && bytes <= GOMP_REVERSE_DATA - at;
      if (room)
	{
	  item->at = (uint32_t) at;
	  item->flags = filled ? GOMP_REVERSE_INLINE | GOMP_REVERSE_FILLED : GOMP_REVERSE_INLINE;
	  if (filled)
	    copy_words (slot->data + at, record, come, bytes);
	  at = (at + bytes + 7) & ~UINT64_C (7);
	  go += words;
	}
      if (filled)
	come += words;
    }
}

/* False: it makes no sense.  */
static bool
unpack (const struct plugin_slots *s, struct record *record, struct gomp_reverse_slot *slot)
{
  uint32_t head = (uint32_t) record->words[GOMPX_REQUEST_HEAD];
  record->rows = 0;
  memset (slot, 0, offsetof (struct gomp_reverse_slot, data));
  slot->type = (uint16_t) GOMPX_HEAD_TYPE (head);
  slot->device = s->user.ordinal;
  slot->function = word64 (record, GOMPX_REQUEST_FUNCTION);
  slot->count = GOMPX_HEAD_FLAGS (head);
  if (slot->type == GOMP_REVERSE_TARGET && slot->count <= GOMPX_SLOT_MAX_ITEMS)
    {
      if (slot->count * GOMPX_ITEM_WORDS > record->num - GOMPX_REQUEST_ITEMS)
	return false;
      unpack_items (record, slot);
      return true;
    }
  if (slot->type == GOMP_REVERSE_TARGET && slot->count > GOMPX_COUNT_ROWS
      && slot->count <= GOMPX_COUNT_ROWS + GOMPX_ROWS_MAX_ITEMS)
    {
      slot->count -= GOMPX_COUNT_ROWS;
      if ((slot->count + 1) * GOMPX_ROW_WORDS > record->num)
	return false;
      record->rows = (uint32_t) slot->count;
      unpack_rows (record, slot);
      return true;
    }
  if (record->num < GOMPX_REQUEST_DATA)
    return false;
  slot->count = (uint32_t) record->words[GOMPX_REQUEST_COUNT];
  slot->addrs = word64 (record, GOMPX_REQUEST_ADDRS);
  if (slot->type != GOMP_REVERSE_TARGET)
    {
      if (words_of (slot->count) > record->num - GOMPX_REQUEST_DATA)
	return false;
      copy_words (slot->data, record, GOMPX_REQUEST_DATA, slot->count);
      return true;
    }
  slot->flags = GOMP_REVERSE_FAR;
  if (record->num < GOMPX_REQUEST_FAR_WORDS)
    return false;
  slot->sizes = word64 (record, GOMPX_REQUEST_DATA);
  slot->kinds = word64 (record, GOMPX_REQUEST_DATA + 2);
  return true;
}

/* ---- the answer ---- */

/* Release: what the core has done on the device comes before; where that matters, the device has a fence.  */
static inline void
put (const struct answer *answer, uint32_t w, uint32_t value)
{
  __atomic_store_n (&answer->words[w], gompx_tagged (answer->number, value), __ATOMIC_RELEASE);
}

/* Append SIZE bytes; the caller knows that there is room.  */
static inline void
append (struct answer *answer, const unsigned char *data, uint64_t size)
{
  uint32_t word;
  for (; size >= sizeof (word); size -= sizeof (word), data += sizeof (word))
    {
      memcpy (&word, data, sizeof (word));
      put (answer, answer->num++, word);
    }
  if (size > 0)
    {
      word = 0;
      memcpy (&word, data, size);
      put (answer, answer->num++, word);
    }
}

/* The rest of the answer, whose head is HEAD with the tag NUMBER.  The head comes last, so that who finds it finds the rest at the first
   look, mostly.  */
static inline void
finish (const struct answer *answer, uint32_t number, uint32_t head)
{
  if (__builtin_expect (answer->number % GOMPX_SLOTS_REFRESH == 0, 0))
    for (uint32_t w = GOMPX_SLOT_WORDS; w-- > answer->num; )
      put (answer, w, 0);
  __atomic_store_n (&answer->words[0], gompx_tagged (number, head), __ATOMIC_RELEASE);
}

/* To a request with ROWS items in rows.  */
static void
answer_rows (struct answer *answer, const struct gomp_reverse_slot *slot, uint32_t rows)
{
  const struct gomp_reverse_item *items = (const struct gomp_reverse_item *) slot->data;
  uint32_t returned = 0;

  answer->num = 1 + rows;
  for (uint32_t i = 0; i < rows; i++)
    {
      uint32_t word = 0;
      if (items[i].flags & GOMP_REVERSE_RETURNED)
	{
	  returned |= UINT32_C (2) << i;
	  if (items[i].size > sizeof word)
	    {
	      word = answer->num;
	      append (answer, slot->data + items[i].at, items[i].size);
	    }
	  else
	    memcpy (&word, slot->data + items[i].at, items[i].size);
	}
      put (answer, 1 + i, word);
    }
  finish (answer, slot->flags & GOMP_REVERSE_COPIED ? answer->number + 1 : answer->number, returned);
}

static inline void
answer_items (struct answer *answer, const struct gomp_reverse_slot *slot, enum gomp_reverse_status status)
{
  const struct gomp_reverse_item *items = (const struct gomp_reverse_item *) slot->data;
  uint64_t value = slot->function;
  unsigned flags = slot->flags & GOMP_REVERSE_COPIED ? GOMPX_ANSWER_COPIED : 0;

  answer->num = GOMPX_ANSWER_DATA;
  if (slot->type != GOMP_REVERSE_TARGET)
    append (answer, slot->data, slot->count < GOMPX_SLOT_BYTES ? slot->count : GOMPX_SLOT_BYTES);
  else
    {
      uint64_t count = slot->flags & GOMP_REVERSE_FAR ? 0 : slot->count;
      value = 0;
      for (uint64_t i = 0; i < count; i++)
	if (items[i].flags & GOMP_REVERSE_RETURNED)
	  {
	    value |= UINT64_C (1) << i;
	    append (answer, slot->data + items[i].at, items[i].size);
	  }
    }
  put (answer, GOMPX_ANSWER_VALUE, (uint32_t) value);
  put (answer, GOMPX_ANSWER_VALUE + 1, (uint32_t) (value >> 32));
  finish (answer, answer->number, GOMPX_HEAD (answer->num, status, flags));
}

/* Serve the request of slot I if there is still one; LAST is plugin_calls_last ().  *LENGTH, unless LENGTH is NULL, becomes the nanoseconds that the
   core takes.  */
static bool
serve (struct plugin_slots *s, unsigned i, const _Atomic unsigned *count, unsigned seen, struct plugin_called *last,
       uint64_t *length)
{
  struct record record;
  struct gomp_reverse_slot slot;
  uint32_t number;

  if (!take (s, i, &number, &record, count, seen))
    return false;
  if (s->user.before != NULL)
    s->user.before (s->user.dev);
  enum gomp_reverse_status status = GOMP_REVERSE_FAILED;
  if (!unpack (s, &record, &slot))
    {
      slot.type = GOMP_REVERSE_TYPES;
      slot.count = 0;
    }
  else
    {
      bool region = slot.type == GOMP_REVERSE_TARGET;
      if (region)
	plugin_calls_find (s->user.calls, slot.function, last);
      /* What can fail is told by the core, which ends the program or has lost the device.  */
      uint64_t start = length != NULL ? plugin_now () : 0;
      status = s->user.core->reverse_serve (s->user.core_device, region ? last->image : NULL, region ? last->index : 0, &slot);
      if (length != NULL)
	*length = plugin_now () - start;
    }
  if (!is_lost (s))
    {
      struct answer answer = { s->area->slots[i].answer, number, 0 };
      if (record.rows != 0)
	answer_rows (&answer, &slot, record.rows);
      else
	answer_items (&answer, &slot, status);
    }
  return true;
}

unsigned
plugin_slots_serve (struct plugin_slots *s, unsigned most, const _Atomic unsigned *count, unsigned seen, uint64_t *length)
{
  unsigned slots[MOST_AT_ONCE], served = 0;
  struct plugin_called *last = plugin_calls_last ();
  unsigned num = collect (s, slots, most < MOST_AT_ONCE ? most : MOST_AT_ONCE);
  for (unsigned n = 0; n < num && !is_lost (s); n++)
    {
      /* Again: those of a long list are gone when their turn comes.  */
      if (n + 1 < num)
	fetch_answer (s, slots[n + 1]);
      served += serve (s, slots[n], count, seen, last, served == 0 ? length : NULL);
    }
  return served;
}
