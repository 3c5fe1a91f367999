/* unit-faults.c -- what must not go unnoticed: each kernel has one fault, and the report names it.  */

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#define HEAD								\
  ".visible .entry k (.param .u64 p0, .param .u32 p1)\n{\n"		\
  ".reg .u64 %p, %q, %v<8>; .reg .u32 %t, %x<16>; .reg .pred %c, %e;\n"	\
  "ld.param.u64 %p, [p0]; mov.u32 %t, %tid.x;\n"
#define TAIL "ret;\n}\n"

static void
addresses (void)
{
  unit_bad (HEAD "mov.u64 %q, 0; ld.global.u32 %x0, [%q];\n" TAIL, PSIM_BAD_ADDRESS, "near the null pointer");
  unit_bad (HEAD "st.u32 [%p+65536], %t;\n" TAIL, PSIM_BAD_ADDRESS, "store of 4 bytes at 0x700000010000");
  unit_bad (HEAD "ld.u32 %x0, [%p+2];\n" TAIL, PSIM_MISALIGNED, "0x700000000002");
  unit_bad (HEAD "ld.v2.u32 {%x0, %x1}, [%p+4];\n" TAIL, PSIM_MISALIGNED, "8 bytes");
  unit_bad (HEAD "mov.u64 %q, p1; ld.param.u64 %v0, [%q];\n" TAIL, PSIM_BAD_ADDRESS, "of the parameters");
  unit_bad (HEAD "mov.u64 %q, p0; ld.param.u32 %x0, [%q+2];\n" TAIL, PSIM_BAD_ADDRESS, "of the parameters");
  unit_bad (".shared .u32 s[2];\n" HEAD "mov.u64 %q, s; ld.shared.u32 %x0, [%q+8];\n" TAIL, PSIM_BAD_ADDRESS,
	    "shared memory");
  unit_bad (".shared .u32 s;\n" HEAD "mov.u64 %q, s; cvta.shared.u64 %q, %q; ld.global.u32 %x0, [%q];\n" TAIL,
	    PSIM_BAD_SPACE, "generic address of shared memory");
  unit_bad (".const .u32 s = 4;\n" HEAD "mov.u64 %q, s; ld.const.u32 %x0, [%q]; st.shared.u32 [%q], %x0;\n" TAIL,
	    PSIM_BAD_ADDRESS, "shared memory");
  unit_bad (".func (.param .u64 o) f\n{\n.reg .u64 %l; .local .align 8 .b8 a[8]; cvta.local.u64 %l, a;\n"
	    "st.param.u64 [o], %l; ret;\n}\n"
	    HEAD "{ .param .u64 r; call (r), f; ld.param.u64 %q, [r]; } ld.u32 %x0, [%q];\n" TAIL, PSIM_BAD_ADDRESS,
	    "the frame has gone");
  unit_bad (".extern .func (.param .u64 r) malloc (.param .u64 n);\n.extern .func free (.param .u64 a);\n"
	    HEAD "call (%q), malloc, (8); call free, (%q); ld.u32 %x0, [%q];\n" TAIL, PSIM_BAD_ADDRESS, "nobody's");
  unit_bad (".extern .func free (.param .u64 a);\n" HEAD "call free, (%p);\n" TAIL, PSIM_NOT_SHOWN,
	    "not an allocation");
#define HEAP ".extern .func (.param .u64 r) malloc (.param .u64 n);\n.extern .func free (.param .u64 a);\n"
  setenv ("PTX_SIM_FREED", "accessible", 1);
  CHECK (unit_good (HEAP HEAD "call (%q), malloc, (8); st.u32 [%q], %t; call free, (%q); st.u32 [%q], %t; ld.u32 %x0, [%q];\n" TAIL),
	 "what was freed is not accessible: %s", unit_launch.report);
  unit_bad (HEAP HEAD "call (%q), malloc, (8); call free, (%q); call free, (%q);\n" TAIL, PSIM_NOT_SHOWN, "not an allocation");
  /* Its place is needed in the end.  */
  CHECK (unit_good (HEAP HEAD "setp.ne.u32 %e, %t, 0; @%e ret; mov.u32 %x1, 0;\n"
		    "L: call (%q), malloc, (3145728); setp.eq.u64 %c, %q, 0; @%c trap;\n"
		    "call free, (%q); add.u32 %x1, %x1, 1; setp.lt.u32 %c, %x1, 20; @%c bra L;\n" TAIL),
	 "there is no more memory: %s", unit_launch.report);
  unsetenv ("PTX_SIM_FREED");
}

static void
undefined (void)
{
  unit_bad (HEAD "add.u64 %q, %p, %v0; ld.u32 %x0, [%q];\n" TAIL, PSIM_NOT_SHOWN, "never set");
  unit_bad (HEAD "@%c bra L;\nL:\n" TAIL, PSIM_NOT_SHOWN, "a guard that was never set");
  unit_bad (".shared .u32 s;\n" HEAD "ld.shared.u32 %x0, [s]; setp.eq.u32 %c, %x0, 0; @%c trap;\n" TAIL,
	    PSIM_NOT_SHOWN, "never set");
  unit_bad (HEAD "ld.u32 %x0, [%p+8]; setp.eq.u32 %c, %x0, 0; @%c trap;\n" TAIL, PSIM_NOT_SHOWN, "never set");
  /* What lies beside it was.  */
  unit_bad (HEAD ".local .align 4 .b8 a[8]; st.local.u16 [a], 7; ld.local.u32 %x0, [a+4]; setp.eq.u32 %c, %x0, 7;\n"
	    "@%c trap;\n" TAIL, PSIM_NOT_SHOWN, "never set");
  unit_bad (HEAD "div.u32 %x0, 1, %t; setp.eq.u32 %c, %x0, 7; @%c trap;\n" TAIL, PSIM_NOT_SHOWN, "lane 0");
  unit_bad (HEAD "vote.sync.any.pred %e, %c, 0xffffffff;\n" TAIL, PSIM_NOT_SHOWN, "a vote");
  /* What a lane that is elsewhere has.  */
  unit_bad (HEAD "setp.ge.u32 %c, %t, 16; @%c bra E; shfl.sync.bfly.b32 %x0, %t, 16, 31, 0xffff;\n"
	    "setp.eq.u32 %e, %x0, 3; @%e trap;\nE:\n" TAIL, PSIM_NOT_SHOWN, "never set");
}

static void
waits (void)
{
  unit_bad (HEAD "setp.eq.u32 %c, %t, 3; @%c bra E; bar.warp.sync 0xffffffff;\nL: bra M;\nE: shfl.sync.idx.b32 %x0, %t, 0, "
	    "31, 0xffffffff;\nM:\n" TAIL, PSIM_NOT_SHOWN, "wait for lanes 0x8");
  unit_bad (HEAD "bar.warp.sync 0xfffffffe;\n" TAIL, PSIM_NOT_SHOWN, "does not have the lane");
  /* PTX allows it (sync.c, check_masks).  */
  unit_bad (HEAD "and.b32 %x0, %t, 1; setp.eq.u32 %c, %x0, 1; selp.u32 %x1, 0xaaaaaaaa, 0x55555555, %c; bar.warp.sync %x1;\n" TAIL,
	    PSIM_NOT_SHOWN, "masks 0x");
  unit_good (HEAD "and.b32 %x0, %t, 1; setp.eq.u32 %c, %x0, 1; @%c bra A; bar.warp.sync 0x55555555; bra E;\n"
	     "A: bar.warp.sync 0xaaaaaaaa;\nE:\n" TAIL);
  unit_launch.block[0] = 64;
  unit_bad (HEAD "setp.lt.u32 %c, %t, 32; @%c bra A; bar.sync 1; bra E;\nA: bar.sync 2;\nE:\n" TAIL, PSIM_NOT_SHOWN,
	    "wait at barrier 2");
  unit_bad (HEAD "setp.lt.u32 %c, %t, 32; @%c bra A; bar.sync 1, 64; bra E;\nA: bar.sync 1;\nE:\n" TAIL, PSIM_NOT_SHOWN,
	    "who came before");
  unit_bad (HEAD "bar.sync 0, 33;\n" TAIL, PSIM_NOT_SHOWN, "a barrier for 33 threads");
  unit_bad (HEAD "bar.sync 0, 96;\n" TAIL, PSIM_NOT_SHOWN, "a barrier for 96 threads");
  unit_bad (HEAD "bar.sync 16;\n" TAIL, PSIM_NOT_SHOWN, "there are 16");
  unit_bad (HEAD "setp.eq.u32 %c, %t, 40; @%c bra A; bar.sync 0; bra E;\nA: bar.sync 0;\nE:\n" TAIL, PSIM_NOT_SHOWN,
	    "different barriers");
  unit_launch.budget = 100000;
  unit_bad (HEAD "L: bra L;\n" TAIL, PSIM_NOT_SHOWN, "without coming to a barrier");
  unit_launch.budget = 0;
  unit_launch.block[0] = 32;
}

/* What a missing barrier does shows in some order; with the detector, in all.  */
static void
races (void)
{
  static const char missing[] = ".shared .u32 s[64];\n"
    HEAD "mov.u64 %q, s; mad.wide.u32 %v0, %t, 4, %q; st.shared.u32 [%v0], %t; xor.b32 %x2, %t, 32;\n"
    "mad.wide.u32 %v1, %x2, 4, %q; ld.shared.u32 %x0, [%v1]; setp.eq.u32 %c, %x0, 1; @%c add.u32 %x0, %x0, 1;\n" TAIL;
  unit_launch.block[0] = 64;
  unit_launch.order = PSIM_ADVERSARIAL;
  unit_bad (missing, PSIM_NOT_SHOWN, "never set");
  unit_launch.order = PSIM_IN_ORDER;
  unit_launch.races = true;
  unit_bad (".shared .u32 s;\n" HEAD "setp.eq.u32 %c, %t, 3; @%c st.shared.u32 [s], 1; setp.eq.u32 %e, %t, 40;\n"
	    "@%e ld.shared.u32 %x0, [s];\n" TAIL, PSIM_NOT_SHOWN, "race: load");
  unit_bad (".shared .u32 s;\n" HEAD "setp.eq.u32 %c, %t, 3; @%c st.shared.u32 [s], 1; setp.eq.u32 %e, %t, 4;\n"
	    "@%e st.shared.u32 [s], 2;\n" TAIL, PSIM_NOT_SHOWN, "race: store");
  unit_good (".shared .u32 s;\n" HEAD "setp.eq.u32 %c, %t, 3; @%c st.shared.u32 [s], 1; bar.sync 0;\n"
	     "ld.shared.u32 %x0, [s];\n" TAIL);
  unit_launch.races = false;
  /* Lanes of GCC's code stay together, but in lane regions.  */
#define STACKS(VALUE)									\
    ".shared .align 8 .u64 __nvptx_stacks[32]; .shared .u32 s[64];\n"			\
    HEAD "shr.u32 %x1, %t, 5; mov.u64 %v2, __nvptx_stacks; mad.wide.u32 %v2, %x1, 8, %v2;\n"	\
    "st.shared.u64 [%v2], " VALUE "; bar.sync 0; mov.u64 %q, s; mad.wide.u32 %v0, %t, 4, %q; mov.u32 %x4, 0;\n" \
    "L: add.u32 %x4, %x4, 1; setp.lt.u32 %c, %x4, 100; @%c bra L;\nst.shared.u32 [%v0], %t; xor.b32 %x2, %t, 1;\n" \
    "mad.wide.u32 %v1, %x2, 4, %q; ld.shared.u32 %x0, [%v1]; setp.eq.u32 %c, %x0, 1; @%c add.u32 %x0, %x0, 1;\n" TAIL
  unit_launch.order = PSIM_ADVERSARIAL;
  unit_good (STACKS ("4096"));
  unit_bad (STACKS ("0"), PSIM_NOT_SHOWN, "never set");
  unit_launch.order = PSIM_IN_ORDER;
  unit_launch.block[0] = 32;
}

/* A limit for stacks holds for lanes that enter a function again.  Each call takes 24 bytes here:
   the return address and two registers that are read behind the next call.  */
static void
stacks (void)
{
#define AGAIN(NAME, CALLEE)						\
  ".func " NAME " (.param .u32 n)\n{\n"					\
  ".reg .u32 %n; .reg .u64 %a, %b; .reg .pred %d;\n"			\
  "ld.param.u32 %n, [n]; cvt.u64.u32 %a, %n; add.u64 %b, %a, 1;\n"	\
  "setp.eq.u32 %d, %n, 0; @%d ret; sub.u32 %n, %n, 1;\n"		\
  "call " CALLEE ", (%n);\nadd.u64 %a, %a, %b; ret;\n}\n"
#define LARGE(NAME, BODY)						\
  ".func " NAME "\n{\n.local .align 8 .b8 a[800];\n" BODY "ret;\n}\n"
#define TO_DEPTH(N, NAME) HEAD "mov.u32 %x0, " N "; call " NAME ", (%x0);\n" TAIL
  static const char turns[] = ".func g (.param .u32 n);\n" AGAIN ("f", "g") AGAIN ("g", "f");
  char text[2000];

  /* The kernel itself, which has nothing behind the call, takes 8.  */
  unit_launch.stack_limit = 8 + 24 * 42;
  unit_good (AGAIN ("f", "f") TO_DEPTH ("41", "f"));
  unit_bad (AGAIN ("f", "f") TO_DEPTH ("42", "f"), PSIM_STACK,
	    "recursion: f, at a depth of 43 calls, needs 1040 bytes");
  snprintf (text, sizeof (text), "%s%s", turns, TO_DEPTH ("41", "f"));
  unit_good (text);
  snprintf (text, sizeof (text), "%s%s", turns, TO_DEPTH ("42", "f"));
  unit_bad (text, PSIM_STACK, "recursion: f, at a depth of 43 calls");
  /* Some lanes alone.  */
  unit_good (AGAIN ("f", "f") HEAD "call f, (%t);\n" TAIL);
  unit_bad (AGAIN ("f", "f") HEAD "mul.lo.u32 %x0, %t, 2; call f, (%x0);\n" TAIL, PSIM_STACK,
	    "recursion: f");
  unit_bad (AGAIN ("f", "f") HEAD "PROTO: .callprototype _ (.param .u32 n);\n"
	    "mov.u64 %q, f; mov.u32 %x0, 42; call %q, (%x0), PROTO;\n" TAIL,
	    PSIM_STACK, "recursion: f");
  /* Who enters no function again gets what it needs, and so has who has left it.  */
  unit_good (LARGE ("f", "") LARGE ("g", "call f;\ncall f;\n")
	     LARGE ("h", "call g;\ncall f;\ncall g;\n") HEAD "call h;\n" TAIL);
  unit_launch.stack_limit = 0;
  unit_good (AGAIN ("f", "f") TO_DEPTH ("1000", "f"));
}

void
unit_faults (void)
{
  addresses ();
  stacks ();
  undefined ();
  waits ();
  races ();
  unit_bad (HEAD "setp.eq.u32 %c, %t, 9; @%c trap;\n" TAIL, PSIM_TRAP, "lane 9");
  unit_bad (".func f\n{\n.reg .u32 %a; call f; ret;\n}\n" HEAD "call f;\n" TAIL, PSIM_STACK, "deep");
  unit_bad (HEAD "PROTO: .callprototype _ ();\ncall %p, (), PROTO;\n" TAIL, PSIM_BAD_PC, "no function");
  unit_bad (".extern .func g (.param .u64 a);\n" HEAD "call g, (%p);\n" TAIL, PSIM_NOT_SHOWN, "g cannot be called: "
	    "it is not defined");
  unit_bad (".func g (.param .u64 a, .param .u64 b)\n{\nret;\n}\n" HEAD "call g, (%p);\n" TAIL, PSIM_NOT_SHOWN,
	    "takes 2 parameters");
  unit_bad (HEAD "ex2.approx.f16 %x0, %x1;\n" TAIL, PSIM_BAD_LAUNCH, "not implemented: ");
  unit_bad (HEAD "frobnicate.u32 %x0, %x1;\n" TAIL, PSIM_BAD_LAUNCH, "frobnicate");
  unit_bad (HEAD "add.sat.s32 %x0, %x1, %x2;\n" TAIL, PSIM_BAD_LAUNCH, "not implemented");
  unit_bad (".visible .func f\n{\nret;\n}\n.visible .func f\n{\nret;\n}\n" HEAD TAIL, PSIM_BAD_LAUNCH, "twice");
  unit_launch.grid[0] = 0;
  unit_bad (HEAD TAIL, PSIM_BAD_LAUNCH, "grid is empty");
  unit_launch.grid[0] = 1;
  unit_launch.block[0] = 1025;
  unit_bad (HEAD TAIL, PSIM_BAD_LAUNCH, "block is empty or too large");
  unit_launch.block[0] = 64;
  unit_bad (".visible .entry k\n.maxntid 32, 1, 1\n{\nret;\n}\n", PSIM_BAD_LAUNCH, ".maxntid");
  unit_launch.block[0] = 32;
}
