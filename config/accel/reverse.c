/* reverse.c -- target device(ancestor: 1) on the device: the host is called.

   The request goes through a slot of slots-proto.h when our plugin runs the program (gompx_reverse is
   set), and through the one block of GCC's plugin when that one does (abi/nvptx, section 4), or its ring of
   records (REMOTE_RING).

   Fences.  The numbers in the words of a slot order nothing else, so where the host reads memory of the
   device because not all that it may want travels with the request, a fence comes before it.  If the
   host has changed memory of the device, what was cached before is thrown away by one behind the answer.
   A call whose data fits makes none.  */

#include "call.h"
#ifdef REMOTE_RING
# include "ring.h"
#endif

#ifndef GOMPX_INTERFACE_ONLY
# define GOMPX_INTERFACE_ONLY 1
#endif
#include "../../include/gompx.h"

#pragma omp declare target

#ifdef REMOTE_RING
/* Calls in assembly look at nothing else.  */
static struct gompx_reverse nobody = { .flags = GOMPX_REVERSE_SHARED };
#else
static struct gompx_reverse nobody;
#endif
struct gompx_reverse *gompx_reverse = &nobody;
#ifdef REMOTE_RING
extern int __gomp_additional_icvs[4];
#endif

enum { DEVICE_ANCESTOR = -2, TYPE_TARGET = 1 };

void GOMP_target_ext (int, void (*) (void *), size_t, void **, size_t *, unsigned short *,
		      unsigned, void **, void **);

#ifndef REMOTE_RING

/* GCC's block, in memory of the host; the variable's name is GCC's.  */
struct gcc_block
{
  uint64_t function, count, addrs, sizes, kinds;
  int32_t device;
};
struct gcc_block *__gomp_rev_offload_var;
static uint32_t gcc_lock;

/* Our plugin leaves it out (plugin/nvptx-shake.c).  */
static void __attribute__ ((noinline))
accel_call_block (uint64_t function, size_t count, void **addrs, size_t *sizes, unsigned short *kinds)
{
  struct gcc_block *block = __gomp_rev_offload_var;
  unsigned lanes, lane = remote_lane (&lanes), turn = 0;

  if (block == NULL)
    remote_trap ();		/* nobody is there */
  while (__atomic_exchange_n (&gcc_lock, 1, __ATOMIC_RELAXED) != 0)
    remote_pause (turn++);
  remote_fence ();
  remote_store (&block->count, count);
  remote_store (&block->addrs, (uintptr_t) addrs);
  remote_store (&block->sizes, (uintptr_t) sizes);
  remote_store (&block->kinds, (uintptr_t) kinds);
  remote_store32 ((uint32_t *) &block->device, 0, lane);
  remote_fence ();
  remote_store_once (&block->function, function, lane);
  for (turn = 0; !remote_all (lanes, remote_load (&block->function) == 0); turn++)
    remote_pause (turn);
  remote_fence ();
  __atomic_store_n (&gcc_lock, 0, __ATOMIC_RELAXED);
}

#else

REMOTE_INLINE void
accel_call_block (uint64_t function, size_t count, void **addrs, size_t *sizes, unsigned short *kinds)
{
  ring_call (function, count, addrs, sizes, kinds, __gomp_additional_icvs[0]);
}

#endif

/* What of COUNT items goes into a request, no more than a slot has room for: bit I of the lower half if the bytes of item I do, and in the upper half the
   request's words, and LACKS if the host may want to read something that does not.  */
enum { LACKS = 1 << 16 };
REMOTE_APART uint64_t
survey (uint32_t count, const uint64_t *addrs, const uint64_t *sizes, const uint16_t *kinds)
{
  uint32_t travels = 0, words = GOMPX_REQUEST_ITEMS + count * GOMPX_ITEM_WORDS, lacks = 0;

  for (unsigned i = 0; i < count; i++)
    {
      bool filled;
      uint64_t bytes = gomp_reverse_bytes (kinds[i], addrs[i], sizes[i], &filled);
      if (filled && bytes > 0 && bytes <= (GOMPX_SLOT_WORDS - words) * 4u)
	{
	  travels |= UINT32_C (1) << i;
	  words += (bytes + 3) / 4;
	}
      else if ((kinds[i] & 0xff) != GOMP_REVERSE_KIND_VALUE)
	lacks = LACKS;
    }
  return (uint64_t) (words | lacks) << 32 | travels;
}

/* The request C is one with COUNT items.  False: not all of what the host may want to read travels with it.  */
REMOTE_INLINE bool
set_items (struct accel_call *c, uint32_t count, const uint64_t *addrs, const uint64_t *sizes, const uint16_t *kinds)
{
  c->target = true;
  c->count = count;
  c->addrs = addrs;
  c->sizes = sizes;
  c->kinds = kinds;
  c->data = NULL;
  c->argument = (uintptr_t) addrs;
  c->far = count > GOMPX_SLOT_MAX_ITEMS;
  c->items = c->far ? GOMPX_COUNT_FAR : count;
  uint64_t all = (c->far ? (uint64_t) (GOMPX_REQUEST_FAR_WORDS | LACKS) << 32
		  : survey (count, addrs, sizes, kinds));
  c->travels = (uint32_t) all;
  c->words = all >> 32 & (LACKS - 1);
  return (all >> 32 & LACKS) == 0;
}

/* A request for FUNCTION with these items, WORDS long, goes into SLOT.  */
REMOTE_APART void
put_items (struct gompx_slot *slot, uint32_t number, unsigned lane, unsigned lanes, unsigned words, uint64_t function, uint32_t count,
	   const uint64_t *addrs, const uint64_t *sizes, const uint16_t *kinds, uint32_t travels)
{
  bool far = count > GOMPX_SLOT_MAX_ITEMS;
  struct accel_call c
    = { .slot = slot, .number = number, .lane = lane, .lanes = lanes, .words = words, .type = TYPE_TARGET, .target = true,
	.items = far ? GOMPX_COUNT_FAR : count, .count = count, .function = function, .argument = (uintptr_t) addrs, .addrs = addrs,
	.sizes = sizes, .kinds = kinds, .far = far, .travels = travels };
  accel_call_put_words (&c);
}

/* The answer in SLOT has come, of which MINE is this lane's word: results of the items in the set RETURNED to their places.  */
REMOTE_APART void
unpack (struct gompx_slot *slot, uint32_t number, unsigned lane, unsigned lanes, uint64_t mine, uint64_t returned, uint32_t count,
	const uint64_t *addrs, const uint64_t *sizes, const uint16_t *kinds)
{
  struct accel_call c = { .slot = slot, .number = number, .lane = lane, .lanes = lanes, .mine = mine };
  unsigned at = GOMPX_ANSWER_DATA;

  for (unsigned i = 0; i < count; i++)
    if (returned >> i & 1)
      {
	bool filled;
	uint64_t bytes = gomp_reverse_bytes (kinds[i], addrs[i], sizes[i], &filled);
	accel_call_bring (&c, at, (void *) (uintptr_t) addrs[i], bytes);
	at += (bytes + 3) / 4;
      }
}

/* The request goes to the host.  */
REMOTE_INLINE void
send_request (struct accel_call *c)
{
  accel_call_have_slot (c);
#if REMOTE_ROWS
  if (c->rows)
    accel_call_put_row (c);
  else
#endif
    put_items (c->slot, c->number, c->lane, c->lanes, c->words, c->function, c->count, c->addrs, c->sizes, c->kinds, c->travels);
  accel_call_ring (c);
}

/* Results come back.  */
REMOTE_INLINE void
receive_answer (const struct accel_call *c)
{
  if (accel_call_in_rows (c))
    {
      accel_call_bring_row (c);
      return;
    }
  uint64_t returned = accel_call_value (c);
  if (!c->far && returned != 0)
    unpack (c->slot, c->number, c->lane, c->lanes, c->mine, returned, c->count, c->addrs, c->sizes, c->kinds);
}

/* The request is made up: call.  */
REMOTE_INLINE void
make_call (struct accel_call *c, bool whole)
{
  if (!whole || c->shared)
    remote_fence ();
  send_request (c);
  accel_call_await (c);
  if (c->shared || accel_call_copied (c))
    remote_fence ();
  receive_answer (c);
  accel_call_end (c);
}

/* Any call.  */
#if REMOTE_ROWS
static void __attribute__ ((noinline))
#else
REMOTE_INLINE void
#endif
call_any (void (*fn) (void *), size_t count, void **addrs, size_t *sizes, unsigned short *kinds)
{
  struct accel_call c;

  if (fn == NULL)
    {
      if (count == GOMPX_REQUEST && addrs != NULL)
	accel_service (addrs);
      return;
    }
  if (!accel_call_begin (&c))
    {
      accel_call_block ((uintptr_t) fn, count, addrs, sizes, kinds);
      return;
    }
  c.function = (uintptr_t) fn;
  make_call (&c, set_items (&c, count, (const uint64_t *) addrs, (const uint64_t *) sizes, kinds));
}

/* One whose items are rows: by itself, so that it keeps no registers of others in memory.  All that it reads before it has a slot
   is asked for before anything of it is waited for.  False: it is another one.  */
REMOTE_INLINE bool
call_rows (void (*fn) (void *), size_t count, void **addrs, size_t *sizes, unsigned short *kinds)
{
  struct accel_call c;
  struct accel_row row;

  bool served = accel_call_resume (&c);
  if (!accel_call_load_row (&c, &row, count, (const uint64_t *) addrs, (const uint64_t *) sizes, kinds))
    return false;
  c.lanes = 32;			/* the compiler does not remember it */
  if (!accel_call_set_rows (&c, &row, count, (const uint64_t *) addrs) || !served)
    return false;
  accel_call_ask (&c);
  c.type = TYPE_TARGET;
  c.function = (uintptr_t) fn;
  /* The host wants no more than what travels.  */
  make_call (&c, true);
  return true;
}

#if REMOTE_ROWS || defined REMOTE_TEXT
/* The same without calls in rows: what the one in assembly goes on with where it cannot do it, and where a driver compiles, what a kernel has whose
   code somebody waits for (plugin/nvptx-shake.c).  */
void accel_target_any (int, void (*) (void *), size_t, void **, size_t *, unsigned short *, unsigned, void **,
		       void **);

void
accel_target_any (int device, void (*fn) (void *), size_t count, void **addrs, size_t *sizes,
		  unsigned short *kinds, unsigned flags, void **depend, void **args)
{
  (void) flags;
  (void) depend;
  (void) args;
  if (device == DEVICE_ANCESTOR)
    call_any (fn, count, addrs, sizes, kinds);
}
#endif

#ifndef REMOTE_TEXT
void
GOMP_target_ext (int device, void (*fn) (void *), size_t count, void **addrs, size_t *sizes,
		 unsigned short *kinds, unsigned flags, void **depend, void **args)
{
  (void) flags;
  (void) depend;
  (void) args;
  if (device == DEVICE_ANCESTOR && (fn == NULL || !call_rows (fn, count, addrs, sizes, kinds)))
    call_any (fn, count, addrs, sizes, kinds);
}
#endif

#pragma omp end declare target
