/* task-text.c -- the usual task of an active region is made, and taskwait begins, in assembly; text.h tells why.

   The usual task has no copy function and is ready, its data fits into the record, and its ICVs are the region's.
   accel_task_any of config/accel/task.c does the same in C, and makes all others: nothing has been written
   when this goes there, and the arguments are still in place.

   A record and a thread's record are a vector register each, lane I with word I.  What a new record begins with is
   in the same order in both (struct accel_thread), so that one load with another offset brings it to its lanes; the
   data comes into the lanes behind the record, and one store writes it all.

   The arguments that have no register are below the stack pointer (s[16:17]), the last one first: detach, priority,
   depend, flags, if_clause, arg_align, arg_size.  */

#include "task.h"
#include "text.h"

#pragma omp declare target

/* Words of structures: lanes.  */
#define OF_THREAD(FIELD) (offsetof (struct accel_thread, FIELD) / 4)
#define OF_TASK(FIELD) (offsetof (struct accel_task, FIELD) / 4)

/* From parent to icv.  */
#define SAME_FIRST OF_TASK (xparent)
#define SAME_COUNT (OF_TASK (icv) + 2 - SAME_FIRST)
#define SAME(OURS, THEIRS) (OF_TASK (OURS) - SAME_FIRST == OF_THREAD (THEIRS) - OF_THREAD (parent))
_Static_assert (SAME (xparent_serial, parent_serial) && SAME (root, root) && SAME (group, taskgroup)
		&& SAME (team, team) && SAME (icv, icv), "the same order");
_Static_assert (OF_THREAD (done) == OF_THREAD (created) + 1, "what taskwait compares");
_Static_assert (ACCEL_SLOT == 64 * 4, "a slot has a word for each lane");

#define UNLESS(CONDITION) "s_cbranch_" CONDITION " .Lgompx_task_other\n\t"

extern void accel_task_text (void);

/* Never called: a place for the text.  */
void __attribute__ ((noinline, noclone, used))
accel_task_text (void)
{
  __asm__ volatile
    (".pushsection .text\n\t"
     ".p2align 8\n\t"
     TEXT_FUNCTION ("globl", "GOMP_task")
     TEXT_BEGIN ("accel_task_any")

     /* v8: the thread's record; v7: the arguments; others by name.  */
     "v_readlane_b32 s20, v2, 0\n\t"
     "s_sub_u32 s30, s16, 56\n\t"
     "s_subb_u32 s31, s17, 0\n\t"
     "s_mul_i32 s21, s20, %[thread]\n\t"
     "s_bfm_b64 exec, %[thread] / 4, 0\n\t"
     "v_lshl_add_u32 v14, v1, 2, s21\n\t"
     TEXT_LOAD32 ("v8", "v14", "%[threads]")
     "s_bfm_b64 exec, 14, 0\n\t"
     "v_mad_u64_u32 v[4:5], vcc, v1, 4, s[30:31]\n\t"
     "flat_load_dword v7, v[4:5]\n\t"
     "s_mov_b64 exec, 1\n\t"
     "v_lshlrev_b32 v9, 2, v2\n\t"
     "v_lshlrev_b32 v15, 3, v2\n\t"
     "v_mov_b32 v0, 0\n\t"
     TEXT_LOAD32 ("v10", "v9", "%[free]")
     TEXT_LOAD32 ("v11", "v9", "%[serial]")
     TEXT_LOAD64 ("v[12:13]", "v15", "%[arena_of]")
     TEXT_LOAD32 ("v3", "v0", "%[cancellation]")
     TEXT_LOAD64 ("v[4:5]", "v0", "%[team_icv]")
     "s_waitcnt 0\n\t"

     /* The usual one: no cancellation, final, copy function, dependence or event ...  */
     "v_readlane_b32 s21, v3, 0\n\t"
     "v_readlane_b32 s22, v8, %[final]\n\t"
     "v_readlane_b32 s23, v7, 6\n\t"
     "v_readlane_b32 s30, v7, 12\n\t"	/* s30: size */
     "v_readlane_b32 s31, v7, 13\n\t"
     "s_or_b32 s21, s21, s22\n\t"
     "s_and_b32 s23, s23, %[kinds]\n\t"
     "s_or_b32 s21, s21, s23\n\t"
     "s_or_b32 s21, s21, s28\n\t"
     "s_or_b32 s21, s21, s29\n\t"
     "s_or_b32 s21, s21, s31\n\t"
     /* ... data of whole words ...  */
     "s_or_b32 s22, s30, s26\n\t"
     "s_and_b32 s22, s22, 3\n\t"
     "s_or_b32 s21, s21, s22\n\t"
     UNLESS ("scc1")
     "s_cmp_gt_u32 s30, %[room]\n\t"
     UNLESS ("scc1")
     "v_readlane_b32 s22, v7, 10\n\t"
     "s_cmp_gt_u32 s22, 16\n\t"
     UNLESS ("scc1")
     /* ... and an if clause that is true; in a team of several threads, which is the active one ...  */
     "v_readlane_b32 s22, v7, 8\n\t"
     "s_and_b32 s22, s22, 255\n\t"
     UNLESS ("scc0")
     "v_readlane_b32 s22, v8, %[num_threads]\n\t"
     "s_cmp_le_u32 s22, 1\n\t"
     UNLESS ("scc1")
     /* ... with its ICVs ...  */
     "v_readlane_b32 s22, v8, %[icv]\n\t"
     "v_readlane_b32 s23, v8, %[icv] + 1\n\t"
     "v_readlane_b32 s21, v4, 0\n\t"
     "s_cmp_lg_u32 s21, s22\n\t"
     UNLESS ("scc1")
     "v_readlane_b32 s21, v5, 0\n\t"
     "s_cmp_lg_u32 s21, s23\n\t"
     UNLESS ("scc1")
     /* ... whose parent has a record (accel_settled).  */
     "v_readlane_b32 s22, v8, %[task]\n\t"
     "v_readlane_b32 s23, v8, %[task] + 1\n\t"
     "s_cmp_eq_u64 s[22:23], 0\n\t"
     "s_cbranch_scc1 .Lgompx_task_implicit\n\t"
     "v_readlane_b32 s21, v8, %[parent]\n\t"
     "s_cmp_lg_u32 s21, s22\n\t"
     UNLESS ("scc1")
     "v_readlane_b32 s21, v8, %[parent] + 1\n\t"
     "s_cmp_lg_u32 s21, s23\n\t"
     UNLESS ("scc1")
     "s_branch .Lgompx_task_settled\n"
     ".Lgompx_task_implicit:\n\t"
     "v_readlane_b32 s22, v8, %[implicit]\n\t"
     "v_readlane_b32 s23, v8, %[implicit] + 1\n\t"
     "s_cmp_eq_u64 s[22:23], 0\n\t"
     UNLESS ("scc1")
     ".Lgompx_task_settled:\n\t"
     /* A slot, s21 has its bit of those that are free, and a number.  */
     "v_readlane_b32 s21, v10, 0\n\t"
     "s_cmp_eq_u32 s21, 0\n\t"
     UNLESS ("scc1")
     "v_readlane_b32 s22, v11, 0\n\t"
     "s_add_u32 s22, s22, 1\n\t"
     "s_lshl_b32 s23, s22, 5\n\t"
     UNLESS ("scc0")

     /* It will be made.  s[28:29]: the record.  */
     "s_ff1_i32_b32 s31, s21\n\t"
     "s_add_u32 s28, s21, -1\n\t"
     "s_and_b32 s28, s28, s21\n\t"
     "v_mov_b32 v4, s28\n\t"
     "v_mov_b32 v5, s22\n\t"
     "v_readlane_b32 s22, v8, %[created]\n\t"
     "s_add_u32 s22, s22, 1\n\t"
     "v_mov_b32 v6, s22\n\t"
     TEXT_STORE32 ("v9", "v4", "%[free]")
     TEXT_STORE32 ("v9", "v5", "%[serial]")
     TEXT_STORE32 ("v14", "v6", "%[threads] + 4 * %[created]")
     "v_readlane_b32 s28, v12, 0\n\t"
     "v_readlane_b32 s29, v13, 0\n\t"
     "s_lshl_b32 s22, s31, 8\n\t"
     "s_add_u32 s28, s28, s22\n\t"
     "s_addc_u32 s29, s29, 0\n\t"
     "s_lshl_b32 s21, 1, s31\n\t"
     "s_or_b32 s23, s23, s20\n\t"
     "s_lshl_b32 s22, s20, 5\n\t"
     "s_or_b32 s22, s22, s31\n\t"
     /* v3: its words.  */
     "s_mov_b64 exec, -1\n\t"
     "v_mov_b32 v3, 0\n\t"
     "v_writelane_b32 v3, s23, 1\n\t"	/* xdone, upper half */
     "v_writelane_b32 v3, s23, %[serial_of]\n\t"
     "v_writelane_b32 v3, s22, %[slot]\n\t"
     "v_writelane_b32 v3, s24, %[fn]\n\t"
     "v_writelane_b32 v3, s25, %[fn] + 1\n\t"
     "s_add_u32 s22, s28, %[size]\n\t"
     "s_addc_u32 s23, s29, 0\n\t"
     "v_writelane_b32 v3, s22, %[data]\n\t"
     "v_writelane_b32 v3, s23, %[data] + 1\n\t"
     "s_bfm_b64 exec, %[count], %[first]\n\t"
     TEXT_LOAD32 ("v3", "v14", "%[shifted]")
     "s_lshr_b32 s30, s30, 2\n\t"
     "s_sub_u32 s22, s26, %[size]\n\t"
     "s_subb_u32 s23, s27, 0\n\t"
     "s_bfm_b64 exec, s30, %[size] / 4\n\t"
     "v_mad_u64_u32 v[4:5], vcc, v1, 4, s[22:23]\n\t"
     "flat_load_dword v3, v[4:5]\n\t"
     "s_mov_b64 exec, -1\n\t"
     "v_mad_u64_u32 v[4:5], vcc, v1, 4, s[28:29]\n\t"
     "s_waitcnt 0\n\t"
     "flat_store_dword v[4:5], v3\n\t"
     /* Counts go up before it is ready.  */
     "s_mov_b64 exec, 1\n\t"
     "v_mov_b32 v6, 1\n\t"
     "v_readlane_b32 s22, v8, %[taskgroup]\n\t"
     "v_readlane_b32 s23, v8, %[taskgroup] + 1\n\t"
     "s_cmp_eq_u64 s[22:23], 0\n\t"
     "s_cbranch_scc1 .Lgompx_task_no_group\n\t"
     "s_add_u32 s22, s22, %[group_tasks]\n\t"
     "s_addc_u32 s23, s23, 0\n\t"
     "v_mov_b32 v4, s22\n\t"
     "v_mov_b32 v5, s23\n\t"
     "flat_atomic_add v[4:5], v6\n"
     ".Lgompx_task_no_group:\n\t"
     TEXT_ADD ("v0", "v6", "%[team_tasks]")
     "v_mov_b32 v10, s21\n\t"
     MACHINE_WAIT_ALL "\n\t"
     TEXT_OR ("v9", "v10", "%[ready]")
     "s_setpc_b64 s[18:19]\n"

     ".Lgompx_task_other:\n\t"
     TEXT_GO ("accel_task_any")
     TEXT_END

     ".p2align 8\n\t"
     TEXT_FUNCTION ("globl", "GOMP_taskwait")
     TEXT_BEGIN ("accel_taskwait_any")
     "s_mov_b64 exec, 1\n\t"
     TEXT_OWN ("v0")
     TEXT_LOAD32 ("v3", "v0", "%[threads] + 4 * %[created]")
     TEXT_LOAD32 ("v4", "v0", "%[threads] + 4 * %[created] + 4")	/* done */
     TEXT_WAIT
     "v_readlane_b32 s20, v3, 0\n\t"
     "v_readlane_b32 s21, v4, 0\n\t"
     "s_cmp_lg_u32 s20, s21\n\t"
     "s_cbranch_scc1 .Lgompx_taskwait\n\t"
     "s_setpc_b64 s[18:19]\n"
     ".Lgompx_taskwait:\n\t"
     TEXT_GO ("accel_taskwait_any")
     TEXT_END
     ".popsection"
     : : TEXT_OPERANDS,
     [threads] "n" (TEXT_OFFSET (threads)),
     [free] "n" (TEXT_OFFSET (tasks.free)), [serial] "n" (TEXT_OFFSET (tasks.serial)),
     [arena_of] "n" (TEXT_OFFSET (tasks.arena)), [ready] "n" (TEXT_OFFSET (tasks.xready)),
     [cancellation] "n" (TEXT_OFFSET (cancellation)), [team_icv] "n" (TEXT_OFFSET (team.icv)),
     [team_tasks] "n" (TEXT_OFFSET (team.xtasks)),
     [final] "n" (OF_THREAD (final)), [num_threads] "n" (OF_THREAD (num_threads)),
     [icv] "n" (OF_THREAD (icv)), [task] "n" (OF_THREAD (task)), [parent] "n" (OF_THREAD (parent)),
     [implicit] "n" (OF_THREAD (implicit)), [created] "n" (OF_THREAD (created)),
     [taskgroup] "n" (OF_THREAD (taskgroup)),
     [kinds] "n" (ACCEL_TASK_FINAL | ACCEL_TASK_DEPEND | ACCEL_TASK_DETACH),
     [size] "n" (sizeof (struct accel_task)), [room] "n" (ACCEL_SLOT - sizeof (struct accel_task)),
     [fn] "n" (OF_TASK (fn)), [data] "n" (OF_TASK (data)), [serial_of] "n" (OF_TASK (serial)),
     [slot] "n" (OF_TASK (slot)), [first] "n" (SAME_FIRST), [count] "n" (SAME_COUNT),
     [shifted] "n" (TEXT_OFFSET (threads[0].parent) - 4 * SAME_FIRST),
     [group_tasks] "n" (offsetof (struct accel_taskgroup, xtasks)));
}

#pragma omp end declare target
