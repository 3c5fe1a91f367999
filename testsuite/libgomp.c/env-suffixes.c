/* The suffixes for devices: what counts for the host, and which names are wrong.  */

#include "aux-print-icvs.h"
#include "aux-run-self.h"

static const struct { const char *settings, *wanted, *message; } rows[] = {
  { "OMP_NUM_THREADS_ALL=6", " threads=6 ", NULL },
  { "OMP_NUM_THREADS=2|OMP_NUM_THREADS_ALL=6", " threads=2 ", NULL },
  { "OMP_NUM_THREADS_ALL=6|OMP_NUM_THREADS=2", " threads=2 ", NULL },
  { "OMP_NUM_THREADS_ALL=6,5,4", " levels=255 ", NULL },
  { "OMP_NUM_THREADS=3|OMP_NUM_THREADS_DEV=6|OMP_NUM_THREADS_DEV_0=7|OMP_NUM_THREADS_DEV_10=7",
    " threads=3 ", NULL },
  { "OMP_DYNAMIC_ALL=true", " dyn=1 ", NULL },
  { "OMP_SCHEDULE_ALL=guided,4", " sched=3,4 ", NULL },
  { "OMP_THREAD_LIMIT_ALL=8", " limit=8 ", NULL },
  { "OMP_MAX_ACTIVE_LEVELS_ALL=3", " levels=3 ", NULL },
  { "OMP_NESTED=true|OMP_MAX_ACTIVE_LEVELS_ALL=3", " levels=3 ", NULL },
  { "OMP_NUM_TEAMS_ALL=5|OMP_TEAMS_THREAD_LIMIT_ALL=4", " teams=5,4 ", NULL },
  { "OMP_NUM_TEAMS_DEV=5|OMP_TEAMS_THREAD_LIMIT_DEV_2=4", " teams=0,0 ", NULL },
  { "OMP_PROC_BIND_ALL=false", " bind=0 ", NULL },
  { "OMP_WAIT_POLICY_ALL=active|OMP_STACKSIZE_ALL=1m", " threads=", NULL },
  { "OMP_DEFAULT_DEVICE_ALL=2", " device=2 ", NULL },
  /* A bad value of the host does not hide the one for everything.  */
  { "OMP_THREAD_LIMIT=x|OMP_THREAD_LIMIT_ALL=8", " limit=8 ",
    "Invalid value for environment variable OMP_THREAD_LIMIT: x" },
  { "OMP_THREAD_LIMIT_ALL=x", " limit=2147483647 ",
    "Invalid value for environment variable OMP_THREAD_LIMIT_ALL: x" },
  { "OMP_SCHEDULE_DEV_3=static,x", " sched=2,1 ",
    "Invalid value for chunk size in environment variable OMP_SCHEDULE_DEV_3: x" },
  { "OMP_NUM_THREADS_DEV_01=6", " threads=", "Invalid device number in OMP_NUM_THREADS_DEV_01=6" },
  { "OMP_NUM_THREADS_DEV_=6", " threads=", "Invalid device number in OMP_NUM_THREADS_DEV_=6" },
  { "OMP_NUM_THREADS_DEV_-1=6", " threads=", "Invalid device number in OMP_NUM_THREADS_DEV_-1=6" },
  { "OMP_NUM_THREADS_DEV_1x=6", " threads=", "Invalid device number in OMP_NUM_THREADS_DEV_1x=6" },
  { "OMP_NUM_THREADS_DEV_2147483648=6", " threads=",
    "Invalid device number in OMP_NUM_THREADS_DEV_2147483648=6" },
  { "OMP_NUM_THREADS_DEV_99999999999999999999=6", " threads=",
    "Invalid device number in OMP_NUM_THREADS_DEV_99999999999999999999=6" },
  { "OMP_NUM_THREADS_DEVICE=6", " threads=", "Invalid environment variable in OMP_NUM_THREADS_DEVICE=6" },
  { "OMP_NUM_THREADS_all=6", " threads=", "Invalid environment variable in OMP_NUM_THREADS_all=6" },
  { "OMP_NUM_THREADSX=6", " threads=", "Invalid environment variable in OMP_NUM_THREADSX=6" },
  { "OMP_CANCELLATION_ALL=true", " cancel=0 ", "Invalid environment variable in OMP_CANCELLATION_ALL=true" },
  { "OMP_MAX_TASK_PRIORITY_DEV=3", " prio=0 ", "Invalid environment variable in OMP_MAX_TASK_PRIORITY_DEV=3" },
  { "OMP_ALLOCATOR_DEV_0=x", " alloc=1 ", "Invalid environment variable in OMP_ALLOCATOR_DEV_0=x" },
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
    expect_run (rows[i].settings, rows[i].wanted, rows[i].message);
  return run_failures != 0;
}
