/* restf.c -- the rest of a division towards zero where the quotient is large, or something not
   finite: exact, with eight bits of the quotient at a time.  */

#include "math-device.h"

#pragma omp declare target

float MATH_HELPER (restf) (float x, float y);

float __attribute__ ((noinline))
MATH_HELPER (restf) (float x, float y)
{
  uint32_t a = math_bitsf (math_absf (x)), b = math_bitsf (math_absf (y));
  if (a >= 0x7f800000 || b > 0x7f800000 || b == 0)
    return x * y / (x * y);
  if (a < b)
    return x;
  /* Numbers are m 2^(e - 150).  */
  uint32_t ea = a >> 23, eb = b >> 23;
  uint32_t ma = ea > 0 ? (a & 0x7fffff) | 0x800000 : a, mb = eb > 0 ? (b & 0x7fffff) | 0x800000 : b;
  ea += ea == 0;
  eb += eb == 0;
  ma %= mb;
  for (uint32_t n = ea - eb, step; n > 0; n -= step)
    {
      step = n < 8 ? n : 8;
      ma = (ma << step) % mb;
    }
  return math_copysignf ((float) ma * 0x1p-23f * math_floatf (eb << 23), x);
}

#pragma omp end declare target
