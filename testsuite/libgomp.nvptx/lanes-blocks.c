/* Kernels without the library that are written like CUDA's, written by hand: what their regions may call, and how the function
   that begins them may move its stack (doc/lanes.md, "Kernels written like CUDA's").

   TEST-MODES: host
   TEST-OPTIONS: -O0 -D_GNU_SOURCE -I@top_srcdir@/plugin -I@top_srcdir@/config/nvptx @top_srcdir@/plugin/nvptx-lanes.c @top_srcdir@/plugin/nvptx-lanes-scan.c @top_srcdir@/plugin/nvptx-lanes-flow.c @top_srcdir@/plugin/nvptx-lanes-atomic.c @top_srcdir@/plugin/nvptx-lanes-stride.c @top_srcdir@/plugin/nvptx-lanes-stride-emit.c @top_srcdir@/plugin/nvptx-lanes-combine.c @top_srcdir@/plugin/nvptx-lanes-ends.c @top_srcdir@/plugin/nvptx-lanes-direct.c @top_srcdir@/plugin/nvptx-lanes-direct-emit.c @top_srcdir@/plugin/nvptx-lanes-frame.c @top_srcdir@/plugin/nvptx-lanes-slots.c @top_srcdir@/plugin/nvptx-lanes-effects.c @top_srcdir@/plugin/nvptx-lanes-updates.c @top_srcdir@/plugin/nvptx-lanes-spaces.c @top_srcdir@/plugin/nvptx-lanes-blocks.c @top_srcdir@/plugin/nvptx-lanes-turns.c @top_srcdir@/plugin/nvptx-lanes-wait.c @top_srcdir@/plugin/nvptx-lanes-warps.c @top_srcdir@/plugin/nvptx-lanes-rows.c @top_srcdir@/plugin/nvptx-lanes-joint.c @top_srcdir@/plugin/nvptx-lanes-rewrite.c @top_srcdir@/plugin/nvptx-read-names.c @top_srcdir@/plugin/nvptx-read.c @top_srcdir@/plugin/nvptx-read-body.c @top_srcdir@/plugin/nvptx-read-build.c @top_srcdir@/plugin/nvptx-read-lex.c @top_srcdir@/plugin/nvptx-read-scope.c @top_srcdir@/plugin/nvptx-print.c  */

#include "aux-lanes-text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALL "{ .param.u32 %v; .param.u64 %o1; .param.u32 %o2; st.param.u64 [%o1], %b; st.param.u32 [%o2], 3;"
#define INNER CALL "call (%v), inner, (%o1, %o2); ld.param.u32 %x, [%v]; }"
#define ASK(name) "{ .param.u32 %v; call (%v), " name "; ld.param.u32 %y, [%v]; }"
#define WAIT "{ call GOMP_barrier; }"
#define GROW "sub.u64 %stack, %stack, %c; st.shared.u64 [%sspslot], %stack; st.u64 [%frame+8], %stack;"

/* BEFORE the region in the function, whose frame has 64 bytes; the REGION, whose argument is in %a; the INNER function's code, which
   has its parameters in %b and %q; what stands in the kernel, or NULL: it needs the library.  */
static const struct { const char *name, *before, *region, *inner, *has; } kernels[] =
{
  { "barrier", "", WAIT, "", "barrier.sync 1, %direct_size;" },
  { "fortran", "", ASK ("omp_get_thread_num_"), "", "mov.u32 %y, %direct_thread;" },
  { "other_name", "", ASK ("omp_get_level_"), "", NULL },
  { "single", "", ASK ("GOMP_single_start"), "", "selp.u32 %y, 1, 0, %direct_idle;" },
  { "single_if", "", "{ .param.u32 %v; @%p call (%v), GOMP_single_start; ld.param.u32 %y, [%v]; }", "", NULL },
  /* Functions that ask or wait.  */
  { "inner", "", INNER, WAIT "st.param.u32 [%value], %q;", "mov.u32 %direct_out0, %q;" },
  { "inner_param", "", INNER, WAIT, "mov.u32 %q, %direct_in0_1;" },
  { "inner_asks", "", INNER, ASK ("omp_get_num_threads"), "mov.u32 %y, %direct_size;" },
  { "inner_twice", "", INNER INNER, WAIT, "$direct_back1:" },
  { "inner_no_result", "", CALL "call (%v), inner, (%o1, %o2); }", WAIT, "$direct_back0:" },
  { "inner_if", "", "{ .param.u32 %v; .param.u64 %o1; .param.u32 %o2; st.param.u64 [%o1], %b; st.param.u32 [%o2], 3;"
    "@%p call (%v), inner, (%o1, %o2); }", WAIT, NULL },
  { "inner_argument_if", "", "{ .param.u32 %v; .param.u64 %o1; .param.u32 %o2; st.param.u64 [%o1], %b; @%p st.param.u32 [%o2], 3;"
    "call (%v), inner, (%o1, %o2); }", WAIT, NULL },
  { "inner_without_argument", "", "{ .param.u32 %v; .param.u64 %o1; .param.u32 %o2; st.param.u64 [%o1], %b;"
    "call (%v), inner, (%o1, %o2); }", WAIT, NULL },
  { "inner_short_argument", "", "{ .param.u32 %v; .param.u64 %o1; .param.u32 %o2; st.param.u64 [%o1], %b; st.param.u16 [%o2], 3;"
    "call (%v), inner, (%o1, %o2); }", WAIT, NULL },
  { "inner_wide_register", "", "{ .param.u32 %v; .param.u64 %o1; .param.u32 %o2; st.param.u64 [%o1], %b; st.param.u32 [%o2], %b;"
    "call (%v), inner, (%o1, %o2); }", WAIT, NULL },
  { "inner_part_of_argument", "", "{ .param.u32 %v; .param.u64 %o1; .param.u32 %o2; st.param.u32 [%o1+4], 3; st.param.u32 [%o2], 3;"
    "call (%v), inner, (%o1, %o2); }", WAIT, NULL },
  { "inner_result_in_part", "", "{ .param.u32 %v; .param.u64 %o1; .param.u32 %o2; st.param.u64 [%o1], %b; st.param.u32 [%o2], 3;"
    "call (%v), inner, (%o1, %o2); ld.param.u16 %h, [%v]; }", WAIT, NULL },
  { "inner_more_in_block", "", CALL "call (%v), inner, (%o1, %o2); ld.param.u32 %x, [%v]; add.u32 %x, %x, 1; }", WAIT, NULL },
  { "inner_param_in_part", "", INNER, WAIT "ld.param.u16 %h, [%in_ar1];", NULL },
  { "inner_param_again", "", INNER, WAIT "ld.param.u32 %y, [%in_ar1];", "mov.u32 %y, %direct_in0_1;" },
  { "inner_param_stored", "", INNER, WAIT "st.param.u32 [%in_ar1], %q;", NULL },
  { "inner_result_if", "", INNER, WAIT "@%p st.param.u32 [%value], %q;", "@%p mov.u32 %direct_out0, %q;" },
  { "inner_returns_if", "", INNER, WAIT "@%p ret;", "@%p bra $direct_back0;" },
  { "inner_level", "", INNER, ASK ("omp_get_level"), NULL },
  { "inner_barrier_if", "", INNER, "{ @%p call GOMP_barrier; }", NULL },
  /* Blocks and calls of the function.  */
  { "block", "{ .reg.u32 %k; ld.u32 %k, [%g+16]; st.u32 [%frame+8], %k; }", WAIT, "", "ld.global.u32 %k, [%g+16];" },
  { "block_in_memory", "{ .local .b8 %k[8]; st.u32 [%frame+8], %q; }", WAIT, "", NULL },
  { "block_of_warp", "{ .reg.u32 %k; mov.u32 %k, %laneid; st.u32 [%frame+8], %k; }", WAIT, "", NULL },
  { "computes", "{ .param.u32 %v; .param.u32 %o; st.param.u32 [%o], %q; call (%v), compute, (%o); ld.param.u32 %q, [%v]; }", WAIT, "",
    "call (%v), compute, (%o);" },
  { "loads", "{ .param.u32 %v; .param.u64 %o; st.param.u64 [%o], %g; call (%v), load, (%o); ld.param.u32 %q, [%v]; }", WAIT, "", NULL },
  { "asks_lane", "{ .param.u32 %v; call (%v), lane; ld.param.u32 %q, [%v]; }", WAIT, "", NULL },
  { "recurs", "{ .param.u32 %v; .param.u32 %o; st.param.u32 [%o], %q; call (%v), recur, (%o); ld.param.u32 %q, [%v]; }", WAIT, "", NULL },
  { "calls_if", "{ .param.u32 %v; .param.u32 %o; st.param.u32 [%o], %q; @%p call (%v), compute, (%o); }", WAIT, "", NULL },
  /* Locks.  */
  { "critical", "", "{ call GOMP_critical_start; } { call GOMP_critical_end; }", "", "call gompx_lanes_GOMP_critical_start;" },
  { "locks_begin", "", "{ call GOMP_critical_start; } { call GOMP_critical_end; }", "",
    "call gompx_lanes_locks_begin;\n\t}\n\tbar.warp.sync 4294967295;\n\tbar.sync 0;" },
  { "api_lock", "", "{ .param .u64 %o; st.param.u64 [%o], %b; call omp_set_lock, (%o); }", "", "call gompx_lanes_omp_set_lock, (%o);" },
  { "inner_lock", "", INNER, "{ .param .u64 %o; st.param.u64 [%o], %b; call omp_set_lock, (%o); }", "call gompx_lanes_omp_set_lock, (%o);" },
  { "nest_lock", "", "{ .param .u64 %o; st.param.u64 [%o], %b; call omp_set_nest_lock, (%o); }", "", NULL },
  /* Arrays of variable length.  */
  { "grows", GROW, WAIT, "", "@%direct_idle mov.u64 %stack, %direct_soft;\n\tsub.u64 %stack, %stack, %c;" },
  { "grows_by_number", "add.u64 %stack, %stack, -48; st.u64 [%frame+8], %stack;", WAIT, "", "mov.u64 %direct_more, 48;" },
  { "grows_back", "mov.u64 %b, %stack;" GROW "mov.u64 %stack, %b; st.shared.u64 [%sspslot], %b;", WAIT, "", "mov.u64 %stack, %b;" },
  { "shrinks", GROW "add.u64 %stack, %stack, 48;", WAIT, "", NULL },
  { "shrinks_by_register", GROW "add.u64 %stack, %stack, %c;", WAIT, "", NULL },
  { "grows_less", "sub.u64 %stack, %stack, -48;" GROW, WAIT, "", NULL },
  { "grows_by_itself", "sub.u64 %stack, %stack, %stack;" GROW, WAIT, "", NULL },
  { "grows_elsewhere", GROW "sub.u64 %stack, %frame, %c;", WAIT, "", NULL },
  { "grows_if", "@%p sub.u64 %stack, %stack, %c;", WAIT, "", NULL },
  { "rounds", GROW "and.b64 %stack, %stack, -64;", WAIT, "", NULL },
  { "goes_elsewhere", GROW "ld.u64 %b, [%g]; mov.u64 %stack, %b;", WAIT, "", NULL },
  { "goes_back_or_not", "mov.u64 %b, %stack; @%p mov.u64 %b, %frame;" GROW "mov.u64 %stack, %b;", WAIT, "", NULL },
  { "goes_where_it_was", GROW "mov.u64 %stack, %sspprev;", WAIT, "", NULL },
  { "loads_pointer", GROW "ld.shared.u64 %b, [%sspslot];", WAIT, "", NULL },
  { "uses_slot", GROW "add.u64 %b, %sspslot, 8; st.u64 [%frame+8], %b;", WAIT, "", NULL },
  { "uses_slot_only", "add.u64 %b, %sspslot, 8; st.u64 [%frame+8], %b;", WAIT, "", NULL },
  { "uses_stack_only", "st.u64 [%frame+8], %stack;", WAIT, "", NULL }
};

#define NUM_KERNELS (sizeof (kernels) / sizeof (kernels[0]))

#define STUB(name) "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_" name "\n.visible .func gompx_lanes_" name " { ret; }\n"
#define STUB_ANSWER(name) "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_" name "\n.visible .func (.param.u32 %v) gompx_lanes_" name \
  " { st.param.u32 [%v], 0; ret; }\n"

static const char library[] =
  PREAMBLE
  "// BEGIN GLOBAL FUNCTION DEF: gomp_nvptx_main\n.visible .func gomp_nvptx_main (.param.u64 %f, .param.u64 %a) { ret; }\n"
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_main\n.visible .func gompx_lanes_main (.param.u64 %f, .param.u64 %a) { ret; }\n"
  STUB ("GOMP_barrier") STUB ("GOMP_critical_start") STUB ("GOMP_critical_end") STUB ("locks_begin")
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_omp_set_lock\n.visible .func gompx_lanes_omp_set_lock (.param.u64 %l) { ret; }\n"
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_omp_set_nest_lock\n.visible .func gompx_lanes_omp_set_nest_lock (.param.u64 %l) { ret; }\n"
  STUB_ANSWER ("GOMP_single_start") STUB_ANSWER ("omp_get_thread_num") STUB_ANSWER ("omp_get_thread_num_")
  STUB_ANSWER ("omp_get_num_threads") STUB_ANSWER ("omp_get_level") STUB_ANSWER ("omp_get_level_")
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_GOMP_parallel\n.visible .func gompx_lanes_GOMP_parallel (.param.u64 %f, .param.u64 %d,"
  " .param.u32 %n, .param.u32 %g, .param.u64 %l) { ret; }\n";

#define REGS ".reg.u64 %a; .reg.u64 %b; .reg.u64 %c; .reg.u64 %g; .reg.u32 %x; .reg.u32 %y; .reg.u16 %h; .reg.pred %p; .reg.u32 %q;\n"

/* TEXT with NAME behind `inner', so that each region has a function of its own.  */
static void
put_region (struct ptx_text *t, const char *text, const char *name)
{
  const char *at;
  while ((at = strstr (text, "inner,")) != NULL)
    {
      ptx_printf (t, "%.*sinner_%s", (int) (at - text), text, name);
      text = at + 5;
    }
  ptx_printf (t, "%s", text);
}

static char *
make_program (void)
{
  struct ptx_text t = { 0 };
  ptx_printf (&t, "%s%s", PREAMBLE,
	      ".extern .shared .u64 __nvptx_stacks[32];\n.extern .shared .u32 __nvptx_uni[32];\n"
	      ".extern .func (.param.u32 %v) omp_get_thread_num;\n.extern .func (.param.u32 %v) omp_get_thread_num_;\n"
	      ".extern .func (.param.u32 %v) omp_get_num_threads;\n.extern .func (.param.u32 %v) omp_get_level;\n"
	      ".extern .func (.param.u32 %v) omp_get_level_;\n.extern .func (.param.u32 %v) GOMP_single_start;\n"
	      ".extern .func GOMP_critical_start;\n.extern .func GOMP_critical_end;\n.extern .func omp_set_lock (.param.u64 %l);\n"
	      ".extern .func omp_set_nest_lock (.param.u64 %l);\n.extern .func GOMP_barrier;\n.extern .func gomp_nvptx_main (.param.u64 %f, .param.u64 %a);\n"
	      ".extern .func GOMP_parallel (.param.u64 %f, .param.u64 %d, .param.u32 %n, .param.u32 %g);\n");
  ptx_printf (&t, ".func (.param.u32 %%v) compute (.param.u32 %%in_ar0)\n{ .reg.u32 %%a; .local.u32 %%l; ld.param.u32 %%a, [%%in_ar0];"
	      "st.local.u32 [%%l], %%a; ld.local.u32 %%a, [%%l]; mul.lo.u32 %%a, %%a, 3; st.param.u32 [%%v], %%a; ret; }\n"
	      ".func (.param.u32 %%v) load (.param.u64 %%in_ar0)\n{ .reg.u64 %%a; .reg.u32 %%b; ld.param.u64 %%a, [%%in_ar0];"
	      "ld.u32 %%b, [%%a]; st.param.u32 [%%v], %%b; ret; }\n"
	      ".func (.param.u32 %%v) lane\n{ .reg.u32 %%a; mov.u32 %%a, %%laneid; st.param.u32 [%%v], %%a; ret; }\n"
	      ".func (.param.u32 %%v) recur (.param.u32 %%in_ar0)\n{ .reg.u32 %%a; ld.param.u32 %%a, [%%in_ar0];"
	      "{ .param.u32 %%w; .param.u32 %%o; st.param.u32 [%%o], %%a; call (%%w), recur, (%%o); ld.param.u32 %%a, [%%w]; }"
	      "st.param.u32 [%%v], %%a; ret; }\n");
  for (size_t i = 0; i < NUM_KERNELS; i++)
    {
      const char *name = kernels[i].name;
      ptx_printf (&t, ".func (.param.u32 %%value) inner_%s (.param.u64 %%in_ar0, .param.u32 %%in_ar1)\n{\n%s"
		  "ld.param.u64 %%b, [%%in_ar0]; ld.param.u32 %%q, [%%in_ar1]; setp.eq.u32 %%p, %%q, 7;\n%s\nret;\n}\n", name, REGS,
		  kernels[i].inner);
      ptx_printf (&t, ".func %s_region (.param.u64 %%in_ar0)\n{\n%sld.param.u64 %%a, [%%in_ar0]; ld.u64 %%b, [%%a];"
		  "ld.u32 %%q, [%%b]; setp.eq.u32 %%p, %%q, 7;\n", name, REGS);
      put_region (&t, kernels[i].region, name);
      ptx_printf (&t, "ret;\n}\n.func %s_impl (.param.u64 %%in_ar0)\n{\n%s%s%s", name, REGS,
		  ".reg.u64 %stack; .reg.u64 %frame; .reg.u64 %sspslot; .reg.u64 %sspprev;\n"
		  "{ .reg.u32 %fstmp0; .reg.u64 %fstmp1; .reg.u64 %fstmp2; mov.u32 %fstmp0, %tid.y; mul.wide.u32 %fstmp1, %fstmp0, 8;\n"
		  "mov.u64 %fstmp2, __nvptx_stacks; add.u64 %sspslot, %fstmp2, %fstmp1; ld.shared.u64 %sspprev, [%sspslot];\n"
		  "sub.u64 %frame, %sspprev, 64; sub.u64 %stack, %frame, 0; st.shared.u64 [%sspslot], %stack; }\n"
		  "ld.param.u64 %g, [%in_ar0]; ld.u32 %q, [%g]; ld.u64 %c, [%g+8]; setp.eq.u32 %p, %q, 7; st.u64 [%frame], %c;\n",
		  kernels[i].before);
      ptx_printf (&t, "\n.reg.u64 %%fn; mov.u64 %%fn, %s_region; { .param.u64 %%o1; .param.u64 %%o2;"
		  ".param.u32 %%o3; .param.u32 %%o4; st.param.u64 [%%o1], %%fn; st.param.u64 [%%o2], %%frame; st.param.u32 [%%o3], 32;"
		  "st.param.u32 [%%o4], 0; call GOMP_parallel, (%%o1, %%o2, %%o3, %%o4); }\n"
		  "st.shared.u64 [%%sspslot], %%sspprev; ret;\n}\n", name);
      ptx_printf (&t, ".visible .entry %s (.param.u64 %%arg, .param.u64 %%stack, .param.u64 %%sz)\n{\n"
		  ".reg.u64 %%R0; .reg.u64 %%R1; mov.u64 %%R0, %s_impl; ld.param.u64 %%R1, [%%arg];\n"
		  "{ .param.u64 %%P0; .param.u64 %%P1; st.param.u64 [%%P0], %%R0; st.param.u64 [%%P1], %%R1;\n"
		  "call.uni gomp_nvptx_main, (%%P0, %%P1); }\nret.uni;\n}\n", name, name);
    }
  return t.text;
}

/* What is wrong with kernel NAME of TEXT, which is to have HAS; NULL: nothing.  */
static const char *
judge (const char *text, const char *name, const char *has)
{
  char head[100];
  snprintf (head, sizeof (head), ".entry %s$lanes ", name);
  const char *p = strstr (text, head), *end = p != NULL ? strstr (p, "\n}\n") : NULL;
  if (end == NULL)
    return "it is not there";
  const char *direct = strstr (p, "%direct_thread");
  if (direct == NULL || direct > end)
    return has == NULL ? NULL : "it needs the library";
  if (has == NULL)
    return "it has no library";
  const char *found = strstr (p, has), *call = strstr (p, "call");
  return found == NULL || found > end ? "something else stands there"
	 : call != NULL && call < end && strstr (has, "call") == NULL ? "it calls" : NULL;
}

int
main (void)
{
  char *program = make_program ();
  struct nvptx_object objects[2] = { { program, strlen (program) + 1 }, { library, sizeof (library) } };
  struct nvptx_lanes lanes;
  int bad = 0;

  if (!nvptx_lanes_analyse (objects, 2, 1, NVPTX_LANES_STRIDE | NVPTX_LANES_BLOCKS | NVPTX_LANES_REWRITE, &lanes) || lanes.why[0] != 0
      || lanes.objects == NULL)
    {
      printf ("not rewritten: %s\n", lanes.why);
      return 1;
    }
  for (size_t i = 0; i < NUM_KERNELS; i++)
    {
      const char *wrong = judge (lanes.objects[0].text, kernels[i].name, kernels[i].has);
      if (wrong != NULL)
	{
	  printf ("%s: %s\n", kernels[i].name, wrong);
	  bad = 1;
	}
    }
  nvptx_lanes_free (&lanes);
  free (program);
  return bad;
}
