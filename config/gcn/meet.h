/* meet.h -- what the two forms of GOMP_barrier share: meet.c, meet-wait.c.  */

#ifndef GOMPX_MEET_H
#define GOMPX_MEET_H 1

#include "text.h"

/* s24: accel_thread.plain, and SCC that it is 0.  MORE is loaded, too.  */
#define MEET_LOAD(MORE)							\
  "s_mov_b64 exec, 1\n\t"						\
  TEXT_OWN ("v0")							\
  TEXT_LOAD32 ("v3", "v0", "%[plain]")					\
  MORE									\
  TEXT_WAIT								\
  "v_readlane_b32 s24, v3, 0\n\t"					\
  "s_cmp_eq_u32 s24, 0\n\t"

/* machine_barrier (ACCEL_BARRIER_TEAM, s24), and return.  */
#define MEET(LABEL)							\
  "s_bitcmp1_b32 s24, %[partial_bit]\n\t"				\
  "s_cbranch_scc1 .Lgompx_" LABEL "_partial\n"				\
  ".Lgompx_" LABEL "_all:\n\t"						\
  MACHINE_WAIT_ALL "\n\t"						\
  "s_barrier\n\t"							\
  "s_setpc_b64 s[18:19]\n"						\
  ".Lgompx_" LABEL "_partial:\n\t"					\
  "v_readlane_b32 s24, v2, 0\n\t"					\
  "s_cmp_lg_u32 s24, 0\n\t"						\
  "s_cbranch_scc1 .Lgompx_" LABEL "_all\n\t"				\
  "v_mov_b32 v3, 0x10000\n\t"						\
  "v_mov_b32 v0, 0\n\t"							\
  TEXT_ADD ("v0", "v3", "%[next]")					\
  "s_branch .Lgompx_" LABEL "_all\n"

_Static_assert (MACHINE_PARTIAL == 1u << 8, "partial_bit");
#define MEET_OPERANDS							\
  TEXT_OPERANDS,							\
  [plain] "n" (MACHINE_WORDS + offsetof (struct accel_thread, plain)),	\
  [partial_bit] "n" (8), [next] "n" (offsetof (struct machine_words, next))

#endif /* GOMPX_MEET_H */
