/* time.c -- omp_get_wtime and omp_get_wtick.

   The clock counts nanoseconds, is the same for all blocks, and goes on between kernels.  It counts since
   so long ago that a double could not tell its ticks apart; so times are told from shortly before the
   first call in an image.  How often the clock moves depends on the device (from some ten nanoseconds to
   a microsecond), and nothing tells: omp_get_wtick watches it.  */

#include "accel.h"
#include "api.h"

#pragma omp declare target

/* Times are told from accel_clock_xorigin << ORIGIN_SHIFT on, or 0: nobody has asked.  It has 32 bits because that is
   what all lanes of a thread read alike while another thread writes it.  */
extern unsigned accel_clock_xorigin;
#ifndef MACHINE_EACH_LANE
unsigned accel_clock_xorigin;
#endif
#define ORIGIN_SHIFT 30

double
omp_get_wtime (void)
{
  accel_u64 now = machine_clock ();
  /* relaxed: a number that never changes again; not machine_load32, which would pass by the cache.  */
  unsigned origin = __atomic_load_n (&accel_clock_xorigin, __ATOMIC_RELAXED);
  if (origin == 0)
    {
      unsigned first = now >> ORIGIN_SHIFT;
      /* relaxed: of the threads that meet here, one decides.  */
      if (__atomic_compare_exchange_n (&accel_clock_xorigin, &origin, first, false, __ATOMIC_RELAXED,
				       __ATOMIC_RELAXED))
	origin = first;
    }
  accel_u64 start = (accel_u64) origin << ORIGIN_SHIFT;
  /* Another thread may have looked at the clock later, and decided.  */
  return now > start ? 1e-9 * (now - start) : 0;
}

/* The shortest of a few steps of the clock: the thread may be kept from seeing one in time.  */
double
omp_get_wtick (void)
{
  accel_u64 tick = ~(accel_u64) 0, last = 0;
  for (int steps = 0; steps < 5; )
    {
      accel_u64 now = machine_clock ();
      if (now == last)
	continue;
      if (steps++ > 0 && now - last < tick)
	tick = now - last;
      last = now;
    }
  return 1e-9 * tick;
}

double
omp_get_wtime_ (void)
{
  return omp_get_wtime ();
}

double
omp_get_wtick_ (void)
{
  return omp_get_wtick ();
}

#pragma omp end declare target
