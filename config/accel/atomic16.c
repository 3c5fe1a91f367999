/* atomic16.c -- compare and swap of 16 bytes, which compilers do not have an instruction for.

   An atomic construct on such an object calls the function below, as it does with GCC's library.  One
   lock of the device makes it atomic for all who come here; whoever accesses the object otherwise is not
   kept out.  Called by a whole warp only: lanes of one warp, in simd code, might wait for each other.  */

#include "accel.h"
#include "ticket.h"

#pragma omp declare target

typedef unsigned __int128 accel_u128;

extern accel_u128 accel_compare_swap_16 (volatile accel_u128 *, accel_u128, accel_u128)
  __asm__ ("__sync_val_compare_and_swap_16");

static unsigned xlock;

/* Each lane reads the object, and all have to find the same before any of them writes: an atomic load is
   made once and handed to all.  */
accel_u128
accel_compare_swap_16 (volatile accel_u128 *object, accel_u128 expected, accel_u128 value)
{
  accel_u64 *halves = (accel_u64 *) object;
  accel_lock (&xlock);
  /* relaxed: under the lock.  */
  accel_u64 low = __atomic_fetch_or (&halves[0], 0, __ATOMIC_RELAXED);
  accel_u64 high = __atomic_fetch_or (&halves[1], 0, __ATOMIC_RELAXED);
  accel_u128 old = (accel_u128) high << 64 | low;
  if (old == expected)
    *object = value;
  accel_unlock (&xlock);
  return old;
}

#pragma omp end declare target
