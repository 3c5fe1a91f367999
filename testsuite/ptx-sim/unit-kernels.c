/* unit-kernels.c -- whole kernels: memory spaces, calls, operations of warps, barriers, all orders.  */

#include "unit.h"

#include <stdio.h>
#include <string.h>

#define HEAD								\
  ".visible .entry k (.param .u64 p0, .param .u32 p1)\n{\n"		\
  ".reg .u64 %p, %q, %v<8>; .reg .u32 %t, %x<16>; .reg .pred %c, %e;\n"	\
  "ld.param.u64 %p, [p0]; mov.u32 %t, %tid.x; mad.wide.u32 %p, %t, 4, %p;\n"
#define TAIL "st.global.u32 [%p], %x0;\nret;\n}\n"

/* Runs BODY in all orders; word I of the result has to be EXPECTED (I).  */
static void
all_orders (const char *what, const char *body, unsigned threads, uint32_t (*expected) (uint32_t))
{
  unit_launch.block[0] = threads;
  for (unsigned i = 0; i < 10; i++)
    {
      unit_launch.order = i == 0 ? PSIM_IN_ORDER : i == 1 ? PSIM_ADVERSARIAL : PSIM_RANDOM;
      unit_launch.seed = i;
      memset (unit_memory, 0, UNIT_BYTES);
      if (!unit_good (body))
	break;
      for (uint32_t l = 0; l < threads; l++)
	if (unit_word (l) != expected (l))
	  {
	    CHECK (unit_word (l) == expected (l), "%s, run %u, thread %u: %#x, wanted %#x", what, i, l,
		   unit_word (l), expected (l));
	    break;
	  }
    }
  unit_launch.order = PSIM_IN_ORDER;
  unit_launch.block[0] = 32;
}

#define EXPECT(NAME, EXPRESSION) \
  static uint32_t NAME (uint32_t t) { (void) t; return EXPRESSION; }

EXPECT (sum_to, t * (t + 1) / 2)
EXPECT (neighbour, t ^ 1)
EXPECT (up2, t % 8 < 2 ? t : t - 2)
EXPECT (down_inside, (t % 32 + 3 <= 31) ? 1000 + t + 3 : t)
EXPECT (idx7, t / 32 * 32 + 7)
EXPECT (ballot_odd, 0xaaaaaaaa)
EXPECT (all_any, t / 32 == 0 ? 2 : 3)
EXPECT (match_any, 0x11111111u << t % 4)
EXPECT (sum32, 496)
EXPECT (other_warp, (t + 32) % 64 * 3)
EXPECT (reduced, 64)
EXPECT (counted, 96)
EXPECT (loops, t % 7)
EXPECT (table, (t & 3) * 11 + 5)
EXPECT (indirect, t & 1 ? t + 100 : t * 2)
EXPECT (local_sum, 10 * t + 45)
EXPECT (generic, 3 * t + 1)
EXPECT (vectors, (t + 1) + 2 * (t + 2))
EXPECT (switched, t % 3 == 0 ? 7 : t % 3 == 1 ? 8 : 9)
EXPECT (leader, t % 32 == 5)
EXPECT (halves, 3)
EXPECT (two_halves, t < 16 ? 120 : 376)
EXPECT (heaped, t * 5)
EXPECT (signed_byte, (uint32_t) (int32_t) (int8_t) (t * 37))
EXPECT (ids, t)

static void
calls (void)
{
  all_orders ("recursion with a frame", ".func (.param .u32 o) f (.param .u32 n)\n{\n"
	      ".reg .u32 %a, %b; .reg .pred %c; .reg .u64 %l; .local .align 8 .b8 %frame[16];\n"
	      "ld.param.u32 %a, [n]; cvta.local.u64 %l, %frame; st.u32 [%l+8], %a;\n"
	      "setp.eq.u32 %c, %a, 0; @%c bra OUT; sub.u32 %b, %a, 1;\n"
	      "{ .param .u32 x; .param .u32 y; st.param.u32 [x], %b; call (y), f, (x); ld.param.u32 %b, [y]; }\n"
	      "ld.u32 %a, [%l+8]; add.u32 %a, %a, %b;\nOUT:\nst.param.u32 [o], %a; ret;\n}\n"
	      HEAD "call (%x0), f, (%t);\n" TAIL, 64, sum_to);
  all_orders ("indirect calls of lanes to different functions",
	      ".func (.param .u32 o) even (.param .u32 n)\n{\n.reg .u32 %a; ld.param.u32 %a, [n];\n"
	      "shl.b32 %a, %a, 1; st.param.u32 [o], %a; ret;\n}\n"
	      ".func (.param .u32 o) odd (.param .u32 n)\n{\n.reg .u32 %a; ld.param.u32 %a, [n];\n"
	      "add.u32 %a, %a, 100; st.param.u32 [o], %a; ret;\n}\n"
	      ".global .u64 both[] = { even, odd };\n"
	      HEAD "and.b32 %x1, %t, 1; mov.u64 %q, both; mad.wide.u32 %q, %x1, 8, %q; ld.global.u64 %v0, [%q];\n"
	      "PROTO: .callprototype (.param .u32 _) _ (.param .u32 _);\n"
	      "{ .param .u32 a; .param .u32 r; st.param.u32 [a], %t; call (r), %v0, (a), PROTO;\n"
	      "ld.param.u32 %x0, [r]; }\n" TAIL, 32, indirect);
  all_orders ("brx.idx", HEAD "rem.u32 %x1, %t, 3;\nLIST: .branchtargets A, B, C;\nbrx.idx %x1, LIST;\n"
	      "A: mov.u32 %x0, 7; bra E;\nB: mov.u32 %x0, 8; bra E;\nC: mov.u32 %x0, 9;\nE:\n" TAIL, 32, switched);
  all_orders ("loops of different lengths", HEAD "rem.u32 %x1, %t, 7; mov.u32 %x0, 0;\n"
	      "L: setp.ge.u32 %c, %x0, %x1; @%c bra E; add.u32 %x0, %x0, 1; bra L;\nE:\n" TAIL, 64, loops);
}

static void
memory (void)
{
  all_orders ("initial values", ".const .align 4 .u32 tab[2][2] = { { 5, 16 }, { 27, 38 } };\n"
	      HEAD "and.b32 %x1, %t, 3; mov.u64 %q, tab; mad.wide.u32 %q, %x1, 4, %q;\n"
	      "ld.const.u32 %x0, [%q];\n" TAIL, 32, table);
  all_orders ("local arrays", HEAD ".local .align 4 .b8 a[40]; mov.u64 %q, a; mov.u32 %x1, 0;\n"
	      "L: mad.wide.u32 %v0, %x1, 4, %q; add.u32 %x2, %t, %x1; st.local.u32 [%v0], %x2;\n"
	      "add.u32 %x1, %x1, 1; setp.lt.u32 %c, %x1, 10; @%c bra L;\nmov.u32 %x0, 0; cvta.local.u64 %q, %q;\n"
	      "M: sub.u32 %x1, %x1, 1; mad.wide.u32 %v0, %x1, 4, %q; ld.u32 %x2, [%v0]; add.u32 %x0, %x0, %x2;\n"
	      "setp.ne.u32 %c, %x1, 0; @%c bra M;\n" TAIL, 32, local_sum);
  all_orders ("generic addresses of shared memory", ".shared .align 8 .u32 s[64];\n"
	      HEAD "mov.u64 %q, s; mad.wide.u32 %q, %t, 4, %q; mad.lo.u32 %x1, %t, 3, 1; st.shared.u32 [%q], %x1;\n"
	      "cvta.shared.u64 %v0, %q; isspacep.shared %c, %v0; isspacep.global %e, %v0; ld.u32 %x0, [%v0];\n"
	      "@!%c mov.u32 %x0, 0; @%e mov.u32 %x0, 0; cvta.to.shared.u64 %v1, %v0; setp.ne.u64 %c, %v1, %q;\n"
	      "@%c mov.u32 %x0, 0;\n" TAIL, 32, generic);
  all_orders ("vectors", ".shared .align 16 .u32 s[256];\n"
	      HEAD "mov.u64 %q, s; mad.wide.u32 %q, %t, 8, %q; add.u32 %x1, %t, 1; add.u32 %x2, %t, 2;\n"
	      "st.shared.v2.u32 [%q], {%x1, %x2}; ld.shared.v2.u32 {%x3, %x4}, [%q]; mad.lo.u32 %x0, %x4, 2, %x3;\n"
	      TAIL, 32, vectors);
  all_orders ("parameters by address", HEAD "ld.param.u64 %v0, [p0]; mov.b64 {%x1, %x2}, %v0; and.b32 %x3, %t, 1;\n"
	      "mov.u64 %q, p0; mad.wide.u32 %q, %x3, 4, %q; ld.param.u32 %x4, [%q]; setp.eq.u32 %c, %x3, 0;\n"
	      "selp.u32 %x5, %x1, %x2, %c; setp.eq.u32 %e, %x4, %x5; selp.u32 %x0, 1, 0, %e; mov.u64 %q, p0;\n"
	      "ld.param.v2.u32 {%x6, %x7}, [%q]; setp.eq.u32 %e, %x6, %x1; setp.eq.and.u32 %e, %x7, %x2, %e;\n"
	      "@%e add.u32 %x0, %x0, 2;\n" TAIL, 64, halves);
  all_orders ("signed bytes", ".shared .u8 s[64];\n" HEAD "mov.u64 %q, s; cvt.u64.u32 %v0, %t;\n"
	      "add.u64 %q, %q, %v0; mul.lo.u32 %x1, %t, 37; st.shared.u8 [%q], %x1; ld.shared.s8 %x0, [%q];\n"
	      TAIL, 64, signed_byte);
  all_orders ("the heap", ".extern .func (.param .u64 r) malloc (.param .u64 n);\n"
	      ".extern .func free (.param .u64 a);\n"
	      HEAD "{ .param .u64 n; .param .u64 r; st.param.u64 [n], 16; call (r), malloc, (n);\n"
	      "ld.param.u64 %q, [r]; }\nmul.lo.u32 %x1, %t, 5; st.u32 [%q+12], %x1; bar.sync 0; ld.u32 %x0, [%q+12];\n"
	      "{ .param .u64 a; st.param.u64 [a], %q; call free, (a); }\n" TAIL, 64, heaped);
}

static void
warps (void)
{
  all_orders ("shfl.bfly", HEAD "shfl.sync.bfly.b32 %x0, %t, 1, 31, 0xffffffff;\n" TAIL, 64, neighbour);
  all_orders ("shfl.up in segments of 8", HEAD "shfl.sync.up.b32 %x0, %t, 2, 0x1800, 0xffffffff;\n" TAIL, 32, up2);
  all_orders ("shfl.down with predicate", HEAD "shfl.sync.down.b32 %x0|%c, %t, 3, 31, 0xffffffff;\n"
	      "@%c add.u32 %x0, %x0, 1000;\n" TAIL, 64, down_inside);
  all_orders ("shfl.idx", HEAD "shfl.sync.idx.b32 %x0, %t, 7, 31, 0xffffffff;\n" TAIL, 96, idx7);
  all_orders ("vote.ballot", HEAD "and.b32 %x1, %t, 1; setp.ne.u32 %c, %x1, 0;\n"
	      "vote.sync.ballot.b32 %x0, %c, 0xffffffff;\n" TAIL, 32, ballot_odd);
  all_orders ("vote.all, vote.any", HEAD "setp.ge.u32 %c, %t, 8; vote.sync.all.pred %e, %c, 0xffffffff;\n"
	      "selp.u32 %x0, 1, 0, %e; vote.sync.any.pred %e, %c, 0xffffffff; @%e add.u32 %x0, %x0, 2;\n"
	      TAIL, 64, all_any);
  all_orders ("match.any", HEAD "and.b32 %x1, %t, 3; match.any.sync.b32 %x0, %x1, 0xffffffff;\n" TAIL, 32, match_any);
  all_orders ("redux", HEAD "redux.sync.add.s32 %x0, %t, 0xffffffff;\n" TAIL, 32, sum32);
  all_orders ("elect", HEAD "setp.ge.u32 %e, %t, 5; @!%e bra E; elect.sync _|%c, 0xffffffe0;\n"
	      "selp.u32 %x0, 1, 0, %c; bra F;\nE: mov.u32 %x0, 0;\nF:\n" TAIL, 32, leader);
  all_orders ("two halves of a warp apart", HEAD "setp.lt.u32 %c, %t, 16; @%c bra A;\n"
	      "redux.sync.add.u32 %x0, %t, 0xffff0000; bra E;\nA: redux.sync.add.u32 %x0, %t, 0x0000ffff;\nE:\n"
	      TAIL, 32, two_halves);
  all_orders ("a lane gives another one a value", ".shared .u32 s[32];\n"
	      HEAD "mov.u64 %q, s; mad.wide.u32 %v0, %t, 4, %q; st.shared.u32 [%v0], %t; bar.warp.sync 0xffffffff;\n"
	      "xor.b32 %x1, %t, 1; mad.wide.u32 %v1, %x1, 4, %q; ld.shared.u32 %x0, [%v1];\n" TAIL, 32, neighbour);
  all_orders ("special registers", HEAD "mov.u32 %x1, %laneid; mov.u32 %x2, %warpid; mad.lo.u32 %x0, %x2, 32, %x1;\n"
	      "mov.u32 %x3, %lanemask_lt; popc.b32 %x3, %x3; setp.ne.u32 %c, %x3, %x1; @%c mov.u32 %x0, 99;\n"
	      TAIL, 96, ids);
  /* A spin lock between lanes of one warp: they are threads.  */
  all_orders ("a lock between lanes", ".global .u32 lock; .global .u32 n;\n"
	      HEAD "L: atom.global.cas.b32 %x1, [lock], 0, 1; setp.ne.u32 %c, %x1, 0; @%c bra L;\n"
	      "ld.volatile.global.u32 %x2, [n]; add.u32 %x2, %x2, 1; st.volatile.global.u32 [n], %x2;\n"
	      "atom.global.exch.b32 %x1, [lock], 0; bar.sync 0; ld.volatile.global.u32 %x0, [n];\n" TAIL, 64, reduced);
}

static void
barriers (void)
{
  all_orders ("bar.sync", ".shared .u32 s[64];\n"
	      HEAD "mov.u64 %q, s; mad.wide.u32 %v0, %t, 4, %q; mul.lo.u32 %x1, %t, 3; st.shared.u32 [%v0], %x1;\n"
	      "bar.sync 0; xor.b32 %x2, %t, 32; mad.wide.u32 %v1, %x2, 4, %q; ld.shared.u32 %x0, [%v1];\n"
	      TAIL, 64, other_warp);
  all_orders ("bar.red.popc", HEAD "setp.ge.u32 %c, %t, 32; bar.red.popc.u32 %x0, 1, 96, %c;\n" TAIL, 96, reduced);
  all_orders ("atomic addition in shared memory", ".shared .u32 n;\n"
	      HEAD "setp.eq.u32 %c, %t, 0; @%c st.shared.u32 [n], 0; bar.sync 0; red.shared.add.u32 [n], 1; bar.sync 0;\n"
	      "ld.shared.u32 %x0, [n];\n" TAIL, 96, counted);
  all_orders ("bar.arrive", ".shared .u32 n;\n"
	      HEAD "setp.lt.u32 %c, %t, 32; @%c bra A; bar.sync 2, 64; ld.shared.u32 %x0, [n]; bra E;\n"
	      "A: mov.u32 %x0, 64; st.shared.u32 [n], %x0; bar.arrive 2, 64;\nE:\n" TAIL, 64, reduced);
  all_orders ("barrier.sync of lanes that are apart", HEAD "and.b32 %x1, %t, 1; setp.eq.u32 %c, %x1, 0; @%c bra A;\n"
	      "barrier.sync 0; bra E;\nA: barrier.sync 0;\nE: mov.u32 %x0, %t;\n" TAIL, 64, ids);
  all_orders ("some lanes end before a barrier of the others", HEAD "mov.u32 %x0, %t; st.global.u32 [%p], %x0;\n"
	      "setp.ge.u32 %c, %t, 40; @%c exit; bar.sync 0;\n" TAIL, 64, ids);
}

void
unit_kernels (void)
{
  calls ();
  memory ();
  warps ();
  barriers ();
  /* Blocks, on two threads.  */
  unit_launch.grid[0] = 40;
  unit_launch.threads = 2;
  memset (unit_memory, 0, UNIT_BYTES);
  if (unit_good (".global .u32 n;\n" HEAD "mov.u32 %x1, %ctaid.x; red.global.add.u32 [n], %x1; ld.param.u64 %p, [p0];\n"
		 "red.global.max.u32 [%p+4], %x1; atom.global.inc.u32 %x0, [%p+8], 99; red.global.add.f32 [%p+12], 0f3f800000;\n"
		 "mov.u32 %x2, %nctaid.x; st.global.u32 [%p], %x2;\nret;\n}\n"))
    {
      CHECK (unit_word (0) == 40 && unit_word (1) == 39, "%u blocks, the last is %u", unit_word (0), unit_word (1));
      CHECK (unit_word (2) == 40 * 32 % 100, "inc: %u", unit_word (2));
      CHECK (unit_word (3) == 0x44a00000, "1280 additions of 1: %#x", unit_word (3));
      CHECK (unit_launch.counts.blocks == 40, "%lu blocks", (unsigned long) unit_launch.counts.blocks);
    }
  unit_launch.grid[0] = unit_launch.threads = 1;
  /* vprintf.  */
  unit_launch.block[0] = 1;
  if (unit_good (".global .align 1 .u8 f[12] = { 37, 100, 32, 37, 115, 32, 37, 46, 50, 102, 10, 0 };\n"
		 ".global .align 1 .u8 s[3] = { 104, 105, 0 };\n"
		 ".extern .func (.param .u32 r) vprintf (.param .u64 f, .param .u64 a);\n"
		 HEAD ".local .align 8 .b8 a[24]; mov.u32 %x1, -7; st.local.u32 [a], %x1; mov.u64 %v0, s;\n"
		 "st.local.u64 [a+8], %v0; mov.u64 %v1, 0d3ff8000000000000; st.local.u64 [a+16], %v1; mov.u64 %v2, a;\n"
		 "cvta.local.u64 %v2, %v2; mov.u64 %v3, f;\n"
		 "{ .param .u64 x, y; .param .u32 r; st.param.u64 [x], %v3; st.param.u64 [y], %v2;\n"
		 "call (r), vprintf, (x, y); ld.param.u32 %x0, [r]; }\n" TAIL))
    {
      CHECK (strcmp (unit_printed, "-7 hi 1.50\n") == 0, "vprintf: %s", unit_printed);
      CHECK (unit_word (0) == 3, "vprintf returns %u", unit_word (0));
    }
  unit_launch.block[0] = 32;
}
