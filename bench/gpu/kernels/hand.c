/* hand.c -- the kernels as they are written by hand in CUDA, started through the Driver API (measure.h).

   Code is in hand.ptx, which hand.cu is compiled to; the program looks for it beside itself.  No
   CUDA toolkit is needed: libcuda.so.1 is opened when it starts.  */

#include "measure.h"
#include "../calls.h"

static CUmodule module;
static CUstream stream;

static void
load (const char *ptx)
{
  open_driver ();
  open_context ();
  CALL (cuModuleLoadData, &module, ptx);
  CALL (cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING);
}

static void *
get (size_t bytes)
{
  CUdeviceptr p;
  CALL (cuMemAlloc_v2, &p, bytes);
  return (void *) (uintptr_t) p;
}

static void
put_back (void *device)
{
  CALL (cuMemFree_v2, (uintptr_t) device);
}

static void
to (void *device, const void *host, size_t bytes)
{
  CALL (cuMemcpyHtoDAsync_v2, (uintptr_t) device, host, bytes, stream);
  CALL (cuStreamSynchronize, stream);
}

static void
from (void *host, void *device, size_t bytes)
{
  CALL (cuMemcpyDtoHAsync_v2, host, (uintptr_t) device, bytes, stream);
  CALL (cuStreamSynchronize, stream);
}

/* ---- launches ---- */

static void
start (const char *name, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, void **parameters)
{
  static const char *known;
  static CUfunction function;
  if (known != name)
    {
      CALL (cuModuleGetFunction, &function, module, name);
      known = name;
    }
  CALL (cuLaunchKernel, function, gx, gy, gz, bx, by, 1, 0, stream, parameters, NULL);
}

#define OVER(n, block) (((n) + (block) - 1) / (block))

static void
line (const char *name, int n, void **parameters)
{
  start (name, OVER (n, 256), 1, 1, 256, 1, parameters);
}

static void
plane (const char *name, int width, int height, int depth, void **parameters)
{
  start (name, OVER (width, 32), OVER (height, 8), depth, 32, 8, parameters);
}

/* As many threads as there are, or nearly.  */
enum { FEW = 2048 };

enum shape { LINE, PLANE, FEW_BLOCKS, BLOCKS, FLOYD, LU, BITONIC };

static const struct by_hand
{
  const char *name, *entry;
  enum shape shape;
  int x, y, z;
  int result;			/* which array has it, plus 1 */
} table[] = {
  { "saxpy", "saxpy", LINE, SAXPY_N, 0, 0, 0 },
  { "triad", "triad", LINE, TRIAD_N, 0, 0, 0 },
  { "stencil 5", "jacobi", PLANE, JACOBI_N - 2, JACOBI_N - 2, 1, 0 },
  { "stencil 7", "heat", PLANE, HEAT_N - 2, HEAT_N - 2, HEAT_N - 2, 0 },
  { "game of life", "life", PLANE, LIFE_N, LIFE_N, 1, 0 },
  { "matrix product", "matmul", PLANE, MATMUL_N, MATMUL_N, 1, 0 },
  { "matrix tiles", "tiles", PLANE, MATMUL_N / TILE, MATMUL_N / TILE, 1, 0 },
  { "LU steps", NULL, LU, 0, 0, 0, 0 },
  { "Floyd-Warshall", "floyd", FLOYD, 0, 0, 0, 0 },
  { "SpMV CSR", "spmv", LINE, SPMV_ROWS, 0, 0, 0 },
  { "histogram", "histogram", FEW_BLOCKS, 0, 0, 0, 0 },
  { "float atomics", "weights", LINE, WEIGHTS_N, 0, 0, 0 },
  { "sum float", "sumf", FEW_BLOCKS, 0, 0, 0, 2 },
  { "dot double", "sumd", FEW_BLOCKS, 0, 0, 0, 3 },
  { "max int", "maxi", FEW_BLOCKS, 0, 0, 0, 2 },
  { "argmin", "argmin", FEW_BLOCKS, 0, 0, 0, 2 },
  { "row sums", "rows", BLOCKS, ROWS, 0, 0, 0 },
  { "n-body", "bodies", LINE, BODIES, 0, 0, 0 },
  { "Mandelbrot", "mandel", PLANE, MANDEL_N, MANDEL_N, 1, 0 },
  { "Black-Scholes", "options", LINE, OPTIONS, 0, 0, 0 },
  { "binomial tree", "binomial", LINE, BINOMIAL_OPTIONS, 0, 0, 0 },
  { "Monte Carlo", "paths", FEW_BLOCKS, 0, 0, 0, 1 },
  { "string matching", "text", LINE, TEXT_N, 0, 0, 0 },
  { "bitonic sort", "bitonic", BITONIC, 0, 0, 0, 0 },
};

/* Rows whose kernel takes numbers, too.  */
static void
several (const struct by_hand *h, void *array)
{
  int k, j;
  void *parameters[] = { &array, &k, &j };

  switch (h->shape)
    {
    case FLOYD:
      for (k = 0; k < FLOYD_N; k++)
	plane (h->entry, FLOYD_N, FLOYD_N, 1, parameters);
      break;
    case LU:
      for (k = 0; k < LU_STEPS; k++)
	{
	  line ("lu_column", LU_N - 1 - k, parameters);
	  plane ("lu_rest", LU_N - 1 - k, LU_N - 1 - k, 1, parameters);
	}
      break;
    default:
      for (k = 2; k <= BITONIC_N; k *= 2)
	for (j = k / 2; j > 0; j /= 2)
	  line (h->entry, BITONIC_N / 2, parameters);
    }
}

static void
run (const struct kernel *k, void **device)
{
  const struct by_hand *h = table;
  void *parameters[MOST_ARRAYS];
  union result begin = { .u = strcmp (k->name, "argmin") == 0 ? UINT64_MAX : 0 }, end;

  while (strcmp (h->name, k->name) != 0)
    h++;
  for (int i = 0; i < MOST_ARRAYS; i++)
    parameters[i] = &device[i];
  if (h->result != 0)
    {
      if (strcmp (k->name, "max int") == 0)
	begin.i = INT32_MIN;
      CALL (cuMemcpyHtoDAsync_v2, (uintptr_t) device[h->result - 1], &begin, sizeof (begin), stream);
    }
  switch (h->shape)
    {
    case LINE:
      line (h->entry, h->x, parameters);
      break;
    case PLANE:
      plane (h->entry, h->x, h->y, h->z, parameters);
      break;
    case FEW_BLOCKS:
      start (h->entry, FEW, 1, 1, 256, 1, parameters);
      break;
    case BLOCKS:
      start (h->entry, h->x, 1, 1, 256, 1, parameters);
      break;
    default:
      several (h, device[0]);
    }
  if (h->result != 0)
    CALL (cuMemcpyDtoHAsync_v2, &end, (uintptr_t) device[h->result - 1], sizeof (end), stream);
  CALL (cuStreamSynchronize, stream);
  if (h->result != 0)
    {
      result = end;
      if (strcmp (k->name, "argmin") == 0)
	result.i = (int) end.u;		/* the index is the lower half */
    }
}

int
main (int argc, char **argv)
{
  static const struct form form = { get, put_back, to, from, run };
  static char path[4096], ptx[1 << 20];
  const char *slash = strrchr (argv[0], '/');

  snprintf (path, sizeof (path), "%.*shand.ptx", slash ? (int) (slash - argv[0]) + 1 : 0, argv[0]);
  FILE *f = fopen (path, "r");
  size_t size = f ? fread (ptx, 1, sizeof (ptx) - 1, f) : 0;
  if (size == 0)
    {
      fprintf (stderr, "hand: cannot read %s\n", path);
      return 1;
    }
  fclose (f);
  load (ptx);
  return measure_main (&form, argc, argv);
}
