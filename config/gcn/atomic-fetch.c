/* atomic-fetch.c -- atomic operations on objects of 1 and 2 bytes, for which a GPU has no instruction.

   Atomic constructs on such objects call them.  Those with fetch in their names, seen with GCC 16, no library
   of the compiler's has.  The others are those of its libgcc: its compare and exchange takes
   signed values, which compiled code passes extended to 32 bits, as they are, and so overwrites what lies behind the
   object.  atomic-small.c does it right, and as an object file of libgcc has them all, so has ours.  Values are
   unsigned int, as there: of a smaller parameter the compiler knows that the caller has cut it off.  */

#include "accel.h"

#pragma omp declare target

/* What the word OLD becomes when the BITS at SHIFT become VALUE.  */
static inline unsigned
put (unsigned old, unsigned value, unsigned shift, unsigned bits)
{
  unsigned mask = ((1u << bits) - 1) << shift;
  return (old & ~mask) | (value << shift & mask);
}

#define CHANGE(NAME, BYTES, EXPRESSION)							\
  static inline unsigned								\
  NAME##_##BYTES (volatile void *object, unsigned value, bool after, int order)		\
  {											\
    unsigned *word = (unsigned *) ((uintptr_t) object & ~(uintptr_t) 3);		\
    unsigned shift = ((uintptr_t) object & 3) * 8;					\
    unsigned seen, old, result;								\
    if (order != __ATOMIC_RELAXED)							\
      machine_fence_device ();								\
    seen = machine_load32 (word);							\
    do											\
      {											\
	old = seen >> shift;								\
	result = (EXPRESSION);								\
      }											\
    /* relaxed: the fences order.  */							\
    while (!__atomic_compare_exchange_n (word, &seen, put (seen, result, shift, 8 * BYTES), false,	\
					 __ATOMIC_RELAXED, __ATOMIC_RELAXED));		\
    if (order != __ATOMIC_RELAXED)							\
      machine_fence_device ();								\
    return after ? result : old;							\
  }

#define OPERATION(NAME, TYPE, BYTES, EXPRESSION)					\
  extern TYPE accel_fetch_##NAME##_##BYTES (volatile void *, unsigned, int)		\
    __asm__ ("__atomic_fetch_" #NAME "_" #BYTES);					\
  extern TYPE accel_##NAME##_fetch_##BYTES (volatile void *, unsigned, int)		\
    __asm__ ("__atomic_" #NAME "_fetch_" #BYTES);					\
  CHANGE (NAME, BYTES, EXPRESSION)							\
  TYPE											\
  accel_fetch_##NAME##_##BYTES (volatile void *object, unsigned value, int order)	\
  {											\
    return (TYPE) NAME##_##BYTES (object, value, false, order);				\
  }											\
  TYPE											\
  accel_##NAME##_fetch_##BYTES (volatile void *object, unsigned value, int order)	\
  {											\
    return (TYPE) NAME##_##BYTES (object, value, true, order);				\
  }

#define OPERATIONS(NAME, EXPRESSION)		\
  OPERATION (NAME, uint8_t, 1, EXPRESSION)	\
  OPERATION (NAME, uint16_t, 2, EXPRESSION)

OPERATIONS (add, old + value)
OPERATIONS (sub, old - value)
OPERATIONS (and, old & value)
OPERATIONS (or, old | value)
OPERATIONS (xor, old ^ value)
OPERATIONS (nand, ~(old & value))

#define SWAP(TYPE, BYTES)								\
  extern TYPE accel_sync_val_##BYTES (volatile void *, unsigned, unsigned)		\
    __asm__ ("__sync_val_compare_and_swap_" #BYTES);					\
  extern bool accel_sync_bool_##BYTES (volatile void *, unsigned, unsigned)		\
    __asm__ ("__sync_bool_compare_and_swap_" #BYTES);					\
  extern bool accel_swap_##BYTES (volatile void *, void *, unsigned, int, int)		\
    __asm__ ("__atomic_compare_exchange_" #BYTES);					\
  TYPE											\
  accel_sync_val_##BYTES (volatile void *object, unsigned expected, unsigned value)	\
  {											\
    TYPE seen = (TYPE) expected;							\
    accel_swap_##BYTES (object, &seen, value, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);	\
    return seen;									\
  }											\
  bool											\
  accel_sync_bool_##BYTES (volatile void *object, unsigned expected, unsigned value)	\
  {											\
    TYPE seen = (TYPE) expected;							\
    return accel_swap_##BYTES (object, &seen, value, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);	\
  }

SWAP (uint8_t, 1)
SWAP (uint16_t, 2)

#pragma omp end declare target
