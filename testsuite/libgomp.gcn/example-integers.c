/* Examples of the interface's description, 1: integer arithmetic of all widths.  */
#include "aux-gcn.h"
#include <stdint.h>

int
main (void)
{
  int a = 7, b = 3;
  long c = 1234567890123L, d = 77;
  uint64_t u = UINT64_C (0xfedcba9876543210);
  unsigned ui = 0x80000001u;
  short s = -5;
  unsigned char uc = 200;
  signed char sc = -3;
  __int128 q = 1;

#pragma omp target map (tofrom: a, b, c, d, u, ui, s, uc, sc, q)
  {
    a = a * b + (a << b) - (a >> 1) + a / b + a % b;
    c = c * d + c / d - c % d + (c << 5) + (c >> 9);
    u = u / 7 + u % 13 + (u >> 33) + (u << 3) + (u & 0xff) + (u | 1) + (u ^ ui);
    ui = ui / 9 + ui % 11 + ui * 3 + __builtin_popcount (ui) + __builtin_clz (ui | 1) + __builtin_ctz (ui | 2);
    s = s * 3 + s / 2;
    uc = uc + sc * 2;
    sc = sc - uc;
    q = q * u + c;
    q = q / 3 + q % 5;
    u += __builtin_popcountll (u) + __builtin_clzll (u | 1) + __builtin_ctzll (u | 1) + __builtin_bswap64 (u);
    a = a < b ? b : a;
    ui += (a > 0) + (c < d) + (u >= 5) + __builtin_bswap32 (ui) + (unsigned) (a < 0 ? -a : a);
  }
  CHECK_EQUAL (a, 77);
  CHECK_EQUAL (b, 3);
  CHECK_EQUAL (c, 134586344638010L);
  CHECK_EQUAL (d, 77);
  CHECK_EQUAL (u, 0x1c1829bbbb28173aL);
  CHECK_EQUAL (ui, 0x251c1c73);
  CHECK_EQUAL (s, -17);
  CHECK_EQUAL (uc, 194);
  CHECK_EQUAL (sc, 59);
  CHECK_EQUAL (q, 0x085825c4e27c876dL);
  CHECK_EQUAL (q >> 64, 0);
  return failures != 0;
}
