/* Kernels without the library that are written like CUDA's, written by hand: what their regions may call, and how the function
   that begins them may move its stack (doc/lanes.md, "Kernels written like CUDA's").

   TEST-MODES: host
   TEST-OPTIONS: -O0 -D_GNU_SOURCE -I@top_srcdir@/plugin -I@top_srcdir@/config/nvptx @top_srcdir@/plugin/nvptx-lanes.c @top_srcdir@/plugin/nvptx-lanes-scan.c @top_srcdir@/plugin/nvptx-lanes-flow.c @top_srcdir@/plugin/nvptx-lanes-depth.c @top_srcdir@/plugin/nvptx-lanes-atomic.c @top_srcdir@/plugin/nvptx-lanes-stride.c @top_srcdir@/plugin/nvptx-lanes-stride-emit.c @top_srcdir@/plugin/nvptx-lanes-combine.c @top_srcdir@/plugin/nvptx-lanes-ends.c @top_srcdir@/plugin/nvptx-lanes-direct.c @top_srcdir@/plugin/nvptx-lanes-direct-emit.c @top_srcdir@/plugin/nvptx-lanes-teams.c @top_srcdir@/plugin/nvptx-lanes-frame.c @top_srcdir@/plugin/nvptx-lanes-slots.c @top_srcdir@/plugin/nvptx-lanes-effects.c @top_srcdir@/plugin/nvptx-lanes-updates.c @top_srcdir@/plugin/nvptx-lanes-spaces.c @top_srcdir@/plugin/nvptx-lanes-offsets.c @top_srcdir@/plugin/nvptx-lanes-team.c @top_srcdir@/plugin/nvptx-lanes-blocks.c @top_srcdir@/plugin/nvptx-lanes-turns.c @top_srcdir@/plugin/nvptx-lanes-wait.c @top_srcdir@/plugin/nvptx-lanes-warps.c @top_srcdir@/plugin/nvptx-lanes-rows.c @top_srcdir@/plugin/nvptx-lanes-nest.c @top_srcdir@/plugin/nvptx-lanes-nest-emit.c @top_srcdir@/plugin/nvptx-lanes-loops.c @top_srcdir@/plugin/nvptx-lanes-windows.c @top_srcdir@/plugin/nvptx-lanes-joint.c @top_srcdir@/plugin/nvptx-lanes-rewrite.c @top_srcdir@/plugin/nvptx-read-names.c @top_srcdir@/plugin/nvptx-read.c @top_srcdir@/plugin/nvptx-read-body.c @top_srcdir@/plugin/nvptx-read-build.c @top_srcdir@/plugin/nvptx-read-lex.c @top_srcdir@/plugin/nvptx-read-scope.c @top_srcdir@/plugin/nvptx-print.c  */

#include "aux-lanes-text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALL "{ .param.u32 %v; .param.u64 %o1; .param.u32 %o2; st.param.u64 [%o1], %b; st.param.u32 [%o2], 3;"
#define INNER CALL "call (%v), inner, (%o1, %o2); ld.param.u32 %x, [%v]; }"
#define ASK(name) "{ .param.u32 %v; call (%v), " name "; ld.param.u32 %y, [%v]; }"
#define WAIT "{ call GOMP_barrier; }"
#define STORES "ld.u64 %b, [%g+24]; st.u32 [%frame+8], %q;"
#define STORED "st.u32 [%frame+16], %x;"
#define MEETS "\tbar.sync 0;\n\t"
#define MEETS_BEHIND "st.shared.u32 [%frame+8], %q;\n\tbar.warp.sync 4294967295;"
#define GROW "sub.u64 %stack, %stack, %c; st.shared.u64 [%sspslot], %stack; st.u64 [%frame+8], %stack;"

/* Sections of critical constructs.  %a has an address of the team's memory, %b one of the mapped.  A
   section with a loop has no turns.  */
#define START "{ call GOMP_critical_start; }"
#define END "{ call GOMP_critical_end; }"
#define LOOP "$again: add.u32 %x, %x, 1; setp.lt.u32 %p, %x, 9; @%p bra $again;"
#define NAME_START(reg) "{ .param .u64 %o; st.param.u64 [%o], " reg "; call GOMP_critical_name_start, (%o); }"
#define NAME_END(reg) "{ .param .u64 %o; st.param.u64 [%o], " reg "; call GOMP_critical_name_end, (%o); }"
#define NAMED(name) ".reg.u64 %" name "; mov.u64 %" name ", " name ";"
#define SECTION(name, text) NAMED (name) NAME_START ("%" name) text NAME_END ("%" name)
#define ADD "{ .param.u32 %v; .param.u32 %o; st.param.u32 [%o], %x; call (%v), compute, (%o); ld.param.u32 %x, [%v]; }"
/* What becomes of that: the team's lock, the device's, and both.  */
#define TEAM_CALL(name, number) "\t{\n\t.param .u32 %lanes_which;\n\tst.param.u32 [%lanes_which], " number ";\n\tcall gompx_lanes_" \
  name ", (%lanes_which);\n\t}\n"
#define TEAM_START(number) TEAM_CALL ("team_start", number)
#define TEAM_END(number) TEAM_CALL ("team_end", number)
#define DEVICE_START "\tcall gompx_lanes_GOMP_critical_start;\n\t}\n"
#define DEVICE_NAME(name, what) "\t{\n\t.param .u64 %o;\n\tst.param.u64 [%o], %" name ";\n\tcall gompx_lanes_GOMP_critical_name_" what \
  ", (%o);\n\t}\n"

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
  { "recurs", "{ .param.u32 %v; .param.u32 %o; st.param.u32 [%o], %q; call (%v), recur, (%o); ld.param.u32 %q, [%v]; }", WAIT, "",
    "call (%v), recur, (%o);" },
  { "recurs_and_loads", "{ .param.u32 %v; .param.u64 %o; st.param.u64 [%o], %g; call (%v), first, (%o); ld.param.u32 %q, [%v]; }", WAIT, "",
    NULL },
  { "inner_recurs", "", "{ .param.u32 %v; call (%v), waits; ld.param.u32 %x, [%v]; }", "", NULL },
  { "calls_if", "{ .param.u32 %v; .param.u32 %o; st.param.u32 [%o], %q; @%p call (%v), compute, (%o); }", WAIT, "", NULL },
  /* Lanes meet between a load and what lane 0 stores, unless one is in the frame and the other isn't.  */
  { "loads_argument", STORES "ld.u32 %x, [%b];" STORED, WAIT, "", "st.shared.u32 [%frame+8], %q;\n\tld.global.u32 %x, [%b];" },
  { "loads_word", STORES "ld.u64 %c, [%b]; st.u32 [%frame+8], %q; ld.u32 %x, [%c];" STORED, WAIT, "", MEETS "ld.u32 %x, [%c];" },
  { "loads_either", STORES "mov.u64 %c, %b; ld.u64 %c, [%b]; ld.u32 %x, [%c];" STORED, WAIT, "", MEETS_BEHIND },
  { "loads_behind", STORES "add.u64 %c, %b, 8; ld.u32 %x, [%c];" STORED, WAIT, "", MEETS_BEHIND },
  { "loads_frame", STORES "add.u64 %c, %frame, 8; ld.u32 %x, [%c];" STORED, WAIT, "", MEETS_BEHIND },
  { "stores_elsewhere", "ld.u64 %b, [%g+24];" "st.u32 [%b], %q; ld.u32 %x, [%b];" STORED, WAIT, "", MEETS "ld.global.u32 %x, [%b];" },
  { "stores_elsewhere_too", STORES "ld.u32 %x, [%b]; st.u32 [%b], %q;" STORED, WAIT, "",
    "ld.global.u32 %x, [%b];\n\tbar.warp.sync 4294967295;\n\tbar.sync 0;\n\t@%direct_leads st.global.u32 [%b], %q;" },
  { "loads_other_word", STORES "ld.u32 %x, [%frame+12];" STORED, WAIT, "", "st.shared.u32 [%frame+8], %q;\n\tld.shared.u32 %x, [%frame+12];" },
  { "loads_same_word", STORES "ld.u32 %x, [%frame+8];" STORED, WAIT, "", MEETS_BEHIND },
  { "loads_a_part", STORES "ld.u16 %h, [%frame+10];" STORED, WAIT, "", MEETS_BEHIND },
  { "loads_pair", STORES "ld.v2.u32 {%x, %y}, [%frame+4];" STORED, WAIT, "", MEETS_BEHIND },
  { "loads_past", STORES "bra L2; L2: st.u32 [%frame+12], %q; ld.u32 %x, [%frame+8];" STORED, WAIT, "", MEETS_BEHIND },
  { "stores_by_index", "cvt.u64.u32 %c, %q; add.u64 %c, %c, %frame; ld.u64 %b, [%g+24]; st.u32 [%c], %q; ld.u32 %x, [%b];" STORED, WAIT, "",
    MEETS "ld.global.u32 %x, [%b];" },
  { "adds_elsewhere", "ld.u64 %b, [%g+24]; red.add.u32 [%b], 1; ld.u32 %x, [%b+4];" STORED, WAIT, "", MEETS "ld.global.u32 %x, [%b+4];" },
  /* Locks.  */
  { "critical", "", START "st.u32 [%b], 3;" END, "", DEVICE_START },
  { "locks_begin", "", START END, "",
    "call gompx_lanes_locks_begin;\n\t}\n\tbar.warp.sync 4294967295;\n\tbar.sync 0;" },
  { "api_lock", "", "{ .param .u64 %o; st.param.u64 [%o], %b; call omp_set_lock, (%o); }", "", "call gompx_lanes_omp_set_lock, (%o);" },
  { "inner_lock", "", INNER, "{ .param .u64 %o; st.param.u64 [%o], %b; call omp_set_lock, (%o); }", "call gompx_lanes_omp_set_lock, (%o);" },
  { "nest_lock", "", "{ .param .u64 %o; st.param.u64 [%o], %b; call omp_set_nest_lock, (%o); }", "", NULL },
  /* What the function stored for the region, which may change other words.  */
  { "known", "", "ld.u64 %c, [%a]; st.u32 [%c], 3;", "", "mov.b64 %c, %direct_held0;" },
  { "known_beside_store", "", "ld.u64 %c, [%a]; st.u32 [%c], 3; st.u32 [%a+8], %x;", "", "mov.b64 %c, %direct_held0;" },
  { "known_beside_atomic", "", "ld.u64 %c, [%a]; st.u32 [%c], 3; atom.add.u32 %x, [%a+8], 3;", "", "mov.b64 %c, %direct_held0;" },
  { "known_with_array", "mov.u64 %b, %frame; $next: st.u32 [%b+24], %q; add.u64 %b, %b, 4; setp.lt.u32 %p, %q, 7; @%p bra $next;",
    "ld.u64 %c, [%a]; st.u32 [%c], 3;", "", "mov.b64 %c, %direct_held0;" },
  { "stored_to", "", "ld.u64 %c, [%a]; st.u32 [%c], 3; st.u32 [%a+4], %x;", "", "ld.shared.u64 %c, [%" },
  { "stored_to_in_vector", "", "ld.u64 %c, [%a]; st.u32 [%c], 3; st.v2.u32 [%a-4], {%x,%y};", "", "ld.shared.u64 %c, [%" },
  { "updated", "", "ld.u64 %c, [%a]; st.u32 [%c], 3; atom.add.u32 %x, [%a+4], 3;", "", "ld.shared.u64 %c, [%" },
  { "stores_parameter", "", "ld.u64 %c, [%a]; st.u32 [%c], 3; st.u64 [%a+8], %a;", "", "ld.shared.u64 %c, [%" },
  { "volatile_store", "", "ld.u64 %c, [%a]; st.u32 [%c], 3; st.volatile.u32 [%a+8], 3;", "", "ld.shared.u64 %c, [%" },
  { "stored_twice", "mov.u64 %b, 5; st.u64 [%frame], %b;", "ld.u64 %c, [%a]; st.u32 [%c], 3;", "", "ld.shared.u64 %c, [%" },
  /* Sections that only threads of the team can tell from each other.  */
  { "team", "", START "st.u32 [%a+16], 3;" LOOP END, "", TEAM_START ("0") "\tst.shared.u32" },
  { "team_in_turns", "", START "st.u32 [%a+16], 3;" END, "", "\tst.param.u32 [%lanes_which], 3;\n\tcall gompx_lanes_turn_start" },
  { "team_first_lane", "", START "st.u32 [%a+16], 3;" END, "", TEAM_START ("0") "$lanes_taken" },
  { "team_ends", "", START "st.u32 [%a+16], 3;" LOOP END, "", "\t{\n\tcall gompx_lanes_GOMP_critical_end;" },
  { "team_empty", "", START LOOP END, "", TEAM_START ("0") },
  { "team_atomic", "", START "atom.add.u32 %x, [%a+16], 3;" LOOP END, "", TEAM_START ("0") },
  { "team_volatile", "", START "st.volatile.u32 [%a+16], 3;" LOOP END, "", TEAM_START ("0") },
  { "team_lane", "", ".local .u32 %l;" START "st.local.u32 [%l], %x;" LOOP END, "", TEAM_START ("0") },
  { "team_twice", "", START "st.u32 [%a+16], 3;" LOOP END START "st.u32 [%a+8], %x; add.u32 %x, %x, 7;" END, "",
    TEAM_START ("0") "$lanes_taken" },
  { "team_two_ends", "", START "@%p bra $other;" LOOP END "bra $out; $other: st.u32 [%a+16], 3;" END "$out:", "", TEAM_START ("0") },
  /* Loads of what others may store to, where no section does.  */
  { "team_loads", "", START "ld.u32 %x, [%b];" LOOP "st.u32 [%a+16], %x;" END "st.u32 [%b], 3;", "",
    TEAM_START ("0") "\tld.global.u32 %x, [%b];" },
  { "loads_one_stores_other", "", START "ld.u32 %x, [%b];" LOOP END START "st.u32 [%b], 3;" END, "",
    DEVICE_START "\tld.global.u32 %x, [%b];" },
  { "loads_unordered", "", START "ld.volatile.u32 %x, [%b];" LOOP END, "", DEVICE_START },
  { "team_one_stores_other", "", START "st.u32 [%a+16], 3;" LOOP END START "st.u32 [%b], 3;" END, "",
    TEAM_START ("0") "\tst.shared.u32" },
  { "team_one_other_in_turns", "", START "st.u32 [%a+16], 3;" LOOP END START "st.u32 [%b], 3;" END, "",
    "\tst.param.u32 [%lanes_which], 2;\n\tcall gompx_lanes_turn_start" },
  { "team_other_stores_one", "", START "st.u32 [%a+16], 3;" END START "st.u32 [%b], 3; $again: setp.lt.u32 %p, %y, 9; @%p bra $again;" END,
    "", DEVICE_START "\tst.global.u32 [%b], 3;" },
  /* What others may see, on any way, keeps the lock of the device.  */
  { "stores", "", START "st.u32 [%a+16], 3; st.u32 [%b], 3;" LOOP END, "", DEVICE_START },
  { "stores_in_turns", "", START "st.u32 [%a+16], 3; st.u32 [%b], 3;" END, "",
    "\tst.param.u32 [%lanes_which], 2;\n\tcall gompx_lanes_turn_start" },
  { "stores_if", "", START "@%p st.u32 [%b], 3;" LOOP END, "", DEVICE_START },
  { "stores_on_a_way", "", START "@%p bra $other; $back:" LOOP END "bra $out; $other: st.u32 [%b], 3; bra $back; $out:", "", DEVICE_START },
  { "stores_before_other_end", "", START "@%p bra $other;" LOOP END "bra $out; $other: st.u32 [%b], 3;" END "$out:", "", DEVICE_START },
  { "stores_behind_pointer", "", START "ld.u64 %c, [%a+16]; st.u32 [%c], 3;" LOOP END, "", DEVICE_START },
  { "stores_somewhere", "", "mov.u64 %c, %b; @%p mov.u64 %c, %a;" START "st.u32 [%c], 3;" LOOP END, "", DEVICE_START },
  { "stores_by_name", "", START "st.global.u32 [name_one], %x;" LOOP END, "", DEVICE_START },
  { "updates", "", START "atom.add.u32 %x, [%b], 3;" LOOP END, "", DEVICE_START },
  { "fence", "", START "membar.gl;" LOOP END, "", DEVICE_START },
  { "calls", "", START ADD LOOP END, "", DEVICE_START },
  { "takes_lock", "", START "{ .param .u64 %o; st.param.u64 [%o], %b; call omp_set_lock, (%o); }" LOOP END, "", DEVICE_START },
  { "takes_twice", "", START START END END, "", DEVICE_START },
  { "leaves", "", START "@%p bra $out;" LOOP END "$out:", "", DEVICE_START },
  { "starts_if", "", "{ @%p call GOMP_critical_start; }" LOOP END, "", "\t@%p call gompx_lanes_GOMP_critical_start;" },
  { "ends_other", "", NAMED ("name_one") START LOOP NAME_END ("%name_one"), "", DEVICE_START },
  /* Where others may be told something by an atomic operation or behind a fence, fences are the device's.  */
  { "fences", "", "atom.add.u32 %y, [%b], 3;" START "st.u32 [%a+16], 3;" LOOP END, "", TEAM_START ("0") "\tmembar.gl;\n" },
  { "fences_end", "", "atom.add.u32 %y, [%b], 3;" START "st.u32 [%a+16], 3;" LOOP END, "",
    "\tmembar.gl;\n\t{\n\tcall gompx_lanes_GOMP_critical_end;" },
  { "fences_turns", "", START "st.u32 [%a+16], 3;" END "membar.sys;", "",
    "call gompx_lanes_turn_start, (%lanes_with, %lanes_which);\n\t}\n\tmembar.gl;" },
  { "fences_of_call", "", "{ .param .u64 %o; st.param.u64 [%o], %b; call count, (%o); }" START "st.u32 [%a+16], 3;" LOOP END, "", TEAM_START ("0") "\tmembar.gl;\n" },
  { "fences_volatile", "", "st.volatile.u32 [%b], 3;" START "st.u32 [%a+16], 3;" LOOP END, "", TEAM_START ("0") "\tmembar.gl;\n" },
  { "fences_of_inner_call", "", "{ .param .u64 %o; st.param.u64 [%o], %b; call counts, (%o); }" START "st.u32 [%a+16], 3;" LOOP END, "",
    TEAM_START ("0") "\tmembar.gl;\n" },
  { "no_fences_of_call", "", ADD START "st.u32 [%a+16], 3;" LOOP END, "", TEAM_START ("0") "\tst.shared.u32" },
  { "no_fences", "", "atom.add.u32 %y, [%a+8], 3; st.u32 [%b], 3;" START "st.u32 [%a+16], 3;" LOOP END, "",
    TEAM_START ("0") "\tst.shared.u32" },
  /* Names.  */
  { "name", "", SECTION ("name_one", "st.u32 [%a+16], 3;"), "", TEAM_START ("1") "\tst.shared.u32" },
  { "name_converted", "", "cvta.global.u64 %c, name_one;" NAME_START ("%c") "st.u32 [%a+16], 3;" NAME_END ("%c"), "",
    TEAM_START ("1") "\tst.shared.u32" },
  { "name_copied", "", NAMED ("name_one") "mov.u64 %c, %name_one;" NAME_START ("%name_one") "st.u32 [%a+16], 3;" NAME_END ("%c"), "",
    TEAM_START ("1") "\tst.shared.u32" },
  { "name_ends", "", SECTION ("name_one", "add.u32 %x, %x, 7;"), "", "\tadd.u32 %x, %x, 7;\n" TEAM_END ("1") },
  { "name_second", "", SECTION ("name_one", "st.u32 [%b], 3;") SECTION ("name_two", "st.u32 [%a+16], 3;"), "",
    TEAM_START ("2") "\tst.shared.u32" },
  { "name_stores", "", SECTION ("name_one", "st.u32 [%b], 3;"), "", TEAM_START ("1") DEVICE_NAME ("name_one", "start") },
  { "name_stores_ends", "", SECTION ("name_one", "st.u32 [%b], 3;"), "", DEVICE_NAME ("name_one", "end") TEAM_END ("1") },
  { "name_one_of_two_stores", "", SECTION ("name_one", "st.u32 [%a+16], 3;") NAME_START ("%name_one") "st.u32 [%b], 3;" NAME_END ("%name_one"),
    "", TEAM_START ("1") DEVICE_NAME ("name_one", "start") "\tst." },
  { "name_within_name", "", SECTION ("name_one", SECTION ("name_two", "st.u32 [%a+16], 3;")), "",
    DEVICE_NAME ("name_one", "start") "\t.reg .u64 %name_two;\n\tmov.u64 %name_two, name_two;\n" TEAM_START ("2") "\tst.shared" },
  { "name_fences", "", "membar.gl;" SECTION ("name_one", "st.u32 [%a+16], 3;"), "", TEAM_START ("1") "\tmembar.gl;\n" },
  { "name_fences_end", "", "membar.gl;" SECTION ("name_one", "add.u32 %x, %x, 7;"), "", "\tmembar.gl;\n" TEAM_END ("1") },
  { "name_unknown", "", "ld.u64 %c, [%a+16];" NAME_START ("%c") "add.u32 %x, %x, 7;" NAME_END ("%c"), "",
    "\tst.param.u64 [%o], %c;\n\tcall gompx_lanes_GOMP_critical_name_start, (%o);\n\t}\n\tadd.u32 %x, %x, 7;" },
  { "name_set_twice", "", "mov.u64 %c, name_one; @%p mov.u64 %c, name_two;" NAME_START ("%c") "add.u32 %x, %x, 7;" NAME_END ("%c"), "",
    "\tst.param.u64 [%o], %c;\n\tcall gompx_lanes_GOMP_critical_name_start, (%o);\n\t}\n\tadd.u32 %x, %x, 7;" },
  { "name_beside_unknown", "", "ld.u64 %c, [%a+16];" NAME_START ("%c") NAME_END ("%c") SECTION ("name_one", "add.u32 %x, %x, 7;"), "",
    "call gompx_lanes_GOMP_critical_name_start, (%o);\n\t}\n\tadd.u32 %x, %x, 7;" },
  { "name_stored_twice", "", NAMED ("name_one") "{ .param .u64 %o; st.param.u64 [%o], %b; st.param.u64 [%o], %name_one;"
    "call GOMP_critical_name_start, (%o); } add.u32 %x, %x, 7;" NAME_END ("%name_one"), "",
    "call gompx_lanes_GOMP_critical_name_start, (%o);\n\t}\n\tadd.u32 %x, %x, 7;" },
  { "name_fifth", "", SECTION ("name_one", "") SECTION ("name_two", "") SECTION ("name_three", "") SECTION ("name_four", "")
    SECTION ("name_five", "add.u32 %x, %x, 7;"), "",
    "call gompx_lanes_GOMP_critical_name_start, (%o);\n\t}\n\tadd.u32 %x, %x, 7;" },
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
#define STUB_TAKES(name, params) "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_" name "\n.visible .func gompx_lanes_" name " (" params ") { ret; }\n"
#define STUB_ANSWER(name) "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_" name "\n.visible .func (.param.u32 %v) gompx_lanes_" name \
  " { st.param.u32 [%v], 0; ret; }\n"

static const char library[] =
  PREAMBLE
  "// BEGIN GLOBAL FUNCTION DEF: gomp_nvptx_main\n.visible .func gomp_nvptx_main (.param.u64 %f, .param.u64 %a) { ret; }\n"
  "// BEGIN GLOBAL FUNCTION DEF: gompx_lanes_main\n.visible .func gompx_lanes_main (.param.u64 %f, .param.u64 %a) { ret; }\n"
  STUB ("GOMP_barrier") STUB ("GOMP_critical_start") STUB ("GOMP_critical_end") STUB ("locks_begin")
  STUB_TAKES ("GOMP_critical_name_start", ".param.u64 %n") STUB_TAKES ("GOMP_critical_name_end", ".param.u64 %n")
  STUB_TAKES ("team_start", ".param.u32 %n") STUB_TAKES ("team_end", ".param.u32 %n")
  STUB_TAKES ("turn_start", ".param.u32 %p, .param.u32 %w") STUB_TAKES ("turn_end", ".param.u32 %p, .param.u32 %w")
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
	      ".global .u64 name_one; .global .u64 name_two; .global .u64 name_three; .global .u64 name_four; .global .u64 name_five;\n"
	      ".extern .func GOMP_critical_name_start (.param.u64 %n);\n.extern .func GOMP_critical_name_end (.param.u64 %n);\n"
	      ".extern .func omp_set_nest_lock (.param.u64 %l);\n.extern .func GOMP_barrier;\n.extern .func gomp_nvptx_main (.param.u64 %f, .param.u64 %a);\n"
	      ".extern .func GOMP_parallel (.param.u64 %f, .param.u64 %d, .param.u32 %n, .param.u32 %g);\n");
  ptx_printf (&t, ".func (.param.u32 %%v) compute (.param.u32 %%in_ar0)\n{ .reg.u32 %%a; .local.u32 %%l; ld.param.u32 %%a, [%%in_ar0];"
	      "st.local.u32 [%%l], %%a; ld.local.u32 %%a, [%%l]; mul.lo.u32 %%a, %%a, 3; st.param.u32 [%%v], %%a; ret; }\n"
	      ".func (.param.u32 %%v) load (.param.u64 %%in_ar0)\n{ .reg.u64 %%a; .reg.u32 %%b; ld.param.u64 %%a, [%%in_ar0];"
	      "ld.u32 %%b, [%%a]; st.param.u32 [%%v], %%b; ret; }\n"
	      ".func count (.param.u64 %%in_ar0)\n{ .reg.u64 %%a; ld.param.u64 %%a, [%%in_ar0]; red.add.u32 [%%a], 1; ret; }\n"
	      ".func counts (.param.u64 %%in_ar0)\n{ .reg.u64 %%a; ld.param.u64 %%a, [%%in_ar0];"
	      "{ .param.u64 %%o; st.param.u64 [%%o], %%a; call count, (%%o); } ret; }\n"
	      ".func (.param.u32 %%v) lane\n{ .reg.u32 %%a; mov.u32 %%a, %%laneid; st.param.u32 [%%v], %%a; ret; }\n"
	      ".func (.param.u32 %%v) recur (.param.u32 %%in_ar0)\n{ .reg.u32 %%a; ld.param.u32 %%a, [%%in_ar0];"
	      "{ .param.u32 %%w; .param.u32 %%o; st.param.u32 [%%o], %%a; call (%%w), recur, (%%o); ld.param.u32 %%a, [%%w]; }"
	      "st.param.u32 [%%v], %%a; ret; }\n"
	      ".func (.param.u32 %%v) second (.param.u64 %%in_ar0);\n"
	      ".func (.param.u32 %%v) first (.param.u64 %%in_ar0)\n{ .reg.u64 %%a; .reg.u32 %%b; ld.param.u64 %%a, [%%in_ar0];"
	      "{ .param.u32 %%w; .param.u64 %%o; st.param.u64 [%%o], %%a; call (%%w), second, (%%o); ld.param.u32 %%b, [%%w]; }"
	      "st.param.u32 [%%v], %%b; ret; }\n"
	      ".func (.param.u32 %%v) second (.param.u64 %%in_ar0)\n{ .reg.u64 %%a; .reg.u32 %%b; ld.param.u64 %%a, [%%in_ar0];"
	      "{ .param.u32 %%w; .param.u64 %%o; st.param.u64 [%%o], %%a; call (%%w), first, (%%o); ld.param.u32 %%b, [%%w]; }"
	      "ld.u32 %%b, [%%a]; st.param.u32 [%%v], %%b; ret; }\n"
	      ".func (.param.u32 %%v) waits\n{ .reg.u32 %%b; { call GOMP_barrier; }"
	      "{ .param.u32 %%w; call (%%w), waits; ld.param.u32 %%b, [%%w]; } st.param.u32 [%%v], %%b; ret; }\n");
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

  if (!nvptx_lanes_analyse (objects, 2, 1, NVPTX_LANES_STRIDE | NVPTX_LANES_BLOCKS | NVPTX_LANES_NEST | NVPTX_LANES_RECURSION | NVPTX_LANES_REWRITE, &lanes) || lanes.why[0] != 0
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
