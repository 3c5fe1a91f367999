/* Atomic constructs on objects of 1 and 2 bytes, signed and unsigned, side by side: each counts right,
   and none changes what lies beside it.  */
#include <stdio.h>

#define ROUNDS 100

static struct
{
  signed char before, c;
  unsigned char u, ones;
  short s, t;
  unsigned short w;
  short after;
} v = { .before = 11, .after = 22 };

int
main (void)
{
  int n = 0, strange = 0;
#pragma omp parallel num_threads (8) reduction (+: strange)
  {
    short old;
#pragma omp atomic
    n++;
    for (int i = 0; i < ROUNDS; i++)
      {
#pragma omp atomic
	v.c -= 1;
#pragma omp atomic
	v.u += 3;
#pragma omp atomic
	v.s -= 1;
#pragma omp atomic
	v.w -= 5;
#pragma omp atomic seq_cst
	v.ones ^= 0xff;
#pragma omp atomic capture
	{
	  old = v.t;
	  v.t = (short) -i;
	}
	strange += old > 0 || old <= -ROUNDS;
      }
  }
  if (v.c != (signed char) (-ROUNDS * n) || v.u != (unsigned char) (3 * ROUNDS * n)
      || v.s != (short) (-ROUNDS * n) || v.w != (unsigned short) (-5 * ROUNDS * n) || v.ones != 0
      || v.before != 11 || v.after != 22 || strange != 0)
    {
      printf ("%d threads: %d %d %d %d %d, beside them %d %d, swaps %d\n", n, v.c, v.u, v.s, v.w, v.ones,
	      v.before, v.after, strange);
      return 1;
    }
  return 0;
}
