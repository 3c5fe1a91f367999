/* edges.cu -- the kernels of edges.c in CUDA.  */

#include "edges.h"

static __global__ void
smooth (const pixel *in, unsigned char *out, int *bins, int across, int size)
{
  __shared__ unsigned char gray[SMOOTH_HEIGHT][SMOOTH_WIDTH];
  __shared__ short rows[SMOOTH_HEIGHT][WIDTH];
  int t = threadIdx.x, left = blockIdx.x % across * WIDTH, top = blockIdx.x / across * HEIGHT;

  for (int i = t; i < SMOOTH_WIDTH * SMOOTH_HEIGHT; i += THREADS)
    {
      int x = inside (left + i % SMOOTH_WIDTH - RADIUS, size);
      int y = inside (top + i / SMOOTH_WIDTH - RADIUS, size);
      gray[i / SMOOTH_WIDTH][i % SMOOTH_WIDTH] = gray_of (in[(long) y * size + x]);
    }
  if (blockIdx.x == 0 && t < BINS)
    bins[t] = 0;
  __syncthreads ();
  for (int i = t; i < WIDTH * SMOOTH_HEIGHT; i += THREADS)
    {
      const unsigned char *g = &gray[i / WIDTH][i % WIDTH];
      rows[i / WIDTH][i % WIDTH] = smoothed (g[0], g[1], g[2], g[3], g[4]);
    }
  __syncthreads ();
  int x = t % WIDTH, y = t / WIDTH;
  if (left + x < size && top + y < size)
    out[(long) (top + y) * size + left + x]
      = smoothed (rows[y][x], rows[y + 1][x], rows[y + 2][x], rows[y + 3][x], rows[y + 4][x]) >> 8;
}

/* The pixels of a team and those around them.  */
template <typename T>
static __device__ void
load (const T *in, T (*tile)[WIDER], int left, int top, int size)
{
  for (int i = threadIdx.x; i < WIDER * HIGHER; i += THREADS)
    tile[i / WIDER][i % WIDER] = in[(long) inside (top + i / WIDER - 1, size) * size
				    + inside (left + i % WIDER - 1, size)];
}

static __global__ void
differentiate (const unsigned char *in, short *out, int across, int size)
{
  __shared__ unsigned char tile[HIGHER][WIDER];
  int left = blockIdx.x % across * WIDTH, top = blockIdx.x / across * HEIGHT;
  int x = threadIdx.x % WIDTH, y = threadIdx.x / WIDTH, to_right = 0, to_below = 0;

  load (in, tile, left, top, size);
  __syncthreads ();
  for (int k = 0; k < 3; k++)
    {
      int twice = k == 1 ? 2 : 1;
      to_right += twice * (tile[y + k][x + 2] - tile[y + k][x]);
      to_below += twice * (tile[y + 2][x + k] - tile[y][x + k]);
    }
  if (left + x < size && top + y < size)
    out[(long) (top + y) * size + left + x] = gradient (to_right, to_below);
}

static __global__ void
thin_out (const short *in, short *out, int *bins, int across, int size)
{
  __shared__ short tile[HIGHER][WIDER];
  __shared__ int counts[BINS];
  int left = blockIdx.x % across * WIDTH, top = blockIdx.x / across * HEIGHT;
  int t = threadIdx.x, x = t % WIDTH + 1, y = t / WIDTH + 1;

  load (in, tile, left, top, size);
  if (t < BINS)
    counts[t] = 0;
  __syncthreads ();
  if (left + x <= size && top + y <= size)
    {
      int g = tile[y][x], strength = strength_of (g);
      int ahead = strength_of (tile[y + side_y (g)][x + side_x (g)]);
      int behind = strength_of (tile[y - side_y (g)][x - side_x (g)]);
      if (strength < ahead || strength < behind)
	strength = 0;
      out[(long) (top + y - 1) * size + left + x - 1] = strength;
      atomicAdd (counts + strength / BIN_SIZE, 1);
    }
  __syncthreads ();
  if (t < BINS && counts[t] > 0)
    atomicAdd (bins + t, counts[t]);
}

static __global__ void
choose (const int *bins, int *high, int size)
{
  __shared__ int above[BINS], lowest;
  int t = threadIdx.x;

  if (t == 0)
    lowest = 1;
  above[t] = 0;
  for (int j = t + 1; j < BINS; j++)
    above[t] += bins[j];
  __syncthreads ();
  if (t > 0 && (long) above[t] * SHARE <= (long) size * size
      && ((long) above[t - 1] * SHARE > (long) size * size || t == 1))
    lowest = t;
  __syncthreads ();
  if (t == 0)
    *high = lowest;
}

static __global__ void
mark (const short *in, unsigned char *out, const int *high, int across, int size)
{
  __shared__ short tile[HIGHER][WIDER];
  int left = blockIdx.x % across * WIDTH, top = blockIdx.x / across * HEIGHT;
  int x = threadIdx.x % WIDTH, y = threadIdx.x / WIDTH, least = *high * BIN_SIZE, strong = 0;

  load (in, tile, left, top, size);
  __syncthreads ();
  for (int k = 0; k < 9; k++)
    strong |= tile[y + k / 3][x + k % 3] >= least;
  if (left + x < size && top + y < size)
    out[(long) (top + y) * size + left + x] = strong && tile[y + 1][x + 1] >= least / 2 ? 255 : 0;
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 64, 2, 1 << 10);
  int size = a.size * WIDTH - MISSING, across = a.size, down = (size + HEIGHT - 1) / HEIGHT;
  int teams = across * down, bins[BINS] = { 0 }, high = 0;
  long n = (long) size * size;
  pixel *in = ARRAY (pixel, n);
  unsigned char *out = ARRAY (unsigned char, n);
  short *gradients = ARRAY (short, n);
  int *got = ARRAY (int, n), *expected = ARRAY (int, n);

  make_picture (in, size);
  find_exactly (in, expected, size);
  pixel *d_in = on_device (in, n);
  unsigned char *d_gray = on_device (out, n), *d_out = on_device (out, n);
  short *d_gradients = on_device (gradients, n), *d_thin = on_device (gradients, n);
  int *d_bins = on_device (bins, BINS), *d_high = on_device (&high, 1);
  MEASURE ("edges", a.repeats, smooth<<<teams, THREADS>>> (d_in, d_gray, d_bins, across, size);
	   differentiate<<<teams, THREADS>>> (d_gray, d_gradients, across, size);
	   thin_out<<<teams, THREADS>>> (d_gradients, d_thin, d_bins, across, size);
	   choose<<<1, BINS>>> (d_bins, d_high, size);
	   mark<<<teams, THREADS>>> (d_thin, d_out, d_high, across, size));
  from_device (out, d_out, n);
  for (long i = 0; i < n; i++)
    got[i] = out[i];
  return verdict (integers_differ (got, expected, n));
}
