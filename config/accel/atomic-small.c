/* atomic-small.c -- compare and swap, and exchange, of 1 and 2 bytes, for which a device has no instruction.

   Atomic constructs on such objects call them.  Compiled code passes a signed value extended to 32 bits; here
   the bits that are not the object's are cut off, which takes parameters of 32 bits: of a uint8_t, GCC 16 for AMD
   GPUs knows that the caller has cut it off.  (The compiler's library for the device, whose functions
   these replace, does not, and so overwrites what lies behind the object.)  The aligned word around the object is
   changed as a whole.  It has 32 bits, which all lanes of a warp load at once; those of a longer word in
   shared memory may see different values when somebody stores in between.  */

#include "accel.h"

#pragma omp declare target

extern bool accel_compare_exchange_1 (volatile void *, void *, unsigned, int, int)
  __asm__ ("__atomic_compare_exchange_1");
extern bool accel_compare_exchange_2 (volatile void *, void *, unsigned, int, int)
  __asm__ ("__atomic_compare_exchange_2");
extern uint8_t accel_exchange_1 (volatile void *, unsigned, int) __asm__ ("__atomic_exchange_1");
extern uint16_t accel_exchange_2 (volatile void *, unsigned, int) __asm__ ("__atomic_exchange_2");

/* Put VALUE into the BITS at OBJECT; if EXPECTED is not NULL, only if they are *EXPECTED.  What was there.  */
static inline unsigned
change (volatile void *object, const unsigned *expected, unsigned value, unsigned bits, int order)
{
  unsigned *word = (unsigned *) ((uintptr_t) object & ~(uintptr_t) 3);
  unsigned shift = ((uintptr_t) object & 3) * 8, ones = (1u << bits) - 1;
  unsigned seen, old;

  if (order != __ATOMIC_RELAXED)
    machine_fence_system ();
  seen = machine_load32 (word);
  do
    {
      old = seen;
      if (expected != NULL && (old >> shift & ones) != *expected)
	break;
    }
  /* relaxed: the fences order.  */
  while (!__atomic_compare_exchange_n (word, &seen, (old & ~(ones << shift)) | (value & ones) << shift, false,
				       __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  if (order != __ATOMIC_RELAXED)
    machine_fence_system ();
  return old >> shift & ones;
}

bool
accel_compare_exchange_1 (volatile void *object, void *expected, unsigned value, int order, int failed)
{
  unsigned wanted = *(uint8_t *) expected;
  unsigned seen = change (object, &wanted, value, 8, order | failed);
  if (seen != wanted)
    *(uint8_t *) expected = (uint8_t) seen;
  return seen == wanted;
}

bool
accel_compare_exchange_2 (volatile void *object, void *expected, unsigned value, int order, int failed)
{
  unsigned wanted = *(uint16_t *) expected;
  unsigned seen = change (object, &wanted, value, 16, order | failed);
  if (seen != wanted)
    *(uint16_t *) expected = (uint16_t) seen;
  return seen == wanted;
}

uint8_t
accel_exchange_1 (volatile void *object, unsigned value, int order)
{
  return (uint8_t) change (object, NULL, value, 8, order);
}

uint16_t
accel_exchange_2 (volatile void *object, unsigned value, int order)
{
  return (uint16_t) change (object, NULL, value, 16, order);
}

#pragma omp end declare target
