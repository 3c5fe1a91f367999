/* hand.cu -- the kernels as one writes them in CUDA: a thread for each iteration, sums by shuffles, small histograms
   in shared memory.  Not tuned further than that.

   hand.ptx is made of it by

     clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 \
	   -Xclang -target-feature -Xclang +ptx63 -O3 -S hand.cu -o hand.ptx

   with Clang 14 or later, which needs no CUDA for that: nothing of its headers or libraries is used.  */

#include "sizes.h"

#define KERNEL extern "C" __attribute__ ((global)) void
#define DEVICE static inline __attribute__ ((device, always_inline))
#define SHARED __attribute__ ((shared))

#define ALL 0xffffffffu

DEVICE unsigned
thread_x ()
{
  return __nvvm_read_ptx_sreg_tid_x ();
}

DEVICE int
global_x ()
{
  return (int) (__nvvm_read_ptx_sreg_ctaid_x () * __nvvm_read_ptx_sreg_ntid_x ()
		+ __nvvm_read_ptx_sreg_tid_x ());
}

DEVICE int
global_y ()
{
  return (int) (__nvvm_read_ptx_sreg_ctaid_y () * __nvvm_read_ptx_sreg_ntid_y ()
		+ __nvvm_read_ptx_sreg_tid_y ());
}

DEVICE int
global_z ()
{
  return (int) __nvvm_read_ptx_sreg_ctaid_z ();
}

DEVICE int
threads_x ()
{
  return (int) (__nvvm_read_ptx_sreg_nctaid_x () * __nvvm_read_ptx_sreg_ntid_x ());
}

DEVICE void
synchronise ()
{
  asm volatile ("bar.sync 0;" : : : "memory");
}

DEVICE unsigned
shuffle (unsigned value, unsigned distance)
{
  unsigned result;
  asm volatile ("shfl.sync.down.b32 %0, %1, %2, 31, -1;" : "=r" (result) : "r" (value), "r" (distance));
  return result;
}

DEVICE float
shuffle (float value, unsigned distance)
{
  float result;
  asm volatile ("shfl.sync.down.b32 %0, %1, %2, 31, -1;" : "=f" (result) : "f" (value), "r" (distance));
  return result;
}

DEVICE unsigned long long
shuffle (unsigned long long value, unsigned distance)
{
  unsigned low = shuffle ((unsigned) value, distance), high = shuffle ((unsigned) (value >> 32), distance);
  return (unsigned long long) high << 32 | low;
}

DEVICE double
shuffle (double value, unsigned distance)
{
  return __builtin_bit_cast (double, shuffle (__builtin_bit_cast (unsigned long long, value), distance));
}

DEVICE void
add (float *to, float value)
{
  asm volatile ("red.add.f32 [%0], %1;" : : "l" (to), "f" (value) : "memory");
}

DEVICE void
add (double *to, double value)
{
  asm volatile ("red.add.f64 [%0], %1;" : : "l" (to), "d" (value) : "memory");
}

DEVICE void
add (unsigned *to, unsigned value)
{
  asm volatile ("red.add.u32 [%0], %1;" : : "l" (to), "r" (value) : "memory");
}

DEVICE void
add (unsigned long long *to, unsigned long long value)
{
  asm volatile ("red.add.u64 [%0], %1;" : : "l" (to), "l" (value) : "memory");
}

DEVICE void
most (int *to, int value)
{
  asm volatile ("red.max.s32 [%0], %1;" : : "l" (to), "r" (value) : "memory");
}

DEVICE void
least (unsigned long long *to, unsigned long long value)
{
  asm volatile ("red.min.u64 [%0], %1;" : : "l" (to), "l" (value) : "memory");
}

/* ---- stream.c ---- */

KERNEL
saxpy (const float *__restrict x, float *__restrict y)
{
  int i = global_x ();
  if (i < SAXPY_N)
    y[i] = 3 * x[i] + y[i];
}

KERNEL
triad (double *__restrict a, const double *__restrict b, const double *__restrict c)
{
  int i = global_x ();
  if (i < TRIAD_N)
    a[i] = b[i] + 0.5 * c[i];
}

/* ---- stencil.c ---- */

KERNEL
jacobi (const float *__restrict a, float *__restrict b)
{
  int i = global_y () + 1, j = global_x () + 1;
  if (i < JACOBI_N - 1 && j < JACOBI_N - 1)
    b[i * JACOBI_N + j] = 0.25f * (a[(i - 1) * JACOBI_N + j] + a[(i + 1) * JACOBI_N + j]
				   + a[i * JACOBI_N + j - 1] + a[i * JACOBI_N + j + 1]);
}

#define PLANE (HEAT_N * HEAT_N)

KERNEL
heat (const double *__restrict a, double *__restrict b)
{
  int i = global_z () + 1, j = global_y () + 1, k = global_x () + 1;
  int at = i * PLANE + j * HEAT_N + k;
  if (i < HEAT_N - 1 && j < HEAT_N - 1 && k < HEAT_N - 1)
    b[at] = 0.5 * a[at] + 0.125 * (a[at - PLANE] + a[at + PLANE] + a[at - HEAT_N] + a[at + HEAT_N]
				   + a[at - 1] + a[at + 1]);
}

KERNEL
life (const unsigned char *__restrict a, unsigned char *__restrict b)
{
  int i = global_y (), j = global_x ();
  if (i >= LIFE_N || j >= LIFE_N)
    return;
  int alive = 0;
  for (int di = -1; di <= 1; di++)
    for (int dj = -1; dj <= 1; dj++)
      alive += a[(i + di + LIFE_N) % LIFE_N * LIFE_N + (j + dj + LIFE_N) % LIFE_N];
  b[i * LIFE_N + j] = alive == 3 || (alive == 4 && a[i * LIFE_N + j]);
}

/* ---- matrix.c ---- */

#define N MATMUL_N

KERNEL
matmul (const float *__restrict a, const float *__restrict b, float *__restrict c)
{
  int i = global_y (), j = global_x ();
  if (i >= N || j >= N)
    return;
  float sum = 0;
  for (int k = 0; k < N; k++)
    sum += a[i * N + k] * b[k * N + j];
  c[i * N + j] = sum;
}

KERNEL
tiles (const float *__restrict a, const float *__restrict b, float *__restrict c)
{
  int i = global_y () * TILE, j = global_x () * TILE;
  if (i >= N || j >= N)
    return;
  float sum[TILE][TILE] = { { 0 } };
  for (int k = 0; k < N; k++)
    {
      float row[TILE], column[TILE];
#pragma unroll
      for (int t = 0; t < TILE; t++)
	{
	  row[t] = b[k * N + j + t];
	  column[t] = a[(i + t) * N + k];
	}
#pragma unroll
      for (int s = 0; s < TILE; s++)
#pragma unroll
	for (int t = 0; t < TILE; t++)
	  sum[s][t] += column[s] * row[t];
    }
#pragma unroll
  for (int s = 0; s < TILE; s++)
#pragma unroll
    for (int t = 0; t < TILE; t++)
      c[(i + s) * N + j + t] = sum[s][t];
}

KERNEL
lu_column (double *a, int k)
{
  int i = global_x () + k + 1;
  if (i < LU_N)
    a[i * LU_N + k] /= a[k * LU_N + k];
}

KERNEL
lu_rest (double *a, int k)
{
  int i = global_y () + k + 1, j = global_x () + k + 1;
  if (i < LU_N && j < LU_N)
    a[i * LU_N + j] -= a[i * LU_N + k] * a[k * LU_N + j];
}

KERNEL
floyd (int *d, int k)
{
  int i = global_y (), j = global_x ();
  if (i >= FLOYD_N || j >= FLOYD_N)
    return;
  int way = d[i * FLOYD_N + k] + d[k * FLOYD_N + j];
  if (way < d[i * FLOYD_N + j])
    d[i * FLOYD_N + j] = way;
}

/* ---- sparse.c ---- */

KERNEL
spmv (const int *__restrict begin, const int *__restrict column, const float *__restrict value,
      const float *__restrict x, float *__restrict y)
{
  int row = global_x ();
  if (row >= SPMV_ROWS)
    return;
  float sum = 0;
  for (int k = begin[row]; k < begin[row + 1]; k++)
    sum += value[k] * x[column[k]];
  y[row] = sum;
}

KERNEL
histogram (const unsigned char *__restrict a, unsigned *bins)
{
  static SHARED unsigned own[BINS];
  for (unsigned b = thread_x (); b < BINS; b += __nvvm_read_ptx_sreg_ntid_x ())
    own[b] = 0;
  synchronise ();
  for (int i = global_x (); i < HISTOGRAM_N; i += threads_x ())
    add (&own[a[i]], 1u);
  synchronise ();
  for (unsigned b = thread_x (); b < BINS; b += __nvvm_read_ptx_sreg_ntid_x ())
    add (&bins[b], own[b]);
}

KERNEL
weights (const int *__restrict where, const float *__restrict weight, float *sum)
{
  int i = global_x ();
  if (i < WEIGHTS_N)
    add (&sum[where[i]], weight[i]);
}

/* ---- reduce.c ---- */

template <typename T> DEVICE T
warp_sum (T sum)
{
#pragma unroll
  for (unsigned distance = 16; distance > 0; distance /= 2)
    sum += shuffle (sum, distance);
  return sum;
}

KERNEL
sumf (const float *__restrict a, float *result)
{
  float sum = 0;
  for (int i = global_x (); i < SUM_N; i += threads_x ())
    sum += a[i];
  sum = warp_sum (sum);
  if (thread_x () % 32 == 0)
    add (result, sum);
}

KERNEL
sumd (const double *__restrict a, const double *__restrict b, double *result)
{
  double sum = 0;
  for (int i = global_x (); i < SUM_N; i += threads_x ())
    sum += a[i] * b[i];
  sum = warp_sum (sum);
  if (thread_x () % 32 == 0)
    add (result, sum);
}

KERNEL
maxi (const int *__restrict a, int *result)
{
  int max = -0x7fffffff - 1;
  for (int i = global_x (); i < SUM_N; i += threads_x ())
    max = a[i] > max ? a[i] : max;
#pragma unroll
  for (unsigned distance = 16; distance > 0; distance /= 2)
    {
      int other = (int) shuffle ((unsigned) max, distance);
      max = other > max ? other : max;
    }
  if (thread_x () % 32 == 0)
    most (result, max);
}

/* No value is negative, so that values can be compared as integers; the index is behind.  */
KERNEL
argmin (const float *__restrict a, unsigned long long *result)
{
  unsigned long long min = ~0ull;
  for (int i = global_x (); i < SUM_N; i += threads_x ())
    {
      unsigned long long own = (unsigned long long) __builtin_bit_cast (unsigned, a[i]) << 32 | (unsigned) i;
      min = own < min ? own : min;
    }
#pragma unroll
  for (unsigned distance = 16; distance > 0; distance /= 2)
    {
      unsigned long long other = shuffle (min, distance);
      min = other < min ? other : min;
    }
  if (thread_x () % 32 == 0)
    least (result, min);
}

KERNEL
rows (const float *__restrict a, float *__restrict sums)
{
  static SHARED float part[32];
  int i = (int) __nvvm_read_ptx_sreg_ctaid_x ();
  float sum = 0;
  for (unsigned j = thread_x (); j < COLUMNS; j += __nvvm_read_ptx_sreg_ntid_x ())
    sum += a[i * COLUMNS + j];
  sum = warp_sum (sum);
  if (thread_x () % 32 == 0)
    part[thread_x () / 32] = sum;
  synchronise ();
  if (thread_x () == 0)
    {
      for (unsigned w = 1; w < __nvvm_read_ptx_sreg_ntid_x () / 32; w++)
	sum += part[w];
      sums[i] = sum;
    }
}

/* ---- compute.c ---- */

DEVICE float
rsqrt (float x)
{
  float y;
  asm ("rsqrt.approx.f32 %0, %1;" : "=f" (y) : "f" (x));
  return y;
}

KERNEL
bodies (const float *__restrict p, float *__restrict force)
{
  int i = global_x ();
  if (i >= BODIES)
    return;
  float x = p[4 * i], y = p[4 * i + 1], z = p[4 * i + 2], fx = 0, fy = 0, fz = 0;
  for (int j = 0; j < BODIES; j++)
    {
      float dx = p[4 * j] - x, dy = p[4 * j + 1] - y, dz = p[4 * j + 2] - z;
      float square = dx * dx + dy * dy + dz * dz + 0.01f;
      float r = rsqrt (square), s = p[4 * j + 3] * r * r * r;
      fx += s * dx;
      fy += s * dy;
      fz += s * dz;
    }
  force[3 * i] = fx;
  force[3 * i + 1] = fy;
  force[3 * i + 2] = fz;
}

KERNEL
mandel (int *__restrict steps)
{
  int i = global_y (), j = global_x ();
  if (i >= MANDEL_N || j >= MANDEL_N)
    return;
  float cx = -2 + 3.0f / MANDEL_N * j, cy = -1.5f + 3.0f / MANDEL_N * i, x = 0, y = 0;
  int n = 0;
  while (n < MANDEL_STEPS && x * x + y * y < 4)
    {
      float next = x * x - y * y + cx;
      y = 2 * x * y + cy;
      x = next;
      n++;
    }
  steps[i * MANDEL_N + j] = n;
}

DEVICE float
exponential (float x)
{
  float y;
  asm ("ex2.approx.ftz.f32 %0, %1;" : "=f" (y) : "f" (x * 1.44269504f));
  return y;
}

DEVICE float
logarithm (float x)
{
  float y;
  asm ("lg2.approx.ftz.f32 %0, %1;" : "=f" (y) : "f" (x));
  return y * 0.693147181f;
}

DEVICE float
root (float x)
{
  float y;
  asm ("sqrt.approx.f32 %0, %1;" : "=f" (y) : "f" (x));
  return y;
}

/* The normal distribution; Abramowitz and Stegun 26.2.17.  */
DEVICE float
normal (float d)
{
  float size = d < 0 ? -d : d, k = 1 / (1 + 0.2316419f * size);
  float n = 0.39894228f * exponential (-0.5f * d * d)
	    * (k * (0.31938153f + k * (-0.356563782f
				       + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1 - n : n;
}

KERNEL
options (const float *__restrict price, const float *__restrict strike, const float *__restrict years,
	 float *__restrict call, float *__restrict put)
{
  int i = global_x ();
  if (i >= OPTIONS)
    return;
  const float rate = 0.02f, volatility = 0.30f;
  float s = price[i], x = strike[i], t = years[i], r = root (t);
  float d1 = (logarithm (s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * r);
  float d2 = d1 - volatility * r;
  float n1 = normal (d1), n2 = normal (d2), later = x * exponential (-rate * t);
  call[i] = s * n1 - later * n2;
  put[i] = later * (1 - n2) - s * (1 - n1);
}

KERNEL
binomial (const float *__restrict price, float *__restrict worth)
{
  int i = global_x ();
  if (i >= BINOMIAL_OPTIONS)
    return;
  float value[BINOMIAL_STEPS + 1], s = price[i];
  for (int k = 0; k < BINOMIAL_STEPS; k++)
    s /= 1.01f;
  for (int k = 0; k <= BINOMIAL_STEPS; k++, s *= 1.01f * 1.01f)
    value[k] = s > 16 ? s - 16 : 0;
  for (int n = BINOMIAL_STEPS; n > 0; n--)
    for (int k = 0; k < n; k++)
      value[k] = 0.51f * value[k + 1] + (1 - 0.51f) * value[k];
  worth[i] = value[0];
}

KERNEL
paths (unsigned long long *result)
{
  unsigned long long all = 0;
  for (int i = global_x (); i < PATHS; i += threads_x ())
    {
      unsigned state = (unsigned) i;
      state = (state ^ 61) ^ (state >> 16);
      state *= 9;
      state ^= state >> 4;
      state *= 0x27d4eb2d;
      state = (state ^ state >> 15) | 1;
      int sum = 0, max = 0;
      for (int k = 0; k < PATH_STEPS; k++)
	{
	  state ^= state << 13;
	  state ^= state >> 17;
	  state ^= state << 5;
	  sum += (int) (state >> 24) - 127;
	  max = sum > max ? sum : max;
	}
      all += (unsigned) max;
    }
  all = warp_sum (all);
  if (thread_x () % 32 == 0)
    add (result, all);
}

/* ---- search.c ---- */

KERNEL
text (const char *__restrict text, char *__restrict found, const char *__restrict what)
{
  int i = global_x ();
  if (i >= TEXT_N - PATTERN)
    return;
  int k = 0;
  while (k < PATTERN && text[i + k] == what[k])
    k++;
  found[i] = k == PATTERN;
}

KERNEL
bitonic (unsigned *a, int k, int j)
{
  int t = global_x ();
  if (t >= BITONIC_N / 2)
    return;
  int i = t / j * 2 * j + t % j;
  unsigned low = a[i], high = a[i + j];
  int swap = (low > high) == ((i & k) == 0);
  a[i] = swap ? high : low;
  a[i + j] = swap ? low : high;
}
