/* Kernels with a simd loop written by hand: those as GCC makes them have a version for warps that needs nothing of the library; with a
   change that could make a difference they have none (doc/lanes.md, "Simd loops: warps without the library").

   TEST-MODES: host
   TEST-OPTIONS: -O0 -D_GNU_SOURCE -I@top_srcdir@/plugin -I@top_srcdir@/config/nvptx @top_srcdir@/plugin/nvptx-lanes.c @top_srcdir@/plugin/nvptx-lanes-scan.c @top_srcdir@/plugin/nvptx-lanes-flow.c @top_srcdir@/plugin/nvptx-lanes-depth.c @top_srcdir@/plugin/nvptx-lanes-atomic.c @top_srcdir@/plugin/nvptx-lanes-stride.c @top_srcdir@/plugin/nvptx-lanes-stride-emit.c @top_srcdir@/plugin/nvptx-lanes-combine.c @top_srcdir@/plugin/nvptx-lanes-joint.c @top_srcdir@/plugin/nvptx-lanes-ends.c @top_srcdir@/plugin/nvptx-lanes-direct.c @top_srcdir@/plugin/nvptx-lanes-direct-emit.c @top_srcdir@/plugin/nvptx-lanes-teams.c @top_srcdir@/plugin/nvptx-lanes-frame.c @top_srcdir@/plugin/nvptx-lanes-slots.c @top_srcdir@/plugin/nvptx-lanes-effects.c @top_srcdir@/plugin/nvptx-lanes-updates.c @top_srcdir@/plugin/nvptx-lanes-spaces.c @top_srcdir@/plugin/nvptx-lanes-offsets.c @top_srcdir@/plugin/nvptx-lanes-team.c @top_srcdir@/plugin/nvptx-lanes-blocks.c @top_srcdir@/plugin/nvptx-lanes-turns.c @top_srcdir@/plugin/nvptx-lanes-wait.c @top_srcdir@/plugin/nvptx-lanes-warps.c @top_srcdir@/plugin/nvptx-lanes-rows.c @top_srcdir@/plugin/nvptx-lanes-nest.c @top_srcdir@/plugin/nvptx-lanes-nest-emit.c @top_srcdir@/plugin/nvptx-lanes-loops.c @top_srcdir@/plugin/nvptx-lanes-windows.c @top_srcdir@/plugin/nvptx-lanes-rewrite.c @top_srcdir@/plugin/nvptx-read-names.c @top_srcdir@/plugin/nvptx-read.c @top_srcdir@/plugin/nvptx-read-body.c @top_srcdir@/plugin/nvptx-read-build.c @top_srcdir@/plugin/nvptx-read-lex.c @top_srcdir@/plugin/nvptx-read-scope.c @top_srcdir@/plugin/nvptx-print.c  */

#include "aux-lanes-any.h"

#define FRAME(size) \
  ".reg.u64 %stack; .reg.u64 %frame; .reg.u64 %sspslot; .reg.u64 %sspprev;\n" \
  "{ .reg.u32 %fstmp0; .reg.u64 %fstmp1; .reg.u64 %fstmp2; mov.u32 %fstmp0, %tid.y; mul.wide.u32 %fstmp1, %fstmp0, 8;\n" \
  "mov.u64 %fstmp2, __nvptx_stacks; add.u64 %sspslot, %fstmp2, %fstmp1; ld.shared.u64 %sspprev, [%sspslot];\n" \
  "sub.u64 %frame, %sspprev, " size "; sub.u64 %stack, %frame, 0; st.shared.u64 [%sspslot], %stack; }\n"
#define BACK "st.shared.u64 [%sspslot], %sspprev; ret;\n"
#define FLAG "{ .reg.u32 %ustmp0; .reg.u64 %ustmp1; mov.u32 %ustmp0, %tid.y; mul.wide.u32 %ustmp1, %ustmp0, 4;" \
  "mov.u64 %u, __nvptx_uni; add.u64 %u, %u, %ustmp1; }\n"
#define REGS ".reg.u64 %a; .reg.u64 %b; .reg.u64 %c; .reg.u64 %u; .reg.u32 %x; .reg.u32 %y; .reg.u32 %z; .reg.pred %p;\n"
#define FULL_FLAG \
  ".reg.u32 %ui; .reg.pred %um; .reg.pred %up; .reg.u64 %ua;\n" \
  "{ .reg.u32 %ustmp0; .reg.u64 %ustmp1; mov.u32 %ustmp0, %tid.y; mul.wide.u32 %ustmp1, %ustmp0, 4;\n" \
  "mov.u64 %ua, __nvptx_uni; add.u64 %ua, %ua, %ustmp1; ld.shared.u32 %ui, [%ua]; setp.eq.u32 %up, %ui, 0;\n" \
  "mov.u32 %ustmp0, %laneid; and.b32 %ui, %ui, %ustmp0; setp.eq.u32 %um, %ui, %ustmp0; }\n"
#define CALL0(name, result) "{ .param.u32 %v; call (%v), " name "; ld.param.u32 " result ", [%v]; }\n"
#define CALL1(name, value) "{ .param.u64 %o; st.param.u64 [%o], " value "; call " name ", (%o); }\n"

/* The region is MORE, and a loop of lanes.  */
#define REGION(more) \
  ".reg.u64 %ar0; ld.param.u64 %ar0, [%in_ar0];\n" FRAME ("0") REGS ".local.align 8 .b8 %simtstack_ar[136];\n" FLAG \
  "mov.u64 %b, %ar0; ld.u64 %a, [%b]; ld.u32 %y, [%b+8];\n" CALL0 ("omp_get_num_threads", "%z") CALL0 ("omp_get_thread_num", "%x") \
  "mad.lo.u32 %x, %x, 32, 0;\n" more \
  "{ .reg.u32 %ustmp2; mov.u32 %ustmp2, -1; st.shared.u32 [%u], %ustmp2; }\n" \
  "{ cvta.local.u64 %c, %simtstack_ar + 136; st.u64 [%c + -8], %stack; sub.u64 %stack, %c, 8; st.shared.u64 [%sspslot], %stack; }\n" \
  "{ .reg.u32 %l; .reg.u64 %w; mov.u32 %l, %laneid; add.u32 %l, %l, %x; mul.wide.u32 %w, %l, 4; add.u64 %w, %w, %a;" \
  "setp.ge.u32 %p, %l, %y; @%p bra NONE; st.u32 [%w], %l; NONE: }\n" \
  "{ .reg.u32 %ustmp2; mov.u32 %ustmp2, 0; st.shared.u32 [%u], %ustmp2; }\n" \
  "{ ld.u64 %stack, [%c + -8]; st.shared.u64 [%sspslot], %stack; }\n" \
  "bar.warp.sync 0xffffffff;\n" BACK

#define PARALLEL(block) \
  "{ .param.u64 %o1; st.param.u64 [%o1], %c; .param.u64 %o2; st.param.u64 [%o2], " block "; .param.u32 %o3; st.param.u32 [%o3], %z;" \
  ".param.u32 %o4; st.param.u32 [%o4], %z; call GOMP_parallel, (%o1, %o2, %o3, %o4); }\n"
/* The function that the kernel runs: MORE, and a region.  */
#define FUNCTION(more) \
  ".reg.u64 %ar0; ld.param.u64 %ar0, [%in_ar0];\n" FRAME ("32") REGS \
  "mov.u64 %b, %ar0; ld.u64 %a, [%b]; st.u64 [%frame], %a; mov.u32 %y, 100; st.u32 [%frame+8], %y; mov.u32 %z, 0;\n" more \
  "mov.u64 %c, region;\n" PARALLEL ("%frame") BACK

static const char around[] =
  "// BEGIN PREAMBLE\n.version 6.0\n.target sm_30\n.address_size 64\n// END PREAMBLE\n"
  ".extern .func (.param.u32 %v) omp_get_num_threads;\n.extern .func (.param.u32 %v) omp_get_thread_num;\n"
  ".extern .func (.param.u32 %v) omp_get_level;\n.extern .func GOMP_barrier;\n.extern .func of_the_library (.param.u64 %a);\n"
  ".extern .func nowhere (.param.u64 %a);\n"
  ".extern .func GOMP_parallel (.param.u64 %a, .param.u64 %b, .param.u32 %c, .param.u32 %d);\n"
  ".extern .func gomp_nvptx_main (.param.u64 %a, .param.u64 %b);\n"
  ".extern .shared .u64 __nvptx_stacks[32];\n.extern .shared .u32 __nvptx_uni[32];\n.shared .u32 of_the_block;\n"
  ".visible .global .u32 anywhere;\n.extern .global .u32 gompx_something;\n"
  ".func plain (.param.u64 %in_ar0) { .reg.u64 %a; ld.param.u64 %a, [%in_ar0]; st.u32 [%a], 1; ret; }\n"
  ".func (.param.u32 %v) asks { .reg.u32 %x; " CALL0 ("omp_get_thread_num", "%x") "st.param.u32 [%v], %x; ret; }\n"
  ".func framed (.param.u64 %in_ar0) {" FRAME ("16") "st.u32 [%frame], 1;" BACK "}\n"
  ".func flagged (.param.u64 %in_ar0) { .reg.u64 %u;" FLAG "ret; }\n"
  ".func waits (.param.u64 %in_ar0) { bar.sync 0; ret; }\n"
  ".func again (.param.u64 %in_ar0);\n.func once (.param.u64 %in_ar0) {" REGS CALL1 ("again", "0") "ret; }\n"
  ".func again (.param.u64 %in_ar0) {" REGS CALL1 ("once", "0") "ret; }\n"
  ".func by_pointer (.param.u64 %in_ar0) { .reg.u64 %f; mov.u64 %f, plain; call %f, (), L; L: .callprototype _ (); ret; }\n";

static const char entry[] =
  ".visible .entry kernel (.param.u64 %arg, .param.u64 %stack, .param.u64 %sz)\n{\n.reg.u64 %R0; .reg.u64 %R1;\n"
  "mov.u64 %R0, function; ld.param.u64 %R1, [%arg];\n{ .param.u64 %P<2>; st.param.u64 [%P0], %R0; st.param.u64 [%P1], %R1;"
  "call.uni gomp_nvptx_main, (%P0, %P1); }\nret.uni;\n}\n";

static const char more_library[] =
  "// BEGIN GLOBAL FUNCTION DEF: of_the_library\n.visible .func of_the_library (.param .u64 %a) { ret; }\n";

#define PLAIN_REGION REGION ("")
#define PLAIN_FUNCTION FUNCTION ("")

static const struct { const char *name, *region, *function; bool warps; } cases[] =
{
#define IN_REGION(name, more, good) { name, REGION (more), PLAIN_FUNCTION, good }
#define IN_FUNCTION(name, more, good) { name, PLAIN_REGION, FUNCTION (more), good }
  IN_REGION ("plain", "", true),
  IN_REGION ("shuffle", "shfl.sync.bfly.b32 %z, %z, 1, 31, 0xffffffff;", true),
  IN_REGION ("vote", "vote.sync.ballot.b32 %z, %p, 0xffffffff;", true),
  IN_REGION ("atomic", "atom.add.u32 %z, [%a], 1; membar.gl;", true),
  IN_REGION ("lane", "mov.u32 %z, %laneid; mov.u32 %z, %ctaid.x;", true),
  IN_REGION ("unreachable", "bra OVER; trap; exit; OVER:", true),
  IN_REGION ("asks_again", CALL0 ("omp_get_thread_num", "%z") CALL0 ("omp_get_num_threads", "%z"), true),
  IN_REGION ("calls", CALL1 ("plain", "%a"), true),
  IN_REGION ("global", "ld.global.u32 %z, [anywhere]; st.global.u32 [anywhere], %z;", true),
  IN_REGION ("guarded_end", "setp.eq.u32 %p, %z, 77; @%p ret;", true),
  /* What is about the block, the library's threads or its memory.  */
  IN_REGION ("barrier", "bar.sync 0;", false),
  IN_REGION ("barrier_named", "barrier.sync 1, 64;", false),
  IN_REGION ("barrier_red", "barrier.red.popc.u32 %z, 0, %p;", false),
  IN_REGION ("shuffle_old", "shfl.bfly.b32 %z, %z, 1, 31;", false),
  IN_REGION ("vote_old", "vote.ballot.b32 %z, %p;", false),
  IN_REGION ("mask", "activemask.b32 %z;", false),
  IN_REGION ("match", "match.any.sync.b32 %z, %z, -1;", false),
  IN_REGION ("redux", "redux.sync.add.u32 %z, %z, -1;", false),
  IN_REGION ("unheard_of", "unheard.of.u32 %z, %z;", false),
  IN_REGION ("ends", "exit;", false),
  IN_REGION ("ends_maybe", "trap; @%p exit;", false),
  IN_REGION ("warp_number", "mov.u32 %z, %warpid;", false),
  IN_REGION ("thread_x", "mov.u32 %z, %tid.x;", false),
  IN_REGION ("threads", "mov.u32 %z, %ntid.y;", false),
  IN_REGION ("shared", "ld.shared.u32 %z, [of_the_block];", false),
  IN_REGION ("shared_address", "mov.u64 %c, of_the_block;", false),
  IN_REGION ("shared_own", ".shared .u32 mine;", false),
  IN_REGION ("of_library", "mov.u64 %c, gompx_something;", false),
  /* Calls.  */
  IN_REGION ("level", CALL0 ("omp_get_level", "%z"), false),
  IN_REGION ("waits_for_all", "{ call GOMP_barrier; }", false),
  IN_REGION ("ours", CALL1 ("of_the_library", "%a"), false),
  IN_REGION ("missing", CALL1 ("nowhere", "%a"), false),
  IN_REGION ("malloc", CALL1 ("malloc", "%a"), false),
  IN_REGION ("framed", CALL1 ("framed", "%a"), false),
  IN_REGION ("flagged", CALL1 ("flagged", "%a"), false),
  IN_REGION ("waits", CALL1 ("waits", "%a"), false),
  IN_REGION ("asks_inside", CALL0 ("asks", "%z"), false),
  IN_REGION ("recursive", CALL1 ("once", "%a"), true),
  IN_REGION ("by_pointer", CALL1 ("by_pointer", "%a"), false),
  IN_REGION ("pointer", "mov.u64 %c, plain; call %c, (), L9; L9: .callprototype _ ();", false),
  IN_REGION ("asks_guarded", "{ .param.u32 %v; @%p call (%v), omp_get_thread_num; ld.param.u32 %z, [%v]; }", false),
  IN_REGION ("asks_other", "{ .param.u32 %v; .param.u32 %o; call (%v), omp_get_thread_num; ld.param.u32 %z, [%o]; }", false),
  IN_REGION ("asks_twice", "{ .param.u32 %v; call (%v), omp_get_thread_num; call (%v), omp_get_thread_num; ld.param.u32 %z, [%v]; }", false),
  IN_REGION ("nested", "mov.u64 %c, region;" PARALLEL ("%b"), false),
  /* The data block.  */
  IN_REGION ("stores_block", "st.u32 [%b+8], %z;", true),
  IN_REGION ("keeps_block", "st.u64 [%a], %b;", false),
  IN_REGION ("gives_block", CALL1 ("plain", "%b"), false),
  IN_REGION ("volatile_block", "ld.volatile.u32 %z, [%b+8];", false),
  IN_REGION ("beyond_block", "ld.u32 %z, [%b+32];", false),
  IN_REGION ("our_name", ".reg.u32 %direct_thread;", false),
  /* The function that begins it.  */
  IN_FUNCTION ("loads", "ld.u32 %x, [%a]; ld.global.u32 %x, [anywhere];", true),
  IN_FUNCTION ("computes", "mul.lo.u32 %x, %y, 3; st.u32 [%frame+12], %x; ld.u32 %y, [%frame+12];", true),
  IN_FUNCTION ("two", "mov.u64 %c, region;" PARALLEL ("%frame"), true),
  IN_FUNCTION ("stores_there", "st.u32 [%a], %y;", true),
  IN_FUNCTION ("updates", FULL_FLAG "@%um atom.add.u32 %x, [%a], 1; @%up bar.warp.sync 0xffffffff;", true),
  IN_FUNCTION ("updates_all", FULL_FLAG "atom.add.u32 %x, [%a], 1;", false),
  IN_FUNCTION ("updates_others", FULL_FLAG "@!%um atom.add.u32 %x, [%a], 1;", false),
  IN_FUNCTION ("updates_used", FULL_FLAG "@%um atom.add.u32 %x, [%a], 1; st.u32 [%a], %x;", false),
  IN_FUNCTION ("our_name_there", ".reg.u32 %direct_team;", false),
  IN_FUNCTION ("fence", "membar.gl;", false),
  IN_FUNCTION ("exchange", "atom.exch.b32 %x, [%a], 1;", false),
  IN_FUNCTION ("lanes_differ", "mov.u32 %x, %laneid;", false),
  IN_FUNCTION ("warps_differ", "mov.u32 %x, %tid.y;", false),
  IN_FUNCTION ("clock", "mov.u32 %x, %clock;", false),
  IN_FUNCTION ("calls_there", CALL1 ("plain", "%a"), false),
  IN_FUNCTION ("level_there", CALL0 ("omp_get_level", "%x"), false),
  IN_FUNCTION ("volatile_there", "ld.volatile.u32 %x, [%a];", false),
  IN_FUNCTION ("shared_there", "ld.shared.u32 %x, [of_the_block];", false),
  IN_FUNCTION ("keeps_frame", "st.u64 [%a], %frame;", false),
  IN_FUNCTION ("flag_there", FLAG, false),
  IN_FUNCTION ("unknown_region", "ld.u64 %c, [%a];" PARALLEL ("%frame"), false),
  IN_FUNCTION ("lane_region", "mov.u64 %c, for_lanes;" PARALLEL ("%frame"), false)
};

/* A loop that threads share out: DIVIDED computes quotient and rest, MORE stands where the part is known, and
   LANES makes the lane's first iteration, %l, of the thread's, %s.  */
#define SHARE(divided, more, lanes) \
  ".reg.u64 %ar0; ld.param.u64 %ar0, [%in_ar0];\n" FRAME ("0") REGS ".local.align 8 .b8 %simtstack_ar[136];\n" FLAG \
  ".reg.u32 %n; .reg.u32 %q; .reg.u32 %r; .reg.u32 %s; .reg.u32 %e; .reg.u32 %l; .reg.pred %less; .reg.pred %none;" \
  ".reg.pred %o; .reg.u64 %w; mov.u64 %b, %ar0; ld.u64 %a, [%b]; ld.u32 %n, [%b+8]; mov.u32 %y, 0;\n" \
  CALL0 ("omp_get_num_threads", "%z") CALL0 ("omp_get_thread_num", "%x") divided \
  "setp.lt.u32 %less, %x, %r; @%less bra LESS; SOME: mad.lo.u32 %s, %q, %x, %r; add.u32 %e, %q, %s;\n" \
  "setp.ge.u32 %none, %s, %e; @%none bra END;\n" more \
  "{ .reg.u32 %ustmp2; mov.u32 %ustmp2, -1; st.shared.u32 [%u], %ustmp2; }\n" \
  "{ cvta.local.u64 %c, %simtstack_ar + 136; st.u64 [%c + -8], %stack; sub.u64 %stack, %c, 8; st.shared.u64 [%sspslot], %stack; }\n" \
  lanes "setp.ge.u32 %p, %l, %e; @%p bra OUT;\n" \
  "BODY: mul.wide.u32 %w, %l, 4; add.u64 %w, %w, %a; st.u32 [%w], %l; add.u32 %l, %l, 32;" \
  "setp.lt.u32 %o, %l, %e; @%o bra BODY;\n" \
  "OUT: { .reg.u32 %ustmp2; mov.u32 %ustmp2, 0; st.shared.u32 [%u], %ustmp2; }\n" \
  "{ ld.u64 %stack, [%c + -8]; st.shared.u64 [%sspslot], %stack; }\n" \
  "bar.warp.sync 0xffffffff; bra END;\nLESS: add.u32 %q, %q, 1; mov.u32 %r, 0; bra SOME;\nEND: " BACK
#define DIVIDED "div.u32 %q, %n, %z; rem.u32 %r, %n, %z;"
#define LANES "mov.u32 %l, %laneid; add.u32 %l, %l, %s;"

/* FULL: warps have as many iterations as lanes.  */
static const struct { const char *name, *region; bool full; } shares[] =
{
  { "share", SHARE (DIVIDED, "", LANES), true },
  { "rest_first", SHARE ("rem.u32 %r, %n, %z; div.u32 %q, %n, %z;", "", LANES), true },
  { "offset", SHARE (DIVIDED, "add.u32 %e, %e, 7; add.u32 %s, %s, 7;",
		     "mov.u32 %l, %laneid; mul.lo.u32 %l, %l, 1; add.u32 %l, %s, %l;"), true },
  { "counts", SHARE (DIVIDED, "st.u32 [%a], %q;", LANES), true },
  /* Something else depends on who has what.  */
  { "tells_rest", SHARE (DIVIDED, "st.u32 [%a], %r;", LANES), false },
  { "tells_thread", SHARE (DIVIDED, "st.u32 [%a], %x;", LANES), false },
  { "tells_who_has_more", SHARE (DIVIDED, "@%less st.u32 [%a], 1;", LANES), false },
  { "tells_threads", SHARE (DIVIDED "st.u32 [%a], %z;", "", LANES), false },
  { "divides_twice", SHARE (DIVIDED "div.u32 %y, %n, %z;", "", LANES), false },
  { "asks_twice", SHARE (DIVIDED, CALL0 ("omp_get_thread_num", "%y"), LANES), false },
  { "other_number", SHARE ("div.u32 %q, %n, %z; rem.u32 %r, %y, %z;", "", LANES), false },
  { "by_a_number", SHARE ("div.u32 %q, %n, 8; rem.u32 %r, %n, 8;", "", LANES), false },
  { "guarded", SHARE ("div.u32 %q, %n, %z; @%p rem.u32 %r, %n, %z;", "", LANES), false },
  /* Lanes have no iterations of their own.  */
  { "no_lane", SHARE (DIVIDED, "", "mov.u32 %l, %s;"), false },
  { "lane_apart", SHARE (DIVIDED, "", "mov.u32 %l, %laneid;"), false },
  { "lane_in_loop", SHARE (DIVIDED, "", "AGAIN: " LANES "add.u32 %s, %s, 1; setp.lt.u32 %o, %s, %e; @%o bra AGAIN;"),
    false }
};

/* LEFT_OUT: what the region stores as its warp's flag and stack.  */
static const struct { const char *name, *region; bool left_out; } marks[] =
{
  { "marks", PLAIN_REGION, true },
  { "loads_first", REGION ("ld.shared.u32 %z, [%u]; st.u32 [%a], %z;"), true },
  { "loads_later", REGION ("LATER: ld.shared.u32 %z, [%u]; st.u32 [%a], %z;"), false },
  { "loads_if", REGION ("@%p bra OVER; ld.shared.u32 %z, [%u]; OVER:"), false },
  { "loads_stack", REGION ("OVER: ld.shared.u64 %c, [%sspslot];"), false },
  { "loads_elsewhere", REGION ("cvt.u64.u32 %c, %z; ld.shared.u32 %z, [%c];"), false },
  { "updates", REGION ("atom.shared.add.u32 %z, [%u], 1;"), false },
  { "stores_elsewhere", REGION ("cvt.u64.u32 %c, %z; st.shared.u32 [%c], %z;"), true }
};

static bool is_full;		/* of the last one */
static bool has_flag, has_stack, has_other;

static bool
has_warps (const char *region, const char *function)
{
  struct ptx_text t = { 0 }, l = { 0 };
  struct nvptx_lanes lanes;
  bool has = false;
  char why[PTX_WHY] = "";

  ptx_printf (&t, "%s.func for_lanes (.param.u64 %%in_ar0) { .reg.u64 %%a; ld.param.u64 %%a, [%%in_ar0]; ret; }\n"
	      ".func region (.param.u64 %%in_ar0)\n{\n%s}\n.func function (.param.u64 %%in_ar0)\n{\n%s}\n%s", around, region,
	      function, entry);
  ptx_printf (&l, "%s%s", lanes_stubs, more_library);
  if (!lanes_is_readable (t.text, t.size + 1, 0, why))
    {
      printf ("%s\n%s\n", why, t.text);
      exit (1);
    }
  const struct nvptx_object objects[2] = { { t.text, t.size + 1 }, { l.text, l.size + 1 } };
  CHECK (nvptx_lanes_analyse (objects, 2, 1, NVPTX_LANES_REWRITE | NVPTX_LANES_STRIDE | NVPTX_LANES_RECURSION, &lanes));
  if (lanes.objects != NULL)
    {
      const char *text = lanes.objects[0].text;
      lanes_check_text (text, lanes.objects[0].size, &objects[0]);
      has = strstr (text, ".entry kernel$warps (") != NULL;
      const char *kernel = has ? strstr (text, ".entry kernel$warps (") : "";
      /* It is the last function.  */
      CHECK (strstr (kernel, "omp_get") == NULL && strstr (kernel, "GOMP_") == NULL && strstr (kernel, "call gomp") == NULL);
      CHECK (lanes.num_warps == has);
      has_flag = strstr (kernel, "st.shared.u32 [%u]") != NULL;
      has_stack = strstr (kernel, "st.shared.u64 [%sspslot]") != NULL;
      has_other = strstr (kernel, "st.shared.u32 [%c]") != NULL;
      is_full = strstr (kernel, "%direct_full, %direct_lots") != NULL
		&& strstr (kernel, "setp.ge.u32 %direct_none, %x, %z") != NULL;
    }
  bool told = false;
  for (size_t i = 0; i < lanes.num_regions; i++)
    told |= strcmp (lanes.regions[i].name, "region") == 0 && lanes.regions[i].warps;
  CHECK (told == has);
  nvptx_lanes_free (&lanes);
  free (t.text);
  free (l.text);
  return has;
}

int
main (void)
{
  int bad = 0;
  for (size_t i = 0; i < sizeof (cases) / sizeof (cases[0]); i++)
    if (has_warps (cases[i].region, cases[i].function) != cases[i].warps)
      {
	printf ("%s: %s\n", cases[i].name, cases[i].warps ? "it needs the library" : "it has warps without the library");
	bad = 1;
      }
  for (size_t i = 0; i < sizeof (shares) / sizeof (shares[0]); i++)
    if (!has_warps (shares[i].region, PLAIN_FUNCTION) || is_full != shares[i].full)
      {
	printf ("%s: warps have %s iterations as lanes\n", shares[i].name, is_full ? "as many" : "not as many");
	bad = 1;
      }
  for (size_t i = 0; i < sizeof (marks) / sizeof (marks[0]); i++)
    if (!has_warps (marks[i].region, PLAIN_FUNCTION) || has_flag == marks[i].left_out || has_stack == marks[i].left_out
	|| has_other != (strcmp (marks[i].name, "stores_elsewhere") == 0))
      {
	printf ("%s: %s%s%s\n", marks[i].name, has_flag ? "flag " : "", has_stack ? "stack " : "", has_other ? "other" : "");
	bad = 1;
      }
  return bad;
}
