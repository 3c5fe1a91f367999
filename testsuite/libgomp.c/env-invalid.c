/* Environment variables with bad values: one line says so, with the name and the value, and
   the default stays.  TEST-OPTIONS: -Wno-deprecated-declarations */

#include "aux-print-icvs.h"
#include "aux-run-self.h"

#define DEFAULTS " dyn=0 sched=2,1 limit=2147483647 levels=1 nested=0 teams=0,0 cancel=0 prio=0" \
		 " device=0 bind=0 alloc=1 "

/* Bad as they are: "Invalid value for environment variable NAME: VALUE".  */
static const char *const bad[] = {
  "OMP_NUM_THREADS=", "OMP_NUM_THREADS= ", "OMP_NUM_THREADS=0", "OMP_NUM_THREADS=-1",
  "OMP_NUM_THREADS=3,", "OMP_NUM_THREADS=3,x", "OMP_NUM_THREADS=3 4", "OMP_NUM_THREADS=3,0",
  "OMP_NUM_THREADS=,3", "OMP_NUM_THREADS=2147483648", "OMP_NUM_THREADS=0x10",
  "OMP_NUM_THREADS=99999999999999999999999", "OMP_NUM_THREADS=1.5", "OMP_NUM_THREADS=+ 3",
  "OMP_NUM_THREADS=+-3", "OMP_NUM_THREADS=18446744073709551617",
  "OMP_DYNAMIC=1", "OMP_DYNAMIC=yes", "OMP_DYNAMIC=", "OMP_DYNAMIC=trueish",
  "OMP_DYNAMIC=true false", "OMP_DYNAMIC=true,",
  "OMP_NESTED=0", "OMP_MAX_ACTIVE_LEVELS=-1", "OMP_MAX_ACTIVE_LEVELS=x",
  "OMP_SCHEDULE=foo", "OMP_SCHEDULE=", "OMP_SCHEDULE=monotonic", "OMP_SCHEDULE=monotonic:",
  "OMP_SCHEDULE=monotonic static", "OMP_SCHEDULE=static 4", "OMP_SCHEDULE=staticx",
  "OMP_SCHEDULE=monotonic:nonmonotonic:static", "OMP_SCHEDULE=runtime", "OMP_SCHEDULE=:static",
  "OMP_THREAD_LIMIT=0", "OMP_THREAD_LIMIT=-3", "OMP_NUM_TEAMS=0", "OMP_NUM_TEAMS=x",
  "OMP_TEAMS_THREAD_LIMIT=0", "OMP_CANCELLATION=yes", "OMP_MAX_TASK_PRIORITY=-1",
  "OMP_DEFAULT_DEVICE=-1", "OMP_DEFAULT_DEVICE=", "OMP_DEFAULT_DEVICE=1x",
  "OMP_TARGET_OFFLOAD=", "OMP_TARGET_OFFLOAD=yes", "OMP_TARGET_OFFLOAD=default mandatory",
  "OMP_PROC_BIND=", "OMP_PROC_BIND=near", "OMP_PROC_BIND=true,close", "OMP_PROC_BIND=close,",
  "OMP_PROC_BIND=close,false", "OMP_PROC_BIND=close close",
  "OMP_WAIT_POLICY=lazy", "OMP_WAIT_POLICY=", "OMP_STACKSIZE=zz", "OMP_STACKSIZE=",
  "OMP_STACKSIZE=-4m", "OMP_STACKSIZE=4q", "OMP_STACKSIZE=4mm", "OMP_STACKSIZE=99999999999g",
  "GOMP_STACKSIZE=x", "GOMP_SPINCOUNT=x", "GOMP_SPINCOUNT=infinite2", "GOMP_SPINCOUNT=1kk",
  "GOMP_SPINCOUNT=99999999999999999t", "OMP_DISPLAY_ENV=maybe", "OMP_DISPLAY_ENV=",
  "OMP_DISPLAY_AFFINITY=1", "GOMP_DEBUG=x",
};

/* With texts of their own.  */
static const struct { const char *settings, *message; } others[] = {
  { "OMP_SCHEDULE=static,q", "Invalid value for chunk size in environment variable OMP_SCHEDULE: q" },
  { "OMP_SCHEDULE=static,", "Missing value at the end of environment variable OMP_SCHEDULE=static," },
  { "OMP_SCHEDULE=guided, ", "Missing value at the end of environment variable OMP_SCHEDULE=guided, " },
  { "OMP_SCHEDULE=dynamic,-1", "Invalid value for chunk size in environment variable OMP_SCHEDULE: -1" },
  { "OMP_SCHEDULE=guided,4 5", "Invalid value for chunk size in environment variable OMP_SCHEDULE: 4 5" },
  { "OMP_SCHEDULE=guided,2147483648",
    "Invalid value for chunk size in environment variable OMP_SCHEDULE: 2147483648" },
  { "OMP_STACKSIZE=1b", "Stack size less than minimum of 16k" },
  { "GOMP_STACKSIZE=0", "Stack size less than minimum of 16k" },
  { "OMP_STACKSIZE=16000000000g", "Stack size larger than system limit" },
  { "OMP_STACKSIZE=200000g", "Stack size larger than system limit" },
  { "OMP_ALLOCATOR=nonsense",
    "Invalid value for environment variable OMP_ALLOCATOR when parsing: nonsense" },
  { "OMP_ALLOCATOR=", "Missing value at the end of environment variable OMP_ALLOCATOR=" },
  { "OMP_ALLOCATOR=1", "Invalid value for environment variable OMP_ALLOCATOR when parsing: 1" },
  { "OMP_ALLOCATOR=omp_default_mem_alloc x",
    "Invalid value for environment variable OMP_ALLOCATOR when parsing:  x" },
  { "OMP_ALLOCATOR=omp_default_mem_space:alignment",
    "Missing value at the end of environment variable OMP_ALLOCATOR=omp_default_mem_space:alignment" },
  { "OMP_ALLOCATOR=omp_default_mem_space:alignment=",
    "Missing value at the end of environment variable OMP_ALLOCATOR=omp_default_mem_space:alignment=" },
  { "OMP_ALLOCATOR=omp_default_mem_space:alignment=3,pinned= ",
    "Missing value at the end of environment variable"
    " OMP_ALLOCATOR=omp_default_mem_space:alignment=3,pinned= " },
  { "OMP_ALLOCATOR=omp_default_mem_space:alignment=0",
    "Invalid value for environment variable OMP_ALLOCATOR when parsing: 0" },
  { "OMP_ALLOCATOR=omp_default_mem_space:alignment=64,pinned=maybe",
    "Invalid value for environment variable OMP_ALLOCATOR when parsing: maybe" },
  { "OMP_ALLOCATOR=omp_default_mem_space:colour=red",
    "Invalid value for environment variable OMP_ALLOCATOR when parsing: colour=red" },
  { "OMP_ALLOCATOR=omp_default_mem_space:alignment=64,",
    "Missing value at the end of environment variable OMP_ALLOCATOR=omp_default_mem_space:alignment=64," },
  { "OMP_ALLOCATOR=omp_default_mem_space:",
    "Missing value at the end of environment variable OMP_ALLOCATOR=omp_default_mem_space:" },
};

int
main (int argc, char **argv)
{
  char message[1024];

  if (argc > 1 && strcmp (argv[1], "child") == 0)
    {
      print_icvs ();
      return 0;
    }
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
    {
      const char *equals = strchr (bad[i], '=');
      snprintf (message, sizeof message, "Invalid value for environment variable %.*s: %s",
		(int) (equals - bad[i]), bad[i], equals + 1);
      expect_run (bad[i], DEFAULTS, message);
    }
  for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
    expect_run (others[i].settings, DEFAULTS, others[i].message);
  return run_failures != 0;
}
