/* Kernels without the library, written by hand: what a region may do with the frame of the function that begins it, and what that
   function may do besides (doc/lanes.md, "Kernels without the library").

   TEST-MODES: host
   TEST-OPTIONS: -O0 -D_GNU_SOURCE -I@top_srcdir@/plugin -I@top_srcdir@/config/nvptx @top_srcdir@/plugin/nvptx-lanes.c @top_srcdir@/plugin/nvptx-lanes-scan.c @top_srcdir@/plugin/nvptx-lanes-flow.c @top_srcdir@/plugin/nvptx-lanes-depth.c @top_srcdir@/plugin/nvptx-lanes-atomic.c @top_srcdir@/plugin/nvptx-lanes-stride.c @top_srcdir@/plugin/nvptx-lanes-stride-emit.c @top_srcdir@/plugin/nvptx-lanes-combine.c @top_srcdir@/plugin/nvptx-lanes-joint.c @top_srcdir@/plugin/nvptx-lanes-ends.c @top_srcdir@/plugin/nvptx-lanes-direct.c @top_srcdir@/plugin/nvptx-lanes-direct-emit.c @top_srcdir@/plugin/nvptx-lanes-teams.c @top_srcdir@/plugin/nvptx-lanes-frame.c @top_srcdir@/plugin/nvptx-lanes-slots.c @top_srcdir@/plugin/nvptx-lanes-effects.c @top_srcdir@/plugin/nvptx-lanes-updates.c @top_srcdir@/plugin/nvptx-lanes-spaces.c @top_srcdir@/plugin/nvptx-lanes-offsets.c @top_srcdir@/plugin/nvptx-lanes-team.c @top_srcdir@/plugin/nvptx-lanes-blocks.c @top_srcdir@/plugin/nvptx-lanes-turns.c @top_srcdir@/plugin/nvptx-lanes-wait.c @top_srcdir@/plugin/nvptx-lanes-warps.c @top_srcdir@/plugin/nvptx-lanes-rows.c @top_srcdir@/plugin/nvptx-lanes-nest.c @top_srcdir@/plugin/nvptx-lanes-nest-emit.c @top_srcdir@/plugin/nvptx-lanes-loops.c @top_srcdir@/plugin/nvptx-lanes-windows.c @top_srcdir@/plugin/nvptx-lanes-rewrite.c @top_srcdir@/plugin/nvptx-read-names.c @top_srcdir@/plugin/nvptx-read.c @top_srcdir@/plugin/nvptx-read-body.c @top_srcdir@/plugin/nvptx-read-build.c @top_srcdir@/plugin/nvptx-read-lex.c @top_srcdir@/plugin/nvptx-read-scope.c @top_srcdir@/plugin/nvptx-print.c  */

#include "aux-lanes-text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIBRARY = -1 };		/* else how often lanes of the block wait for each other */

#define LOOP_ "ld.u64 %b, [%a]; st.u32 [%b], %i;"
#define POINTER "add.u64 %c, %frame, 32; st.u64 [%frame+8], %c;"
#define SWAP(more) "ld.u32 %x, [%b]; bra L8; L7: mov.u32 %x, %y; L8: mul.lo.u32 %z, %x, %q; atom.cas.b32 %y, [%b], %x, %z;" \
  "setp.ne.u32 %k, %x, %y; @%k bra L7;" more

/* BEFORE and BEHIND the region in the function, whose frame has 2048 bytes; the region's data is at its begin, and the
   region's argument in %a.  %g is a table of the kernel's arguments.  HAS: what stands in the kernel.  */
static const struct { const char *name, *before, *loop, *end, *behind; int meetings; const char *has; } kernels[] =
{
  { "plain", "", LOOP_, "", "", 1 },
  /* What regions write.  */
  { "sum", "st.u32 [%frame+8], %q;", LOOP_, "atom.add.u32 _, [%a+8], %y;", "ld.u32 %x, [%frame+8];", 3,
    "ld.shared.b32 %direct_word32, [%direct_shared+8]" },
  { "sum_derived", "", LOOP_, "add.u64 %w, %a, 8; atom.add.u32 _, [%w+4], %y;", "", 3 },
  { "writes", "", "st.u32 [%a+8], %i;", "", "", 3 },
  { "reads_too", "", "st.u32 [%a+8], %i; ld.v2.u32 {%y, %z}, [%a+4];", "", "", 3, "ld.shared.v2.u32 {%y,%z}, [" },
  { "stores_in_frame", "", "st.u64 [%a+16], %a;", "", "", LIBRARY },
  { "adds_in_frame", "", "atom.add.u64 _, [%a+16], %a;", "", "", LIBRARY },
  { "writes_short", "", "cvt.u16.u32 %h, %i; st.u16 [%a+8], %h;", "", "", LIBRARY },
  { "writes_far", "", "st.u32 [%a+8], %i; st.u32 [%a+1100], %i;", "", "", LIBRARY },
  { "writes_outside", "", "st.u32 [%a+2045], %i;", "", "", LIBRARY },
  { "reads_outside", "", "ld.u32 %y, [%a+2048];", "", "", LIBRARY },
  { "writes_in_front", "", "st.u32 [%a+-4], %i;", "", "", LIBRARY },
  { "writes_a_part", "", "st.u32 [%a+8], %i; ld.u64 %b, [%a+8];", "", "", LIBRARY },
  { "other_sizes", "ld.u64 %b, [%g]; st.u64 [%frame+8], %b;", "st.u32 [%a+8], %i;", "", "", 3, "ld.local.b32 %direct_word32, [%direct_frame+8]" },
  { "weak", "", "ld.weak.u32 %y, [%a+8];", "", "", LIBRARY },
  { "sum_short", "", "atom.cas.b16 %h, [%a+8], %h, %h;", "", "", LIBRARY },
  { "computed", "", "cvt.u64.u32 %b, %i; add.u64 %b, %b, %a; ld.u32 %y, [%b];", "", "", LIBRARY },
  { "either", "", "mov.u64 %b, %a; ld.u64 %b, [%w]; ld.u32 %y, [%b];", "", "", LIBRARY },
  { "moves", "", "mov.u64 %b, %a; add.u64 %b, %b, 8; ld.u32 %y, [%b];", "", "", LIBRARY },
  { "compares", "", "setp.eq.u64 %p, %a, 0;", "", "", LIBRARY },
  { "stores_data", "", "ld.u64 %b, [%a]; st.u64 [%b], %a;", "", "", LIBRARY },
  /* Addresses in the data.  */
  { "pointer", POINTER, "ld.u64 %b, [%a+8]; ld.u64 %c, [%b]; st.u32 [%c], %i;", "", "", 1 },
  { "pointer_sum", POINTER, "ld.u64 %b, [%a+8]; atom.add.u32 _, [%b+4], %i;", "", "", 3 },
  { "pointer_copy", POINTER, "ld.u64 %b, [%a+8]; mov.u64 %c, %b; st.u32 [%c], %i;", "", "", 3 },
  { "pointers", "add.u64 %c, %frame, 32; ld.u64 %b, [%g]; mov.v2.u64 %v, {0, 0}; mov.u64 %v.x, %c; mov.u64 %v.y, %b; st.v2.u64 [%frame+16], %v;",
    "ld.u64 %b, [%a+16]; ld.u32 %y, [%b]; ld.u64 %b, [%a+16];", "", "", 1 },
  { "pointer_late", "add.u64 %c, %frame, 32; mov.v2.u64 %v, {0, 0}; setp.eq.u32 %p, %q, 0; @%p bra L8; mov.u64 %v.x, %c; L8:"
    "st.v2.u64 [%frame+16], %v;", "ld.u64 %b, [%a+16]; ld.u32 %y, [%b];", "", "", LIBRARY },
  { "pointer_if", "add.u64 %c, %frame, 32; mov.v2.u64 %v, {0, 0}; setp.eq.u32 %p, %q, 0; @%p mov.u64 %v.x, %c;"
    "st.v2.u64 [%frame+16], %v;", "ld.u64 %b, [%a+16]; ld.u32 %y, [%b];", "", "", LIBRARY },
  { "pointer_used_before", "add.u64 %c, %frame, 32; mov.v2.u64 %v, {0, 0}; st.v2.u64 [%frame+64], %v; mov.u64 %v.x, %c;"
    "st.v2.u64 [%frame+16], %v;", "ld.u64 %b, [%a+16]; ld.u32 %y, [%b];", "", "", LIBRARY },
  { "pointer_or_not", POINTER "setp.eq.u32 %p, %q, 0; ld.u64 %b, [%g]; @%p st.u64 [%frame+8], %b;", "ld.u64 %b, [%a+8]; ld.u32 %y, [%b];", "", "",
    LIBRARY },
  { "two_pointers", POINTER "add.u64 %w, %frame, 64; setp.eq.u32 %p, %q, 0; @%p st.u64 [%frame+8], %w;",
    "ld.u64 %b, [%a+8]; ld.u32 %y, [%b];", "", "", LIBRARY },
  { "pointer_in_parts", POINTER, "ld.u32 %y, [%a+8];", "", "", LIBRARY },
  { "pointer_overwritten", POINTER, "ld.u64 %b, [%a+8]; st.u64 [%a+8], %w;", "", "", LIBRARY },
  { "pointer_as_number", POINTER, "ld.f64 %d, [%a+8]; add.f64 %d, %d, %d;", "", "", LIBRARY },
  { "pointer_and_other", POINTER, "ld.v2.u64 {%b, %c}, [%a+8];", "", "", LIBRARY },
  { "pointer_kept", POINTER, "ld.u64 %b, [%a+8]; ld.u64 %c, [%a]; st.u64 [%c], %b;", "", "", LIBRARY },
  { "pointer_swapped", POINTER, "ld.u64 %b, [%a+8]; ld.u64 %c, [%a]; atom.add.u64 %b, [%c], %b;", "", "", LIBRARY },
  { "pointer_to_index", POINTER, "ld.u64 %b, [%a+8]; cvt.u64.u32 %c, %i; add.u64 %b, %b, %c; ld.u32 %y, [%b];", "", "", LIBRARY },
  { "pointer_given", POINTER, "ld.u64 %b, [%a+8]; { .param.u64 %o; st.param.u64 [%o], %b; call callee, (%o); }", "", "", LIBRARY },
  { "pointer_loaded", POINTER, LOOP_, "", "ld.u64 %b, [%frame+8];", LIBRARY },
  { "pointer_stored", "add.u64 %c, %frame, 32; ld.u64 %b, [%g]; st.u64 [%b], %c;", LOOP_, "", "", LIBRARY },
  { "frame_as_number", "ld.u64 %b, [%g]; sub.u64 %c, %b, %frame; st.u64 [%frame], %c;", LOOP_, "", "", LIBRARY },
  { "frame_moves", "mov.u64 %c, %frame; add.u64 %c, %c, 8; st.u64 [%frame+8], %c;", LOOP_, "", "", LIBRARY },
  /* What thread 0 does.  */
  { "stores", "", LOOP_, "", "ld.u64 %b, [%g]; st.u32 [%b], %q;", 2, "@%direct_leads st.global.u32 [%b], %q" },
  { "stores_sometimes", "", LOOP_, "", "ld.u64 %b, [%g]; @!%p st.u32 [%b], %q;", 2,
    "not.pred %direct_does, %p;\n\tand.pred %direct_does, %direct_does, %direct_leads" },
  { "loads_stores", "", LOOP_, "", "ld.u64 %b, [%g]; ld.u32 %x, [%b]; st.u32 [%b], %x;", 3 },
  { "stores_loads", "", LOOP_, "", "ld.u64 %b, [%g]; st.u32 [%b], %q; ld.u32 %x, [%b];", 3 },
  { "loads_before_stores", "ld.u64 %b, [%g]; ld.u32 %x, [%b];", LOOP_, "", "st.u32 [%b], %x;", 2 },
  { "stores_volatile", "", LOOP_, "", "ld.u64 %b, [%g]; st.volatile.u32 [%b], %q;", LIBRARY },
  { "atomic", "", LOOP_, "", "ld.u64 %b, [%g]; atom.add.u32 _, [%b], %q; red.add.u32 [%b], 1;", 2 },
  { "atomic_unused", "", LOOP_, "", "ld.u64 %b, [%g]; atom.add.u32 %z, [%b], %q;", 2 },
  { "atomic_used", "", LOOP_, "", "ld.u64 %b, [%g]; atom.add.u32 %z, [%b], %q; st.u32 [%b+4], %z;", LIBRARY },
  { "atomic_on_frame", "", LOOP_, "", "atom.add.u32 _, [%frame+32], %q;", LIBRARY },
  { "atomic_if", "", LOOP_, "", "ld.u64 %b, [%g]; @%p atom.add.u32 _, [%b], %q;", LIBRARY },
  { "fence", "", LOOP_, "", "membar.gl;", LIBRARY },
  { "swap", "", LOOP_, "", "ld.u64 %b, [%g];" SWAP (""), 2 },
  { "swap_used", "", LOOP_, "", "ld.u64 %b, [%g];" SWAP ("st.u32 [%b+4], %y;"), LIBRARY },
  { "swap_new_used", "", LOOP_, "", "ld.u64 %b, [%g];" SWAP ("st.u32 [%b+4], %z;"), LIBRARY },
  { "swap_guess_used", "", LOOP_, "", "ld.u64 %b, [%g];" SWAP ("add.u32 %q, %x, 1;"), LIBRARY },
  { "swap_way_used", "", LOOP_, "", "ld.u64 %b, [%g];" SWAP ("@%k st.u32 [%b+4], 1;"), LIBRARY },
  { "swap_loads", "", LOOP_, "", "ld.u64 %b, [%g]; ld.u32 %q, [%b+4];" SWAP (""), LIBRARY },
  { "swap_then_loads", "", LOOP_, "", "ld.u64 %b, [%g];" SWAP ("ld.u32 %q, [%b+4];"), LIBRARY },
  { "calls", "", LOOP_, "", "{ .param.u64 %o; st.param.u64 [%o], %g; call callee, (%o); }", LIBRARY }
};

#define NUM_KERNELS (sizeof (kernels) / sizeof (kernels[0]))

static const char library[] =
  PREAMBLE
  "// BEGIN GLOBAL FUNCTION DEF: gomp_nvptx_main\n.visible .func gomp_nvptx_main (.param.u64 %f, .param.u64 %a) { ret; }\n"
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_main\n.visible .func gompx_lanes_main (.param.u64 %f, .param.u64 %a) { ret; }\n"
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_omp_get_thread_num\n"
  ".visible .func (.param.u32 %v) gompx_lanes_omp_get_thread_num { st.param.u32 [%v], 0; ret; }\n"
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_omp_get_num_threads\n"
  ".visible .func (.param.u32 %v) gompx_lanes_omp_get_num_threads { st.param.u32 [%v], 1; ret; }\n"
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_GOMP_parallel\n.visible .func gompx_lanes_GOMP_parallel (.param.u64 %f, .param.u64 %d,"
  " .param.u32 %n, .param.u32 %g, .param.u64 %l) { ret; }\n";

#define REGS ".reg.u64 %a; .reg.u64 %b; .reg.u64 %c; .reg.u64 %g; .reg.u64 %w; .reg.u32 %x; .reg.u32 %y; .reg.u32 %z; .reg.u16 %h;" \
  ".reg.f64 %d; .reg.pred %p; .reg.pred %k; .reg .v2.u64 %v; .reg.u32 %q;\n"

static char *
make_program (void)
{
  struct ptx_text t = { 0 };
  ptx_printf (&t, "%s%s", PREAMBLE,
	      ".extern .shared .u64 __nvptx_stacks[32];\n.extern .shared .u32 __nvptx_uni[32];\n"
	      ".extern .func (.param.u32 %v) omp_get_thread_num;\n.extern .func (.param.u32 %v) omp_get_num_threads;\n"
	      ".extern .func gomp_nvptx_main (.param.u64 %f, .param.u64 %a);\n"
	      ".extern .func GOMP_parallel (.param.u64 %f, .param.u64 %d, .param.u32 %n, .param.u32 %g);\n"
	      ".func callee (.param.u64 %in_ar0) { ret; }\n");
  for (size_t i = 0; i < NUM_KERNELS; i++)
    {
      ptx_printf (&t, ".func %s_region (.param.u64 %%in_ar0)\n{\n%s%s", kernels[i].name, REGS,
		  ".reg.u32 %t; .reg.u32 %n; .reg.u32 %r; .reg.u32 %s; .reg.u32 %e; .reg.u32 %i; .reg.pred %l; .reg.pred %m;\n"
		  ".reg.pred %o; ld.param.u64 %a, [%in_ar0]; ld.u32 %n, [%a];\n"
		  "{ .param.u32 %v; call (%v), omp_get_num_threads; ld.param.u32 %t, [%v]; }\n"
		  "{ .param.u32 %v; call (%v), omp_get_thread_num; ld.param.u32 %x, [%v]; }\n"
		  "div.s32 %q, %n, %t; rem.s32 %r, %n, %t; setp.lt.s32 %l, %x, %r; @%l bra L2;\n"
		  "L5: mad.lo.u32 %s, %q, %x, %r; add.u32 %e, %q, %s; setp.ge.s32 %m, %s, %e; @%m bra L3;\n"
		  "mov.u32 %i, %s; mov.u32 %y, 0; L4:\n");
      ptx_printf (&t, "%s add.u32 %%i, %%i, 1; setp.lt.s32 %%o, %%i, %%e; @%%o bra L4; bra L1;\n", kernels[i].loop);
      ptx_printf (&t, "L2: add.u32 %%q, %%q, 1; mov.u32 %%r, 0; bra L5;\nL3: mov.u32 %%y, 0;\nL1: %s ret;\n}\n", kernels[i].end);
      ptx_printf (&t, ".func %s_impl (.param.u64 %%in_ar0)\n{\n%s%s", kernels[i].name, REGS,
		  ".reg.u64 %stack; .reg.u64 %frame; .reg.u64 %sspslot; .reg.u64 %sspprev;\n"
		  "{ .reg.u32 %fstmp0; .reg.u64 %fstmp1; .reg.u64 %fstmp2; mov.u32 %fstmp0, %tid.y; mul.wide.u32 %fstmp1, %fstmp0, 8;\n"
		  "mov.u64 %fstmp2, __nvptx_stacks; add.u64 %sspslot, %fstmp2, %fstmp1; ld.shared.u64 %sspprev, [%sspslot];\n"
		  "sub.u64 %frame, %sspprev, 2048; sub.u64 %stack, %frame, 0; st.shared.u64 [%sspslot], %stack; }\n"
		  "ld.param.u64 %g, [%in_ar0]; ld.u32 %q, [%g]; setp.eq.u32 %p, %q, 7; st.u32 [%frame], %q;\n");
      ptx_printf (&t, "%s\n.reg.u64 %%fn; mov.u64 %%fn, %s_region; { .param.u64 %%o1; .param.u64 %%o2;"
		  ".param.u32 %%o3; .param.u32 %%o4; st.param.u64 [%%o1], %%fn; st.param.u64 [%%o2], %%frame; st.param.u32 [%%o3], 0;"
		  "st.param.u32 [%%o4], 0; call GOMP_parallel, (%%o1, %%o2, %%o3, %%o4); }\n", kernels[i].before, kernels[i].name);
      ptx_printf (&t, "%s st.shared.u64 [%%sspslot], %%sspprev; ret;\n}\n", kernels[i].behind);
      ptx_printf (&t, ".visible .entry %s (.param.u64 %%arg, .param.u64 %%stack, .param.u64 %%sz)\n{\n"
		  ".reg.u64 %%R0; .reg.u64 %%R1; mov.u64 %%R0, %s_impl; ld.param.u64 %%R1, [%%arg];\n"
		  "{ .param.u64 %%P0; .param.u64 %%P1; st.param.u64 [%%P0], %%R0; st.param.u64 [%%P1], %%R1;\n"
		  "call.uni gomp_nvptx_main, (%%P0, %%P1); }\nret.uni;\n}\n", kernels[i].name, kernels[i].name);
    }
  return t.text;
}

/* How often lanes wait for each other in kernel NAME of TEXT; LIBRARY: it needs that; -2: it is not there, or HAS is not in it.  */
static int
count_meetings (const char *text, const char *name, const char *has)
{
  char head[100];
  int n = 0;
  snprintf (head, sizeof (head), ".entry %s$lanes ", name);
  const char *p = strstr (text, head), *end = p != NULL ? strstr (p, "\n}\n") : NULL;
  if (end == NULL)
    return -2;
  const char *direct = strstr (p, "%direct_thread");
  if (direct == NULL || direct > end)
    return LIBRARY;
  const char *found = has != NULL ? strstr (p, has) : p;
  if (found == NULL || found > end)
    return -2;
  while ((p = strstr (p, "bar.sync 0")) != NULL && p < end)
    n++, p++;
  return n;
}

int
main (int argc, char **argv)
{
  char *program = make_program ();
  struct nvptx_object objects[2] = { { program, strlen (program) + 1 }, { library, sizeof (library) } };
  struct nvptx_lanes lanes;
  int bad = 0;

  if (!nvptx_lanes_analyse (objects, 2, 1, NVPTX_LANES_STRIDE | NVPTX_LANES_REWRITE, &lanes) || lanes.why[0] != 0
      || lanes.objects == NULL)
    {
      printf ("not rewritten: %s\n", lanes.why);
      return 1;
    }
  /* For ptxas, by hand.  */
  if (argc > 1)
    fputs (lanes.objects[0].text, fopen (argv[1], "w"));
  for (size_t i = 0; i < lanes.num_regions; i++)
    if (!lanes.regions[i].stride)
      {
	printf ("%s: no stride: %s%s\n", lanes.regions[i].name, lanes.regions[i].why,
		lanes.regions[i].why_no_stride != NULL ? lanes.regions[i].why_no_stride : "");
	bad = 1;
      }
  for (size_t i = 0; i < NUM_KERNELS; i++)
    {
      int n = count_meetings (lanes.objects[0].text, kernels[i].name, kernels[i].has);
      if (n != kernels[i].meetings)
	{
	  printf ("%s: %d instead of %d\n", kernels[i].name, n, kernels[i].meetings);
	  bad = 1;
	}
    }
  nvptx_lanes_free (&lanes);
  free (program);
  return bad;
}
