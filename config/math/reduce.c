/* reduce.c -- large arguments of sine, cosine and tangent of doubles: the rest of a division by pi
   / 2, with as many bits of 2 / pi as that takes (Payne and Hanek 1983).  */

#include "math-angle.h"

#pragma omp declare target

/* X = TURNS * pi / 2 + the result + LOW, for finite X >= 2^30.  A window of 192 bits into 2 / pi,
   moved by halves, quarters ...: selects of constants, as a table would be in memory.  */
MATH_INLINE double
reduce (double x, uint32_t *turns, double *low)
{
  /* x = m * 2^shift. x * 2 / pi matters modulo 4: of 2 / pi the bits of places up to 2^(1 -
     shift).  */
  uint64_t bits = math_bits (x), m = (bits & 0xfffffffffffff) | 0x10000000000000;
  int shift = (int) (bits >> 52) - 1075;
  /* The words of 2 / pi after 64 zeros: the bit of place 2^(1 - shift) is number shift + 62.  */
  uint32_t from = (uint32_t) (shift + 62), word = from >> 6, rest = from & 63;
  bool by;
  uint64_t w0 = 0, w1 = 0xa2f9836e4e441529, w2 = 0xfc2757d1f534ddc0, w3 = 0xdb6295993c439041,
    w4 = 0xfe5163abdebbc561, w5 = 0xb7246e3a424dd2e0, w6 = 0x06492eea09d1921c,
    w7 = 0xfe1deb1cb129a73e, w8 = 0xe88235f52ebb4484, w9 = 0xe99c7026b45f7e41,
    w10 = 0x3991d639835339f4, w11 = 0x9c845f8bbdf9283b, w12 = 0x1ff897ffde05980f,
    w13 = 0xef2f118b5a0a6d1f, w14 = 0x6d367ecf27cb09b7, w15 = 0x4f463f669e5fea2d,
    w16 = 0x7527bac7ebe5f17b, w17 = 0x3d0739f78a5292ea, w18 = 0x6bfb5fb11f8d5d08,
    w19 = 0x56033046fc7b6bab;
#define MOVE(to, from) to = by ? from : to
  by = word & 16;
  MOVE (w0, w16), MOVE (w1, w17), MOVE (w2, w18), MOVE (w3, w19);
  by = word & 8;
  MOVE (w0, w8), MOVE (w1, w9), MOVE (w2, w10), MOVE (w3, w11), MOVE (w4, w12), MOVE (w5, w13);
  MOVE (w6, w14), MOVE (w7, w15), MOVE (w8, w16), MOVE (w9, w17), MOVE (w10, w18);
  by = word & 4;
  MOVE (w0, w4), MOVE (w1, w5), MOVE (w2, w6), MOVE (w3, w7), MOVE (w4, w8), MOVE (w5, w9);
  MOVE (w6, w10);
  by = word & 2;
  MOVE (w0, w2), MOVE (w1, w3), MOVE (w2, w4), MOVE (w3, w5), MOVE (w4, w6);
  by = word & 1;
  MOVE (w0, w1), MOVE (w1, w2), MOVE (w2, w3), MOVE (w3, w4);
#undef MOVE
  uint32_t back = 63 - rest;
  w0 = w0 << rest | w1 >> 1 >> back;
  w1 = w1 << rest | w2 >> 1 >> back;
  w2 = w2 << rest | w3 >> 1 >> back;

  /* The product's 192 bits from the place 2^1 down, without those that would be above.  */
  unsigned __int128 last = (unsigned __int128) m * w2;
  unsigned __int128 middle = (unsigned __int128) m * w1 + (uint64_t) (last >> 64);
  uint64_t p0 = (uint64_t) (middle >> 64) + m * w0, p1 = (uint64_t) middle, p2 = (uint64_t) last;
  /* The nearest integer, and what is left of either sign.  */
  *turns = (uint32_t) ((p0 + 0x2000000000000000) >> 62);
  bool negative = p0 >> 61 & 1;
  uint64_t high = p0 << 2 | p1 >> 62, next = p1 << 2 | p2 >> 62;
  high = negative ? ~high : high;
  next = negative ? ~next : next;
  /* high:next * 2^-128 is the fraction of pi / 2, at most a half, and for no double less than
     2^-62.  Its first 64 bits that are not leading zeros, as two doubles.  */
  int zeros = __builtin_clzll (high);
  high = zeros ? high << zeros | next >> (64 - zeros) : high;
  double a = (double) (uint32_t) (high >> 32) * 0x1p32, b = (double) (uint32_t) high;
  double r = a * MATH_PIO2_HIGH;
  double r_low = math_fma (a, MATH_PIO2_HIGH, -r)
		 + math_fma (b, MATH_PIO2_HIGH, a * MATH_PIO2_LOW);
  double scale = math_scale (negative ? -1 : 1, -64 - zeros), sum = r + r_low;
  *low = ((r - sum) + r_low) * scale;
  return sum * scale;
}

__attribute__ ((noinline)) double
MATH_HELPER (reduce) (double x)
{
  uint32_t turns;
  double low, r = reduce (x, &turns, &low);
  uint32_t minus = math_high (r) & 0x80000000;
  r = math_halves ((math_high (r) ^ minus) + (turns << 26), math_low (r));
  return math_flip (r, minus);
}

__attribute__ ((noinline)) double
MATH_HELPER (reduce_low) (double x)
{
  uint32_t turns;
  double low;
  reduce (x, &turns, &low);
  return low;
}

#pragma omp end declare target
