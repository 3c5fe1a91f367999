/* floors.c -- the least that things cost on this GPU, by every way that the driver and the hardware have, written
   by hand: what a row of regions.c, reverse.c or device.c could come down to.

     "..., stream"   the stream marks the end (cuStreamWriteValue32)
     "..., kernel"   the kernel's last store does
     "..., event"    an event does, which is queried
     "params"        small data comes with the kernel's parameters
     "pinned"        the kernel reads and writes pinned memory of the host itself
     "copies"        the stream copies before and behind the kernel

   Times are for one of them; rows of barriers are for one barrier, of reverse calls for one call.  The same
   kernels in every row that compares two ways.  */

#include "driver.h"

#include <stdbool.h>

#define N (64l << 20)
#define BLOCK (32 << 10)	/* 8 arrays of 4 KB */

static const char ptx[] =
  ".version 6.0\n.target sm_52\n.address_size 64\n"
  ".visible .entry empty () { ret; }\n"
  ".visible .entry flag (.param .u64 word, .param .u32 number)\n"
  "{ .reg .u64 %w; .reg .u32 %n; ld.param.u64 %w, [word]; ld.param.u32 %n, [number];\n"
  "  membar.sys; st.volatile.global.u32 [%w], %n; ret; }\n"
  ".visible .entry increment (.param .u64 p)\n"
  "{ .reg .u64 %p; .reg .u32 %v; ld.param.u64 %p, [p]; ld.global.u32 %v, [%p];\n"
  "  add.u32 %v, %v, 1; st.global.u32 [%p], %v; ret; }\n"
  /* One int: from the parameters to TO, where it is increased, and from there to OUT.  */
  ".visible .entry params (.param .u64 word, .param .u32 number, .param .u64 to, .param .u64 out,"
  " .param .align 16 .b8 data[512])\n"
  "{ .reg .u64 %w, %t, %o; .reg .u32 %n, %v; ld.param.u64 %w, [word]; ld.param.u32 %n, [number];\n"
  "  ld.param.u64 %t, [to]; ld.param.u64 %o, [out]; ld.param.u32 %v, [data]; st.global.u32 [%t], %v;\n"
  "  bar.warp.sync 0xffffffff; ld.volatile.global.u32 %v, [%t]; add.u32 %v, %v, 1;\n"
  "  st.volatile.global.u32 [%t], %v; st.volatile.global.u32 [%o], %v; membar.sys;\n"
  "  st.volatile.global.u32 [%w], %n; ret; }\n"
  /* The same from pinned memory.  */
  ".visible .entry pinned (.param .u64 word, .param .u32 number, .param .u64 to, .param .u64 out)\n"
  "{ .reg .u64 %w, %t, %o; .reg .u32 %n, %v; ld.param.u64 %w, [word]; ld.param.u32 %n, [number];\n"
  "  ld.param.u64 %t, [to]; ld.param.u64 %o, [out]; ld.volatile.global.u32 %v, [%o]; st.global.u32 [%t], %v;\n"
  "  bar.warp.sync 0xffffffff; ld.volatile.global.u32 %v, [%t]; add.u32 %v, %v, 1;\n"
  "  st.volatile.global.u32 [%t], %v; st.volatile.global.u32 [%o], %v; membar.sys;\n"
  "  st.volatile.global.u32 [%w], %n; ret; }\n"
  /* 32 KB from pinned memory to TO, and back, in steps of 16 bytes for each thread; OUT 0: not back.  */
  ".visible .entry block (.param .u64 word, .param .u32 number, .param .u64 to, .param .u64 from,"
  " .param .u64 out)\n"
  "{ .reg .u64 %w, %t, %f, %o, %a, %b, %s; .reg .u32 %n, %i, %d, %v<4>; .reg .pred %q;\n"
  "  ld.param.u64 %w, [word]; ld.param.u32 %n, [number]; ld.param.u64 %t, [to]; ld.param.u64 %f, [from];\n"
  "  ld.param.u64 %o, [out]; mov.u32 %i, %tid.x; shl.b32 %i, %i, 4; mov.u32 %d, %ntid.x; shl.b32 %d, %d, 4;\n"
  "I: cvt.u64.u32 %s, %i; add.u64 %a, %f, %s; add.u64 %b, %t, %s;\n"
  "  ld.volatile.global.v4.u32 {%v0, %v1, %v2, %v3}, [%a]; st.global.v4.u32 [%b], {%v0, %v1, %v2, %v3};\n"
  "  add.u32 %i, %i, %d; setp.lt.u32 %q, %i, 32768; @%q bra I; bar.sync 0;\n"
  "  setp.eq.u64 %q, %o, 0; @%q bra E; mov.u32 %i, %tid.x; shl.b32 %i, %i, 4;\n"
  "O: cvt.u64.u32 %s, %i; add.u64 %a, %o, %s; add.u64 %b, %t, %s;\n"
  "  ld.volatile.global.v4.u32 {%v0, %v1, %v2, %v3}, [%b]; st.global.v4.u32 [%a], {%v0, %v1, %v2, %v3};\n"
  "  add.u32 %i, %i, %d; setp.lt.u32 %q, %i, 32768; @%q bra O; membar.sys; bar.sync 0;\n"
  "E: mov.u32 %i, %tid.x; setp.ne.u32 %q, %i, 0; @%q bra R; setp.eq.u64 %q, %w, 0; @%q bra R;\n"
  "  membar.sys; st.volatile.global.u32 [%w], %n; R: ret; }\n"
  /* The same once the host has stored NUMBER in READY.  */
  ".visible .entry late (.param .u64 word, .param .u32 number, .param .u64 to, .param .u64 from,"
  " .param .u64 out, .param .u64 ready)\n"
  "{ .reg .u64 %w, %t, %f, %o, %a, %b, %s; .reg .u32 %n, %i, %d, %v<4>; .reg .pred %q;\n"
  "  ld.param.u64 %w, [ready]; ld.param.u32 %n, [number]; mov.u32 %i, %tid.x; setp.ne.u32 %q, %i, 0; @%q bra B;\n"
  "A: ld.volatile.global.u32 %v0, [%w]; setp.ne.u32 %q, %v0, %n; @%q bra A; membar.sys;\n"
  "B: bar.sync 0; ld.param.u64 %w, [word]; ld.param.u64 %t, [to]; ld.param.u64 %f, [from];\n"
  "  ld.param.u64 %o, [out]; mov.u32 %i, %tid.x; shl.b32 %i, %i, 4; mov.u32 %d, %ntid.x; shl.b32 %d, %d, 4;\n"
  "I: cvt.u64.u32 %s, %i; add.u64 %a, %f, %s; add.u64 %b, %t, %s;\n"
  "  ld.volatile.global.v4.u32 {%v0, %v1, %v2, %v3}, [%a]; st.global.v4.u32 [%b], {%v0, %v1, %v2, %v3};\n"
  "  add.u32 %i, %i, %d; setp.lt.u32 %q, %i, 32768; @%q bra I; bar.sync 0;\n"
  "  mov.u32 %i, %tid.x; shl.b32 %i, %i, 4;\n"
  "O: cvt.u64.u32 %s, %i; add.u64 %a, %o, %s; add.u64 %b, %t, %s;\n"
  "  ld.volatile.global.v4.u32 {%v0, %v1, %v2, %v3}, [%b]; st.global.v4.u32 [%a], {%v0, %v1, %v2, %v3};\n"
  "  add.u32 %i, %i, %d; setp.lt.u32 %q, %i, 32768; @%q bra O; membar.sys; bar.sync 0;\n"
  "  mov.u32 %i, %tid.x; setp.ne.u32 %q, %i, 0; @%q bra R; st.volatile.global.u32 [%w], %n; R: ret; }\n"
  /* COUNT barriers; the same with a function through a pointer, and a word that thread 0 hands out.  */
  ".visible .entry barriers (.param .u32 count)\n"
  "{ .reg .u32 %c; .reg .pred %q; ld.param.u32 %c, [count];\n"
  "L: bar.sync 0; sub.u32 %c, %c, 1; setp.ne.u32 %q, %c, 0; @%q bra L; ret; }\n"
  ".visible .entry team_barriers (.param .u32 count)\n"
  "{ .reg .u32 %c, %t; .reg .pred %q; .shared .u32 team[32]; .reg .u32 %w, %a; ld.param.u32 %c, [count];\n"
  "  mov.u32 %w, %tid.y; mov.u32 %t, %ntid.y; shl.b32 %t, %t, 5; mov.u32 %a, team; mad.lo.u32 %a, %w, 4, %a;\n"
  "  st.shared.u32 [%a], %t; bar.sync 0;\n"
  "L: ld.volatile.shared.u32 %t, [%a]; bar.sync 1, %t; sub.u32 %c, %c, 1; setp.ne.u32 %q, %c, 0;\n"
  "  @%q bra L; ret; }\n"
  ".func body (.param .u64 p);\n"
  ".func body (.param .u64 p)\n"
  "{ .reg .u64 %p; .reg .u32 %v; ld.param.u64 %p, [p]; mov.u32 %v, 1; st.volatile.u32 [%p], %v; ret; }\n"
  ".visible .entry forks (.param .u32 count)\n"
  "{ .shared .align 16 .u64 record[2]; .shared .u32 target; .reg .u32 %c, %w; .reg .u64 %f, %a, %s;\n"
  "  .reg .pred %q, %z; proto: .callprototype _ (.param .u64 _);\n"
  "  ld.param.u32 %c, [count]; mov.u32 %w, %tid.y; setp.eq.u32 %z, %w, 0;\n"
  "  mov.u64 %f, body; mov.u64 %s, target; cvta.shared.u64 %s, %s;\n"
  "L: @%z st.volatile.shared.v2.u64 [record], {%f, %s}; bar.sync 0;\n"
  "  ld.volatile.shared.v2.u64 {%a, %s}, [record];\n"
  "  { .param .u64 p0; st.param.u64 [p0], %s; call %a, (p0), proto; }\n"
  "  bar.sync 1; sub.u32 %c, %c, 1; setp.ne.u32 %q, %c, 0; @%q bra L; ret; }\n"
  /* COUNT calls of the host: a word that the host clears; FENCE: with membar.sys around; DATA: an int
     beside it, which the host increases, and which comes from and goes to the block's memory.  */
  ".visible .entry ask (.param .u64 words, .param .u32 count, .param .u32 fence)\n"
  "{ .reg .u64 %p, %o; .reg .u32 %c, %b, %v, %f; .reg .pred %q, %z; ld.param.u64 %p, [words];\n"
  "  ld.param.u32 %c, [count]; ld.param.u32 %f, [fence]; setp.ne.u32 %z, %f, 0; mov.u32 %b, %ctaid.x;\n"
  "  mul.wide.u32 %o, %b, 64; add.u64 %p, %p, %o;\n"
  "L: @%z membar.sys; mov.u32 %v, 1; st.volatile.global.u32 [%p], %v;\n"
  "W: ld.volatile.global.u32 %v, [%p]; setp.ne.u32 %q, %v, 0; @%q bra W; @%z membar.sys;\n"
  "  sub.u32 %c, %c, 1; setp.ne.u32 %q, %c, 0; @%q bra L; ret; }\n"
  ".visible .entry ask_int (.param .u64 words, .param .u32 count, .param .u64 memory)\n"
  "{ .reg .u64 %p, %o, %m; .reg .u32 %c, %b, %v, %n; .reg .pred %q; ld.param.u64 %p, [words];\n"
  "  ld.param.u32 %c, [count]; ld.param.u64 %m, [memory]; mov.u32 %b, %ctaid.x;\n"
  "  mul.wide.u32 %o, %b, 64; add.u64 %p, %p, %o; add.u64 %m, %m, %o;\n"
  "L: ld.volatile.global.u32 %n, [%m]; mov.u32 %v, 1; st.volatile.global.v2.u32 [%p], {%v, %n};\n"
  "W: ld.volatile.global.v2.u32 {%v, %n}, [%p]; setp.ne.u32 %q, %v, 0; @%q bra W;\n"
  "  st.volatile.global.u32 [%m], %n; sub.u32 %c, %c, 1; setp.ne.u32 %q, %c, 0; @%q bra L; ret; }\n"
  /* Loads and stores of one float, neighbouring threads side by side: what a simd loop is.  */
  ".visible .entry saxpy (.param .u64 x, .param .u64 y)\n"
  "{ .reg .u64 %x, %y, %o; .reg .u32 %b, %n, %t, %g; .reg .f32 %f, %g0; .reg .pred %q; ld.param.u64 %x, [x];\n"
  "  ld.param.u64 %y, [y]; mov.u32 %b, %ctaid.x; mov.u32 %n, %ntid.x; mov.u32 %t, %tid.x;\n"
  "  mad.lo.u32 %b, %b, %n, %t; mov.u32 %g, %nctaid.x; mul.lo.u32 %g, %g, %n;\n"
  "L: mul.wide.u32 %o, %b, 4; add.u64 %o, %o, %x; ld.global.f32 %f, [%o]; mul.wide.u32 %o, %b, 4;\n"
  "  add.u64 %o, %o, %y; ld.global.f32 %g0, [%o]; fma.rn.f32 %g0, %f, 0f40400000, %g0;\n"
  "  st.global.f32 [%o], %g0; add.u32 %b, %b, %g; setp.lt.u32 %q, %b, 67108864; @%q bra L; ret; }\n"
  ".visible .entry sum (.param .u64 x, .param .u64 total)\n"
  "{ .reg .u64 %x, %y, %o; .reg .u32 %b, %n, %t, %g; .reg .f32 %f, %s; .reg .pred %q; ld.param.u64 %x, [x];\n"
  "  ld.param.u64 %y, [total]; mov.u32 %b, %ctaid.x; mov.u32 %n, %ntid.x; mov.u32 %t, %tid.x;\n"
  "  mad.lo.u32 %b, %b, %n, %t; mov.u32 %g, %nctaid.x; mul.lo.u32 %g, %g, %n; mov.f32 %s, 0f00000000;\n"
  "L: mul.wide.u32 %o, %b, 4; add.u64 %o, %o, %x; ld.global.f32 %f, [%o]; add.f32 %s, %s, %f;\n"
  "  add.u32 %b, %b, %g; setp.lt.u32 %q, %b, 67108864; @%q bra L;\n"
  "  red.global.add.f32 [%y], %s; ret; }\n";

static CUmodule module;
static CUstream stream;
static CUevent event;
static CUdeviceptr data, pinned_there, x, y;
static char *pinned;
static int multiprocessors = 1;

static CUfunction
kernel (const char *name)
{
  CUfunction f;
  CALL (cuModuleGetFunction, &f, module, name);
  return f;
}

static int
start (void)
{
  if (module)
    return 1;
  open_driver ();
  open_context ();
  CALL (cuModuleLoadData, &module, ptx);
  CALL (cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING);
  CALL (cuEventCreate, &event, CU_EVENT_DISABLE_TIMING);
  CALL (cuDeviceGetAttribute, &multiprocessors, 16 /* multiprocessors */, 0);
  word = get_pinned (1 << 16, &word_there);
  pinned = get_pinned (1 << 20, &pinned_there);
  CALL (cuMemAlloc_v2, &data, 1 << 20);
  return 1;
}

/* PARAMETERS: pointers.  */
#define LAUNCH(f, blocks, lanes, warps, ...)						\
  CALL (cuLaunchKernel, f, blocks, 1, 1, lanes, warps, 1, 0, stream, (void *[]) { __VA_ARGS__ }, NULL)

/* Rows that launch NAME's kernel in ROW, with its function in F.  */
#define ROW(row, name)								\
  static void									\
  row##_with (CUfunction f, long count);					\
  static void									\
  row (long count)								\
  {										\
    row##_with (kernel (name), count);						\
  }										\
  static void									\
  row##_with (CUfunction f, long count)

#define REPEAT for (long k = 0; k < count; k++)

/* ---- an empty region ---- */

ROW (empty_stream, "empty")
{
  REPEAT
    {
      LAUNCH (f, 1, 32, 1, NULL);
      wait_word (stream);
    }
}

ROW (empty_event, "empty")
{
  REPEAT
    {
      CUresult result;
      LAUNCH (f, 1, 32, 1, NULL);
      CALL (cuEventRecord, event, stream);
      while ((result = cuEventQuery (event)) == CUDA_ERROR_NOT_READY)
	;
      check_call (result, "cuEventQuery");
    }
}

ROW (empty_kernel, "flag")
{
  REPEAT
    {
      sequence++;
      LAUNCH (f, 1, 32, 1, &word_there, &sequence);
      poll_word (sequence);
    }
}

ROW (launch_only, "empty")
{
  REPEAT
    {
      LAUNCH (f, 1, 32, 1, NULL);
      if (k % 64 == 63)
	CALL (cuStreamSynchronize, stream);
    }
  CALL (cuStreamSynchronize, stream);
}

/* ---- one int there and back ---- */

ROW (int_copies, "increment")
{
  int *value = (int *) pinned;
  *value = 0;
  REPEAT
    {
      CALL (cuMemcpyHtoDAsync_v2, data, value, 64, stream);
      LAUNCH (f, 1, 32, 1, &data);
      CALL (cuMemcpyDtoHAsync_v2, value, data, 64, stream);
      wait_word (stream);
    }
}

ROW (int_params, "params")
{
  static uint64_t values[64];
  volatile int *result = (int *) pinned;
  int *first = (int *) values;
  *first = 0;
  REPEAT
    {
      sequence++;
      LAUNCH (f, 1, 32, 1, &word_there, &sequence, &data, &pinned_there, values);
      poll_word (sequence);
      *first = *result;
    }
  bench_check (*first == (int) count, "params");
}

ROW (int_pinned, "pinned")
{
  volatile int *value = (int *) pinned;
  *value = 0;
  REPEAT
    {
      sequence++;
      LAUNCH (f, 1, 32, 1, &word_there, &sequence, &data, &pinned_there);
      poll_word (sequence);
    }
  bench_check (*value == (int) count, "pinned");
}

/* ---- 32 KB there and back ---- */

ROW (block_copies, "empty")
{
  REPEAT
    {
      CALL (cuMemcpyHtoDAsync_v2, data, pinned, BLOCK, stream);
      LAUNCH (f, 1, 32, 1, NULL);
      CALL (cuMemcpyDtoHAsync_v2, pinned, data, BLOCK, stream);
      wait_word (stream);
    }
}

static void
block_by (CUfunction f, long count, unsigned threads)
{
  REPEAT
    {
      sequence++;
      LAUNCH (f, 1, threads, 1, &word_there, &sequence, &data, &pinned_there, &pinned_there);
      poll_word (sequence);
    }
}

ROW (block_pinned_1, "block") { block_by (f, count, 32); }
ROW (block_pinned_8, "block") { block_by (f, count, 256); }
ROW (block_pinned_32, "block") { block_by (f, count, 1024); }

/* The same with the program's arrays elsewhere: packed into the pinned memory, and out of it.  */

static char arrays[BLOCK] __attribute__ ((aligned (64)));

/* From here on the pinned memory that comes back, so that the GPU's stores do not take what is packed next out
   of the processor's cache.  */
#define BACK (BLOCK)

/* Stores that go past the cache: the GPU finds them in memory.  */
static void
pack_past (char *to, const char *from, size_t size)
{
  for (size_t i = 0; i < size; i += 8)
    {
      long long v;
      memcpy (&v, from + i, 8);
      __builtin_ia32_movnti64 ((long long *) (to + i), v);
    }
  __builtin_ia32_sfence ();
}

static void
pack (bool past)
{
  if (past)
    pack_past (pinned, arrays, BLOCK);
  else
    memcpy (pinned, arrays, BLOCK);
}

static void
packed_by (CUfunction f, long count, bool past)
{
  REPEAT
    {
      pack (past);
      CALL (cuMemcpyHtoDAsync_v2, data, pinned, BLOCK, stream);
      LAUNCH (f, 1, 32, 1, NULL);
      CALL (cuMemcpyDtoHAsync_v2, pinned + BACK, data, BLOCK, stream);
      wait_word (stream);
      memcpy (arrays, pinned + BACK, BLOCK);
    }
}

ROW (packed_copies, "empty") { packed_by (f, count, false); }
ROW (packed_past, "empty") { packed_by (f, count, true); }

/* The kernel is launched first and waits for the data.  */
static void
late_by (CUfunction f, long count, bool past, bool unpack)
{
  CUdeviceptr ready = word_there + 128, back = pinned_there + BACK;
  REPEAT
    {
      sequence++;
      LAUNCH (f, 1, 1024, 1, &word_there, &sequence, &data, &pinned_there, &back, &ready);
      pack (past);
      __atomic_store_n (&word[32], sequence, __ATOMIC_RELEASE);
      poll_word (sequence);
      if (unpack)
	memcpy (arrays, pinned + BACK, BLOCK);
    }
}

ROW (late, "late") { late_by (f, count, false, true); }
ROW (late_past, "late") { late_by (f, count, true, true); }
ROW (late_in, "late") { late_by (f, count, false, false); }

/* ---- update, exit data ---- */

ROW (from_copy, "empty")
{
  (void) f;
  REPEAT
    {
      CALL (cuMemcpyDtoHAsync_v2, pinned, data, 4, stream);
      wait_word (stream);
    }
}

ROW (to_copy, "empty")
{
  (void) f;
  REPEAT
    {
      CALL (cuMemcpyHtoDAsync_v2, data, pinned, 4, stream);
      wait_word (stream);
    }
}

/* What is not waited for is only enqueued.  */
ROW (enter_exit, "empty")
{
  static char array[4096];
  (void) f;
  REPEAT
    {
      CALL (cuMemcpyHtoDAsync_v2, data, array, sizeof array, stream);
      CALL (cuMemcpyDtoHAsync_v2, pinned, data, sizeof array, stream);
      wait_word (stream);
      memcpy (array, pinned, sizeof array);
    }
}

/* What two constructs that know nothing of each other enqueue, and the same with one mark behind both.  */
static void
enter_exit_by (long count, bool two_marks)
{
  static char array[4096];
  REPEAT
    {
      char taken[4096];
      memcpy (taken, array, sizeof taken);
      CALL (cuMemcpyHtoDAsync_v2, data, taken, sizeof taken, stream);
      if (two_marks)
	CALL (cuStreamWriteValue32_v2, stream, word_there, ++sequence, 0);
      CALL (cuMemcpyDtoHAsync_v2, pinned, data, sizeof array, stream);
      wait_word (stream);
      memcpy (array, pinned, sizeof array);
    }
}

static void enter_exit_two (long count) { enter_exit_by (count, true); }
static void enter_exit_one (long count) { enter_exit_by (count, false); }

/* ---- inside of a kernel ---- */

static void
inside (CUfunction f, long count, unsigned warps)
{
  uint32_t n = count;
  LAUNCH (f, 1, 32, warps, &n);
  wait_word (stream);
}

ROW (barrier_8, "barriers") { inside (f, count, 8); }
ROW (barrier_28, "barriers") { inside (f, count, 28); }
ROW (barrier_32, "barriers") { inside (f, count, 32); }
ROW (team_barrier_8, "team_barriers") { inside (f, count, 8); }
ROW (team_barrier_28, "team_barriers") { inside (f, count, 28); }
ROW (fork_8, "forks") { inside (f, count, 8); }
ROW (fork_28, "forks") { inside (f, count, 28); }

/* ---- calls of the host ---- */

static void
answer (CUfunction f, long blocks, long count, uint32_t fence, int with_int)
{
  long answers = 0;
  uint32_t n = count;
  CUdeviceptr words = word_there + 256;
  for (long i = 0; i < blocks; i++)
    word[64 + 16 * i] = word[65 + 16 * i] = 0;
  if (with_int)
    {
      CALL (cuMemsetD32Async, data, 0, 16 * blocks, stream);
      LAUNCH (f, blocks, 1, 1, &words, &n, &data);
    }
  else
    LAUNCH (f, blocks, 1, 1, &words, &n, &fence);
  while (answers < blocks * count)
    for (long i = 0; i < blocks; i++)
      {
	volatile uint64_t *both = (volatile uint64_t *) &word[64 + 16 * i];
	uint64_t value = *both;
	if ((uint32_t) value != 0)
	  {
	    __atomic_thread_fence (__ATOMIC_ACQUIRE);
	    *both = with_int ? ((value >> 32) + 1) << 32 : 0;
	    answers++;
	  }
      }
  wait_word (stream);
  for (long i = 0; with_int && i < blocks; i++)
    bench_check (word[65 + 16 * i] == count, "call with an int");
}

ROW (call_1, "ask") { answer (f, 1, count, 0, 0); }
ROW (call_fence_1, "ask") { answer (f, 1, count, 1, 0); }
ROW (call_int_1, "ask_int") { answer (f, 1, count, 0, 1); }
ROW (call_64, "ask") { answer (f, 64, count, 0, 0); }
ROW (call_fence_64, "ask") { answer (f, 64, count, 1, 0); }
ROW (call_int_64, "ask_int") { answer (f, 64, count, 0, 1); }

/* ---- memory ---- */

static int
vectors (void)
{
  start ();
  if (!x)
    {
      CALL (cuMemAlloc_v2, &x, N * sizeof (float));
      CALL (cuMemAlloc_v2, &y, N * sizeof (float));
      CALL (cuMemsetD32_v2, x, 0x3f800000, N);
      CALL (cuMemsetD32_v2, y, 0x40000000, N);
    }
  return 1;
}

static double
stream_kernel (const char *name)
{
  CUfunction f = kernel (name);
  double begin = bench_now ();
  LAUNCH (f, 2 * multiprocessors, 1024, 1, &x, &y);
  wait_word (stream);
  return bench_now () - begin;
}

static double saxpy (void) { return stream_kernel ("saxpy"); }
static double sum (void) { return stream_kernel ("sum"); }

static const struct bench_row rows[] =
{
  { "launch, not waited for", launch_only, .before = start },
  { "empty, stream", empty_stream, .before = start },
  { "empty, event", empty_event, .before = start },
  { "empty, kernel", empty_kernel, .before = start },
  { "int both ways, copies, stream", int_copies, .before = start },
  { "int both ways, pinned, kernel", int_pinned, .before = start },
  { "int both ways, params, kernel", int_params, .before = start },
  { "32 KB both ways, copies, stream", block_copies, .before = start },
  { "32 KB both ways, pinned, kernel of 1 warp", block_pinned_1, .before = start },
  { "32 KB both ways, pinned, kernel of 8 warps", block_pinned_8, .before = start },
  { "32 KB both ways, pinned, kernel of 32 warps", block_pinned_32, .before = start },
  { "32 KB both ways, packed, copies, stream", packed_copies, .before = start },
  { "32 KB both ways, packed past the cache, copies, stream", packed_past, .before = start },
  { "32 KB both ways, packed after the launch, kernel of 32 warps", late, .before = start },
  { "the same, packed past the cache", late_past, .before = start },
  { "the same, not unpacked", late_in, .before = start },
  { "4 B to, copy, stream", to_copy, .before = start },
  { "4 B from, copy, stream", from_copy, .before = start },
  { "4 KB to and from, copies, stream", enter_exit, .before = start },
  { "4 KB to and from, pageable, a mark behind each", enter_exit_two, .before = start },
  { "4 KB to and from, pageable, one mark", enter_exit_one, .before = start },
  { "barrier of 8 warps", barrier_8, .before = start },
  { "barrier of 28 warps", barrier_28, .before = start },
  { "barrier of 32 warps", barrier_32, .before = start },
  { "barrier of 8 warps, their number in memory", team_barrier_8, .before = start },
  { "barrier of 28 warps, their number in memory", team_barrier_28, .before = start },
  { "fork and join of 8 warps", fork_8, .before = start },
  { "fork and join of 28 warps", fork_28, .before = start },
  { "call of the host", call_1, .before = start },
  { "call of the host, fences", call_fence_1, .before = start },
  { "call of the host, an int both ways", call_int_1, .before = start },
  { "call of the host by 64 blocks", call_64, .before = start, .parts = 64 },
  { "call of the host by 64 blocks, fences", call_fence_64, .before = start, .parts = 64 },
  { "call of the host by 64 blocks, an int both ways", call_int_64, .before = start, .parts = 64 },
  { "saxpy 64M, a float each", .sample = saxpy, .before = vectors },
  { "sum 64M, a float each", .sample = sum, .before = vectors },
};

BENCH_MAIN (rows)
