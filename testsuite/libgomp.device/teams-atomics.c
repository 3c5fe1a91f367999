/* Atomic constructs of several types and forms, by all threads of many teams on the same words.  None of
   16 bits, and padding behind that of 8: the compiler's functions for GPUs overwrite what lies behind
   (doc/abi-notes.md); atomic-small.c of libgomp.c is about ours.
   TEST-MODES: host cpu gpu
   TEST-OPTIONS: -foffload-options=nvptx-none=-latomic  */
#include "aux-check.h"

static struct
{
  signed char c;
  int i;
  unsigned long l;
  float f;
  double d;
  int mask, tickets, changed;
  unsigned char taken[4096];
} v;

int
main (void)
{
  int threads = 0;
#pragma omp target teams num_teams (16) map (tofrom: v, threads)
#pragma omp parallel num_threads (8)
  {
    int ticket;
#pragma omp atomic
    threads++;
    for (int i = 0; i < 16; i++)
      {
#pragma omp atomic
	v.c += 1;
#pragma omp atomic
	v.i += 3;
#pragma omp atomic
	v.l += 1ul << 33;
#pragma omp atomic
	v.f += 0.5f;
#pragma omp atomic seq_cst
	v.d = v.d + 0.25;
#pragma omp atomic
	v.mask ^= 1 << i;
#pragma omp atomic capture
	ticket = v.tickets++;
	v.taken[ticket % 4096]++;
      }
    int old;
#pragma omp atomic read
    old = v.i;
#pragma omp atomic write
    v.changed = old >= 48 ? 1 : 2;
  }
  CHECK_EQUAL (threads > 0 && threads <= 128, 1);
  CHECK_EQUAL (v.c, (signed char) (16 * threads));
  CHECK_EQUAL (v.i, 48 * threads);
  CHECK_EQUAL (v.l >> 33, 16 * threads);
  CHECK_EQUAL (v.f, 8 * threads);
  CHECK_EQUAL (v.d, 4 * threads);
  CHECK_EQUAL (v.mask, threads % 2 ? 65535 : 0);
  CHECK_EQUAL (v.changed, 1);
  CHECK_EQUAL (v.tickets, 16 * threads);
  for (int k = 0; k < 4096; k++)
    CHECK_EQUAL (v.taken[k], k < 16 * threads);
  return failures != 0;
}
