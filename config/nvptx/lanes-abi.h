/* lanes-abi.h -- lane mode: what the plugin's rewriting of a program and the device runtime agree on.

   In lane mode every lane of a warp is an OpenMP thread of its own.  A program's functions are rewritten
   for it by the plugin (plugin/nvptx-lanes*.c), which works on PTX text; the runtime's
   part is in config/nvptx/lanes.  Both sides and their tests include this file: macros only.

   Kernels.  Mode is a matter of the kernel.  For an entry NAME the plugin may add a second one, in which the call of
   gomp_nvptx_main is one of

       void gompx_lanes_main (void (*fn) (void *), void *arg);

   whose parameters are the same.  It is launched as NAME is: grid (blocks, 1, 1), block (32, warps, 1), the
   launch word as the argument (device-abi.h); static shared memory is the same.  The kernel begins, and
   goes on outside of lane regions, in warp mode: thread 0 is warp 0, all its lanes execute
   everything, stacks are soft ones.  The GPU is one of compute capability 7.0 or higher, and every text of
   the image says so in .target, or lanes of a warp might not get on independently.

   Lane regions.  In the warp-mode code of such a kernel, and only there, the plugin may replace the call
   of an entry point that begins a parallel region,

       GOMP_parallel (fn, data, num_threads, flags)		by
       gompx_lanes_GOMP_parallel (fn, data, num_threads, flags, lane_fn)

   and likewise all of GOMPX_LANES_STARTERS: the same parameters, and lane_fn behind them (.u64).  FN is the
   function as it was, for warp mode: it is run where the region has one thread, which all
   32 lanes of the warp that meets it then are.  LANE_FN is its lane version.  Calls that
   are not replaced begin regions in warp mode, with as many threads as there are warps; both kinds may
   follow each other in a kernel.

   Threads of a lane region.  Thread T is lane T % 32 of warp T / 32 (%tid.y), from 0 to n - 1, and each calls
   LANE_FN (data) once.  N is what OpenMP's rules make of num_threads clause, nthreads-var and thread-limit-var,
   where a block has 32 * %ntid.y threads: with num_threads(8) there are 8 threads, all in warp 0.  Lanes of the
   last warp that are no thread are kept out of LANE_FN, and take part in barriers inside of
   the library.  Where n would be 1 (num_threads(1), if(0), thread limit 1, inside an active region) the region is
   one of warp mode.  A limit of L threads that the host knows, L >= 32, is as many warps as have L
   lanes, and one of less than 32 wants the kernel in warp mode.  Where not all lanes of the last warp
   may be threads, L itself is told as well: by the launch word (device-abi.h), or, where that tells
   the number of teams, by GOMP_teams4 and the ICV teams-thread-limit-var.

   The state in which LANE_FN and all that it calls run ("lane code")
     1. Lanes are on their own: they may be anywhere, at any time, also at a call.  Nothing may wait for lanes that
	are not known to come: no warp-wide instruction with the full mask.
     2. __nvptx_uni[%tid.y] is -1 in every warp of the region.  So functions of GCC's that have no frame and look
	there are lane code as they are: their atomics are made by each lane, what follows them with the full
	mask by none.
     3. __nvptx_stacks[%tid.y] is 0: there is no soft stack.  Frames are in .local memory.  A function with a
	soft frame that gets here by mistake faults, and does not give wrong answers.
     4. Calls follow the usual convention of PTX.  What a lane passes the address of may be in its .local memory; the
	library reads and writes it in that lane only, and keeps no such address after the call.
     5. The team functions (thread number, number of threads and teams) are constant in LANE_FN.
     6. Where there is no call of the library there is no cost: the region needs nothing of
	lanes but %tid.y, %laneid and what gompx_lanes_omp_get_num_threads returns.
   At the end of the region __nvptx_uni and __nvptx_stacks have the values from before it.

   Calls of lane code.  An entry point F of the library has a lane version if the library defines
   gompx_lanes_F, with F's signature; GOMPX_LANES_CALLS lists them, but not the Fortran forms of omp_* routines (with
   "_" or "_8_" behind the name), which are there for all but those that allocate.  Lane code must call that, never F.  A
   function that calls any other entry point of the library is for warp mode: tasks and taskgroups, ordered and
   doacross, task reductions, nested regions, teams, copyprivate (its address would be one lane's .local),
   allocators, interop, messages, host calls.
   Of what programs get from elsewhere: malloc and free may be called as they are (names of the driver's, per lane);
   vprintf, too.  printf and its like (GOMPX_LANES_PRINTS) are the library's where it has them, with a lane version each.  exit ends a warp and is for warp mode; a trap is as good as ever.

   Sections of the lock of atomics.  In a clone that may replace gompx_lanes_GOMP_atomic_start by
   gompx_lanes_section_start, which keeps out lanes of the block only, if before each access to memory that is neither
   .local nor GOMPX_LANES_WIDEST bytes or less that begin less than gompx_lanes_section_room () bytes behind gompx_lanes_section_low () it calls
   gompx_lanes_section_widen, which keeps out all others, too; more than once does no harm.  gompx_lanes_GOMP_atomic_end ends
   both.  Those bytes are frames of the initial thread, and no other block's business.

   Sections of one lock.  Lanes of a warp that come to a section together, PARTY (a mask, not all 32), may take its lock once and
   execute the section one after the other, if it ends by itself for each of them:

       gompx_lanes_turn_start (party, which);  the section;  gompx_lanes_turn_end (party, which);

   Both are called by each of these lanes.  WHICH is GOMPX_LANES_SECTION_..., the lock: what begins by gompx_lanes_section_start
   and may widen, the lock of atomics, the nameless critical construct.  Between the two a lane is where it would be behind the
   lock's own function.  No lane waits in a warp-wide instruction: ptxas's code for several parties at one
   bar.warp.sync, each with a mask of its own, may never end (doc/lanes.md, "Sections of one lock").

   Locks in kernels without the library.  A kernel that does not begin by gompx_lanes_main may call, of all this, the versions
   of GOMP_critical_..., GOMP_atomic_..., omp_set_lock and its like, and what is for sections, if before that all of its lanes
   have called

       gompx_lanes_locks_begin ();

   and have met.  No other block's memory is the block's own then but .shared.

   Critical constructs of the team in such kernels.  Where only lanes of the block have to be kept out of
   a section, it may begin by

       gompx_lanes_team_start (0);				instead of GOMP_critical_start
       gompx_lanes_turn_start (party, GOMPX_LANES_SECTION_NEAR);	... of GOMPX_LANES_SECTION_CRITICAL

   and ends as it did.  Such sections and others may follow each other in a block and exclude each other.
   Around the section of a name may stand gompx_lanes_team_start (n) and gompx_lanes_team_end (n), with a
   number of the name's own from 1 to GOMPX_LANES_NAMES, if they do around all sections of that name;
   GOMP_critical_name_start and GOMP_critical_name_end are needed between the two if other blocks have to
   be kept out.  None of these orders memory for other blocks.

   Cancellation.  gompx_lanes_GOMP_cancel and its like answer false.  That is right if OMP_CANCELLATION is not true on
   the host; if it is, a function that calls one of GOMPX_LANES_IF_NO_CANCELLATION is for warp mode.

   Registers and frames.  A lane region's function is called through a pointer, as one of warp mode is.  A
   thread's record, which loops, single, sections and ICVs need, is in the .local frame of the library's
   caller of LANE_FN, some 200 bytes, and not touched by regions that set GOMPX_LANES_PLAIN in
   FLAGS: the promise that LANE_FN calls only what GOMPX_LANES_CALLS says needs no record.  */

#ifndef GOMPX_LANES_ABI_H
#define GOMPX_LANES_ABI_H 1

/* A lane version's name is this and the name.  */
#define GOMPX_LANES_PREFIX "gompx_lanes_"
/* Instead of gomp_nvptx_main.  */
#define GOMPX_LANES_MAIN "gompx_lanes_main"
/* In the argument FLAGS of a starter: lane_fn needs no record.  The compiler sets no such bit.  */
#define GOMPX_LANES_PLAIN 0x80000000u
/* Bytes: the widest access of a section that begins by gompx_lanes_section_start to the block's own memory.  */
#define GOMPX_LANES_WIDEST 16
/* The locks of sections whose lanes take turns: for a team first, of atomics, of critical constructs without a name.  */
#define GOMPX_LANES_SECTION_TEAM 0
#define GOMPX_LANES_SECTION_ATOMIC 1
#define GOMPX_LANES_SECTION_CRITICAL 2
/* ... of critical constructs without a name, for the team only.  */
#define GOMPX_LANES_SECTION_NEAR 3
/* How many names of critical constructs have a lock of the team, besides.  */
#define GOMPX_LANES_NAMES 4

/* What begins a region: X (name).  */
#define GOMPX_LANES_STARTERS(X)						\
  X (GOMP_parallel)							\
  X (GOMP_parallel_sections)						\
  X (GOMP_parallel_loop_static)						\
  X (GOMP_parallel_loop_dynamic)					\
  X (GOMP_parallel_loop_guided)						\
  X (GOMP_parallel_loop_nonmonotonic_dynamic)				\
  X (GOMP_parallel_loop_nonmonotonic_guided)				\
  X (GOMP_parallel_loop_runtime)					\
  X (GOMP_parallel_loop_nonmonotonic_runtime)				\
  X (GOMP_parallel_loop_maybe_nonmonotonic_runtime)

/* What lane code may call: X (name, needs a record).  */
#define GOMPX_LANES_CALLS(X)						\
  X (GOMP_barrier, 0)							\
  X (GOMP_barrier_cancel, 0)						\
  X (GOMP_cancel, 0)							\
  X (GOMP_cancellation_point, 0)					\
  X (GOMP_critical_start, 0)						\
  X (GOMP_critical_end, 0)						\
  X (GOMP_critical_name_start, 0)					\
  X (GOMP_critical_name_end, 0)						\
  X (GOMP_atomic_start, 0)						\
  X (GOMP_atomic_end, 0)						\
  X (GOMP_single_start, 1)						\
  X (GOMP_sections_start, 1)						\
  X (GOMP_sections_next, 1)						\
  X (GOMP_sections_end, 1)						\
  X (GOMP_sections_end_nowait, 1)					\
  X (GOMP_sections_end_cancel, 1)					\
  GOMPX_LANES_LOOPS (X, GOMP_loop_)					\
  GOMPX_LANES_LOOPS (X, GOMP_loop_ull_)					\
  X (GOMP_loop_end, 1)							\
  X (GOMP_loop_end_nowait, 1)						\
  X (GOMP_loop_end_cancel, 1)						\
  X (omp_get_thread_num, 0)						\
  X (omp_get_num_threads, 0)						\
  X (omp_get_team_num, 0)						\
  X (omp_get_num_teams, 0)						\
  X (omp_get_num_procs, 0)						\
  X (omp_get_cancellation, 0)						\
  X (omp_get_max_task_priority, 0)					\
  X (omp_is_initial_device, 0)						\
  X (omp_get_initial_device, 0)						\
  X (omp_get_num_devices, 0)						\
  X (omp_get_device_num, 0)						\
  X (omp_get_default_device, 0)						\
  X (omp_set_default_device, 0)						\
  X (omp_set_num_teams, 0)						\
  X (omp_get_max_teams, 0)						\
  X (omp_set_teams_thread_limit, 0)					\
  X (omp_get_teams_thread_limit, 0)					\
  X (omp_get_supported_active_levels, 0)				\
  X (omp_get_proc_bind, 0)						\
  X (omp_get_num_places, 0)						\
  X (omp_get_place_num_procs, 0)					\
  X (omp_get_place_proc_ids, 0)						\
  X (omp_get_place_num, 0)						\
  X (omp_get_partition_num_places, 0)					\
  X (omp_get_partition_place_nums, 0)					\
  X (omp_pause_resource, 0)						\
  X (omp_pause_resource_all, 0)						\
  X (omp_get_wtime, 0)							\
  X (omp_get_wtick, 0)							\
  X (omp_init_lock, 0)							\
  X (omp_destroy_lock, 0)						\
  X (omp_set_lock, 0)							\
  X (omp_unset_lock, 0)							\
  X (omp_test_lock, 0)							\
  X (omp_init_nest_lock, 0)						\
  X (omp_destroy_nest_lock, 0)						\
  X (omp_set_nest_lock, 0)						\
  X (omp_unset_nest_lock, 0)						\
  X (omp_test_nest_lock, 0)						\
  X (omp_get_level, 1)							\
  X (omp_get_active_level, 1)						\
  X (omp_in_parallel, 1)						\
  X (omp_get_ancestor_thread_num, 1)					\
  X (omp_get_team_size, 1)						\
  X (omp_get_thread_limit, 1)						\
  X (omp_get_max_threads, 1)						\
  X (omp_set_num_threads, 1)						\
  X (omp_set_dynamic, 1)						\
  X (omp_get_dynamic, 1)						\
  X (omp_set_max_active_levels, 1)					\
  X (omp_get_max_active_levels, 1)					\
  X (omp_set_nested, 1)							\
  X (omp_get_nested, 1)							\
  X (omp_set_schedule, 1)						\
  X (omp_get_schedule, 1)						\
  X (omp_in_final, 1)							\
  X (omp_in_explicit_task, 1)

/* Of C, if they are the library's: X (name).  They need no record.  */
#define GOMPX_LANES_PRINTS(X)						\
  X (printf)								\
  X (puts)								\
  X (putchar)

/* Loops whose name begins with PREFIX.  */
#define GOMPX_LANES_LOOPS(X, PREFIX)					\
  X (PREFIX##static_start, 1)						\
  X (PREFIX##static_next, 1)						\
  X (PREFIX##dynamic_start, 1)						\
  X (PREFIX##dynamic_next, 1)						\
  X (PREFIX##guided_start, 1)						\
  X (PREFIX##guided_next, 1)						\
  X (PREFIX##runtime_start, 1)						\
  X (PREFIX##runtime_next, 1)						\
  X (PREFIX##nonmonotonic_dynamic_start, 1)				\
  X (PREFIX##nonmonotonic_dynamic_next, 1)				\
  X (PREFIX##nonmonotonic_guided_start, 1)				\
  X (PREFIX##nonmonotonic_guided_next, 1)				\
  X (PREFIX##nonmonotonic_runtime_start, 1)				\
  X (PREFIX##nonmonotonic_runtime_next, 1)				\
  X (PREFIX##maybe_nonmonotonic_runtime_start, 1)			\
  X (PREFIX##maybe_nonmonotonic_runtime_next, 1)

/* Those of them that are lane code only while OMP_CANCELLATION is not true: X (name).  */
#define GOMPX_LANES_IF_NO_CANCELLATION(X)				\
  X (GOMP_barrier_cancel)						\
  X (GOMP_cancel)							\
  X (GOMP_cancellation_point)						\
  X (GOMP_sections_end_cancel)						\
  X (GOMP_loop_end_cancel)

#endif /* GOMPX_LANES_ABI_H */
