/* meet-wait.c -- the barrier of a team that may have tasks, or be cancelled, in assembly; text.h tells why.

   config/accel/barrier-wait.c has the protocol, and does what is out of the ordinary: teams of one thread,
   tasks, cancellation, long waits.  A look at what a thread waits for is one load: three lanes
   have a word each.  */

#include "meet.h"

#pragma omp declare target

extern void accel_meet_wait_text (void);

/* Lanes 0, 2 and 3 have these words.  */
_Static_assert (offsetof (struct accel_team, xcancelled) == offsetof (struct accel_team, xphase) + 8
		&& offsetof (struct accel_team, xtasks) == offsetof (struct accel_team, xphase) + 12,
		"words that a look is for");

/* Never called: a place for the text.  */
void __attribute__ ((noinline, noclone, used))
accel_meet_wait_text (void)
{
  __asm__ volatile
    (".pushsection .text\n\t"
     ".p2align 8\n\t"
     TEXT_FUNCTION ("globl", "GOMP_barrier")
     TEXT_BEGIN ("accel_barrier_all")
     MEET_LOAD (TEXT_LOAD32 ("v4", "v0", "%[num_threads]"))
     "s_cbranch_scc1 .Lgompx_meet_long\n\t"
     MEET ("meet_wait")
     ".Lgompx_meet_long:\n\t"
     "v_readlane_b32 s30, v4, 0\n\t"
     "s_cmp_le_u32 s30, 1\n\t"
     "s_cbranch_scc1 .Lgompx_meet_other\n\t"

     /* Come, with the phase before that in s24.  */
     "s_mov_b64 exec, 13\n\t"
     "v_lshlrev_b32 v4, 2, v1\n\t"
     "v_mov_b32 v6, 1\n\t"
     MACHINE_WAIT_ALL "\n\t"
     TEXT_LOAD32 ("v5", "v4", "%[xphase]")
     TEXT_THEN
     "s_mov_b64 exec, 1\n\t"
     TEXT_FETCH_ADD ("v3", "v4", "v6", "%[xarrived]")
     TEXT_WAIT
     "v_readlane_b32 s24, v5, 0\n\t"
     "v_readlane_b32 s25, v3, 0\n\t"
     "s_add_u32 s25, s25, 1\n\t"
     "s_cmp_eq_u32 s25, s30\n\t"
     "s_cbranch_scc1 .Lgompx_meet_last\n\t"

     /* Wait until the phase is another one, or there is a task or cancellation.  */
     "s_mov_b64 exec, 12\n\t"
     "v_mov_b32 v5, 0\n\t"
     "s_mov_b64 exec, 13\n\t"
     "s_movk_i32 s25, 63\n"
     ".Lgompx_meet_look:\n\t"
     TEXT_LOAD32 ("v6", "v4", "%[xphase]")
     TEXT_WAIT
     "v_cmp_ne_u32 vcc, v6, v5\n\t"
     "s_cbranch_vccnz .Lgompx_meet_event\n\t"
     "s_sleep 1\n\t"
     "s_sub_u32 s25, s25, 1\n\t"
     "s_cbranch_scc0 .Lgompx_meet_look\n"
     /* That looks whether the program has ended, too.  */
     ".Lgompx_meet_on:\n\t"
     "s_mov_b32 s25, 0\n\t"
     TEXT_GO ("accel_barrier_on")
     ".Lgompx_meet_event:\n\t"
     "s_bitcmp1_b32 vcc_lo, 0\n\t"
     "s_cbranch_scc0 .Lgompx_meet_on\n\t"
     "s_setpc_b64 s[18:19]\n"

     /* The last one opens the barrier.  What the others did before they came is read after that.  */
     ".Lgompx_meet_last:\n\t"
     "s_mov_b64 exec, 12\n\t"
     TEXT_LOAD32 ("v6", "v4", "%[xphase]")
     TEXT_WAIT
     "v_cmp_ne_u32 vcc, 0, v6\n\t"
     "s_cbranch_vccnz .Lgompx_meet_last_on\n\t"
     "s_mov_b64 exec, 1\n\t"
     "v_mov_b32 v3, 0\n\t"
     TEXT_STORE32 ("v4", "v3", "%[xarrived]")
     TEXT_THEN
     "s_add_u32 s24, s24, 1\n\t"
     "v_mov_b32 v3, s24\n\t"
     TEXT_STORE32 ("v4", "v3", "%[xphase]")
     "s_setpc_b64 s[18:19]\n"
     ".Lgompx_meet_last_on:\n\t"
     "s_mov_b32 s25, 1\n\t"
     TEXT_GO ("accel_barrier_on")

     ".Lgompx_meet_other:\n\t"
     TEXT_GO ("accel_barrier_all")
     TEXT_END
     ".popsection"
     : : MEET_OPERANDS,
     [num_threads] "n" (MACHINE_WORDS + offsetof (struct accel_thread, num_threads)),
     [xarrived] "n" (TEXT_OFFSET (team.xarrived)), [xphase] "n" (TEXT_OFFSET (team.xphase)));
}

#pragma omp end declare target
