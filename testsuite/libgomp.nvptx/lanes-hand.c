/* Verdicts on parallel regions written by hand: what GCC writes can have a thread for each lane; every change of its
   idioms, and all else that is about a warp, can't, for the right reason.

   TEST-MODES: host
   TEST-OPTIONS: -O0 -D_GNU_SOURCE -I@top_srcdir@/plugin -I@top_srcdir@/config/nvptx @top_srcdir@/plugin/nvptx-lanes.c @top_srcdir@/plugin/nvptx-lanes-scan.c @top_srcdir@/plugin/nvptx-lanes-flow.c @top_srcdir@/plugin/nvptx-lanes-depth.c @top_srcdir@/plugin/nvptx-lanes-atomic.c @top_srcdir@/plugin/nvptx-lanes-stride.c @top_srcdir@/plugin/nvptx-lanes-stride-emit.c @top_srcdir@/plugin/nvptx-lanes-combine.c @top_srcdir@/plugin/nvptx-lanes-joint.c @top_srcdir@/plugin/nvptx-lanes-ends.c @top_srcdir@/plugin/nvptx-lanes-direct.c @top_srcdir@/plugin/nvptx-lanes-direct-emit.c @top_srcdir@/plugin/nvptx-lanes-teams.c @top_srcdir@/plugin/nvptx-lanes-frame.c @top_srcdir@/plugin/nvptx-lanes-slots.c @top_srcdir@/plugin/nvptx-lanes-effects.c @top_srcdir@/plugin/nvptx-lanes-updates.c @top_srcdir@/plugin/nvptx-lanes-spaces.c @top_srcdir@/plugin/nvptx-lanes-offsets.c @top_srcdir@/plugin/nvptx-lanes-team.c @top_srcdir@/plugin/nvptx-lanes-blocks.c @top_srcdir@/plugin/nvptx-lanes-turns.c @top_srcdir@/plugin/nvptx-lanes-wait.c @top_srcdir@/plugin/nvptx-lanes-warps.c @top_srcdir@/plugin/nvptx-lanes-rows.c @top_srcdir@/plugin/nvptx-lanes-nest.c @top_srcdir@/plugin/nvptx-lanes-nest-emit.c @top_srcdir@/plugin/nvptx-lanes-loops.c @top_srcdir@/plugin/nvptx-lanes-windows.c @top_srcdir@/plugin/nvptx-lanes-rewrite.c @top_srcdir@/plugin/nvptx-read-names.c @top_srcdir@/plugin/nvptx-read.c @top_srcdir@/plugin/nvptx-read-body.c @top_srcdir@/plugin/nvptx-read-build.c @top_srcdir@/plugin/nvptx-read-lex.c @top_srcdir@/plugin/nvptx-read-scope.c @top_srcdir@/plugin/nvptx-print.c  */

#include "aux-lanes-text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* GCC's block that takes a frame, with SIZE bytes and MORE of its instructions.  */
#define FRAME_(first, size, more) \
  "{ .reg.u32 %fstmp0; .reg.u64 %fstmp1; .reg.u64 %fstmp2;\n" first \
  "mul.wide.u32 %fstmp1, %fstmp0, 8; mov.u64 %fstmp2, __nvptx_stacks; add.u64 %sspslot, %fstmp2, %fstmp1;\n" \
  "ld.shared.u64 %sspprev, [%sspslot]; sub.u64 %frame, %sspprev, " size ";" more \
  "sub.u64 %stack, %frame, 16; st.shared.u64 [%sspslot], %stack; }\n"
#define FRAME_REGS ".reg.u64 %stack; .reg.u64 %frame; .reg.u64 %sspslot; .reg.u64 %sspprev;\n"
#define FRAME FRAME_REGS FRAME_ ("mov.u32 %fstmp0, %tid.y;", "64", "")
#define BACK "st.shared.u64 [%sspslot], %sspprev;\n"
/* ... that asks whether lanes are alone.  */
#define UNIFORM \
  ".reg.u32 %ui; .reg.pred %um; .reg.pred %up; .reg.u64 %ua;\n" \
  "{ .reg.u32 %ustmp0; .reg.u64 %ustmp1; mov.u32 %ustmp0, %tid.y; mul.wide.u32 %ustmp1, %ustmp0, 4;\n" \
  "mov.u64 %ua, __nvptx_uni; add.u64 %ua, %ua, %ustmp1; ld.shared.u32 %ui, [%ua]; setp.eq.u32 %up, %ui, 0;\n" \
  "mov.u32 %ustmp0, %laneid; and.b32 %ui, %ui, %ustmp0; setp.eq.u32 %um, %ui, %ustmp0; }\n"
#define REGS ".reg.u64 %a; .reg.u64 %b; .reg.u64 %c; .reg.u32 %x; .reg.u32 %y; .reg.pred %p;\n" \
  "ld.param.u64 %a, [%in_ar0];\n"
#define CALL1(name, value) "{ .param.u64 %o; st.param.u64 [%o], " value "; call " name ", (%o); }\n"
#define CALL1R(name, value, result) \
  "{ .param.u64 %r; .param.u64 %o; st.param.u64 [%o], " value "; call (%r), " name ", (%o);" \
  "ld.param.u64 " result ", [%r]; }\n"
#define THREAD "{ .param.u32 %v; call (%v), omp_get_thread_num; ld.param.u32 %x, [%v]; }\n"

/* A loop with a static schedule, as GCC divides it: %t threads, of which this is %x; N is what computes the number of
   iterations, %n.  The loop is at L4, its end at L1.  */
#define LOOP_REGS REGS ".reg.u32 %t; .reg.u32 %n; .reg.u32 %q; .reg.u32 %r; .reg.u32 %s; .reg.u32 %e; .reg.u32 %i;\n" \
  ".reg.pred %l; .reg.pred %m; .reg.pred %g; .reg.u64 %w;\n"
#define TEAM "{ .param.u32 %v; call (%v), omp_get_num_threads; ld.param.u32 %t, [%v]; }\n"
#define DIVIDE "div.s32 %q, %n, %t; rem.s32 %r, %n, %t; setp.lt.s32 %l, %x, %r; @%l bra L2;\n"
#define RANGE "L5: mad.lo.u32 %s, %q, %x, %r; add.u32 %e, %q, %s; setp.ge.s32 %m, %s, %e; @%m bra L1;\n"
#define LOOP_ "L4: st.u32 [%a], %i; add.u32 %i, %i, 1; setp.lt.s32 %g, %i, %e; @%g bra L4;\n"
#define LOOP "mov.u32 %i, %s;" LOOP_ "bra L1;\n"
#define ONE_MORE "L2: add.u32 %q, %q, 1; mov.u32 %r, 0; bra L5;\n"
#define ASK LOOP_REGS "ld.u32 %n, [%a];" TEAM THREAD
/* The same with a register %y that a thread combines with what is at %w when it ends, and without a store.  */
#define PART ASK "add.u64 %w, %a, 8; mov.u32 %y, 0;" DIVIDE RANGE
#define NO_STORE "mov.u32 %i, %s; L4: add.u32 %i, %i, 1; setp.lt.s32 %g, %i, %e; @%g bra L4; bra L1;\n"
#define SUM_BEGINS(zero) LOOP_REGS ".reg.f32 %f; .reg.f32 %h; .reg.f32 %o; .reg.b32 %j; .reg.b32 %k; .reg.b32 %u;" \
  "add.u64 %w, %a, 8; mov.f32 %f, " zero "; ld.u32 %n, [%a];" TEAM THREAD DIVIDE RANGE LOOP ONE_MORE
#define SUM_ENDS ENDS ("add.f32")
#define ENDS(how) "ld.u32 %j, [%w]; bra L8; L7: mov.u32 %j, %k; L8: mov.b32 %o, %j; " how " %h, %o, %f;" \
  "mov.b32 %u, %h; atom.cas.b32 %k, [%w], %j, %u; setp.ne.u32 %p, %j, %k; @%p bra L7; ret;"

/* Two updates in a section of the lock of atomics: of a sum, with %y, and of the greatest, with %z.  */
#define PAIR_REGS LOOP_REGS ".reg.u32 %z; .reg.u32 %v1; .reg.u32 %v2; .reg.u32 %n1; .reg.u32 %n2; .reg.u32 %o1; .reg.u64 %b1; .reg.u64 %b2;\n"
#define PAIR_FROM(sum, most, loop) PAIR_REGS "ld.u32 %n, [%a];" TEAM THREAD "mov.u32 %y, " sum "; mov.u32 %z, " most ";\n" \
  DIVIDE RANGE loop ONE_MORE
#define PAIR PAIR_FROM ("0", "-2147483648", LOOP)
#define SECTION(body) "L1: { call GOMP_atomic_start; }\n" body "{ call GOMP_atomic_end; }\n"
#define LOAD1 "ld.u32 %v1, [%a+8];"
#define ADD1 "add.u32 %n1, %v1, %y;"
#define STORE1 "st.u32 [%a+8], %n1;"
#define LOAD2 "ld.u32 %v2, [%a+12];"
#define MAX2 "max.s32 %n2, %v2, %z;"
#define STORE2 "st.u32 [%a+12], %n2;"
#define UPDATE1 LOAD1 ADD1 STORE1
#define UPDATE2 LOAD2 MAX2 STORE2
/* The same behind pointers.  */
#define POINTERS(loop) PAIR_REGS "ld.u32 %n, [%a]; ld.u64 %b1, [%a+16]; ld.u64 %b2, [%a+24];" TEAM THREAD \
  "mov.u32 %y, 0; mov.u32 %z, 0;\n" DIVIDE RANGE loop ONE_MORE

/* A recursive function, with 32 bytes in memory, of which a call saves 8, 12 and two registers, %a and
   %x; what stands before the call and behind it.  */
#define SPEND(name, before, behind) \
  ".func " name " (.param.u64 %in_ar0) {" FRAME_REGS FRAME_ ("mov.u32 %fstmp0, %tid.y;", "16", "") REGS \
  "setp.eq.u64 %p, %a, 0;" before CALL1 (name, "%a") behind "st.u32 [%a], %x;" BACK "ret; }\n"

#define LOADS "ld.u32 %x, [%a];"

/* Functions that regions call.  */
static const char callees[] =
  ".func plain (.param.u64 %in_ar0) { .reg.u64 %a; .reg.u32 %x; ld.param.u64 %a, [%in_ar0];"
  "ld.u32 %x, [%a]; add.u32 %x, %x, 1; st.u32 [%a], %x; ret; }\n"
  ".func keeps (.param.u64 %in_ar0) { .reg.u64 %a; .reg.u64 %g; ld.param.u64 %a, [%in_ar0];"
  "mov.u64 %g, anywhere; st.u64 [%g], %a; ret; }\n"
  ".func (.param.u64 %value_out) same (.param.u64 %in_ar0) { .reg.u64 %a; ld.param.u64 %a, [%in_ar0];"
  "st.param.u64 [%value_out], %a; ret; }\n"
  ".func atomic (.param.u64 %in_ar0) { .reg.u64 %a; ld.param.u64 %a, [%in_ar0]; red.add.u32 [%a], 1; ret; }\n"
  ".func again (.param.u64 %in_ar0);\n"
  ".func again (.param.u64 %in_ar0) {" REGS CALL1 ("again", "%a") "ret; }\n"
  ".func deep (.param.u64 %in_ar0);\n"
  ".func deeper (.param.u64 %in_ar0) {" FRAME REGS CALL1 ("deep", "%a") BACK "ret; }\n"
  ".func deep (.param.u64 %in_ar0) {" REGS CALL1 ("deeper", "%a") "ret; }\n"
  SPEND ("spend", LOADS, "") SPEND ("number", "mov.u32 %x, 3;", "") SPEND ("part", LOADS "@%p mov.u32 %x, 3;", "")
  SPEND ("late", LOADS, "mov.u32 %x, 3;") SPEND ("maybe_late", LOADS, "@%p mov.u32 %x, 3;")
  SPEND ("jump", LOADS, "bra L; mov.u32 %x, 3; L:") SPEND ("ways", LOADS, "@%p bra L; ret; L:")
  SPEND ("predicate", "mov.u32 %x, 3;", "@%p ret;") SPEND ("place", "mov.u32 %x, 3;", "st.u32 [%frame], 1;")
  SPEND ("wide", LOADS, "ld.v2.u64 {%b, %c}, [%a];") SPEND ("or", LOADS "or.b64 %b, %a, 8;", "")
  SPEND ("calls_wide", LOADS, "{ call reads_wide; }")
  ".func reads_wide { .reg.u64 %b; .reg.u64 %c; mov.u64 %c, anywhere; ld.v2.u64 {%b, %c}, [%c]; ret; }\n";

/* Of another object.  */
static const char other[] =
  PREAMBLE
  "// BEGIN GLOBAL FUNCTION DEF: turns\n.visible .func turns (.param.u64 %in_ar0)\n{" REGS
  CALL1 ("turns", "%a") "ret; }\n";

static const struct
{
  const char *name, *body;
  enum nvptx_lanes_verdict verdict;
  enum nvptx_lanes_reason reason;
  const char *stride;		/* "": its loop can have one; or how the reason begins why not; NULL: not looked at */
} regions[] =
{
#define AS_IS NVPTX_LANES_AS_IS, LANES_NO_REASON
#define LANE NVPTX_LANES_REWRITTEN, LANES_NO_REASON
#define WARP(reason) NVPTX_LANES_WARP_ONLY, reason
  { "store", REGS "st.u32 [%a], 1; ret;", AS_IS },
  { "thread", REGS THREAD "st.u32 [%a], %x; ret;", LANE },
  { "alone", UNIFORM REGS "@%um atom.add.u32 %x, [%a], 1; @%up shfl.sync.idx.b32 %x, %x, %ui, 31, 0xffffffff;"
    "@%up bar.warp.sync 0xffffffff; st.u32 [%a+4], %x; ret;", AS_IS },
  { "frame", FRAME REGS "st.u32 [%frame+4], 1; ld.u32 %x, [%frame]; st.u32 [%a], %x;" BACK "ret;", LANE },
  { "aligned", FRAME_REGS FRAME_ ("mov.u32 %fstmp0, %tid.y;", "64", "and.b64 %frame, %frame, -64;") REGS
    "st.u64 [%a], 1;" BACK "ret;", LANE },
  { "arguments", FRAME REGS "st.u32 [%stack], 1;" CALL1R ("vprintf", "%stack", "%b") BACK "ret;", LANE },
  { "calls", REGS CALL1 ("plain", "%a") "ret;", AS_IS },
  { "recursion", REGS CALL1 ("again", "%a") "ret;", AS_IS },
  { "unreachable", REGS "st.u32 [%a], 1; trap; exit;", AS_IS },
  { "branch", REGS "setp.eq.u64 %p, %a, 0; @%p bra.uni L; st.u32 [%a], 1; L: ret;", LANE },
  { "lends", FRAME REGS CALL1 ("plain", "%frame") BACK "ret;", LANE },
  { "memory", FRAME REGS "st.u64 [%frame], %frame; ld.u64 %b, [%frame]; st.u64 [%b], %a;" BACK "ret;", LANE },
  { "global", FRAME REGS "ld.u64 %b, [%a]; st.u64 [%b], %a;" BACK "ret;", LANE },
  { "critical", REGS "call GOMP_critical_start; st.u32 [%a], 1; call GOMP_critical_end; ret;", LANE },

  /* Loops that may wait for another thread, and such that don't.  */
  { "wait_fence", REGS "L: ld.u32 %x, [%a]; membar.sys; setp.ne.u32 %p, %x, 1; @%p bra L; ret;", LANE },
  { "wait_volatile", REGS "L: ld.volatile.u32 %x, [%a]; setp.ne.u32 %p, %x, 1; @%p bra L; ret;", LANE },
  { "wait_exchange", REGS "L: atom.exch.b32 %x, [%a], 1; setp.ne.u32 %p, %x, 0; @%p bra L; ret;", LANE },
  { "wait_swap", REGS "mov.u32 %y, 0; L: atom.cas.b32 %x, [%a], %y, 1; setp.ne.u32 %p, %x, 0; @%p bra L; ret;", LANE },
  { "swap_loaded", REGS "ld.u32 %y, [%a]; L: add.u32 %x, %y, 1; atom.cas.b32 %x, [%a], %y, %x;"
    "setp.ne.u32 %p, %x, %y; mov.u32 %y, %x; @%p bra L; ret;", AS_IS },
  { "fence_before", REGS "membar.sys; L: ld.u32 %x, [%a]; setp.ne.u32 %p, %x, 1; @%p bra L; ret;", AS_IS },

  /* Another register, another array, another size, an instruction more: not the blocks.  */
  { "frame_x", FRAME_REGS FRAME_ ("mov.u32 %fstmp0, %tid.x;", "64", "") REGS "ret;",
    WARP (LANES_WARP_OPERATION) },
  { "frame_more", FRAME_REGS FRAME_ ("mov.u32 %fstmp0, %tid.y;", "64", "add.u64 %frame, %frame, 1;") REGS "ret;",
    WARP (LANES_WARP_OPERATION) },
  { "frame_moved", FRAME REGS "sub.u64 %stack, %stack, 32; st.shared.u64 [%sspslot], %stack;" BACK "ret;",
    WARP (LANES_ALLOCA) },
  { "frame_set", FRAME REGS "mov.u64 %frame, %a;" BACK "ret;", WARP (LANES_ALLOCA) },
  { "slot", FRAME REGS "ld.shared.u64 %b, [%sspslot];" BACK "ret;", WARP (LANES_ALLOCA) },
  { "stacks", REGS "mov.u64 %b, __nvptx_stacks; ret;", WARP (LANES_STACK_USE) },
  { "simd", ".reg.u64 %ua; { .reg.u32 %t; .reg.u64 %u; mov.u32 %t, %tid.y; mul.wide.u32 %u, %t, 4;"
    "mov.u64 %ua, __nvptx_uni; add.u64 %ua, %ua, %u; }" REGS "ret;", WARP (LANES_SIMD) },
  { "flag", UNIFORM REGS "st.shared.u32 [%ua], -1; ret;", WARP (LANES_SIMD) },
  { "master", UNIFORM REGS "@!%um st.u32 [%a], 1; ret;", WARP (LANES_STACK_USE) },
  { "together", UNIFORM REGS "@!%up st.u32 [%a], 1; ret;", WARP (LANES_STACK_USE) },
  { "leader", UNIFORM REGS "@%um bra L; st.u32 [%a], 1; L: ret;", WARP (LANES_STACK_USE) },
  { "lane", UNIFORM REGS "st.u32 [%a], %ui; ret;", WARP (LANES_STACK_USE) },
  { "set_dead", UNIFORM REGS "@%up mov.u32 %ui, 1; ret;", WARP (LANES_STACK_USE) },

  /* Blocks that a way leads round.  */
  { "frame_late", REGS "L: setp.eq.u64 %p, %a, 0; @%p bra L;" FRAME "st.u32 [%frame], 1; ret;",
    WARP (LANES_WARP_OPERATION) },
  { "uniform_late", REGS "setp.eq.u64 %p, %a, 0; @%p bra L;" UNIFORM "L: @%um atom.add.u32 %x, [%a], 1; ret;",
    WARP (LANES_WARP_OPERATION) },
  { "frame_inner", REGS "{" FRAME "st.u32 [%frame], 1; } ret;", WARP (LANES_WARP_OPERATION) },
  { "frame_result", FRAME REGS "call (%frame), same, (%a);" BACK "ret;", WARP (LANES_ALLOCA) },

  { "shuffle", REGS "shfl.sync.idx.b32 %x, %x, 0, 31, 0xffffffff; ret;", WARP (LANES_WARP_OPERATION) },
  { "barrier", REGS "bar.sync 0; ret;", WARP (LANES_WARP_OPERATION) },
  { "warp", REGS "bar.warp.sync 0xffffffff; ret;", WARP (LANES_WARP_OPERATION) },
  { "vote", REGS "vote.sync.any.pred %p, %p, 0xffffffff; ret;", WARP (LANES_WARP_OPERATION) },
  { "laneid", REGS "mov.u32 %x, %laneid; ret;", WARP (LANES_WARP_OPERATION) },
  { "shared", REGS "ld.shared.u32 %x, [%a]; ret;", WARP (LANES_WARP_OPERATION) },
  { "to_shared", REGS "cvta.shared.u64 %b, %a; ret;", WARP (LANES_WARP_OPERATION) },
  { "where", REGS "isspacep.local %p, %a; ret;", WARP (LANES_UNKNOWN) },
  { "exit", REGS "exit;", WARP (LANES_WARP_OPERATION) },
  { "later", REGS "hypothetical.u32 %x, %y; ret;", WARP (LANES_UNKNOWN) },
  { "pointer", REGS "call %a, (), P; ret; P: .callprototype _ ();", WARP (LANES_INDIRECT_CALL) },
  { "task", REGS "call GOMP_taskwait; ret;", WARP (LANES_NO_VERSION) },
  { "nowhere", REGS CALL1 ("absent", "%a") "ret;", WARP (LANES_NOT_THERE) },
  /* Recursion.  */
#define CALLS(name) REGS CALL1 (name, "%a") "ret;"
#define TOO_LARGE WARP (LANES_RECURSION_SIZE)
  { "recursive", CALLS ("deep"), TOO_LARGE },
  { "itself", CALLS ("itself"), WARP (LANES_RECURSION) },
  { "elsewhere", CALLS ("turns"), WARP (LANES_RECURSION) },
  { "spends", CALLS ("spend"), LANE },
  { "saves_no_number", CALLS ("number"), TOO_LARGE },
  { "saves_part", CALLS ("part"), LANE },
  { "set_behind", CALLS ("late"), TOO_LARGE },
  { "set_behind_maybe", CALLS ("maybe_late"), LANE },
  { "jumps_behind", CALLS ("jump"), LANE },
  { "goes_on", CALLS ("ways"), TOO_LARGE },
  { "saves_place", CALLS ("place"), LANE },
  { "saves_no_predicate", CALLS ("predicate"), TOO_LARGE },
  { "needs_wide", CALLS ("wide"), TOO_LARGE },
  { "needs_or", CALLS ("or"), TOO_LARGE },
  { "callee_needs_wide", CALLS ("calls_wide"), TOO_LARGE },
  { "large", FRAME_REGS FRAME_ ("mov.u32 %fstmp0, %tid.y;", "8000", "") REGS BACK "ret;", WARP (LANES_STACK_SIZE) },

  /* Addresses of local variables.  */
  { "stores", FRAME REGS "st.u64 [%a], %frame;" BACK "ret;", WARP (LANES_ESCAPE_STORE) },
  { "stores_sum", FRAME REGS "add.u64 %b, %frame, 8; st.u64 [%a], %b;" BACK "ret;", WARP (LANES_ESCAPE_STORE) },
  { "stores_part", FRAME REGS "cvt.u32.u64 %x, %frame; st.u32 [%a], %x;" BACK "ret;", WARP (LANES_ESCAPE_STORE) },
  { "stores_stack", FRAME REGS "st.u64 [%a], %stack;" BACK "ret;", WARP (LANES_ESCAPE_STORE) },
  { "stores_later", FRAME REGS "mov.u64 %b, %a; L: st.u64 [%a], %b; mov.u64 %b, %frame; bra L;",
    WARP (LANES_ESCAPE_STORE) },
  { "through", FRAME REGS "st.u64 [%frame], %frame; ld.u64 %b, [%frame]; st.u64 [%a], %b;" BACK "ret;",
    WARP (LANES_ESCAPE_STORE) },
  { "bytes", FRAME REGS "st.u64 [%frame], %frame; ld.u8 %x, [%frame]; st.u8 [%a], %x;" BACK "ret;",
    WARP (LANES_ESCAPE_STORE) },
  { "either", FRAME REGS "mov.u64 %b, %a; setp.eq.u64 %p, %a, 0; @%p mov.u64 %b, %frame;"
    "st.u64 [%b], %frame;" BACK "ret;", WARP (LANES_ESCAPE_STORE) },
  { "select", FRAME REGS "setp.eq.u64 %p, %a, 0; selp.u64 %b, %a, %frame, %p; st.u64 [%b], %frame;" BACK "ret;",
    WARP (LANES_ESCAPE_STORE) },
  /* Numbers that were addresses: not in the frame.  */
  { "hash", FRAME REGS "and.b64 %b, %frame, 56; add.u64 %b, %b, %a; st.u64 [%b], %frame;" BACK "ret;",
    WARP (LANES_ESCAPE_STORE) },
  { "between", FRAME REGS "sub.u64 %b, %frame, %a; add.u64 %b, %b, %a; st.u64 [%b], %frame;" BACK "ret;",
    WARP (LANES_ESCAPE_STORE) },
  { "factor", FRAME REGS "mad.lo.u64 %b, %frame, 8, %a; st.u64 [%b], %frame;" BACK "ret;",
    WARP (LANES_ESCAPE_STORE) },
  { "inside", FRAME REGS "add.u64 %b, %frame, 8; and.b64 %b, %b, -16; sub.u64 %b, %b, 8; mad.lo.u64 %b, %a, 8, %b;"
    "or.b64 %b, %b, 4; st.u64 [%b], %frame;" BACK "ret;", LANE },
  { "exchange", FRAME REGS "atom.exch.b64 %b, [%a], %frame;" BACK "ret;", WARP (LANES_ESCAPE_STORE) },
  { "callee", FRAME REGS CALL1 ("keeps", "%frame") BACK "ret;", WARP (LANES_ESCAPE_STORE) },
  { "result", FRAME REGS CALL1R ("same", "%frame", "%b") "st.u64 [%a], %b;" BACK "ret;", WARP (LANES_ESCAPE_STORE) },
  { "given", FRAME REGS CALL1 ("omp_set_lock", "%frame") BACK "ret;", WARP (LANES_ESCAPE_CALL) },
  { "atomic_own", FRAME REGS "atom.add.u32 %x, [%frame], 1;" BACK "ret;", WARP (LANES_ATOMIC_LOCAL) },
  { "atomic_callee", FRAME REGS CALL1 ("atomic", "%frame") BACK "ret;", WARP (LANES_ATOMIC_LOCAL) },
  { "atomic_other", REGS CALL1 ("atomic", "%a") "ret;", AS_IS },

  /* Loops with a static schedule, and what is a little different.  */
  { "loop", ASK DIVIDE RANGE LOOP ONE_MORE "L1: ret;", LANE, "" },
  { "loop_product", ASK DIVIDE "L5: mul.lo.u32 %y, %x, %q; add.u32 %s, %y, %r; add.u32 %e, %s, %q;"
    "setp.lt.s32 %m, %s, %e; @!%m bra L1;" LOOP ONE_MORE "L1: ret;", LANE, "" },
  { "loop_counter", ASK DIVIDE RANGE "L4: st.u32 [%a], %s; add.u32 %s, %s, 1; setp.lt.s32 %g, %s, %e; @%g bra L4; bra L1;"
    ONE_MORE "L1: ret;", LANE, "" },
  { "loop_copy", ASK DIVIDE RANGE "mov.u32 %i, %s; st.u32 [%a], %i; add.u32 %i, %i, 1; setp.ge.s32 %g, %i, %e; @%g bra L1;"
    LOOP_ "bra L1;" ONE_MORE "L1: ret;", LANE, "" },
  { "loop_call", ASK DIVIDE RANGE "mov.u32 %i, %s; L4:" CALL1 ("plain", "%a")
    "add.u32 %i, %i, 1; setp.lt.s32 %g, %i, %e; @%g bra L4; bra L1;" ONE_MORE "L1: ret;", LANE, "" },
  { "loop_frame", FRAME ASK DIVIDE RANGE LOOP ONE_MORE "L1:" BACK "ret;", LANE, "" },
  { "loop_id_used", ASK DIVIDE RANGE "st.u32 [%a+4], %x;" LOOP ONE_MORE "L1: ret;", LANE, "no loop's" },
  { "loop_team_used", ASK "add.u32 %y, %t, 1;" DIVIDE RANGE LOOP ONE_MORE "L1: ret;", LANE, "no loop's" },
  { "loop_asks", ASK DIVIDE RANGE LOOP ONE_MORE "L1: ret;" THREAD "ret;", LANE, "it doesn't ask" },
  { "loop_no_team", LOOP_REGS "mov.u32 %n, 9; mov.u32 %t, 3;" THREAD DIVIDE RANGE LOOP ONE_MORE "L1: ret;", LANE,
    "it doesn't ask" },
  { "loop_critical", ASK DIVIDE RANGE "mov.u32 %i, %s; L4: call GOMP_critical_start; st.u32 [%a], 1; call GOMP_critical_end;"
    "add.u32 %i, %i, 1; setp.lt.s32 %g, %i, %e; @%g bra L4; bra L1;" ONE_MORE "L1: ret;", LANE, "" },
  { "loop_lock", ASK DIVIDE RANGE "mov.u32 %i, %s; L4:" CALL1 ("omp_set_lock", "%a")
    "add.u32 %i, %i, 1; setp.lt.s32 %g, %i, %e; @%g bra L4; bra L1;" ONE_MORE "L1: ret;", LANE, "it doesn't ask" },
  { "loop_waits", ASK DIVIDE RANGE "mov.u32 %i, %s; L4: ld.volatile.u32 %y, [%a]; add.u32 %i, %i, 1; setp.lt.s32 %g, %i, %e;"
    "@%g bra L4; bra L1;" ONE_MORE "L1: ret;", LANE, "it may wait" },
  { "loop_other_rest", ASK "add.u32 %y, %n, 1; div.s32 %q, %n, %t; rem.s32 %r, %y, %t; setp.lt.s32 %l, %x, %r; @%l bra L2;"
    RANGE LOOP ONE_MORE "L1: ret;", LANE, "no loop's" },
  { "loop_changed", ASK "div.s32 %q, %n, %t; add.u32 %n, %n, 1; rem.s32 %r, %n, %t; setp.lt.s32 %l, %x, %r; @%l bra L2;"
    RANGE LOOP ONE_MORE "L1: ret;", LANE, "no loop's" },
  { "loop_signs", ASK "div.s32 %q, %n, %t; rem.u32 %r, %n, %t; setp.lt.s32 %l, %x, %r; @%l bra L2;"
    RANGE LOOP ONE_MORE "L1: ret;", LANE, "no loop's" },
  { "loop_guard", ASK "div.s32 %q, %n, %t; @%p rem.s32 %r, %n, %t; setp.lt.s32 %l, %x, %r; @%l bra L2;"
    RANGE LOOP ONE_MORE "L1: ret;", LANE, "no loop's" },
  { "loop_back", ASK DIVIDE "L5: mad.lo.u32 %s, %q, %x, %r; add.u32 %e, %q, %s; setp.ge.s32 %m, %s, %e; @!%m bra L1;"
    LOOP ONE_MORE "L1: ret;", LANE, "a thread that has no" },
  { "loop_other_end", ASK DIVIDE "L5: mad.lo.u32 %s, %q, %x, %r; add.u32 %e, %n, %s; setp.ge.s32 %m, %s, %e; @%m bra L1;"
    LOOP ONE_MORE "L1: ret;", LANE, "no loop's" },
  { "loop_not_less", ASK "div.s32 %q, %n, %t; rem.s32 %r, %n, %t; setp.gt.s32 %l, %x, %r; @%l bra L2;"
    RANGE LOOP ONE_MORE "L1: ret;", LANE, "no loop's" },
  { "loop_more_always", ASK DIVIDE "add.u32 %q, %q, 1;" RANGE LOOP ONE_MORE "L1: ret;", LANE, "no loop's" },
  { "loop_end_later", ASK DIVIDE "L5: mad.lo.u32 %s, %q, %x, %r; add.u32 %e, %q, %s; add.u32 %e, %e, 1;"
    "setp.ge.s32 %m, %s, %e; @%m bra L1;" LOOP ONE_MORE "L1: ret;", LANE, "no loop's" },
  { "loop_first", ASK "st.u32 [%a+4], 1;" DIVIDE RANGE LOOP ONE_MORE "L1: ret;", LANE, "a thread that has no" },
  { "loop_last", ASK DIVIDE RANGE LOOP ONE_MORE "L1: red.add.u32 [%a+4], 1; ret;", LANE, "a thread that has no" },
  { "loop_behind", ASK DIVIDE RANGE "mov.u32 %i, %s;" LOOP_ "red.add.u32 [%a+4], 1; bra L1;" ONE_MORE "L1: ret;", LANE,
    "it does something behind" },
  { "loop_and_loop", ASK DIVIDE RANGE "mov.u32 %i, %s;" LOOP_
    "L6: red.add.u32 [%a+4], 1; add.u32 %i, %i, 1; setp.lt.s32 %g, %i, 1000; @%g bra L6; bra L1;" ONE_MORE "L1: ret;", LANE,
    "it has more than one loop" },
  { "loop_around", LOOP_REGS "ld.u32 %n, [%a];" TEAM "L0:" THREAD DIVIDE RANGE "mov.u32 %i, %s;" LOOP_ "bra L1;" ONE_MORE
    "L1: ld.u32 %y, [%a+8]; setp.ne.u32 %p, %y, 0; @%p bra L0; ret;", LANE, "no loop's" },
  { "loop_way_round", LOOP_REGS "ld.u32 %n, [%a]; setp.eq.u32 %p, %n, 5;" TEAM "@%p bra L0;" THREAD "L0:"
    DIVIDE RANGE LOOP ONE_MORE "L1: ret;", LANE, "no loop's" },
  { "loop_leaves", ASK DIVIDE RANGE LOOP ONE_MORE "L1: setp.eq.u32 %p, %n, 5; @%p ret; ret;", LANE, "no loop's" },
  { "loop_falls", ASK DIVIDE RANGE LOOP ONE_MORE "L1:", LANE, "no loop's" },
  { "loop_in_block", ASK "{ .reg.u32 %t2; div.s32 %q, %n, %t; } rem.s32 %r, %n, %t; setp.lt.s32 %l, %x, %r; @%l bra L2;"
    RANGE LOOP ONE_MORE "L1: ret;", LANE, "no loop's" },

  /* What a thread does at its end.  */
  { "end", PART LOOP ONE_MORE "L1: atom.add.u32 _, [%w], %y; ret;", LANE, "" },
  { "end_unused", PART LOOP ONE_MORE "L1: .reg.u32 %z; atom.max.u32 %z, [%w], %y; ret;", LANE, "" },
  { "end_from_0", PART LOOP ONE_MORE "L1: atom.max.s32 _, [%w], %y; ret;", LANE, "a thread that has no" },
  { "end_from_1", ASK "add.u64 %w, %a, 8; mov.u32 %y, 1;" DIVIDE RANGE LOOP ONE_MORE "L1: atom.add.u32 _, [%w], %y; ret;", LANE,
    "a thread that has no" },
  { "end_from_both", ASK "add.u64 %w, %a, 8; mov.u32 %y, 0; mov.u32 %y, %n;" DIVIDE RANGE LOOP ONE_MORE
    "L1: atom.add.u32 _, [%w], %y; ret;", LANE, "a thread that has no" },
  { "end_all_bits", ASK "add.u64 %w, %a, 8; mov.u32 %y, -1;" DIVIDE RANGE LOOP ONE_MORE "L1: atom.and.b32 _, [%w], %y; ret;", LANE,
    "" },
  { "end_copy", PART "mov.u32 %i, %s;" LOOP_ "mov.u32 %n, %i; mov.u32 %y, %n; bra L1;" ONE_MORE
    "L1: atom.add.u32 _, [%w], %y; ret;", LANE, "" },
  { "end_copy_changed", PART "mov.u32 %i, %s;" LOOP_ "add.u32 %i, %i, 1; mov.u32 %y, %i; bra L1;" ONE_MORE
    "L1: atom.add.u32 _, [%w], %y; ret;", LANE, "a thread that has no" },
  { "end_changed", PART "mov.u32 %i, %s;" LOOP_ "add.u32 %y, %y, 1; bra L1;" ONE_MORE "L1: atom.add.u32 _, [%w], %y; ret;", LANE,
    "a thread that has no" },
  { "end_used", PART LOOP ONE_MORE "L1: atom.add.u32 %i, [%w], %y; ret;", LANE, "a thread that has no" },
  { "end_exchange", PART LOOP ONE_MORE "L1: atom.inc.u32 _, [%w], %y; ret;", LANE, "a thread that has no" },
  { "end_number", PART LOOP ONE_MORE "L1: atom.add.u32 _, [%w], 1; ret;", LANE, "a thread that has no" },
  { "end_twice", PART LOOP ONE_MORE "L1: atom.add.u32 _, [%w], %y; atom.add.u32 _, [%a], %y; ret;",
    LANE, "a thread that has no" },
  { "end_store", PART LOOP ONE_MORE "L1: atom.add.u32 _, [%w], %y; st.u32 [%a+4], %y; ret;", LANE, "a thread that has no" },
  { "end_store_before", PART LOOP ONE_MORE "L1: st.u32 [%a+4], %y; atom.add.u32 _, [%w], %y; ret;",
    LANE, "a thread that has no" },
  { "end_moves", PART LOOP ONE_MORE "L1: add.u64 %w, %w, 8; atom.add.u32 _, [%w], %y; ret;", LANE, "a thread that has no" },
  { "end_own", PART LOOP ONE_MORE "L1: cvt.u64.u32 %b, %s; atom.add.u32 _, [%b], %y; ret;", LANE, "a thread that has no" },
  { "end_guard", PART LOOP ONE_MORE "L1: @%g atom.add.u32 _, [%w], %y; ret;", LANE, "a thread that has no" },
  { "end_some", PART LOOP ONE_MORE "L1: setp.eq.u32 %p, %y, 0; @%p bra L7; atom.add.u32 _, [%w], %y; L7: ret;",
    LANE, "a thread that has no" },
  { "end_of_few", PART "mov.u32 %i, %s;" LOOP_ "ret;" ONE_MORE "L1: atom.add.u32 _, [%w], %y; ret;",
    LANE, "a thread that has no" },
  { "end_repeats", PART LOOP ONE_MORE "L1: atom.add.u32 _, [%w], %y; setp.eq.u32 %p, %n, 5; @%p bra L1; ret;",
    LANE, "a thread that has no" },
  { "end_in_loop", PART "mov.u32 %i, %s; L4: add.u32 %i, %i, 1; L1: atom.add.u32 _, [%w], %y; setp.lt.s32 %g, %i, %e; @%g bra L4; ret;" ONE_MORE,
    LANE, "a thread that has no" },
  { "end_in_loop_of_some", PART "mov.u32 %i, %s; L4: add.u32 %i, %i, 1; L1: atom.add.u32 _, [%w], %y; @%m bra L9;"
    "setp.lt.s32 %g, %i, %e; @%g bra L4; L9: ret;" ONE_MORE, LANE, "a thread that has no" },
  { "end_and_loop_of_some", PART NO_STORE ONE_MORE "L1: atom.add.u32 _, [%w], %y; @%m bra L9; mov.u32 %i, 0;"
    "L6: add.u32 %i, %i, 1; setp.lt.s32 %g, %i, 1000; @%g bra L6; L9: ret;", LANE, "a thread that has no" },
  { "end_other_size", ASK "add.u64 %w, %a, 8; mov.u64 %b, 0;" DIVIDE RANGE LOOP ONE_MORE "L1: atom.add.u32 _, [%w], %b; ret;",
    LANE, "a thread that has no" },
  { "end_loaded", ASK "ld.u64 %w, [%a+8]; mov.u32 %y, 0;" DIVIDE RANGE NO_STORE ONE_MORE "L1: atom.add.u32 _, [%w], %y; ret;",
    LANE, "" },
  { "end_may_change", ASK "ld.u64 %w, [%a+8]; mov.u32 %y, 0;" DIVIDE RANGE LOOP ONE_MORE "L1: atom.add.u32 _, [%w], %y; ret;",
    LANE, "a thread that has no" },
#define BEHIND(loop) ASK "ld.u64 %w, [%a+8]; ld.u64 %b, [%a+16]; mov.u32 %y, 0;" DIVIDE RANGE "mov.u32 %i, %s; L4:" loop \
  "add.u32 %i, %i, 1; setp.lt.s32 %g, %i, %e; @%g bra L4; bra L1;" ONE_MORE "L1: atom.add.u32 _, [%w], %y; ret;"
  { "end_behind", BEHIND ("st.u32 [%b], %i;"), LANE, "" },
  { "end_behind_atomic", BEHIND ("atom.add.u32 _, [%b], %i;"), LANE, "" },
  { "end_behind_loads", BEHIND ("ld.u32 %n, [%a+24]; add.u64 %c, %a, 32; ld.u32 %n, [%c]; st.u32 [%b], %n;"), LANE, "" },
  { "end_behind_compares", BEHIND ("setp.eq.u64 %p, %a, %b; @%p bra L3; st.u32 [%b], %i; L3:"), LANE, "" },
  { "end_behind_call", BEHIND (CALL1 ("plain", "%b")), LANE, "" },
  { "end_behind_writes", BEHIND ("st.u32 [%a+24], %i;"), LANE, "a thread that has no" },
  { "end_behind_writes_some", BEHIND ("@%g st.u32 [%a+24], %i;"), LANE, "a thread that has no" },
  { "end_behind_writes_more", BEHIND ("add.u64 %c, %a, %b; st.u32 [%c], %i;"), LANE, "a thread that has no" },
  { "end_behind_writes_either", BEHIND ("selp.b64 %c, %b, %a, %g; st.u32 [%c], %i;"), LANE, "a thread that has no" },
  { "end_behind_writes_once_more", BEHIND ("st.u32 [%c], %i; mov.u64 %c, %a;"), LANE, "a thread that has no" },
  { "end_behind_updates", BEHIND ("atom.add.u32 _, [%a+24], %i;"), LANE, "a thread that has no" },
  { "end_behind_tells", BEHIND ("st.u64 [%b], %a;"), LANE, "a thread that has no" },
  { "end_behind_gives", BEHIND (CALL1 ("plain", "%a")), LANE, "a thread that has no" },
  { "end_behind_converts", BEHIND ("cvta.to.global.u64 %c, %a; st.global.u32 [%c], %i;"), LANE, "a thread that has no" },
  { "end_sum", SUM_BEGINS ("0f00000000") "L1:" SUM_ENDS, LANE, "" },
  { "end_sum_from", SUM_BEGINS ("0f3f800000") "L1:" SUM_ENDS, LANE, "a thread that has no" },
  { "end_sum_minus_0", SUM_BEGINS ("0f80000000") "L1:" SUM_ENDS, LANE, "a thread that has no" },
  { "end_sum_set", SUM_BEGINS ("0f00000000") "L1: add.f32 %f, %f, %f;" SUM_ENDS, LANE, "a thread that has no" },
  { "end_most_float", SUM_BEGINS ("0fff800000") "L1:" ENDS ("max.f32"), LANE, "" },
  { "end_most_finite", SUM_BEGINS ("0fff7fffff") "L1:" ENDS ("max.f32"), LANE, "" },
  { "end_least_float", SUM_BEGINS ("0f7f800000") "L1:" ENDS ("min.f32"), LANE, "" },
  { "end_most_from", SUM_BEGINS ("0f00000000") "L1:" ENDS ("max.f32"), LANE, "a thread that has no" },
  { "end_most_other_end", SUM_BEGINS ("0f7f800000") "L1:" ENDS ("max.f32"), LANE, "a thread that has no" },
  { "end_most_nan", SUM_BEGINS ("0fff800000") "L1:" ENDS ("max.NaN.f32"), LANE, "a thread that has no" },
  { "end_product_float", SUM_BEGINS ("0f3f800000") "L1:" ENDS ("mul.f32"), LANE, "a thread that has no" },
  /* Several updates, under a lock.  */
  { "section", PAIR SECTION (UPDATE1 UPDATE2) "ret;", LANE, "" },
  { "section_of_one", PAIR SECTION (UPDATE2) "ret;", LANE, "" },
  { "section_mixed", PAIR SECTION (LOAD2 LOAD1 "add.u32 %n1, %y, %v1;" MAX2 STORE2 STORE1) "ret;", LANE, "" },
  { "section_behind", PAIR SECTION (UPDATE1 UPDATE2) "mov.u32 %o1, %n1; ret;", LANE, "" },
  { "section_in_loop", PAIR_FROM ("0", "-2147483648", "mov.u32 %i, %s; L4: { call GOMP_atomic_start; } st.u32 [%a+8], %i; { call GOMP_atomic_end; }"
    "add.u32 %i, %i, 1; setp.lt.s32 %g, %i, %e; @%g bra L4; bra L1;") "L1: ret;", LANE, "" },
  { "section_and_another", PAIR_FROM ("0", "-2147483648", "mov.u32 %i, %s; L4: { call GOMP_atomic_start; } st.u32 [%a+8], %i; { call GOMP_atomic_end; }"
    "add.u32 %i, %i, 1; setp.lt.s32 %g, %i, %e; @%g bra L4; bra L1;") SECTION (UPDATE1 UPDATE2) "ret;", LANE, "" },
  { "section_one_part", PAIR SECTION (UPDATE1 LOAD2 "add.u32 %n2, %v2, %y;" STORE2) "ret;", LANE, "" },
  { "section_one_part_twice", PAIR SECTION (UPDATE1 LOAD2 "xor.b32 %n2, %v2, %y;" STORE2) "ret;", LANE, "a thread that has no" },
  { "section_copied_0", PAIR_FROM ("0", "%y", LOOP) SECTION (UPDATE1 LOAD2 "add.u32 %n2, %v2, %z;" STORE2) "ret;", LANE, "" },
  { "section_copied_other", PAIR_FROM ("0", "%n", LOOP) SECTION (UPDATE1 LOAD2 "add.u32 %n2, %v2, %z;" STORE2) "ret;", LANE,
    "a thread that has no" },
  { "section_copied_later", PAIR_FROM ("0", "%o1; mov.u32 %o1, 0", LOOP) SECTION (UPDATE1 LOAD2 "add.u32 %n2, %v2, %z;" STORE2) "ret;",
    LANE, "a thread that has no" },
  { "section_vector", PAIR ".reg.v2.u32 %m2;" SECTION (LOAD1 LOAD2 ADD1 MAX2 "mov.v2.u32 %m2, { 0, 0 }; mov.u32 %m2.x, %n1;"
    "mov.u32 %m2.y, %n2; st.v2.u32 [%a+8], %m2;") "ret;", LANE, "" },
  { "section_vector_turned", PAIR ".reg.v2.u32 %m2;" SECTION (LOAD1 LOAD2 ADD1 MAX2 "mov.v2.u32 %m2, { 0, 0 }; mov.u32 %m2.y, %n1;"
    "mov.u32 %m2.x, %n2; st.v2.u32 [%a+8], %m2;") "ret;", LANE, "a thread that has no" },
  { "section_vector_half", PAIR ".reg.v2.u32 %m2;" SECTION (LOAD1 ADD1 "mov.v2.u32 %m2, { 0, 0 }; mov.u32 %m2.x, %n1;"
    "st.v2.u32 [%a+8], %m2;") "ret;", LANE, "a thread that has no" },
  { "section_vector_used", PAIR ".reg.v2.u32 %m2;" SECTION (LOAD1 LOAD2 ADD1 MAX2 "mov.v2.u32 %m2, { 0, 0 }; mov.u32 %m2.x, %n1;"
    "mov.u32 %m2.y, %n2; st.v2.u32 [%a+8], %m2;") "mov.u32 %o1, %m2.x; ret;", LANE, "a thread that has no" },
  { "section_vector_twice", PAIR ".reg.v2.u32 %m2;" SECTION (LOAD1 ADD1 LOAD2 MAX2 "mov.u32 %m2.x, %n1; mov.u32 %m2.y, %n1;"
    "mov.u32 %m2.y, %n2; st.v2.u32 [%a+8], %m2;") "ret;", LANE, "a thread that has no" },
  { "section_empty", PAIR SECTION ("") "ret;", LANE, "a thread that has no" },
  { "section_between", PAIR SECTION (UPDATE1 "mov.u32 %o1, 0;" UPDATE2) "ret;", LANE, "a thread that has no" },
  { "section_fence", PAIR SECTION (UPDATE1 "membar.gl;" UPDATE2) "ret;", LANE, "a thread that has no" },
  { "section_call", PAIR SECTION (UPDATE1 CALL1 ("plain", "%a") UPDATE2) "ret;", LANE, "a thread that has no" },
  { "section_atomic", PAIR SECTION (UPDATE1 "atom.add.u32 _, [%a+16], %z;") "ret;", LANE, "a thread that has no" },
  { "section_label", PAIR SECTION (UPDATE1 "L8:" UPDATE2) "ret;", LANE, "a thread that has no" },
  { "section_entered", PAIR SECTION (UPDATE1 "L8:" UPDATE2) "setp.eq.u32 %p, %n, 5; @%p bra L8; ret;", LANE, "a thread that has no" },
  { "section_condition", PAIR SECTION (UPDATE1 "setp.eq.u32 %p, %z, 0; @%p bra L8;" UPDATE2 "L8:") "ret;", LANE, "a thread that has no" },
  { "section_guard", PAIR SECTION (UPDATE1 LOAD2 MAX2 "@%g st.u32 [%a+12], %n2;") "ret;", LANE, "a thread that has no" },
  { "section_guarded_load", PAIR SECTION (UPDATE1 "@%g ld.u32 %v2, [%a+12];" MAX2 STORE2) "ret;", LANE, "a thread that has no" },
  { "section_compares", PAIR SECTION (LOAD1 LOAD2 "setp.lt.s32 %p, %v1, %y; selp.u32 %n1, %y, %v1, %p; selp.u32 %n2, %z, %v2, %p;"
    STORE1 STORE2) "ret;", LANE, "a thread that has no" },
  { "section_of_some", PAIR "L1: setp.eq.u32 %p, %y, 0; @%p bra L8; { call GOMP_atomic_start; }" UPDATE1 UPDATE2
    "{ call GOMP_atomic_end; } L8: ret;", LANE, "a thread that has no" },
  { "section_twice", PAIR SECTION (UPDATE1) "{ call GOMP_atomic_start; }" UPDATE2 "{ call GOMP_atomic_end; } ret;", LANE,
    "a thread that has no" },
  { "section_and_atomic", PAIR SECTION (UPDATE1) "atom.max.s32 _, [%a+12], %z; ret;", LANE, "a thread that has no" },
  { "section_repeats", PAIR SECTION (UPDATE1 UPDATE2) "setp.eq.u32 %p, %n, 5; @%p bra L1; ret;", LANE, "a thread that has no" },
  { "section_part_used", PAIR SECTION (UPDATE1 UPDATE2) "st.u32 [%a+24], %y; ret;", LANE, "a thread that has no" },
  { "section_result_used", PAIR SECTION (UPDATE1 UPDATE2) "st.u32 [%a+24], %n1; ret;", LANE, "a thread that has no" },
  { "section_stores_part", PAIR SECTION (UPDATE1 UPDATE2 "st.u32 [%a+24], %y;") "ret;", LANE, "a thread that has no" },
  { "section_stores_old", PAIR SECTION (UPDATE1 "st.u32 [%a+24], %v1;") "ret;", LANE, "a thread that has no" },
  { "section_stores_elsewhere", PAIR SECTION (UPDATE1 LOAD2 MAX2 "st.u32 [%a+16], %n2;") "ret;", LANE, "a thread that has no" },
  { "section_stores_twice", PAIR SECTION (UPDATE1 STORE1) "ret;", LANE, "a thread that has no" },
  { "section_does_not_store", PAIR SECTION (UPDATE1 LOAD2 MAX2) "ret;", LANE, "a thread that has no" },
  { "section_loads_more", PAIR SECTION (UPDATE1 LOAD2) "ret;", LANE, "a thread that has no" },
  { "section_crossed", PAIR SECTION (LOAD1 LOAD2 ADD1 MAX2 "st.u32 [%a+8], %n2; st.u32 [%a+12], %n1;") "ret;", LANE, "a thread that has no" },
  { "section_other_is_part", PAIR SECTION (UPDATE1 LOAD2 "max.s32 %n2, %v2, %n1;" STORE2) "ret;", LANE, "a thread that has no" },
  { "section_old_is_part", PAIR SECTION (LOAD1 LOAD2 ADD1 "max.s32 %n2, %v2, %v1;" STORE1 STORE2) "ret;", LANE, "a thread that has no" },
  { "section_twice_part", PAIR SECTION (LOAD1 "add.u32 %n1, %v1, %y; add.u32 %n2, %n1, %y; st.u32 [%a+8], %n2;") "ret;", LANE,
    "a thread that has no" },
  { "section_doubles", PAIR SECTION (LOAD1 "add.u32 %n1, %v1, %v1;" STORE1) "ret;", LANE, "a thread that has no" },
  { "section_number", PAIR SECTION (LOAD1 "add.u32 %n1, %v1, 1;" STORE1) "ret;", LANE, "a thread that has no" },
  { "section_difference", PAIR SECTION (LOAD1 "sub.u32 %n1, %v1, %y;" STORE1) "ret;", LANE, "a thread that has no" },
  { "section_saturates", PAIR SECTION (LOAD1 "add.sat.s32 %n1, %v1, %y;" STORE1) "ret;", LANE, "a thread that has no" },
  { "section_same_place", PAIR SECTION (UPDATE1 "ld.u32 %v2, [%a+8];" MAX2 "st.u32 [%a+8], %n2;") "ret;", LANE, "a thread that has no" },
  { "section_same_place_too", PAIR_FROM ("0", "0", LOOP) "mov.u64 %b1, %a;"
    SECTION (UPDATE1 "ld.u32 %v2, [%b1+8]; add.u32 %n2, %v2, %z; st.u32 [%b1+8], %n2;") "ret;", LANE, "a thread that has no" },
  { "section_overlaps", PAIR SECTION (UPDATE1 "ld.u32 %v2, [%a+10];" MAX2 "st.u32 [%a+10], %n2;") "ret;", LANE, "a thread that has no" },
  { "section_other_base", PAIR SECTION ("add.u64 %b1, %a, 4; ld.u32 %v1, [%b1+4];" ADD1 "st.u32 [%b1+4], %n1;" UPDATE2) "ret;", LANE,
    "a thread that has no" },
  { "section_base_before", PAIR "L1: add.u64 %b1, %a, 4; { call GOMP_atomic_start; } ld.u32 %v1, [%b1+4];" ADD1 "st.u32 [%b1+4], %n1;"
    UPDATE2 "{ call GOMP_atomic_end; } ret;", LANE, "" },
  { "section_base_overlaps", PAIR "L1: add.u64 %b1, %a, 4; { call GOMP_atomic_start; } ld.u32 %v1, [%b1+8];" ADD1 "st.u32 [%b1+8], %n1;"
    UPDATE2 "{ call GOMP_atomic_end; } ret;", LANE, "a thread that has no" },
  { "section_place_of_value", PAIR SECTION (LOAD1 ADD1 STORE1 "ld.u64 %b1, [%a+16]; ld.u32 %v2, [%b1];" MAX2 "st.u32 [%b1], %n2;") "ret;",
    LANE, "a thread that has no" },
  { "section_place_computed", PAIR "L1: cvt.u64.u32 %b1, %y; { call GOMP_atomic_start; } ld.u32 %v1, [%b1];" ADD1 "st.u32 [%b1], %n1;"
    "{ call GOMP_atomic_end; } ret;", LANE, "a thread that has no" },
  { "section_own_place", PAIR "L1: cvt.u64.u32 %b1, %s; add.u64 %b1, %b1, %a; { call GOMP_atomic_start; } ld.u32 %v1, [%b1];" ADD1
    "st.u32 [%b1], %n1; { call GOMP_atomic_end; } ret;", LANE, "a thread that has no" },
  { "section_volatile", PAIR SECTION ("ld.volatile.u32 %v1, [%a+8];" ADD1 STORE1) "ret;", LANE, "a thread that has no" },
  { "section_narrow", PAIR SECTION ("ld.u16 %v1, [%a+8];" ADD1 "st.u16 [%a+8], %n1;") "ret;", LANE, "a thread that has no" },
  { "section_stores_less", PAIR SECTION (LOAD1 ADD1 "st.u16 [%a+8], %n1;") "ret;", LANE, "a thread that has no" },
  { "section_set_elsewhere", PAIR "mov.u32 %v1, 0;" SECTION (UPDATE1 UPDATE2) "ret;", LANE, "a thread that has no" },
  { "section_from_0", PAIR_FROM ("0", "0", LOOP) SECTION (UPDATE1 UPDATE2) "ret;", LANE, "a thread that has no" },
  { "section_from_1", PAIR_FROM ("1", "-2147483648", LOOP) SECTION (UPDATE1 UPDATE2) "ret;", LANE, "a thread that has no" },
  { "section_changed", PAIR_FROM ("0", "-2147483648", "mov.u32 %i, %s;" LOOP_ "add.u32 %z, %z, 1; bra L1;") SECTION (UPDATE1 UPDATE2) "ret;",
    LANE, "a thread that has no" },
  { "section_critical", PAIR "L1: { call GOMP_critical_start; }" UPDATE1 UPDATE2 "{ call GOMP_critical_end; } ret;", LANE, "a thread that has no" },
  { "section_other_end", PAIR "L1: { call GOMP_atomic_start; }" UPDATE1 UPDATE2 "{ call GOMP_critical_end; } ret;", LANE, "a thread that has no" },
  { "section_no_end", PAIR "L1: { call GOMP_atomic_start; }" UPDATE1 UPDATE2 "ret;", LANE, "a thread that has no" },
  { "section_pointer", POINTERS (NO_STORE) SECTION ("ld.u32 %v1, [%b1];" ADD1 "st.u32 [%b1], %n1; ld.u32 %v2, [%b1+4]; max.u32 %n2, %v2, %z;"
    "st.u32 [%b1+4], %n2;") "ret;", LANE, "" },
  { "section_pointer_may_change", POINTERS (LOOP) SECTION ("ld.u32 %v1, [%b1];" ADD1 "st.u32 [%b1], %n1; ld.u32 %v2, [%b1+4];"
    "max.u32 %n2, %v2, %z; st.u32 [%b1+4], %n2;") "ret;", LANE, "a thread that has no" },
  { "section_pointer_same_place", POINTERS (NO_STORE) SECTION ("ld.u32 %v1, [%b1];" ADD1 "st.u32 [%b1], %n1; ld.u32 %v2, [%b1];"
    "max.u32 %n2, %v2, %z; st.u32 [%b1], %n2;") "ret;", LANE, "a thread that has no" },
  { "section_pointers", POINTERS (NO_STORE) SECTION ("ld.u32 %v1, [%b1];" ADD1 "st.u32 [%b1], %n1; ld.u32 %v2, [%b2]; add.u32 %n2, %v2, %z;"
    "st.u32 [%b2], %n2;") "ret;", LANE, "" },
  /* Are they the same?  */
  { "section_pointers_differ", POINTERS (NO_STORE) SECTION ("ld.u32 %v1, [%b1];" ADD1 "st.u32 [%b1], %n1; ld.u32 %v2, [%b2];"
    "max.u32 %n2, %v2, %z; st.u32 [%b2], %n2;") "ret;", LANE, "a thread that has no" },
  { "section_pointers_mixed", POINTERS (NO_STORE) SECTION ("ld.u32 %v1, [%b1]; ld.u32 %v2, [%b2];" ADD1 "add.u32 %n2, %v2, %z;"
    "st.u32 [%b1], %n1; st.u32 [%b2], %n2;") "ret;", LANE, "a thread that has no" },
  { "section_pointer_and_block", POINTERS (NO_STORE) SECTION ("ld.u32 %v1, [%b1];" ADD1 "st.u32 [%b1], %n1; ld.u32 %v2, [%a+12];"
    "add.u32 %n2, %v2, %z; st.u32 [%a+12], %n2;") "ret;", LANE, "a thread that has no" },
  { "section_pointer_inside", POINTERS (NO_STORE) SECTION (".reg.u64 %c2; ld.u64 %c, [%a+32]; ld.u32 %v1, [%c];" ADD1 "st.u32 [%c], %n1;") "ret;",
    LANE, "a thread that has no" },
  { "section_pointer_loaded", POINTERS (NO_STORE) SECTION ("ld.u64 %c, [%a+32]; ld.u32 %v1, [%c];" ADD1 "st.u32 [%c], %n1;") "ret;",
    LANE, "" },
  { "section_pointer_updated", POINTERS (NO_STORE) ".reg.u64 %c2; .reg.u64 %c3; mov.u64 %c3, 0;" SECTION ("ld.u64 %c, [%a+32]; ld.u32 %v1, [%c];" ADD1
    "st.u32 [%c], %n1; add.u64 %c2, %c, %c3; st.u64 [%a+32], %c2;") "ret;", LANE, "a thread that has no" },
  { "section_pointer_of_pointer", POINTERS (NO_STORE) SECTION ("ld.u64 %c, [%b1+32]; ld.u32 %v1, [%c];" ADD1 "st.u32 [%c], %n1;") "ret;",
    LANE, "a thread that has no" },
  { "end_sum_inside", SUM_BEGINS ("0f00000000") "L1: mov.u32 %j, 0; setp.eq.u32 %p, %n, 7; @%p bra L8;" SUM_ENDS,
    LANE, "a thread that has no" }
};

#define NUM_REGIONS (sizeof (regions) / sizeof (regions[0]))

static const char library[] =
  PREAMBLE
  "// BEGIN GLOBAL FUNCTION DEF: gomp_nvptx_main\n.visible .func gomp_nvptx_main (.param.u64 %f, .param.u64 %a)"
  "{ ret; }\n"
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_main\n.visible .func gompx_lanes_main (.param.u64 %f, .param.u64 %a)"
  "{ ret; }\n"
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_omp_get_thread_num\n"
  ".visible .func (.param.u32 %v) gompx_lanes_omp_get_thread_num { st.param.u32 [%v], 0; ret; }\n"
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_omp_get_num_threads\n"
  ".visible .func (.param.u32 %v) gompx_lanes_omp_get_num_threads { st.param.u32 [%v], 1; ret; }\n"
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_GOMP_critical_start\n"
  ".visible .func gompx_lanes_GOMP_critical_start { ret; }\n"
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_GOMP_critical_end\n"
  ".visible .func gompx_lanes_GOMP_critical_end { ret; }\n"
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_GOMP_atomic_start\n"
  ".visible .func gompx_lanes_GOMP_atomic_start { ret; }\n"
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_GOMP_atomic_end\n"
  ".visible .func gompx_lanes_GOMP_atomic_end { ret; }\n"
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_omp_set_lock\n"
  ".visible .func gompx_lanes_omp_set_lock (.param.u64 %l) { ret; }\n"
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_GOMP_parallel\n"
  ".visible .func gompx_lanes_GOMP_parallel (.param.u64 %f, .param.u64 %d, .param.u32 %n, .param.u32 %g,"
  " .param.u64 %l) { ret; }\n";

static char *
make_program (void)
{
  struct ptx_text t = { 0 };
  ptx_printf (&t, "%s%s", PREAMBLE,
	      ".extern .shared .u64 __nvptx_stacks[32];\n.extern .shared .u32 __nvptx_uni[32];\n"
	      ".visible .global .u64 anywhere;\n"
	      ".extern .func (.param.u32 %v) omp_get_thread_num;\n.extern .func (.param.u32 %v) omp_get_num_threads;\n.extern .func GOMP_taskwait;\n"
	      ".extern .func GOMP_critical_start;\n.extern .func GOMP_critical_end;\n"
	      ".extern .func GOMP_atomic_start;\n.extern .func GOMP_atomic_end;\n"
	      ".extern .func turns (.param.u64 %l);\n"
	      ".extern .func omp_set_lock (.param.u64 %l);\n.extern .func absent (.param.u64 %l);\n"
	      ".extern .func (.param.u64 %v) vprintf (.param.u64 %l);\n"
	      ".extern .func GOMP_parallel (.param.u64 %f, .param.u64 %d, .param.u32 %n, .param.u32 %g);\n");
  ptx_printf (&t, "%s", callees);
  for (size_t i = 0; i < NUM_REGIONS; i++)
    ptx_printf (&t, ".func %s (.param.u64 %%in_ar0)\n{\n%s\n}\n", regions[i].name, regions[i].body);
  put_begin (&t);
  for (size_t i = 0; i < NUM_REGIONS; i++)
    put_parallel (&t, regions[i].name);
  put_end (&t);
  return t.text;
}

/* How what is said of what users can change begins; NULL: nothing is.  */
static const char *const advice[LANES_NUM_REASONS] =
{
  [LANES_ALLOCA] = "arrays of fixed size", [LANES_INDIRECT_CALL] = "call functions by name",
  [LANES_ESCAPE_STORE] = "keep pointers to local variables in registers",
  [LANES_ESCAPE_CALL] = "make the variable shared", [LANES_ATOMIC_LOCAL] = "a private variable needs no atomic",
  [LANES_RECURSION] = "use a loop", [LANES_RECURSION_SIZE] = "make arrays smaller, or use a loop",
  [LANES_STACK_SIZE] = "make arrays smaller"
};

static int
check_advice (void)
{
  int bad = 0;
  for (int i = 0; i < LANES_NUM_REASONS; i++)
    {
      const char *said = nvptx_lanes_advice (i);
      if ((said == NULL) != (advice[i] == NULL)
	  || (said != NULL && strncmp (said, advice[i], strlen (advice[i])) != 0))
	{
	  printf ("reason %d: advice '%s' instead of '%s'\n", i, said != NULL ? said : "", advice[i] != NULL ? advice[i] : "");
	  bad = 1;
	}
    }
  return bad;
}

int
main (void)
{
  char *program = make_program ();
  struct nvptx_object objects[3]
    = { { program, strlen (program) + 1 }, { other, sizeof (other) }, { library, sizeof (library) } };
  struct nvptx_lanes lanes;
  int bad = 0;

  if (!nvptx_lanes_analyse (objects, 3, 1, NVPTX_LANES_STRIDE | NVPTX_LANES_RECURSION, &lanes) || lanes.why[0] != 0)
    {
      printf ("not analysed: %s\n", lanes.why);
      return 1;
    }
  for (size_t i = 0; i < NUM_REGIONS; i++)
    {
      const struct nvptx_lanes_region *r = NULL;
      for (size_t k = 0; k < lanes.num_regions; k++)
	if (strcmp (lanes.regions[k].name, regions[i].name) == 0)
	  r = &lanes.regions[k];
      if (r == NULL)
	{
	  printf ("%s: no verdict\n", regions[i].name);
	  bad = 1;
	}
      else if (r->verdict != regions[i].verdict || r->reason != regions[i].reason
	       || (r->why[0] != 0) != (r->verdict == NVPTX_LANES_WARP_ONLY))
	{
	  printf ("%s: verdict %d, reason %d (%s) instead of %d and %d\n", r->name, r->verdict, r->reason,
		  r->why, regions[i].verdict, regions[i].reason);
	  bad = 1;
	}
      else if (r->stride != (r->why_no_stride == NULL && r->verdict != NVPTX_LANES_WARP_ONLY)
	       || (regions[i].stride != NULL
		   && strncmp (r->stride ? "" : r->why_no_stride, regions[i].stride,
			       r->stride ? 1 : strlen (regions[i].stride)) != 0)
	       || (regions[i].stride != NULL && r->stride != (regions[i].stride[0] == 0)))
	{
	  printf ("%s: stride: %s instead of '%s'\n", r->name, r->stride ? "yes" : r->why_no_stride,
		  regions[i].stride != NULL ? regions[i].stride : "");
	  bad = 1;
	}
    }
  if (lanes.num_regions != NUM_REGIONS || lanes.objects != NULL)
    {
      printf ("%zu regions\n", lanes.num_regions);
      bad = 1;
    }
  nvptx_lanes_free (&lanes);
  /* Without the library's versions for lanes, and with a text that can't be read.  */
  if (!nvptx_lanes_analyse (objects, 1, 0, NVPTX_LANES_RECURSION, &lanes))
    bad = 1;
  for (size_t i = 0; i < lanes.num_regions; i++)
    if (strcmp (lanes.regions[i].name, "thread") == 0 && lanes.regions[i].reason != LANES_NO_VERSION)
      {
	printf ("thread: %s\n", lanes.regions[i].why);
	bad = 1;
      }
  nvptx_lanes_free (&lanes);
  objects[1] = (struct nvptx_object) { ".version 6.0\n.func {", sizeof (".version 6.0\n.func {") };
  if (!nvptx_lanes_analyse (objects, 2, 1, NVPTX_LANES_RECURSION, &lanes) || lanes.num_regions != 0
      || strncmp (lanes.why, "object 1: ", 10) != 0)
    {
      printf ("damaged: %zu regions, %s\n", lanes.num_regions, lanes.why);
      bad = 1;
    }
  nvptx_lanes_free (&lanes);
  free (program);
  return check_advice () | bad;
}
