/* Sections of the lock of atomics, written by hand: which take the lock of their team first, and before which accesses they
   take the device's (doc/lanes.md, "Sections of one lock").

   TEST-MODES: host
   TEST-OPTIONS: -O0 -D_GNU_SOURCE -I@top_srcdir@/plugin -I@top_srcdir@/config/nvptx @top_srcdir@/plugin/nvptx-lanes.c @top_srcdir@/plugin/nvptx-lanes-scan.c @top_srcdir@/plugin/nvptx-lanes-flow.c @top_srcdir@/plugin/nvptx-lanes-depth.c @top_srcdir@/plugin/nvptx-lanes-atomic.c @top_srcdir@/plugin/nvptx-lanes-stride.c @top_srcdir@/plugin/nvptx-lanes-stride-emit.c @top_srcdir@/plugin/nvptx-lanes-combine.c @top_srcdir@/plugin/nvptx-lanes-joint.c @top_srcdir@/plugin/nvptx-lanes-ends.c @top_srcdir@/plugin/nvptx-lanes-direct.c @top_srcdir@/plugin/nvptx-lanes-direct-emit.c @top_srcdir@/plugin/nvptx-lanes-teams.c @top_srcdir@/plugin/nvptx-lanes-frame.c @top_srcdir@/plugin/nvptx-lanes-slots.c @top_srcdir@/plugin/nvptx-lanes-effects.c @top_srcdir@/plugin/nvptx-lanes-updates.c @top_srcdir@/plugin/nvptx-lanes-spaces.c @top_srcdir@/plugin/nvptx-lanes-offsets.c @top_srcdir@/plugin/nvptx-lanes-team.c @top_srcdir@/plugin/nvptx-lanes-blocks.c @top_srcdir@/plugin/nvptx-lanes-turns.c @top_srcdir@/plugin/nvptx-lanes-wait.c @top_srcdir@/plugin/nvptx-lanes-warps.c @top_srcdir@/plugin/nvptx-lanes-rows.c @top_srcdir@/plugin/nvptx-lanes-nest.c @top_srcdir@/plugin/nvptx-lanes-nest-emit.c @top_srcdir@/plugin/nvptx-lanes-loops.c @top_srcdir@/plugin/nvptx-lanes-windows.c @top_srcdir@/plugin/nvptx-lanes-rewrite.c @top_srcdir@/plugin/nvptx-read-names.c @top_srcdir@/plugin/nvptx-read.c @top_srcdir@/plugin/nvptx-read-body.c @top_srcdir@/plugin/nvptx-read-build.c @top_srcdir@/plugin/nvptx-read-lex.c @top_srcdir@/plugin/nvptx-read-scope.c @top_srcdir@/plugin/nvptx-print.c  */

#include "aux-lanes-text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REGS ".reg.u64 %a; .reg.u64 %b; .reg.u64 %c; .reg.u64 %d; .reg.u32 %x; .reg.u32 %y; .reg.pred %p; .reg.f64 %f;\n" \
  ".local .align 8 .b8 own[16]; ld.param.u64 %a, [%in_ar0]; ld.u64 %b, [%a];\n"

enum
{
  WHOLE = -1,			/* the device's lock from the begin */
  NO_TURNS = -2			/* ... and for each lane */
};

/* WIDENS: before how many accesses the section looks whether they are the team's.  */
static const struct { const char *name, *lock, *body; int widens; } regions[] =
{
  { "sum", "atomic", "ld.u32 %x, [%b+4]; add.u32 %x, %x, 1; st.u32 [%b+4], %x;", 2 },
  { "pointer_inside", "atomic", "ld.u64 %c, [%a+8]; ld.f64 %f, [%c]; add.f64 %f, %f, %f; st.f64 [%c], %f;", 3 },
  { "global", "atomic", "ld.global.u32 %x, [%b]; st.global.u32 [%b], %x;", 2 },
  { "guarded", "atomic", "setp.ne.u32 %p, %x, 0; @%p st.u32 [%b], %x;", 1 },
  { "ways", "atomic", "setp.ne.u32 %p, %x, 0; @%p bra L1; st.u32 [%b], %x; bra L2; L1: st.u32 [%b+4], %x; L2: ld.u32 %x, [%b];", 3 },
  { "wide", "atomic", "ld.v2.u64 {%c, %d}, [%b]; st.v2.u64 [%b], {%c, %d};", 2 },
  { "of_a_lane", "atomic", "ld.local.u32 %x, [own]; add.u32 %x, %x, 1; st.local.u32 [own], %x;", 0 },
  { "nothing", "atomic", "add.u32 %x, %x, 1;", 0 },
  { "volatile", "atomic", "ld.volatile.u32 %x, [%b]; st.volatile.u32 [%b], %x;", 2 },
  /* Memory that is got at by something else.  */
  { "atomic_inside", "atomic", "st.u32 [%b], %x; atom.add.u32 %x, [%b], 1;", WHOLE },
  { "reduces", "atomic", "red.add.u32 [%b], 1;", WHOLE },
  { "fence", "atomic", "st.u32 [%b], %x; membar.gl;", WHOLE },
  { "constant", "atomic", "ld.const.u32 %x, [%b]; st.u32 [%b], %x;", WHOLE },
  { "variable", "atomic", "ld.global.u32 %x, [anywhere]; add.u32 %x, %x, 1; st.global.u32 [anywhere], %x;", WHOLE },
  { "narrow_address", "atomic", "st.u32 [%x], %y;", WHOLE },
  { "cached", "atomic", "prefetch.L1 [%b]; ld.u32 %x, [%b];", WHOLE },
  /* Critical constructs are for all threads of the device that come to one.  */
  { "critical", "critical", "ld.u32 %x, [%b]; add.u32 %x, %x, 1; st.u32 [%b], %x;", WHOLE },
  { "loop", "atomic", "L1: ld.u32 %x, [%b]; setp.ne.u32 %p, %x, 0; @%p bra L1; st.u32 [%b], %x;", NO_TURNS }
};

#define NUM_REGIONS (sizeof (regions) / sizeof (regions[0]))
#define DEFINE(name) "// BEGIN GLOBAL FUNCTION DEF: " name "\n.visible .func " name " { ret; }\n"
#define TURN(name) "// BEGIN GLOBAL FUNCTION DEF: " name "\n.visible .func " name " (.param.u32 %p, .param.u32 %w) { ret; }\n"
#define VALUE(name) "// BEGIN GLOBAL FUNCTION DEF: " name "\n.visible .func (.param.u64 %v) " name " { st.param.u64 [%v], 0; ret; }\n"

static const char start[] =
  PREAMBLE
  "// BEGIN GLOBAL FUNCTION DEF: gomp_nvptx_main\n.visible .func gomp_nvptx_main (.param.u64 %f, .param.u64 %a) { ret; }\n"
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_main\n.visible .func gompx_lanes_main (.param.u64 %f, .param.u64 %a) { ret; }\n"
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_GOMP_parallel\n.visible .func gompx_lanes_GOMP_parallel (.param.u64 %f, .param.u64 %d,"
  " .param.u32 %n, .param.u32 %g, .param.u64 %l) { ret; }\n"
  DEFINE ("gompx_lanes_GOMP_critical_start") DEFINE ("gompx_lanes_GOMP_critical_end")
  DEFINE ("gompx_lanes_GOMP_atomic_start") DEFINE ("gompx_lanes_GOMP_atomic_end");
static const char turn_functions[] = TURN ("gompx_lanes_turn_start") TURN ("gompx_lanes_turn_end");
static const char sections[] = DEFINE ("gompx_lanes_section_start") DEFINE ("gompx_lanes_section_widen")
  VALUE ("gompx_lanes_section_low") VALUE ("gompx_lanes_section_room");

static char *
make_program (void)
{
  struct ptx_text t = { 0 };
  ptx_printf (&t, "%s%s", PREAMBLE,
	      ".visible .global .u32 anywhere;\n"
	      ".extern .func GOMP_critical_start;\n.extern .func GOMP_critical_end;\n"
	      ".extern .func GOMP_atomic_start;\n.extern .func GOMP_atomic_end;\n"
	      ".extern .func gomp_nvptx_main (.param.u64 %f, .param.u64 %a);\n"
	      ".extern .func GOMP_parallel (.param.u64 %f, .param.u64 %d, .param.u32 %n, .param.u32 %g);\n");
  for (size_t i = 0; i < NUM_REGIONS; i++)
    ptx_printf (&t, ".func %s (.param.u64 %%in_ar0)\n{\n%s{\ncall GOMP_%s_start;\n}\n%s\n{\ncall GOMP_%s_end;\n}\nret;\n}\n",
		regions[i].name, REGS, regions[i].lock, regions[i].body, regions[i].lock);
  put_begin (&t);
  for (size_t i = 0; i < NUM_REGIONS; i++)
    put_parallel (&t, regions[i].name);
  put_end (&t);
  ptx_printf (&t, ".visible .entry all (.param.u64 %%arg, .param.u64 %%stack, .param.u64 %%sz)\n{\n.reg.u64 %%f; .reg.u64 %%g;\n"
	      "ld.param.u64 %%g, [%%arg]; mov.u64 %%f, begin;\n{ .param.u64 %%o1; .param.u64 %%o2; st.param.u64 [%%o1], %%f;"
	      "st.param.u64 [%%o2], %%g; call.uni gomp_nvptx_main, (%%o1, %%o2); }\nret;\n}\n");
  return t.text;
}

/* How often WHAT is in the clone of NAME in TEXT; -1: there is no clone.  */
static int
count (const char *text, const char *name, const char *what)
{
  char head[64];
  snprintf (head, sizeof (head), ".func %s$lanes (.param", name);
  const char *begin = NULL, *end;
  int n = 0;
  for (const char *p = text; (p = strstr (p, head)) != NULL; p++)
    begin = p;
  if (begin == NULL)
    return -1;
  end = strstr (begin, "\n}");
  for (const char *p = begin; (p = strstr (p, what)) != NULL && p < end; p++)
    n++;
  return n;
}

/* With LIBRARY the regions have lanes, and sections what they should, if it has the functions of a team's sections (TEAMS) and
   of turns (TURNS).  */
static int
check (const char *program, const char *library, bool teams, bool turns)
{
  struct nvptx_object objects[2] = { { program, strlen (program) + 1 }, { library, strlen (library) + 1 } };
  struct nvptx_lanes lanes;
  int bad = 0;

  if (!nvptx_lanes_analyse (objects, 2, 1, NVPTX_LANES_REWRITE, &lanes) || lanes.objects == NULL)
    {
      printf ("not rewritten: %s\n", lanes.why);
      for (size_t i = 0; i < lanes.num_regions; i++)
	printf ("%s: %s\n", lanes.regions[i].name, lanes.regions[i].why);
      return 1;
    }
  for (size_t i = 0; i < NUM_REGIONS; i++)
    {
      const char *text = lanes.objects[0].text, *name = regions[i].name;
      int want = !turns || regions[i].widens == NO_TURNS ? NO_TURNS : teams ? regions[i].widens : WHOLE;
      int barriers = count (text, name, "bar.warp.sync 4294967295;"), calls = count (text, name, "call gompx_lanes_turn_"), widens = count (text, name, "call gompx_lanes_section_widen");
      int starts = count (text, name, "call gompx_lanes_section_start"), wholes = count (text, name, "_start;") - starts;
      const char *which = want >= 0 ? "[%lanes_which], 0;" : strcmp (regions[i].lock, "atomic") == 0 ? "[%lanes_which], 1;"
			  : "[%lanes_which], 2;";
      if (count (text, name, "bar.warp.sync") != barriers || barriers != (want == NO_TURNS ? 0 : 2) || calls != barriers
	  || count (text, name, which) != calls || widens != (want < 0 ? 0 : want) || starts != (want >= 0) || wholes != (want < 0))
	{
	  printf ("%s: %d barriers, %d calls for turns, %d takings of the team's lock and %d of the device's, %d looks instead of %d\n",
		  name, barriers, calls, starts, wholes, widens, want);
	  bad = 1;
	}
    }
  nvptx_lanes_free (&lanes);
  return bad;
}

int
main (void)
{
  char *program = make_program ();
  int bad = 0;
  for (int have = 0; have < 4; have++)
    {
      char *library;
      bool teams = have & 1, has_turns = have & 2;
      if (asprintf (&library, "%s%s%s", start, teams ? sections : "", has_turns ? turn_functions : "") < 0)
	return 1;
      bad |= check (program, library, teams, has_turns);
      free (library);
    }
  free (program);
  return bad;
}
