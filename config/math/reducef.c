/* reducef.c -- large arguments of sine and cosine: X - N pi/2, with as many bits of 2/pi as that
   takes (Payne and Hanek).  */

#include "trigonometricf.h"

#pragma omp declare target

uint64_t __attribute__ ((noinline))
MATH_HELPER (reducef) (float x)
{
  /* |X| is 2^E times a fraction of 32 bits; eight words of its product with 2/pi, R0 the first
     one.  */
  uint32_t bits = math_bitsf (x) << 1, m = bits << 7 | 0x80000000;
  uint64_t sum = (uint64_t) m * 0xfe5163ab;
  sum = (sum >> 32) + (uint64_t) m * 0x3c439041;
  sum = (sum >> 32) + (uint64_t) m * 0xdb629599;
  uint32_t r5 = (uint32_t) sum;
  sum = (sum >> 32) + (uint64_t) m * 0xf534ddc0;
  uint32_t r4 = (uint32_t) sum;
  sum = (sum >> 32) + (uint64_t) m * 0xfc2757d1;
  uint32_t r3 = (uint32_t) sum;
  sum = (sum >> 32) + (uint64_t) m * 0x4e441529;
  uint32_t r2 = (uint32_t) sum;
  sum = (sum >> 32) + (uint64_t) m * 0xa2f9836e;
  uint32_t r1 = (uint32_t) sum, r0 = sum >> 32;
  /* N modulo 4 begins at bit E - 2, from 15 to 126.  Behind it are at least 98 bits that are
     right.  */
  uint32_t start = (bits >> 24) - 128;
  bool two = start & 64, one = start & 32;
  r0 = math_selectu (two, r2, r0);
  r1 = math_selectu (two, r3, r1);
  r2 = math_selectu (two, r4, r2);
  r3 = math_selectu (two, r5, r3);
  r0 = math_selectu (one, r1, r0);
  r1 = math_selectu (one, r2, r1);
  r2 = math_selectu (one, r3, r2);
  uint64_t window = ((uint64_t) r0 << 32 | r1) << (start & 31)
		    | (uint64_t) r2 << (start & 31) >> 32;
  int64_t fraction = (int64_t) (window << 2);
  uint32_t n = (uint32_t) (window >> 62) + (fraction < 0);
  double r = (double) fraction * 0x1.921fb54442d18p-64;
  bool negative = math_bitsf (x) >> 31;
  r = math_absf (x) < MATH_INFF ? r : MATH_NAN;
  r = negative ? -r : r;
  n = negative ? -n : n;
  return (math_bits (r) & ~(uint64_t) 3) | (n & 3);
}

#pragma omp end declare target
