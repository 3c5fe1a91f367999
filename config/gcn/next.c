/* next.c -- the next block of a dynamic loop, in assembly.

   A loop with schedule(dynamic) calls this for each of its blocks; text.h tells why it is not in C.  As all
   entry points of this kind have the same parameters and do the same (the descriptor tells the kind
   of the loop), there is one function with many names.  */

#include "loop.h"
#include "text.h"

#pragma omp declare target

#define NAMES(PREFIX)							\
  NAME (PREFIX "dynamic") NAME (PREFIX "nonmonotonic_dynamic")		\
  NAME (PREFIX "runtime") NAME (PREFIX "nonmonotonic_runtime")		\
  NAME (PREFIX "maybe_nonmonotonic_runtime")
#define NAME(MIDDLE) TEXT_FUNCTION ("globl", "GOMP_loop_" MIDDLE "_next")

extern void accel_next_text (void);

/* Never called: a place for the text.  */
void __attribute__ ((noinline, noclone, used))
accel_next_text (void)
{
  __asm__ volatile
    (".pushsection .text\n\t"
     ".p2align 8\n\t"
     NAMES ("") NAMES ("ull_")
     TEXT_BEGIN ("accel_loop_next_other")
     "s_mov_b64 exec, 1\n\t"
     TEXT_OWN ("v0")
     TEXT_LOAD32 ("v0", "v0", "%[near_dynamic]")
     "v_mov_b32 v3, 1\n\t"
     TEXT_WAIT
     "v_readlane_b32 s28, v0, 0\n\t"
     "s_cmp_eq_u32 s28, 0\n\t"
     "s_cbranch_scc1 .Lgompx_other\n\t"
     TEXT_FETCH_ADD ("v3", "v0", "v3", "%[xtaken]")
     TEXT_LOAD32 ("v4", "v0", "%[blocks]")
     TEXT_LOAD64 ("v[6:7]", "v0", "%[stride]")
     TEXT_LOAD64 ("v[10:11]", "v0", "%[start]")
     TEXT_LOAD64 ("v[12:13]", "v0", "%[end]")
     TEXT_WAIT
     "v_readlane_b32 s28, v3, 0\n\t"
     "v_readlane_b32 s29, v4, 0\n\t"
     "s_cmp_ge_u32 s28, s29\n\t"
     "s_cbranch_scc1 .Lgompx_none\n\t"
     "v_mad_u64_u32 v[14:15], vcc, v3, v6, v[10:11]\n\t"
     "v_mul_lo_u32 v9, v3, v7\n\t"
     "v_lshl_add_u32 v15, v9, 0, v15\n\t"	/* start + block * stride */
     "v_mov_b32 v4, s24\n\t"
     "v_mov_b32 v5, s25\n\t"
     "flat_store_dwordx2 v[4:5], v[14:15]\n\t"
     "s_add_u32 s28, s28, 1\n\t"
     "s_cmp_eq_u32 s28, s29\n\t"
     "s_cbranch_scc1 .Lgompx_last\n\t"
     "v_mad_u64_u32 v[12:13], vcc, 1, v6, v[14:15]\n\t"
     "v_lshl_add_u32 v13, v7, 0, v13\n"
     ".Lgompx_last:\n\t"
     "v_mov_b32 v10, s26\n\t"
     "v_mov_b32 v11, s27\n\t"
     "flat_store_dwordx2 v[10:11], v[12:13]\n\t"
     TEXT_RETURN ("1")
     MACHINE_WAIT_ALL "\n\t"
     "s_setpc_b64 s[18:19]\n"
     ".Lgompx_none:\n\t"
     TEXT_RETURN ("0")
     "s_setpc_b64 s[18:19]\n"
     ".Lgompx_other:\n\t"
     TEXT_GO ("accel_loop_next_other")
     TEXT_END
     ".popsection"
     : : TEXT_OPERANDS,
     [near_dynamic] "n" (MACHINE_WORDS + offsetof (struct accel_thread, near_dynamic)),
     [xtaken] "n" (offsetof (struct accel_work, xtaken32)), [blocks] "n" (offsetof (struct accel_work, blocks)),
     [stride] "n" (offsetof (struct accel_work, stride)), [start] "n" (offsetof (struct accel_work, start)),
     [end] "n" (offsetof (struct accel_work, end)));
}

#pragma omp end declare target
