/* What IEEE 754 rounds in one way only is the same on the device as on the host, to the last bit:
   sums, products, quotients, fused multiply-adds and conversions of numbers of all magnitudes,
   denormal ones and infinities among them.  */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include "aux-gcn.h"

enum { N = 1000, FLOATS = 6, DOUBLES = 6, INTS = 4 };

/* 32 or 64 bits, the digits often all 0 or all 1.  */
static uint64_t
next_bits (bool wide)
{
  static uint64_t state = UINT64_C (0x9e3779b97f4a7c15);
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  uint64_t digits = wide ? UINT64_C (0xfffffffffffff) : UINT64_C (0x7fffff) << 32, r = state;
  if ((state >> 3 & 7) == 0)
    r &= ~digits;
  else if ((state >> 3 & 7) == 1)
    r |= digits;
  return wide ? r : r >> 32;
}

#pragma omp declare target
static float fx[N], fy[N], fz[N], fr[2][N][FLOATS];
static double dx[N], dy[N], dz[N], dr[2][N][DOUBLES];
static int64_t ir[2][N][INTS];

static void
compute (int where)
{
  for (int i = 0; i < N; i++)
    {
      float a = fx[i], b = fy[i], c = fz[i];
      double x = dx[i], y = dy[i], z = dz[i];
      float *f = fr[where][i];
      double *d = dr[where][i];
      int64_t *n = ir[where][i];
      f[0] = a + b;
      f[1] = a - b;
      f[2] = a * b;
      f[3] = a / b;
      f[4] = fmaf (a, b, c);
      f[5] = (float) x;
      d[0] = x + y;
      d[1] = x - y;
      d[2] = x * y;
      d[3] = x / y;
      d[4] = fma (x, y, z);
      d[5] = a;
      /* What does not fit has no value that C tells.  */
      n[0] = fabsf (a) < 2e9f ? (int) a : 0;
      n[1] = fabs (x) < 2e9 ? (int) x : 0;
      n[2] = x >= 0 && x < 4e9 ? (unsigned) x : 0;
      n[3] = fabs (y) < 9e18 ? (int64_t) y : 0;
    }
}
#pragma omp end declare target

int
main (void)
{
  for (int i = 0; i < N; i++)
    {
      uint32_t b[3] = { (uint32_t) next_bits (false), (uint32_t) next_bits (false),
			(uint32_t) next_bits (false) };
      uint64_t w[3] = { next_bits (true), next_bits (true), next_bits (true) };
      /* Near each other, or near 1, in every second row.  */
      if (i & 1)
	{
	  b[1] = (b[1] & 0x807fffff) | (b[0] & 0x7f800000);
	  w[1] = (w[1] & UINT64_C (0x800fffffffffffff)) | (w[0] & UINT64_C (0x7ff0000000000000));
	}
      if (i & 2)
	{
	  b[0] = (b[0] & 0x83ffffff) | 0x3c000000;
	  w[0] = (w[0] & UINT64_C (0x803fffffffffffff)) | UINT64_C (0x3fc0000000000000);
	}
      memcpy (&fx[i], &b[0], 4);
      memcpy (&fy[i], &b[1], 4);
      memcpy (&fz[i], &b[2], 4);
      memcpy (&dx[i], &w[0], 8);
      memcpy (&dy[i], &w[1], 8);
      memcpy (&dz[i], &w[2], 8);
    }
#pragma omp target update to (fx, fy, fz, dx, dy, dz)
#pragma omp target
  compute (1);
#pragma omp target update from (fr[1], dr[1], ir[1])
  compute (0);
  for (int i = 0; i < N; i++)
    {
      for (int k = 0; k < FLOATS; k++)
	if (memcmp (&fr[0][i][k], &fr[1][i][k], 4) != 0
	    && !(isnan (fr[0][i][k]) && isnan (fr[1][i][k])))
	  {
	    printf ("float %d of %a, %a, %a, %a: %a, not %a\n", k, fx[i], fy[i], fz[i], dx[i],
		    fr[1][i][k], fr[0][i][k]);
	    failures++;
	  }
      for (int k = 0; k < DOUBLES; k++)
	if (memcmp (&dr[0][i][k], &dr[1][i][k], 8) != 0
	    && !(isnan (dr[0][i][k]) && isnan (dr[1][i][k])))
	  {
	    printf ("double %d of %a, %a, %a, %a: %a, not %a\n", k, dx[i], dy[i], dz[i], fx[i],
		    dr[1][i][k], dr[0][i][k]);
	    failures++;
	  }
      for (int k = 0; k < INTS; k++)
	if (ir[0][i][k] != ir[1][i][k])
	  {
	    printf ("integer %d of %a, %a, %a: %lld, not %lld\n", k, fx[i], dx[i], dy[i],
		    (long long) ir[1][i][k], (long long) ir[0][i][k]);
	    failures++;
	  }
    }
  return failures != 0;
}
