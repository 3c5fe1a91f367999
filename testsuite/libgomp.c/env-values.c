/* Environment variables with good values, as the API shows them.  TEST-OPTIONS: -Wno-deprecated-declarations */

#include "aux-print-icvs.h"
#include "aux-run-self.h"

static const struct { const char *settings, *wanted; } rows[] = {
  { "", " dyn=0 sched=2,1 limit=2147483647 levels=1 nested=0 teams=0,0 cancel=0 prio=0"
	" device=0 bind=0 alloc=1 " },
  { "OMP_NUM_THREADS=5", " threads=5 " },
  { "OMP_NUM_THREADS= +5 ", " threads=5 " },
  { "OMP_NUM_THREADS=\t5\n", " threads=5 " },
  { "OMP_NUM_THREADS=2147483647", " threads=2147483647 " },
  { "OMP_NUM_THREADS= 5 , 4,3 ", " levels=255 nested=1 " },
  { "OMP_NUM_THREADS=5|OMP_NUM_THREADS=7", " threads=5 " },
  { "OMP_DYNAMIC=TRUE", " dyn=1 " },
  { "OMP_DYNAMIC= tRuE ", " dyn=1 " },
  { "OMP_DYNAMIC=false", " dyn=0 " },
  { "OMP_NESTED=true", " levels=255 nested=1 " },
  { "OMP_NESTED=false|OMP_NUM_THREADS=3,2", " levels=1 " },
  { "OMP_NESTED=true|OMP_MAX_ACTIVE_LEVELS=1", " levels=1 nested=0 " },
  { "OMP_MAX_ACTIVE_LEVELS=2|OMP_NUM_THREADS=3,2", " levels=2 nested=1 " },
  { "OMP_MAX_ACTIVE_LEVELS=0", " levels=0 " },
  { "OMP_MAX_ACTIVE_LEVELS=255", " levels=255 " },
  { "OMP_MAX_ACTIVE_LEVELS=256", " levels=255 " },
  { "OMP_MAX_ACTIVE_LEVELS=4294967297", " levels=255 " },
  { "OMP_SCHEDULE=static", " sched=80000001,0 " },
  { "OMP_SCHEDULE=static,0", " sched=80000001,0 " },
  { "OMP_SCHEDULE=STATIC , 4", " sched=80000001,4 " },
  { "OMP_SCHEDULE=monotonic:static", " sched=80000001,0 " },
  { "OMP_SCHEDULE=nonmonotonic:static,2", " sched=1,2 " },
  { "OMP_SCHEDULE=dynamic", " sched=2,1 " },
  { "OMP_SCHEDULE=dynamic,0", " sched=2,1 " },
  { "OMP_SCHEDULE= Monotonic : Dynamic , 7 ", " sched=80000002,7 " },
  { "OMP_SCHEDULE=guided,2147483647", " sched=3,2147483647 " },
  { "OMP_SCHEDULE=monotonic:guided", " sched=80000003,1 " },
  { "OMP_SCHEDULE=auto", " sched=4,1 " },
  { "OMP_THREAD_LIMIT=9", " limit=9 " },
  { "OMP_THREAD_LIMIT=4294967296", " limit=2147483647 " },
  { "OMP_NUM_TEAMS=4", " teams=4,0 " },
  { "OMP_TEAMS_THREAD_LIMIT=3", " teams=0,3 " },
  { "OMP_CANCELLATION=true", " cancel=1 " },
  { "OMP_MAX_TASK_PRIORITY=12", " prio=12 " },
  { "OMP_MAX_TASK_PRIORITY=0", " prio=0 " },
  { "OMP_DEFAULT_DEVICE=3", " device=3 " },
  { "OMP_TARGET_OFFLOAD=MANDATORY", " device=-4 " },
  { "OMP_TARGET_OFFLOAD=mandatory|OMP_DEFAULT_DEVICE=0", " device=0 " },
  { "OMP_TARGET_OFFLOAD= disabled ", " device=0 " },
  { "OMP_PROC_BIND=false", " levels=1 nested=0 teams=0,0 cancel=0 prio=0 device=0 bind=0 " },
  { "OMP_PROC_BIND=false|OMP_PLACES=threads", " bind=0 " },
  { "OMP_ALLOCATOR=omp_high_bw_mem_alloc", " alloc=4 " },
  { "OMP_ALLOCATOR= OMP_Thread_Mem_Alloc ", " alloc=8 " },
  { "OMP_ALLOCATOR=omp_low_lat_mem_space", " alloc=5 " },
  { "OMP_ALLOCATOR=ompx_gnu_pinned_mem_alloc", " alloc=200 " },
  { "OMP_ALLOCATOR=ompx_gnu_managed_mem_space", " alloc=201 " },
  { "OMP_STACKSIZE=4m", " threads=" },
  { "OMP_STACKSIZE= 4096 K ", " threads=" },
  { "OMP_STACKSIZE=4194304b", " threads=" },
  { "GOMP_STACKSIZE=1g", " threads=" },
  { "OMP_WAIT_POLICY=passive", " threads=" },
  { "OMP_WAIT_POLICY=Active", " threads=" },
  { "GOMP_SPINCOUNT=infinite", " threads=" },
  { "GOMP_SPINCOUNT= Infinity ", " threads=" },
  { "GOMP_SPINCOUNT=12 k", " threads=" },
  { "GOMP_SPINCOUNT=18t", " threads=" },
  { "OMP_DISPLAY_ENV=false", " threads=" },
  { "OMP_DISPLAY_AFFINITY=false", " threads=" },
  /* Not ours.  */
  { "OMP_UNKNOWN=1|OMP_=2|OMP_NUM=3|GOMP_=x|OMP_TOOL=enabled|OMP_AVAILABLE_DEVICES=*", " threads=" },
  /* Names that only begin like ours and are not checked.  */
  { "OMP_PLACES_ALL=x|OMP_AFFINITY_FORMAT_DEV=x", " threads=" },
};

int
main (int argc, char **argv)
{
  if (argc > 1 && strcmp (argv[1], "child") == 0)
    {
      print_icvs ();
      return 0;
    }
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    expect_run (rows[i].settings, rows[i].wanted, NULL);
  return run_failures != 0;
}
