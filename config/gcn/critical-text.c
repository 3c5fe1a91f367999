/* critical-text.c -- the nameless critical construct in a kernel of one block, in assembly; text.h tells why.

   config/accel/critical.c has the rules.  It does the same in C, and goes on where the kernel has several blocks or somebody
   is in the construct.  */

#include "text.h"

#pragma omp declare target

/* Go on in the C function NAME in a kernel of several blocks.  */
#define UNLESS_ALONE(NAME)						\
  TEXT_BEGIN (NAME)							\
  "s_load_dword s20, " MACHINE_DISPATCH ", 12\n\t"			\
  "s_mov_b64 exec, 1\n\t"						\
  "v_mov_b32 v7, 0\n\t"							\
  "s_waitcnt lgkmcnt(0)\n\t"						\
  "s_cmp_lg_u32 s20, 1\n\t"						\
  "s_cbranch_scc1 .Lgompx_" NAME "\n\t"

extern void accel_critical_text (void);

/* Never called: a place for the text.  */
void __attribute__ ((noinline, noclone, used))
accel_critical_text (void)
{
  __asm__ volatile
    (".pushsection .text\n\t"
     ".p2align 8\n\t"
     TEXT_FUNCTION ("globl", "GOMP_critical_start")
     UNLESS_ALONE ("accel_critical_start_any")
     "v_mov_b32 v6, 1\n\t"
     TEXT_CAS ("v3", "v7", "v[6:7]", "v6", "v7", "%[xcritical]")
     TEXT_WAIT
     "v_cmp_ne_u32 vcc, 0, v3\n\t"
     "s_cbranch_vccnz .Lgompx_accel_critical_start_any\n\t"
     "s_setpc_b64 s[18:19]\n"
     ".Lgompx_accel_critical_start_any:\n\t"
     TEXT_GO ("accel_critical_start_any")
     TEXT_END

     ".p2align 8\n\t"
     TEXT_FUNCTION ("globl", "GOMP_critical_end")
     UNLESS_ALONE ("accel_critical_end_any")
     MACHINE_WAIT_ALL "\n\t"			/* what was done under the lock */
     TEXT_STORE32 ("v7", "v7", "%[xcritical]")
     "s_setpc_b64 s[18:19]\n"
     ".Lgompx_accel_critical_end_any:\n\t"
     TEXT_GO ("accel_critical_end_any")
     TEXT_END
     ".popsection"
     : : TEXT_OPERANDS, [xcritical] "n" (TEXT_OFFSET (xcritical)));
}

#pragma omp end declare target
