/* Vectorised loops: arithmetic and conversions of all types of elements, conditions, strides, permutations, and
   reductions over the lanes, the same as without vectors.
   TEST-SKIP-SANITIZER: thread the simulator is slow there  */
#include <stdint.h>
#include "aux-gcn.h"

enum { N = 333 };

/* One source for the device, where it is vectorised, and for the host.  */
#define LOOPS(name, type)						\
  static inline __attribute__ ((always_inline)) void			\
  name (type *restrict a, const type *restrict b, const type *restrict c, type *restrict d, int *restrict k) \
  {									\
    _Pragma ("omp simd")						\
    for (int i = 0; i < N; i++)						\
      {									\
	a[i] = (type) (b[i] * 3 + c[i] - 7);				\
	if (b[i] > c[i])						\
	  d[i] = (type) (b[i] - c[i]);					\
      }									\
    _Pragma ("omp simd")						\
    for (int i = 0; i < N; i += 3)					\
      d[i] = (type) (d[i] + c[N - 1 - i] * (b[i] < 50 ? 2 : 5));	\
    _Pragma ("omp simd")						\
    for (int i = 0; i < N; i++)						\
      k[i] = (int) a[i] + (int) (d[k[i] % N] > (type) 20);		\
  }

#pragma omp declare target
LOOPS (loops_i8, int8_t)
LOOPS (loops_u8, uint8_t)
LOOPS (loops_i16, int16_t)
LOOPS (loops_u16, uint16_t)
LOOPS (loops_i32, int32_t)
LOOPS (loops_u32, uint32_t)
LOOPS (loops_i64, int64_t)
LOOPS (loops_u64, uint64_t)
LOOPS (loops_f32, float)
LOOPS (loops_f64, double)

/* Reductions of the operators that exist, over N elements and over one that a part of the lanes has.  */
static inline __attribute__ ((always_inline)) void
reductions (const int32_t *b, const int64_t *l, const float *f, const double *g, int n, int64_t *ri, double *rf)
{
  int32_t s = 1, p = 1, mx = -1000, mn = 1000, an = ~0, orr = 0, x = 0;
  int64_t ls = 2, lx = INT64_MIN;
  uint32_t um = 0;
  float fs = 0, fm = -1e9f;
  double gs = 0, gp = 1, gm = 1e9;
  _Bool all = 1, any = 0;
#pragma omp simd reduction (+: s, ls, fs, gs) reduction (*: p, gp) reduction (max: mx, lx, um, fm) \
		 reduction (min: mn, gm) reduction (&: an) reduction (|: orr) reduction (^: x) reduction (&&: all) \
		 reduction (||: any)
  for (int i = 0; i < n; i++)
    {
      s += b[i];
      p *= b[i] | 1;
      ls += l[i];
      fs += f[i];
      gs += g[i];
      gp *= g[i] < 4 ? 2 : 1;
      mx = b[i] > mx ? b[i] : mx;
      lx = l[i] > lx ? l[i] : lx;
      um = (uint32_t) b[i] > um ? (uint32_t) b[i] : um;
      fm = f[i] > fm ? f[i] : fm;
      mn = b[i] < mn ? b[i] : mn;
      gm = g[i] < gm ? g[i] : gm;
      an &= b[i] | 0x10;
      orr |= b[i];
      x ^= b[i] << (i & 15);
      all = all && b[i] >= 0;
      any = any || b[i] == 77;
    }
  int64_t ints[] = { s, p, ls, mx, lx, um, mn, an, orr, x, all, any };
  double floats[] = { fs, gs, gp, fm, gm };
  memcpy (ri, ints, sizeof ints);
  memcpy (rf, floats, sizeof floats);
}
#pragma omp end declare target

#define TEST(name, type, format)					\
  {									\
    type *b = malloc (N * sizeof (type)), *c = malloc (N * sizeof (type)), *a = calloc (N, sizeof (type)); \
    type *d = calloc (N, sizeof (type)), *ha = calloc (N, sizeof (type)), *hd = calloc (N, sizeof (type)); \
    int *k = malloc (N * sizeof (int)), *hk = malloc (N * sizeof (int)); \
    for (int i = 0; i < N; i++)						\
      {									\
	b[i] = (type) (i * 37 % 101);					\
	c[i] = (type) (i * 53 % 89);					\
	d[i] = hd[i] = (type) (i % 100);				\
	k[i] = hk[i] = i * 7;						\
      }									\
    loops_##name (ha, b, c, hd, hk);					\
    _Pragma ("omp target map (tofrom: a[:N], d[:N], k[:N]) map (to: b[:N], c[:N])")	\
    loops_##name (a, b, c, d, k);					\
    CHECK_SAME (a, ha, N, format);					\
    CHECK_SAME (d, hd, N, format);					\
    CHECK_SAME (k, hk, N, "%d");					\
    free (a), free (b), free (c), free (d), free (ha), free (hd), free (k), free (hk); \
  }

int
main (void)
{
  TEST (i8, int8_t, "%d")
  TEST (u8, uint8_t, "%u")
  TEST (i16, int16_t, "%d")
  TEST (u16, uint16_t, "%u")
  TEST (i32, int32_t, "%d")
  TEST (u32, uint32_t, "%u")
  TEST (i64, int64_t, "%ld")
  TEST (u64, uint64_t, "%lu")
  TEST (f32, float, "%a")
  TEST (f64, double, "%a")

  static int32_t b[N];
  static int64_t l[N];
  static float f[N];
  static double g[N];
  for (int i = 0; i < N; i++)
    {
      b[i] = i * 37 % 101 + (i == 200) * 5000;
      l[i] = (int64_t) i * i * 1234567890 - 99;
      /* Sums are exact in any order.  */
      f[i] = (float) (i % 17) * 0.25f;
      g[i] = i % 19 * 0.5;
    }
  static const int lengths[] = { N, 1, 63, 64, 65, 128, 200 };
  for (unsigned t = 0; t < sizeof lengths / sizeof lengths[0]; t++)
    {
      int n = lengths[t];
      int64_t ri[12], hri[12];
      double rf[5], hrf[5];
      reductions (b, l, f, g, n, hri, hrf);
#pragma omp target map (from: ri, rf) map (to: b, l, f, g)
      reductions (b, l, f, g, n, ri, rf);
      CHECK_SAME (ri, hri, 12, "%ld");
      CHECK_SAME (rf, hrf, 5, "%a");
    }
  return failures != 0;
}
