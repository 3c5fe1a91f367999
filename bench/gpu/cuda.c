/* cuda.c -- the limits: what the rows of regions.c and reverse.c cost when they are written by hand
   for the CUDA Driver API.  Rows have the same names.

   No CUDA toolkit is needed: driver.h opens the driver, the kernels are the PTX text below.  Completion is
   a word in pinned memory which the stream writes and the host polls.  What it could do better is in floors.c.

     cuda                 the rows
     cuda --first FILE    a program's first kernel: seconds for start of the driver, context, module
			  (a cubin that FILE keeps from one run to the next) and kernel  */

#include "driver.h"

#define BULK (256l << 20)
#define N (64l << 20)
#define ARRAYS 8

static const char ptx[] =
  ".version 6.0\n.target sm_52\n.address_size 64\n"
  ".visible .entry empty () { ret; }\n"
  ".visible .entry increment (.param .u64 p)\n"
  "{ .reg .u64 %p; .reg .u32 %v; ld.param.u64 %p, [p]; ld.global.u32 %v, [%p];\n"
  "  add.u32 %v, %v, 1; st.global.u32 [%p], %v; ret; }\n"
  /* The loop of regions.c.  */
  ".visible .entry work (.param .u64 p)\n"
  "{ .reg .u64 %p; .reg .u32 %v, %w, %i; .reg .pred %q; ld.param.u64 %p, [p];\n"
  "  mov.u32 %v, 1; mov.u32 %i, 20000;\n"
  "L: shr.u32 %w, %v, 7; xor.b32 %v, %v, %w; mad.lo.u32 %v, %v, 1664525, 1013904223;\n"
  "  sub.u32 %i, %i, 1; setp.ne.u32 %q, %i, 0; @%q bra L; st.global.u32 [%p], %v; ret; }\n"
  ".visible .entry saxpy (.param .u64 x, .param .u64 y)\n"
  "{ .reg .u64 %x, %y, %o; .reg .u32 %b, %n, %t; .reg .f32 %f<9>; ld.param.u64 %x, [x];\n"
  "  ld.param.u64 %y, [y]; mov.u32 %b, %ctaid.x; mov.u32 %n, %ntid.x; mov.u32 %t, %tid.x;\n"
  "  mad.lo.u32 %b, %b, %n, %t; mul.wide.u32 %o, %b, 16; add.u64 %x, %x, %o; add.u64 %y, %y, %o;\n"
  "  ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%x]; ld.global.v4.f32 {%f4, %f5, %f6, %f7}, [%y];\n"
  "  fma.rn.f32 %f4, %f0, 0f40400000, %f4; fma.rn.f32 %f5, %f1, 0f40400000, %f5;\n"
  "  fma.rn.f32 %f6, %f2, 0f40400000, %f6; fma.rn.f32 %f7, %f3, 0f40400000, %f7;\n"
  "  st.global.v4.f32 [%y], {%f4, %f5, %f6, %f7}; ret; }\n"
  /* 4 elements at a time, then in the warp, then one addition in memory for each warp.  */
  ".visible .entry sum (.param .u64 x, .param .u64 r)\n"
  "{ .reg .u64 %x, %r, %o; .reg .u32 %b, %n, %t, %i; .reg .f32 %f<4>, %s; .reg .b32 %v; .reg .pred %q;\n"
  "  ld.param.u64 %x, [x]; ld.param.u64 %r, [r]; mov.u32 %b, %ctaid.x; mov.u32 %n, %ntid.x;\n"
  "  mov.u32 %t, %tid.x; mad.lo.u32 %b, %b, %n, %t; mul.wide.u32 %o, %b, 16; add.u64 %x, %x, %o;\n"
  "  mov.u32 %i, %nctaid.x; mul.lo.u32 %n, %n, %i; mul.wide.u32 %o, %n, 16; div.u32 %i, 16777216, %n;\n"
  "  mov.f32 %s, 0f00000000;\n"
  "L: ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%x]; add.u64 %x, %x, %o; add.f32 %f0, %f0, %f1;\n"
  "  add.f32 %f2, %f2, %f3; add.f32 %f0, %f0, %f2; add.f32 %s, %s, %f0;\n"
  "  sub.u32 %i, %i, 1; setp.ne.u32 %q, %i, 0; @%q bra L;\n"
#define DOWN(n) \
  "  mov.b32 %v, %s; shfl.sync.down.b32 %v, %v, " #n ", 31, -1; mov.b32 %f0, %v; add.f32 %s, %s, %f0;\n"
  DOWN (16) DOWN (8) DOWN (4) DOWN (2) DOWN (1)
  "  and.b32 %t, %t, 31; setp.eq.u32 %q, %t, 0; @%q red.global.add.f32 [%r], %s; ret; }\n"
  /* Each thread raises its word in host memory COUNT times and waits until the host clears it.  */
  ".visible .entry ask (.param .u64 words, .param .u64 count)\n"
  "{ .reg .u64 %p, %c, %o; .reg .u32 %b, %v; .reg .pred %q; ld.param.u64 %p, [words];\n"
  "  ld.param.u64 %c, [count]; mov.u32 %b, %ctaid.x; mul.wide.u32 %o, %b, 64; add.u64 %p, %p, %o;\n"
  "L: membar.sys; mov.u32 %v, 1; st.volatile.global.u32 [%p], %v;\n"
  "W: ld.volatile.global.u32 %v, [%p]; setp.ne.u32 %q, %v, 0; @%q bra W; membar.sys;\n"
  "  sub.u64 %c, %c, 1; setp.ne.u64 %q, %c, 0; @%q bra L; ret; }\n";

static CUmodule module;
static CUstream stream, streams[8];
static CUfunction k_empty, k_increment, k_work, k_saxpy, k_sum, k_ask;
static CUdeviceptr data, bulk_there, x, y;
static char *pinned, *bulk;

static void
launch (CUfunction f, CUstream s, unsigned blocks, unsigned threads, CUdeviceptr a, CUdeviceptr b)
{
  void *parameters[] = { &a, &b };
  CALL (cuLaunchKernel, f, blocks, 1, 1, threads, 1, 1, 0, s, parameters, NULL);
}

static int
start (void)
{
  static int started;
  if (started)
    return 1;
  started = 1;
  open_driver ();
  open_context ();
  CALL (cuModuleLoadData, &module, ptx);
  CALL (cuModuleGetFunction, &k_empty, module, "empty");
  CALL (cuModuleGetFunction, &k_increment, module, "increment");
  CALL (cuModuleGetFunction, &k_work, module, "work");
  CALL (cuModuleGetFunction, &k_saxpy, module, "saxpy");
  CALL (cuModuleGetFunction, &k_sum, module, "sum");
  CALL (cuModuleGetFunction, &k_ask, module, "ask");
  CALL (cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING);
  for (int i = 0; i < 8; i++)
    CALL (cuStreamCreate, &streams[i], CU_STREAM_NON_BLOCKING);
  void *p;
  word = get_pinned (1 << 16, &word_there);
  CALL (cuMemHostAlloc, &p, 1 << 20, CU_MEMHOSTALLOC_PORTABLE);
  pinned = p;
  CALL (cuMemAlloc_v2, &data, 1 << 20);
  return 1;
}

static void
empty (long count)
{
  for (long k = 0; k < count; k++)
    {
      launch (k_empty, stream, 1, 256, 0, 0);
      wait_word (stream);
    }
}

static void
map_int (long count)
{
  int *value = (int *) pinned;
  *value = 0;
  for (long k = 0; k < count; k++)
    {
      CALL (cuMemcpyHtoDAsync_v2, data, value, 64, stream);
      launch (k_increment, stream, 1, 256, data, 0);
      CALL (cuMemcpyDtoHAsync_v2, value, data, 64, stream);
      wait_word (stream);
    }
  bench_check (*value == (int) count, "map(tofrom: int)");
}

/* Packed into one block by the host, which is what can be done.  */
static void
map_arrays (long count)
{
  static char array[ARRAYS][4096];
  for (long k = 0; k < count; k++)
    {
      memcpy (pinned, array, sizeof array);
      CALL (cuMemcpyHtoDAsync_v2, data, pinned, sizeof array, stream);
      launch (k_increment, stream, 1, 256, data, 0);
      CALL (cuMemcpyDtoHAsync_v2, pinned, data, sizeof array, stream);
      wait_word (stream);
      memcpy (array, pinned, sizeof array);
    }
}

static void
present_arrays (long count)
{
  for (long k = 0; k < count; k++)
    {
      CALL (cuMemcpyHtoDAsync_v2, data, pinned, 64, stream);
      launch (k_increment, stream, 1, 256, data, 0);
      wait_word (stream);
    }
}

static void
update_to (long count)
{
  int value = 1;
  for (long k = 0; k < count; k++)
    CALL (cuMemcpyHtoD_v2, data, &value, 4);
}

static void
update_from (long count)
{
  int value;
  for (long k = 0; k < count; k++)
    CALL (cuMemcpyDtoH_v2, &value, data, 4);
}

static void
enter_exit (long count)
{
  static char array[4096];
  for (long k = 0; k < count; k++)
    {
      CUdeviceptr p;
      CALL (cuMemAllocAsync, &p, sizeof array, stream);
      CALL (cuMemcpyHtoDAsync_v2, p, array, sizeof array, stream);
      CALL (cuMemcpyDtoHAsync_v2, pinned, p, sizeof array, stream);
      CALL (cuMemFreeAsync, p, stream);
      wait_word (stream);
      memcpy (array, pinned, sizeof array);
    }
}

static int
have_pool (void)
{
  uint64_t keep = UINT64_MAX;
  CUmemoryPool pool;
  if (!start () || !cuMemAllocAsync || !cuMemFreeAsync)
    return 0;
  /* As a program that cares would set it.  */
  if (cuDeviceGetDefaultMemPool && cuDeviceGetDefaultMemPool (&pool, 0) == 0)
    cuMemPoolSetAttribute (pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep);
  return 1;
}

static void
alloc_free (long count)
{
  for (long k = 0; k < count; k++)
    {
      CUdeviceptr p;
      CALL (cuMemAllocAsync, &p, 1 << 20, stream);
      CALL (cuMemFreeAsync, p, stream);
    }
}

static int
allocate_bulk (void)
{
  void *p;
  start ();
  CALL (cuMemHostAlloc, &p, BULK, CU_MEMHOSTALLOC_PORTABLE);
  bulk = p;
  CALL (cuMemAlloc_v2, &bulk_there, BULK);
  memset (bulk, 1, BULK);
  return 1;
}

static double
bulk_to (void)
{
  double begin = bench_now ();
  CALL (cuMemcpyHtoDAsync_v2, bulk_there, bulk, BULK, stream);
  wait_word (stream);
  return bench_now () - begin;
}

static double
bulk_from (void)
{
  double begin = bench_now ();
  CALL (cuMemcpyDtoHAsync_v2, bulk, bulk_there, BULK, stream);
  wait_word (stream);
  return bench_now () - begin;
}

static void
kernels (int n)
{
  for (int i = 0; i < n; i++)
    launch (k_work, streams[i], 1, 256, data + 64 * i, 0);
  for (int i = 0; i < n; i++)
    CALL (cuStreamSynchronize, streams[i]);
}

static void one_kernel (long count) { for (long k = 0; k < count; k++) kernels (1); }
static void eight_kernels (long count) { for (long k = 0; k < count; k++) kernels (8); }

static int
allocate_vectors (void)
{
  start ();
  if (x && y)
    return 1;
  CALL (cuMemAlloc_v2, &x, N * sizeof (float));
  CALL (cuMemAlloc_v2, &y, N * sizeof (float));
  CALL (cuMemsetD32_v2, x, 0x3f800000, N);
  CALL (cuMemsetD32_v2, y, 0x40000000, N);
  return 1;
}

static double
saxpy (void)
{
  double begin = bench_now ();
  launch (k_saxpy, stream, N / 4 / 256, 256, x, y);
  wait_word (stream);
  return bench_now () - begin;
}

static double
sum (void)
{
  double begin = bench_now ();
  CALL (cuMemsetD32Async, data, 0, 1, stream);
  launch (k_sum, stream, 1024, 256, x, data);
  CALL (cuMemcpyDtoHAsync_v2, pinned, data, sizeof (float), stream);
  wait_word (stream);
  double took = bench_now () - begin;
  bench_check (*(float *) pinned == N, "sum");
  return took;
}

/* The host answers each word as it finds it.  */
static void
answer (long blocks, long count)
{
  long answers = 0;
  for (long i = 0; i < blocks; i++)
    word[64 + 16 * i] = 0;
  launch (k_ask, stream, blocks, 1, word_there + 256, count);
  while (answers < blocks * count)
    for (long i = 0; i < blocks; i++)
      if (word[64 + 16 * i] != 0)
	{
	  __atomic_thread_fence (__ATOMIC_ACQUIRE);
	  word[64 + 16 * i] = 0;
	  answers++;
	}
  wait_word (stream);
}

static void reverse_1 (long count) { answer (1, count); }
static void reverse_64 (long count) { answer (64, count); }

static const struct bench_row rows[] =
{
  { "empty", empty, .before = start },
  { "map(tofrom: int)", map_int, .before = start },
  { "8 arrays of 4 KB", map_arrays, .before = start },
  { "8 arrays present", present_arrays, .before = start },
  { "update to 4 B", update_to, .before = start },
  { "update from 4 B", update_from, .before = start },
  { "enter+exit data 4 KB", enter_exit, .before = have_pool },
  { "alloc+free 1 MB", alloc_free, .before = have_pool },
  { "256 MB to", .sample = bulk_to, .before = allocate_bulk },
  { "256 MB from", .sample = bulk_from, .before = allocate_bulk },
  { "1 nowait kernel", one_kernel, .before = start },
  { "8 nowait kernels", eight_kernels, .before = start },
  { "saxpy 64M", .sample = saxpy, .before = allocate_vectors },
  { "sum 64M simd", .sample = sum, .before = allocate_vectors },
  { "reverse call", reverse_1, .before = start },
  { "reverse call, 64 teams", reverse_64, .before = start, .parts = 64 },
};

/* What a program has to do before its first kernel has run.  The cubin is made by a first call.  */
static int
first (const char *file)
{
  static char cubin[1 << 20];
  double begin = bench_now ();
  open_driver ();
  open_context ();
  double context = bench_now ();
  FILE *in = fopen (file, "r");
  if (in)
    {
      if (fread (cubin, 1, sizeof cubin, in) == 0)
	return 1;
      fclose (in);
      CALL (cuModuleLoadData, &module, cubin);
    }
  else
    {
      CUlinkState state;
      void *made;
      size_t size;
      CALL (cuLinkCreate_v2, 0, NULL, NULL, &state);
      CALL (cuLinkAddData_v2, state, CU_JIT_INPUT_PTX, (void *) ptx, sizeof ptx, "ptx", 0, NULL,
	    NULL);
      CALL (cuLinkComplete, state, &made, &size);
      FILE *out = fopen (file, "w");
      if (!out || fwrite (made, 1, size, out) != size || fclose (out) != 0)
	return 1;
      CALL (cuModuleLoadData, &module, made);
      CALL (cuLinkDestroy, state);
    }
  CALL (cuModuleGetFunction, &k_empty, module, "empty");
  launch (k_empty, NULL, 1, 256, 0, 0);
  CALL (cuStreamSynchronize, NULL);
  double end = bench_now ();
  printf ("first\t%.4f\t%.4f\n", (end - begin) * 1e9, (context - begin) * 1e9);
  return 0;
}

int
main (int argc, char **argv)
{
  if (argc == 3 && strcmp (argv[1], "--first") == 0)
    return first (argv[2]);
  return bench_main (argc, argv, rows, sizeof rows / sizeof rows[0]);
}
