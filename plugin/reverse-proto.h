/* reverse-proto.h -- how device code calls the host: the request area, shared by device
   libraries, plugins and the core.

   Freestanding C without pointers in its layout: the host half is compiled for the host, the
   device half (GOMP_REVERSE_DEVICE defined) with the code of a device, where addresses are
   the device's own.  doc/reverse-offload.md tells the whole story.

   An area is host memory that the device can write (pinned, or shared with a worker process).  It
   has slots, one for a call under way.

     who            state of a slot                        what happened
     -------------  -------------------------------------  ------------------------------------
     device         IDLE, owned by nobody
       acquire        |  bit in the device's own memory     never across the bus
     device         IDLE, owned by one thread
       pack, publish  |  plain stores, then xstate           release
     both           POSTED                                   the bell says where to look
       take           |  compare-and-swap                    acquire; exactly one host thread
     host           SERVING                                  leave: POSTED again
       answer         |  results, then xstate                release
     device         DONE
       unpack, release|  results are read, the bit goes back
     device         IDLE

   Invariants
   1. Every word has one writer at a time: the owner of the slot, as the table says.  Only
      take changes a word that the other side wrote, and only from POSTED to SERVING; leave changes it back.
      A caller on a cpu device that has waited for long takes its request back in the same way, and
      publishes it again.
   2. The bell of a slot is the number of its last request, modulo 256.  The device writes it after
      xstate; the host keeps the numbers it has taken in memory of its own.  A bell that
      differs from it is a request, or one that somebody is just taking.  Bells need no
      atomic operation across the bus.
   3. Nothing of a request changes between publish and DONE but what the host answers.
   4. A slot that is published again has another sequence number, so that a host thread that slept
      in the middle of take can at worst take the newer request, which is as good.
   5. The host believes nothing in here: it copies what it checks before it checks it.
   6. A detached request (nobody waits for it) is owned by nobody after DONE.  A device thread
      that finds no idle slot takes such slots back.

   The asynchronous form is the same calls with other work between publish and
   gomp_reverse_is_done.  */

#ifndef GOMP_REVERSE_PROTO_H
#define GOMP_REVERSE_PROTO_H 1

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reverse-bytes.h"

#define GOMP_REVERSE_VERSION 1u
#define GOMP_REVERSE_MAX_SLOTS 512	/* a multiple of 64 */
#define GOMP_REVERSE_SLOT_SIZE 2048
#define GOMP_REVERSE_DATA (GOMP_REVERSE_SLOT_SIZE - 64)
#define GOMP_REVERSE_MAX_ITEMS 64	/* inline; longer lists are fetched from the device */
#define GOMP_REVERSE_NONE UINT32_MAX

/* Accesses to words of the area.  A device whose compiler does not give these the scope of the
   whole system defines its own before including this file.  */
#ifndef GOMP_REVERSE_LOAD
# define GOMP_REVERSE_LOAD(p) atomic_load_explicit (p, memory_order_relaxed)
# define GOMP_REVERSE_LOAD_ACQUIRE(p) atomic_load_explicit (p, memory_order_acquire)
# define GOMP_REVERSE_STORE(p, v) atomic_store_explicit (p, v, memory_order_relaxed)
# define GOMP_REVERSE_STORE_RELEASE(p, v) atomic_store_explicit (p, v, memory_order_release)
/* A store that a load behind it does not overtake, for sides that go to sleep.  */
# define GOMP_REVERSE_STORE_BELL(p, v) atomic_store_explicit (p, v, memory_order_seq_cst)
#endif

enum gomp_reverse_state
{
  GOMP_REVERSE_IDLE,
  GOMP_REVERSE_POSTED,
  GOMP_REVERSE_SERVING,
  GOMP_REVERSE_DONE
};

/* What the host is asked for.  */
enum gomp_reverse_type
{
  GOMP_REVERSE_TARGET = 1,	/* call a function: target device(ancestor: 1) */
  GOMP_REVERSE_TYPES
};

/* How it went.  */
enum gomp_reverse_status
{
  GOMP_REVERSE_OK,
  GOMP_REVERSE_UNKNOWN_TYPE,	/* this host does not know the type: nothing was done */
  GOMP_REVERSE_FAILED
};

/* Flags of a request.  */
enum
{
  GOMP_REVERSE_FAR = 1u << 0,	/* the arrays are in device memory, data[] is empty */
  GOMP_REVERSE_DETACHED = 1u << 1,	/* nobody waits for the answer */
  GOMP_REVERSE_COPIED = 1u << 2	/* set by the host: memory of the device was changed */
};

/* Flags of an item.  */
enum
{
  GOMP_REVERSE_INLINE = 1u << 0,	/* data[at .. at + size) is room for its bytes */
  GOMP_REVERSE_FILLED = 1u << 1,	/* ... and holds them */
  GOMP_REVERSE_RETURNED = 1u << 2	/* set by the host: holds the result */
};

struct gomp_reverse_item
{
  uint64_t addr;		/* on the device; or a value, as the kind says */
  uint64_t size;
  uint16_t kind;		/* as compilers encode it: abi/target section 2.2 */
  uint16_t flags;
  uint32_t at;			/* INLINE: where in data[]; a multiple of 8 */
};

struct gomp_reverse_slot
{
  /* enum gomp_reverse_state, see above.  */
  _Alignas (128) _Atomic (uint32_t) xstate;
  /* The device thread sleeps on xstate; used only where devices can sleep.  */
  _Atomic (uint32_t) xsleeps;
  /* Answer, published by DONE.  */
  int32_t status;		/* enum gomp_reverse_status */
  /* Request, published by POSTED.  */
  uint32_t sequence;		/* what its bell is going to say */
  uint16_t type;		/* enum gomp_reverse_type */
  uint16_t flags;
  int32_t device;		/* the caller's device number */
  uint64_t function;		/* as the device's code names it */
  uint64_t count;		/* items */
  uint64_t addrs, sizes, kinds;	/* where the caller's arrays are on the device */
  /* COUNT items (not FAR), then their inline bytes.  They begin with the next line, the one that
     many processors fetch together with the first.  */
  unsigned char data[GOMP_REVERSE_DATA];
};

struct gomp_reverse_area
{
  uint32_t version, slot_size;	/* fixed */
  uint32_t num_slots;		/* fixed; a multiple of 8 */
  uint32_t reserved;
  /* For hosts and devices that can sleep and wake each other (the cpu device).  Whoever goes to
     sleep counts himself first and looks at the bells then; whoever rings looks at the counts
     afterwards.  */
  _Alignas (128) _Atomic (uint32_t) xwaiters;	/* threads that sleep on xrung ... */
  _Atomic (uint32_t) xrung;	/* ... which changes before they are woken */
  _Atomic (uint32_t) xhelpers;	/* the same for helpers, which are woken only if nobody takes */
  _Atomic (uint32_t) xhelp;	/* a request for some time */
  _Alignas (128) union
  {
    _Atomic (uint8_t) xbell[GOMP_REVERSE_MAX_SLOTS];
    _Atomic (uint64_t) xbells[GOMP_REVERSE_MAX_SLOTS / 8];
  } u;
  struct gomp_reverse_slot slots[];
};

_Static_assert (sizeof (struct gomp_reverse_item) == 24, "layout of an item");
_Static_assert (offsetof (struct gomp_reverse_slot, function) == 24
		&& offsetof (struct gomp_reverse_slot, data) == 64
		&& sizeof (struct gomp_reverse_slot) == GOMP_REVERSE_SLOT_SIZE,
		"layout of a slot");
_Static_assert (offsetof (struct gomp_reverse_area, xwaiters) == 128
		&& offsetof (struct gomp_reverse_area, u) == 256
		&& sizeof (struct gomp_reverse_area) == 256 + GOMP_REVERSE_MAX_SLOTS,
		"layout of the area");
_Static_assert (GOMP_REVERSE_MAX_ITEMS * sizeof (struct gomp_reverse_item) <= GOMP_REVERSE_DATA,
		"room for the items");

static inline struct gomp_reverse_item *
gomp_reverse_items (struct gomp_reverse_slot *slot)
{
  return (struct gomp_reverse_item *) slot->data;
}

/* Bytes that an area of NUM_SLOTS slots needs.  */
static inline uint64_t
gomp_reverse_area_size (uint32_t num_slots)
{
  return sizeof (struct gomp_reverse_area) + (uint64_t) num_slots * GOMP_REVERSE_SLOT_SIZE;
}

/* Fresh zeroed memory becomes an area.  */
static inline void
gomp_reverse_area_init (struct gomp_reverse_area *area, uint32_t num_slots)
{
  area->version = GOMP_REVERSE_VERSION;
  area->slot_size = GOMP_REVERSE_SLOT_SIZE;
  area->num_slots = num_slots;
}

/* ---- The host's half ---- */

/* What the host has taken: memory of its own.  */
struct gomp_reverse_taken
{
  _Alignas (128) union
  {
    _Atomic (uint8_t) xtaken[GOMP_REVERSE_MAX_SLOTS];
    _Atomic (uint64_t) xtakens[GOMP_REVERSE_MAX_SLOTS / 8];
  } u;
};

/* Is there a request that nobody has taken?  May say so of one that is just being taken.  */
static inline bool
gomp_reverse_pending (struct gomp_reverse_area *area, struct gomp_reverse_taken *taken,
		      uint32_t num_slots)
{
  uint64_t difference = 0;
  /* Relaxed: taking the request is what synchronizes.  */
  for (uint32_t w = 0; w < num_slots / 8; w++)
    difference |= GOMP_REVERSE_LOAD (&area->u.xbells[w])
		  ^ atomic_load_explicit (&taken->u.xtakens[w], memory_order_relaxed);
  return difference != 0;
}

/* Take a request, looking from the slot START on: the number of its slot, which is SERVING
   now; GOMP_REVERSE_NONE when there is none.  NUM_SLOTS is the host's own copy.  */
static inline uint32_t
gomp_reverse_take (struct gomp_reverse_area *area, struct gomp_reverse_taken *taken,
		   uint32_t num_slots, uint32_t start)
{
  uint32_t words = num_slots / 8, first = start / 8 % words;
  for (uint32_t n = 0; n < words; n++)
    {
      uint32_t w = first + n < words ? first + n : first + n - words;
      /* Relaxed: a hint where to look.  */
      if (GOMP_REVERSE_LOAD (&area->u.xbells[w])
	  == atomic_load_explicit (&taken->u.xtakens[w], memory_order_relaxed))
	continue;
      for (uint32_t i = 8 * w; i < 8 * w + 8; i++)
	{
	  if (GOMP_REVERSE_LOAD (&area->u.xbell[i])
	      == atomic_load_explicit (&taken->u.xtaken[i], memory_order_relaxed))
	    continue;
	  struct gomp_reverse_slot *slot = &area->slots[i];
	  uint32_t expected = GOMP_REVERSE_POSTED;
	  /* Acquire: the request.  */
	  if (!atomic_compare_exchange_strong_explicit (&slot->xstate, &expected,
							GOMP_REVERSE_SERVING, memory_order_acquire,
							memory_order_relaxed))
	    continue;
	  /* Relaxed: only the owner of the slot writes it.  The bell may not have rung yet.  */
	  atomic_store_explicit (&taken->u.xtaken[i], (uint8_t) slot->sequence,
				 memory_order_relaxed);
	  return i;
	}
    }
  return GOMP_REVERSE_NONE;
}

/* Leave the request of slot I, which was taken, to somebody else.  */
static inline void
gomp_reverse_leave (struct gomp_reverse_area *area, struct gomp_reverse_taken *taken, uint32_t i)
{
  struct gomp_reverse_slot *slot = &area->slots[i];
  /* Relaxed, as above: the bell rings again, it has not got any further.  */
  atomic_store_explicit (&taken->u.xtaken[i], (uint8_t) (slot->sequence - 1), memory_order_relaxed);
  /* Release: the bell, for who takes it next.  */
  atomic_store_explicit (&slot->xstate, GOMP_REVERSE_POSTED, memory_order_release);
}

/* Answer; afterwards the slot is the device's.  The caller wakes a device thread that sleeps.  */
static inline void
gomp_reverse_answer (struct gomp_reverse_slot *slot, enum gomp_reverse_status status)
{
  slot->status = status;
  /* Sequentially consistent: releases the results, and comes before the look at xsleeps.  */
  atomic_store_explicit (&slot->xstate, GOMP_REVERSE_DONE, memory_order_seq_cst);
}

/* ---- The device's half ---- */

#ifdef GOMP_REVERSE_DEVICE

/* In device memory: which slots are idle.  */
struct gomp_reverse_free
{
  uint32_t num_slots;		/* fixed */
  _Alignas (128) _Atomic (uint64_t) xidle[GOMP_REVERSE_MAX_SLOTS / 64];
  _Alignas (128) _Atomic (uint64_t) xdetached[GOMP_REVERSE_MAX_SLOTS / 64];
  uint8_t sequence[GOMP_REVERSE_MAX_SLOTS];	/* owned with the slot */
};

static inline void
gomp_reverse_free_init (struct gomp_reverse_free *f, uint32_t num_slots)
{
  f->num_slots = num_slots;
  for (uint32_t i = 0; i < num_slots; i += 64)
    {
      uint64_t all = num_slots - i >= 64 ? UINT64_MAX : (UINT64_C (1) << (num_slots - i)) - 1;
      atomic_init (&f->xidle[i / 64], all);
      atomic_init (&f->xdetached[i / 64], 0);
    }
}

/* Take one bit of WORD; BIT is tried first.  GOMP_REVERSE_NONE: no bit is set.  */
static inline uint32_t
gomp_reverse_take_bit (_Atomic (uint64_t) *word, uint32_t bit)
{
  uint64_t bits = atomic_load_explicit (word, memory_order_relaxed);
  while (bits != 0)
    {
      if ((bits >> bit & 1) == 0)
	bit = __builtin_ctzll (bits);
      uint64_t mask = UINT64_C (1) << bit;
      /* Acquire: what the last owner did with the slot.  */
      bits = atomic_fetch_and_explicit (word, ~mask, memory_order_acquire);
      if ((bits & mask) != 0)
	return bit;
    }
  return GOMP_REVERSE_NONE;
}

/* A slot for the calling thread; HINT is the one it would like, the last one it had.
   GOMP_REVERSE_NONE: all are in use.  */
static inline uint32_t
gomp_reverse_acquire (struct gomp_reverse_area *area, struct gomp_reverse_free *f, uint32_t hint)
{
  uint32_t words = (f->num_slots + 63) / 64, first = hint / 64 % words, bit;
  for (uint32_t n = 0; n < words; n++)
    {
      uint32_t w = first + n < words ? first + n : first + n - words;
      bit = gomp_reverse_take_bit (&f->xidle[w], n == 0 ? hint % 64 : 0);
      if (bit != GOMP_REVERSE_NONE)
	return 64 * w + bit;
    }
  for (uint32_t w = 0; w < words; w++)
    {
      uint64_t bits = atomic_load_explicit (&f->xdetached[w], memory_order_relaxed);
      for (; bits != 0; bits &= bits - 1)
	{
	  uint64_t mask = bits & -bits;
	  uint32_t i = 64 * w + __builtin_ctzll (bits);
	  /* Acquire: the host has finished with the slot; then the last owner has, too.  */
	  if (GOMP_REVERSE_LOAD_ACQUIRE (&area->slots[i].xstate) == GOMP_REVERSE_DONE
	      && (atomic_fetch_and_explicit (&f->xdetached[w], ~mask, memory_order_acquire)
		  & mask) != 0)
	    return i;
	}
    }
  return GOMP_REVERSE_NONE;
}

/* Write a request for the host to call FUNCTION with the COUNT items of the three arrays.  */
static inline void
gomp_reverse_pack (struct gomp_reverse_slot *slot, uint64_t function, int32_t device,
		   uint64_t count, void *const *addrs, const uint64_t *sizes,
		   const uint16_t *kinds)
{
  slot->type = GOMP_REVERSE_TARGET;
  slot->flags = 0;
  slot->device = device;
  slot->function = function;
  slot->count = count;
  slot->addrs = (uint64_t) (uintptr_t) addrs;
  slot->sizes = (uint64_t) (uintptr_t) sizes;
  slot->kinds = (uint64_t) (uintptr_t) kinds;
  if (count > GOMP_REVERSE_MAX_ITEMS)
    {
      slot->flags = GOMP_REVERSE_FAR;
      return;
    }
  struct gomp_reverse_item *items = gomp_reverse_items (slot);
  uint64_t at = count * sizeof (struct gomp_reverse_item);
  for (uint64_t i = 0; i < count; i++)
    {
      bool filled;
      uint64_t size = sizes[i], addr = (uint64_t) (uintptr_t) addrs[i];
      items[i].addr = addr;
      items[i].size = size;
      items[i].kind = kinds[i];
      items[i].flags = 0;
      items[i].at = 0;
      uint64_t bytes = gomp_reverse_bytes (kinds[i], addr, size, &filled);
      if (bytes == 0 || bytes > GOMP_REVERSE_DATA - at)
	continue;
      items[i].at = at;
      items[i].flags = filled ? GOMP_REVERSE_INLINE | GOMP_REVERSE_FILLED : GOMP_REVERSE_INLINE;
      if (filled)
	__builtin_memcpy (slot->data + at, addrs[i], bytes);
      at = (at + bytes + 7) & ~UINT64_C (7);
      if (at > GOMP_REVERSE_DATA)
	at = GOMP_REVERSE_DATA;
    }
}

/* Hand the slot I, which is packed, to the host.  */
static inline void
gomp_reverse_publish (struct gomp_reverse_area *area, struct gomp_reverse_free *f, uint32_t i)
{
  struct gomp_reverse_slot *slot = &area->slots[i];
  uint8_t sequence = ++f->sequence[i];
  bool detached = (slot->flags & GOMP_REVERSE_DETACHED) != 0;
  slot->sequence = sequence;
  GOMP_REVERSE_STORE (&slot->xsleeps, 0);
  /* Release: the request.  */
  GOMP_REVERSE_STORE_RELEASE (&slot->xstate, GOMP_REVERSE_POSTED);
  GOMP_REVERSE_STORE_BELL (&area->u.xbell[i], sequence);
  if (detached)
    /* Release: this thread has finished with the slot.  */
    atomic_fetch_or_explicit (&f->xdetached[i / 64], UINT64_C (1) << i % 64,
			      memory_order_release);
}

static inline bool
gomp_reverse_is_done (struct gomp_reverse_slot *slot)
{
  /* Acquire: the answer.  */
  return GOMP_REVERSE_LOAD_ACQUIRE (&slot->xstate) == GOMP_REVERSE_DONE;
}

/* The slot is DONE: put results where they belong.  */
static inline void
gomp_reverse_unpack (struct gomp_reverse_slot *slot)
{
  if ((slot->flags & GOMP_REVERSE_FAR) != 0)
    return;
  struct gomp_reverse_item *items = gomp_reverse_items (slot);
  for (uint64_t i = 0; i < slot->count; i++)
    if ((items[i].flags & GOMP_REVERSE_RETURNED) != 0)
      __builtin_memcpy ((void *) (uintptr_t) items[i].addr, slot->data + items[i].at,
			items[i].size);
}

/* Give the slot I back.  */
static inline void
gomp_reverse_release (struct gomp_reverse_free *f, uint32_t i)
{
  /* Release: this thread has finished with the slot.  */
  atomic_fetch_or_explicit (&f->xidle[i / 64], UINT64_C (1) << i % 64, memory_order_release);
}

#endif /* GOMP_REVERSE_DEVICE */

#endif /* GOMP_REVERSE_PROTO_H */
