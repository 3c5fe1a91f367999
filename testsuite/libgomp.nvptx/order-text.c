/* Additions of floating-point numbers that get an order, and those that don't: what is put into a text, and what is told.  Nothing else of
   the text changes.  Wherever memory runs out, that is said.
   TEST-MODES: host
   TEST-OPTIONS: -O1 -D_GNU_SOURCE -I@top_srcdir@/plugin -I@top_srcdir@/config/nvptx @top_srcdir@/plugin/nvptx-order.c @top_srcdir@/plugin/nvptx-lanes.c @top_srcdir@/plugin/nvptx-lanes-scan.c @top_srcdir@/plugin/nvptx-lanes-flow.c @top_srcdir@/plugin/nvptx-lanes-depth.c @top_srcdir@/plugin/nvptx-lanes-atomic.c @top_srcdir@/plugin/nvptx-lanes-stride.c @top_srcdir@/plugin/nvptx-lanes-stride-emit.c @top_srcdir@/plugin/nvptx-lanes-combine.c @top_srcdir@/plugin/nvptx-lanes-joint.c @top_srcdir@/plugin/nvptx-lanes-ends.c @top_srcdir@/plugin/nvptx-lanes-direct.c @top_srcdir@/plugin/nvptx-lanes-direct-emit.c @top_srcdir@/plugin/nvptx-lanes-teams.c @top_srcdir@/plugin/nvptx-lanes-frame.c @top_srcdir@/plugin/nvptx-lanes-slots.c @top_srcdir@/plugin/nvptx-lanes-effects.c @top_srcdir@/plugin/nvptx-lanes-updates.c @top_srcdir@/plugin/nvptx-lanes-spaces.c @top_srcdir@/plugin/nvptx-lanes-offsets.c @top_srcdir@/plugin/nvptx-lanes-team.c @top_srcdir@/plugin/nvptx-lanes-blocks.c @top_srcdir@/plugin/nvptx-lanes-turns.c @top_srcdir@/plugin/nvptx-lanes-wait.c @top_srcdir@/plugin/nvptx-lanes-warps.c @top_srcdir@/plugin/nvptx-lanes-rows.c @top_srcdir@/plugin/nvptx-lanes-nest.c @top_srcdir@/plugin/nvptx-lanes-nest-emit.c @top_srcdir@/plugin/nvptx-lanes-loops.c @top_srcdir@/plugin/nvptx-lanes-windows.c @top_srcdir@/plugin/nvptx-lanes-rewrite.c @top_srcdir@/plugin/nvptx-read-names.c @top_srcdir@/plugin/nvptx-read.c @top_srcdir@/plugin/nvptx-read-body.c @top_srcdir@/plugin/nvptx-read-build.c @top_srcdir@/plugin/nvptx-read-lex.c @top_srcdir@/plugin/nvptx-read-scope.c @top_srcdir@/plugin/nvptx-print.c -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc  */

#include "nvptx-order.h"
#include "aux-memory.h"
#include "aux-occurrences.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "// BEGIN PREAMBLE\n\t.version\t6.0\n\t.target\tsm_30\n\t.address_size 64\n// END PREAMBLE\n"
#define DECLARATIONS								\
  ".reg.u64 %frame;\n.reg.u64 %sspslot;\n.reg.u64 %p;\n.reg.u64 %old;\n.reg.u64 %new;\n.reg.u64 %got;\n.reg.f64 %a;\n.reg.f64 %b;\n"	\
  ".reg.f32 %f;\n.reg.u32 %i;\n.reg.u32 %more;\n.reg.pred %q;\n"
#define FUNC(name, code) "// BEGIN FUNCTION DEF: " name "\n.func " name " (.param.u64 %in_ar0)\n{\n.reg.u64 %ar0;\nld.param.u64 %ar0,[%in_ar0];\n"	\
  DECLARATIONS code "}\n"
#define CALL(name) "{\ncall " name ";\n}\n"
#define PASS(name, starter) "mov.u64 %p," name ";\n{\n.param.u64 %out_arg1;\nst.param.u64 [%out_arg1],%p;\n.param.u64 %out_arg2;\n"	\
  "st.param.u64 [%out_arg2],%frame;\ncall " starter ",(%out_arg1,%out_arg2);\n}\n"
#define BEGIN_REGION PASS ("r", "GOMP_parallel")
#define TEAMS(code) "$L40:\n{\n.param.u32 %value_in;\n.param.u32 %out_arg1;\nst.param.u32 [%out_arg1],%i;\n"	\
  "call (%value_in),GOMP_teams4,(%out_arg1,%out_arg1,%out_arg1,%out_arg1);\nld.param.u32 %more,[%value_in];\n}\n"	\
  "setp.eq.u32 %q,%more,0;\n@%q bra $L41;\n" code "bra $L40;\n$L41:\nret;\n"
#define ENTRY "// BEGIN FUNCTION DEF: k\n.visible .entry k (.param .u64 %arg)\n{\n.reg .u64 %P<2>;\nld.param.u64 %P1,[%arg];\nmov.u64 %P0,k$impl;\n"	\
  "call.uni gomp_nvptx_main,(%P0,%P1);\nret.uni;\n}\n"
#define PROGRAM(region, kernel, more) HEAD FUNC ("r", region) more FUNC ("k$impl", kernel) ENTRY
#define REGION(code) PROGRAM (code, BEGIN_REGION "ret;\n", "")
#define KERNEL(code) PROGRAM ("ret;\n", code, "")

/* An addition of a double at ADDRESS; the loads that find that are LOADS.  */
#define LOOP(operation, loads, address)						\
  loads "ld.u64 %old,[" address "];\nbra $L2;\n$L1:\nmov.u64 %old,%got;\n$L2:\nmov.b64 %b,%old;\n" operation			\
  "mov.b64 %new,%b;\natom.cas.b64 %got,[" address "],%old,%new;\nsetp.ne.u64 %q,%old,%got;\n@%q bra $L1;\n"
#define ADD LOOP ("add.f64 %b,%b,%a;\n", "", "%ar0+8")
#define ADD_FAR LOOP ("add.f64 %b,%b,%a;\n", "ld.u64 %p,[%ar0];\n", "%p")
#define SECTION(start, code, end) CALL (start) code CALL (end)
#define ADD_STORED "ld.f64 %b,[%ar0+8];\nadd.f64 %b,%b,%a;\nst.f64 [%ar0+8],%b;\n"

static int failures;

/* NEW without what was put in is OLD.  */
static bool
is_the_same (const char *old, const char *new)
{
  static const char declared[] = "// BEGIN GLOBAL FUNCTION DECL: gompx_order_", block[] = "\t{\n\tcall gompx_order_", other[] = "gompx_order_teams4";

  while (*new != 0)
    {
      if (strncmp (new, declared, sizeof (declared) - 1) == 0)
	new = strchr (strchr (new, '\n') + 1, '\n') + 1;
      else if (strncmp (new, block, sizeof (block) - 1) == 0)
	new = strstr (new, "}\n") + 2;
      else if (strncmp (new, other, sizeof (other) - 1) == 0)
	{
	  if (strncmp (old, "GOMP_teams4", 11) != 0)
	    return false;
	  new += sizeof (other) - 1;
	  old += 11;
	}
      else if (*new++ != *old++)
	return false;
    }
  return *old == 0;
}

struct counts { unsigned thread, of_all, end, team, teams4; };

/* TEXT gets calls so often, with each of which comes one at the begin of the kernel's function; what is told has WHY in it (NULL:
   nothing is told to have no order).  */
static void
expect (int line, const char *text, struct counts want, const char *why)
{
  struct nvptx_object object = { text, strlen (text) + 1 };
  struct nvptx_order order;
  const char *told = NULL;

  if (!nvptx_order_parts (&object, &order))
    {
      puts ("out of memory");
      exit (2);
    }
  const char *new = order.object.text;
  struct counts got = { occurrences (new, "\tcall gompx_order_thread;\n"), occurrences (new, "\tcall gompx_order_thread_of_all;\n"),
			occurrences (new, "\tcall gompx_order_thread_end;\n"), occurrences (new, "\tcall gompx_order_team;\n"),
			occurrences (new, "call (%value_in),gompx_order_teams4,(") };
  unsigned ordered = 0, begins = occurrences (new, "{\n\t{\n\tcall gompx_order_begin;\n\t}\n");
  for (size_t i = 0; i < order.num_notes; i++)
    {
      told = order.notes[i].others > 0 ? order.notes[i].why : told;
      ordered += order.notes[i].ordered;
    }
  if (memcmp (&got, &want, sizeof (got)) != 0 || ordered != want.thread + want.of_all + want.team || begins != (ordered > 0)
      || (new != NULL) != (ordered > 0) || (told == NULL) != (why == NULL) || (why != NULL && strstr (told, why) == NULL)
      || (new != NULL && (!is_the_same (text, new) || strlen (new) + 1 != order.object.size)))
    {
      printf ("line %d: %u %u %u %u %u, %u at the begin, %u in order; %s\n%s\n", line, got.thread, got.of_all, got.end, got.team,
	      got.teams4, begins, ordered, told != NULL ? told : "nothing told", new != NULL ? new : "nothing is done");
      failures++;
    }
  nvptx_order_free (&order);
}
#define EXPECT(text, thread, of_all, end, team, teams4, why)			\
  expect (__LINE__, text, (struct counts) { thread, of_all, end, team, teams4 }, why)
#define THREADS(code, n) EXPECT (REGION (code "ret;\n"), n, 0, (n) > 0, 0, 0, NULL)
#define NOT(code, why) EXPECT (REGION (code "ret;\n"), 0, 0, 0, 0, 0, why)

static const char follows[] = "something follows", loops[] = "a loop follows", several[] = "several times", no_region[] = "no function of a region",
  crowded[] = "several statements";

static void
what_is_added (void)
{
  THREADS (ADD, 1);
  THREADS ("add.u64 %p,%ar0,8;\nmov.u64 %p,%p;\n" "atom.add.u64 %old,[%p],%new;\n", 0);
  THREADS ("atom.add.f64 %b,[%ar0+8],%a;\n", 1);
  THREADS ("red.add.f32 [%ar0+8],%f;\n", 1);
  THREADS (LOOP ("fma.rn.f64 %b,%b,%a,%a;\n", "", "%ar0"), 1);
  THREADS (LOOP ("add.u64 %old,%old,1;\n", "", "%ar0"), 0);
  THREADS (LOOP ("max.f64 %b,%b,%a;\n", "", "%ar0"), 0);
  THREADS (SECTION ("GOMP_atomic_start", ADD_STORED, "GOMP_atomic_end"), 1);
  THREADS (SECTION ("GOMP_atomic_start", "$L5:\n" ADD_STORED "add.u32 %i,%i,1;\nsetp.lt.u32 %q,%i,4;\n@%q bra $L5;\n", "GOMP_atomic_end"), 1);
  THREADS (SECTION ("GOMP_atomic_start", "st.u32 [%ar0],%i;\n", "GOMP_atomic_end"), 0);
  THREADS (SECTION ("GOMP_critical_start", ADD_STORED, "GOMP_critical_end"), 1);
  THREADS ("{\n.param.u64 %out_arg1;\nst.param.u64 [%out_arg1],%p;\ncall GOMP_critical_name_start,(%out_arg1);\n}\n" ADD_STORED
	   "{\n.param.u64 %out_arg1;\nst.param.u64 [%out_arg1],%p;\ncall GOMP_critical_name_end,(%out_arg1);\n}\n", 1);
  /* Who calls may do anything; under the lock of atomics that is a type's reduction.  */
  EXPECT (REGION (SECTION ("GOMP_atomic_start", CALL ("f"), "GOMP_atomic_end") "ret;\n"), 0, 1, 1, 0, 0, NULL);
  THREADS (SECTION ("GOMP_critical_start", ADD_STORED CALL ("f"), "GOMP_critical_end"), 0);
  THREADS (SECTION ("GOMP_atomic_start", ADD_STORED CALL ("GOMP_barrier"), "GOMP_atomic_end"), 0);
  THREADS (SECTION ("GOMP_atomic_start", ADD_STORED "@%q bra $L9;\n", "GOMP_atomic_end") "$L9:\n", 0);
  /* Two.  */
  EXPECT (REGION (ADD SECTION ("GOMP_atomic_start", ADD_STORED, "GOMP_atomic_end") "ret;\n"), 2, 0, 1, 0, 0, NULL);
}

static void
where (void)
{
  struct nvptx_object object = { REGION (ADD "ret;\n"), sizeof (REGION (ADD "ret;\n")) };
  struct nvptx_order order;

  /* In front of the load of the old value; or, where the loop may be entered otherwise, in it.  */
  if (!nvptx_order_parts (&object, &order) || strstr (order.object.text, "\tcall gompx_order_thread;\n\t}\nld.u64 %old,[%ar0+8];\n") == NULL)
    puts ("not in front of the load"), failures++;
  nvptx_order_free (&order);
  object = (struct nvptx_object) { REGION ("@%q bra $L1;\n" ADD "ret;\n"), sizeof (REGION ("@%q bra $L1;\n" ADD "ret;\n")) };
  if (!nvptx_order_parts (&object, &order) || strstr (order.object.text, "\tcall gompx_order_thread;\n\t}\natom.cas.b64") == NULL)
    puts ("not in the loop"), failures++;
  nvptx_order_free (&order);

  THREADS (ADD "st.shared.u64 [%sspslot],%p;\nst.u32 [%frame+4],%i;\n" CALL ("free") ".loc 1 2 3\ncvt.u64.u32 %p,%i;\nld.u32 %i,[%p];\n", 1);
  NOT (ADD "st.u32 [%p],%i;\n", follows);
  NOT (ADD "st.volatile.u32 [%ar0],%i;\n", follows);
  NOT (ADD CALL ("f"), follows);
  NOT (ADD CALL ("GOMP_barrier_cancel"), follows);
  NOT (ADD "bar.sync 0;\n", follows);
  NOT (ADD "bar.warp.sync 0xffffffff;\n", follows);
  NOT (ADD "atom.add.u32 %i,[%p],1;\n", follows);
  NOT (ADD "atom.exch.b32 %i,[%p],1;\n", follows);
  NOT (ADD SECTION ("GOMP_atomic_start", "st.u32 [%ar0],%i;\n", "GOMP_atomic_end"), follows);
  NOT (ADD "@%q bra $L9;\ntrap;\n$L9:\n", follows);
  /* It might wait for what others add.  */
  NOT (ADD "$L7:\nld.f64 %b,[%ar0+8];\nsetp.lt.f64 %q,%b,%a;\n@%q bra $L7;\n", loops);
  NOT (ADD "bra $L8;\n$L7:\nld.f64 %b,[%ar0+8];\n$L8:\nsetp.lt.f64 %q,%b,%a;\n@%q bra $L7;\n", loops);
  EXPECT (REGION (ADD "$L7:\natom.add.f64 %b,[%ar0],%a;\n@%q bra $L7;\nret;\n"), 0, 0, 0, 0, 0, several);
  THREADS (ADD "bra $L8;\n$L7:\nbra $L9;\n$L8:\nbra $L7;\n$L9:\n", 1);
  NOT ("$L7:\n" ADD "add.u32 %i,%i,1;\nsetp.lt.u32 %q,%i,%more;\n@%q bra $L7;\n", several);
  NOT ("$L7:\natom.add.f64 %b,[%ar0+8],%a;\nadd.u32 %i,%i,1;\nsetp.lt.u32 %q,%i,%more;\n@%q bra $L7;\n", several);
  /* Not all come to it; several returns; barriers.  */
  EXPECT (REGION ("@%q bra $L9;\n" ADD "$L9:\nret;\n"), 1, 0, 1, 0, 0, NULL);
  EXPECT (REGION ("@%q bra $L9;\n" ADD "ret;\n$L9:\nret;\n"), 1, 0, 2, 0, 0, NULL);
  EXPECT (REGION (ADD CALL ("GOMP_barrier") "st.u32 [%p],%i;\n" CALL ("GOMP_barrier") "ret;\n"), 1, 0, 3, 0, 0, NULL);
  EXPECT (REGION ("$L7:\n" ADD CALL ("GOMP_barrier") "@%q bra $L7;\nret;\n"), 1, 0, 2, 0, 0, NULL);
  /* One of two.  */
  EXPECT (REGION (LOOP ("add.f64 %b,%b,%a;\n", "", "%ar0") "st.u32 [%p],%i;\natom.add.f64 %b,[%ar0+8],%a;\nret;\n"), 1, 0, 1, 0, 0, follows);
  /* Other ways that can't be followed.  */
  EXPECT (REGION (ADD "@%q ret;\nret;\n"), 0, 0, 0, 0, 0, NULL);
}

static void
whose (void)
{
  /* Begun by others; called, run as a task, its address kept.  */
  EXPECT (PROGRAM (ADD "ret;\n", "ret;\n", FUNC ("g", BEGIN_REGION "ret;\n")), 1, 0, 1, 0, 0, NULL);
  EXPECT (PROGRAM (ADD "ret;\n", PASS ("r", "GOMP_parallel_loop_dynamic") "ret;\n", ""), 1, 0, 1, 0, 0, NULL);
  EXPECT (PROGRAM (ADD "ret;\n", PASS ("r", "GOMP_parallel_reductions") "ret;\n", ""), 0, 0, 0, 0, 0, no_region);
  EXPECT (PROGRAM (ADD "ret;\n", PASS ("r", "GOMP_task") "ret;\n", ""), 0, 0, 0, 0, 0, no_region);
  EXPECT (PROGRAM (ADD "ret;\n", BEGIN_REGION PASS ("r", "GOMP_task") "ret;\n", ""), 0, 0, 0, 0, 0, no_region);
  EXPECT (PROGRAM (ADD "ret;\n", BEGIN_REGION CALL ("r") "ret;\n", ""), 0, 0, 0, 0, 0, no_region);
  EXPECT (PROGRAM (ADD "ret;\n", BEGIN_REGION "st.u64 [%frame],r;\nret;\n", ""), 0, 0, 0, 0, 0, no_region);
  EXPECT (PROGRAM (ADD "ret;\n", BEGIN_REGION "ret;\n", "// BEGIN VAR DEF: v\n.global .align 8 .u64 v[1] = { r };\n"), 0, 0, 0, 0, 0, no_region);
  EXPECT (PROGRAM ("ret;\n", BEGIN_REGION CALL ("g") "ret;\n", FUNC ("g", ADD "ret;\n")), 0, 0, 0, 0, 0, no_region);
  /* Teams; one team alone.  */
  EXPECT (KERNEL (TEAMS (BEGIN_REGION ADD_FAR)), 0, 0, 0, 1, 1, NULL);
  EXPECT (KERNEL (TEAMS (BEGIN_REGION SECTION ("GOMP_atomic_start", ADD_STORED, "GOMP_atomic_end"))), 0, 0, 0, 1, 1, NULL);
  EXPECT (KERNEL (TEAMS (ADD BEGIN_REGION)), 0, 0, 0, 0, 0, follows);
  EXPECT (KERNEL (TEAMS ("$L7:\n" ADD "@%q bra $L7;\n")), 0, 0, 0, 0, 0, several);
  EXPECT (KERNEL (ADD "ret;\n"), 0, 0, 0, 0, 0, NULL);
  /* Threads that add to what is all teams': these have an order, too, whoever begins the region.  */
  EXPECT (PROGRAM (ADD_FAR "ret;\n", TEAMS (BEGIN_REGION), ""), 0, 1, 1, 0, 1, NULL);
  EXPECT (PROGRAM (ADD_FAR "ret;\n", TEAMS (CALL ("g")), FUNC ("g", BEGIN_REGION "ret;\n")), 0, 1, 1, 0, 1, NULL);
  EXPECT (PROGRAM (ADD "ret;\n", TEAMS (BEGIN_REGION), ""), 1, 0, 1, 0, 0, NULL);
  EXPECT (PROGRAM ("st.u64 [%frame],%ar0;\n" LOOP ("add.f64 %b,%b,%a;\n", "ld.u64 %p,[%frame];\n", "%p") "ret;\n", TEAMS (BEGIN_REGION), ""),
	  0, 1, 1, 0, 1, NULL);
  EXPECT (PROGRAM ("mov.u64 %p,%ar0;\n@%q mov.u64 %p,%old;\n" LOOP ("add.f64 %b,%b,%a;\n", "", "%p") "ret;\n", TEAMS (BEGIN_REGION), ""),
	  0, 1, 1, 0, 1, NULL);
}

static void
which_texts (void)
{
  static const char program[] = PROGRAM (ADD "ret;\n", TEAMS (BEGIN_REGION ADD_FAR), "");

  EXPECT (program, 1, 0, 1, 1, 1, NULL);
  /* Lines with several statements; no marks, and what can't be read.  */
  EXPECT (REGION (ADD "add.u32 %i,%i,1; ret;\n"), 0, 0, 0, 0, 0, crowded);
  EXPECT (REGION ("mov.u32 %i,1; atom.add.f64 %b,[%ar0+8],%a;\nret;\n"), 0, 0, 0, 0, 0, crowded);
  EXPECT (HEAD FUNC ("r", ADD "ret;\n") "// BEGIN FUNCTION DEF: k$impl\n.func k$impl (.param.u64 %in_ar0)\n{ .reg.u64 %p; .reg.u64 %frame;\n"
	  BEGIN_REGION "ret;\n}\n" ENTRY, 0, 0, 0, 0, 0, crowded);
  EXPECT (".version 6.0\n.target sm_30\n.address_size 64\n" FUNC ("r", ADD "ret;\n") FUNC ("k$impl", BEGIN_REGION "ret;\n") ENTRY, 0, 0, 0, 0, 0, NULL);
  EXPECT (REGION (ADD "add.u32 %i\nret;\n"), 0, 0, 0, 0, 0, NULL);
  EXPECT (HEAD, 0, 0, 0, 0, 0, NULL);
  EXPECT ("", 0, 0, 0, 0, 0, NULL);
  /* Pieces, and texts with a byte that is another one.  */
  char *text = malloc (sizeof (program));
  for (size_t n = 0; n < sizeof (program); n += 3)
    {
      struct nvptx_order order;
      char *piece = malloc (n + 1);
      memcpy (piece, program, n);
      piece[n] = 0;
      if (!nvptx_order_parts (&(struct nvptx_object) { piece, n + 1 }, &order))
	failures++;
      nvptx_order_free (&order);
      free (piece);
      for (const char *byte = "\n;{}$%@0r"; *byte != 0; byte++)
	{
	  memcpy (text, program, sizeof (program));
	  text[n] = n + 1 < sizeof (program) ? *byte : 0;
	  if (!nvptx_order_parts (&(struct nvptx_object) { text, sizeof (program) }, &order))
	    failures++;
	  if (order.object.text != NULL && !is_the_same (text, order.object.text))
	    puts ("something else has changed"), failures++;
	  nvptx_order_free (&order);
	}
    }
  free (text);
}

static void
no_memory (void)
{
  static const char program[] = PROGRAM (ADD "ret;\n", TEAMS (BEGIN_REGION ADD_FAR), "");
  const struct nvptx_object object = { program, sizeof (program) };
  struct nvptx_order order;
  long n = 0;

  for (bool good = false; !good; n++)
    {
      left = n;
      good = nvptx_order_parts (&object, &order);
      left = -1;
      if (good != (order.object.text != NULL))
	printf ("call %ld: %s\n", n, good ? "nothing is done" : "a text is left"), failures++;
      nvptx_order_free (&order);
    }
  if (n < 10)
    puts ("memory never runs out"), failures++;
}

int
main (void)
{
  what_is_added ();
  where ();
  whose ();
  which_texts ();
  no_memory ();
  return failures != 0;
}
