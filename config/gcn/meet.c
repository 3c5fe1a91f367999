/* meet.c -- the hardware's barrier and the begin of single, in assembly; text.h tells why.

   GOMP_barrier where barriers need not look for tasks or cancellation; in an image where they do, that of
   meet-wait.c takes its place.  GOMP_single_start: config/accel/single.c has the rules.  */

#include "meet.h"

#pragma omp declare target

/* Return whether VCC has lane 0, which is the only one in EXEC.  */
#if MACHINE_ABI == 3
# define RETURN_VCC "v_cndmask_b32_e64 v8, 0, 1, vcc\n\t"
#else
# define RETURN_VCC "s_mov_b32 s24, vcc_lo\n\t"
#endif

extern void accel_meet_text (void);

/* Never called: a place for the text.  */
void __attribute__ ((noinline, noclone, used))
accel_meet_text (void)
{
  __asm__ volatile
    (".pushsection .text\n\t"
     ".p2align 8\n\t"
     TEXT_FUNCTION ("weak", "GOMP_barrier")
     TEXT_BEGIN ("accel_barrier_plain")
     MEET_LOAD ()
     "s_cbranch_scc1 .Lgompx_meet_alone\n\t"
     MEET ("meet")
     ".Lgompx_meet_alone:\n\t"
     "s_setpc_b64 s[18:19]\n\t"
     TEXT_END

     ".p2align 8\n\t"
     TEXT_FUNCTION ("globl", "GOMP_single_start")
     TEXT_BEGIN ("accel_single_any")
     "s_mov_b64 exec, 1\n\t"
     TEXT_OWN ("v0")
     "v_mov_b32 v5, 0\n\t"
     TEXT_LOAD32 ("v3", "v0", "%[num_threads]")
     TEXT_LOAD32 ("v7", "v0", "%[singles]")	/* this one's number */
     TEXT_LOAD32 ("v4", "v5", "%[taken]")
     TEXT_WAIT
     "v_cmp_ge_u32 vcc, 1, v3\n\t"
     "s_cbranch_vccnz .Lgompx_single_known\n\t"
     "v_lshl_add_u32 v6, v7, 0, 1\n\t"
     "v_cmp_eq_u32 vcc, v4, v7\n\t"
     TEXT_STORE32 ("v0", "v6", "%[singles]")
     "s_cbranch_vccz .Lgompx_single_known\n\t"
     TEXT_CAS ("v3", "v5", "v[6:7]", "v6", "v7", "%[taken]")
     TEXT_WAIT
     "v_cmp_eq_u32 vcc, v3, v7\n"
     ".Lgompx_single_known:\n\t"
     RETURN_VCC
     "s_setpc_b64 s[18:19]\n\t"
     TEXT_END
     ".popsection"
     : : MEET_OPERANDS,
     [num_threads] "n" (MACHINE_WORDS + offsetof (struct accel_thread, num_threads)),
     [singles] "n" (MACHINE_WORDS + offsetof (struct accel_thread, singles)),
     [taken] "n" (TEXT_OFFSET (team.xsingles)));
}

#pragma omp end declare target
