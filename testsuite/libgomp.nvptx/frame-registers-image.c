/* Private structs and arrays that become registers have the same members, of all types, also in
   loops and branches.
   TEST-MODES: ptxours ptxlanes gpu
   TEST-IMAGE: nvptx
   TEST-OPTIONS: -O2 -fno-builtin  */

#include <stdio.h>

void *memcpy (void *, const void *, __SIZE_TYPE__);
void *memmove (void *, const void *, __SIZE_TYPE__);

enum { N = 200, STEPS = 5 };

struct all
{
  signed char c;
  unsigned char u;
  short s, s2;
  unsigned short t;
  int i;
  long l;
  float f;
  double d;
  unsigned v[4];
  char last[5];
};

static struct all before[N], after[N], expected[N];
static float window[N], window_expected[N];

/* What happens to one; on the host the compiler keeps the struct as it likes.  */
static inline void
change (struct all *a, int n)
{
  a->u += a->c;
  a->c -= (signed char) n;
  a->s = (short) (a->s * 3 - a->c);
  if (n % 3 == 0)
    a->s2 = a->s;
  a->t = (unsigned short) (a->t + a->u);
  a->i += a->s2 - a->t;
  a->l = (a->l << 3) ^ a->i;
  if (n % 2 == 0)
    a->f = (float) a->i;
  else
    a->d += 0.5 * a->s;
  a->v[0] += a->v[1] ^ (unsigned) a->l;
  a->v[1] += a->v[2] ^ (unsigned) a->s;
  a->v[2] ^= a->v[3];
  a->v[3] -= a->v[0];
  a->last[4] = (char) (a->last[0] + a->c);
  a->last[1] = 7;
  a->u ^= 3;
}

static inline float
slide (int n)
{
  float w[6] = { (float) n, 1, 2, 3, 4, 5 }, sum = 0;

  for (int step = 0; step < STEPS; step++)
    {
      memmove (w, w + 1, 5 * sizeof (float));
      w[5] = w[0] + (float) (step * n);
      sum = sum * 0.5f + w[2] - w[4];
    }
  return sum;
}

static int
differ (const struct all *a, const struct all *b)
{
  int wrong = a->c != b->c || a->u != b->u || a->s != b->s || a->s2 != b->s2 || a->t != b->t
	      || a->i != b->i || a->l != b->l || a->f != b->f || a->d != b->d;
  for (int k = 0; k < 4; k++)
    wrong |= a->v[k] != b->v[k];
  for (int k = 0; k < 5; k++)
    wrong |= a->last[k] != b->last[k];
  return wrong;
}

int
main (void)
{
  int bad = 0;

  for (int n = 0; n < N; n++)
    {
      before[n] = (struct all) { (signed char) (n * 7), (unsigned char) (n * 11), (short) (n * 301),
				 (short) -n, (unsigned short) (n * 777), n * 100003,
				 n * 10000000019L, n / 4.0f, n / 8.0,
				 { n, n * 3, ~0U - n, n << 20 }, { (char) n, 1, 2, 3, 4 } };
      expected[n] = before[n];
      for (int step = 0; step < STEPS; step++)
	change (&expected[n], n + step);
      window_expected[n] = slide (n);
    }
#pragma omp target teams distribute parallel for map (before) map (from: after, window)
  for (int n = 0; n < N; n++)
    {
      struct all own;
      memcpy (&own, &before[n], sizeof (own));
      for (int step = 0; step < STEPS; step++)
	change (&own, n + step);
      memcpy (&after[n], &own, sizeof (own));
      window[n] = slide (n);
    }
  for (int n = 0; n < N; n++)
    {
      if (differ (&after[n], &expected[n]))
	printf ("%d: i %d instead of %d, c %d %d, s %d %d\n", n, after[n].i, expected[n].i,
		after[n].c, expected[n].c, after[n].s, expected[n].s), bad = 1;
      if (window[n] != window_expected[n])
	printf ("%d: %g instead of %g\n", n, window[n], window_expected[n]), bad = 1;
    }
  return bad;
}
