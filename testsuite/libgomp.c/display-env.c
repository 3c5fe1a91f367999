/* The exact text of OMP_DISPLAY_ENV and omp_display_env.  */

#define _GNU_SOURCE 1
#include <omp.h>
#include <stdbool.h>

#include "aux-run-self.h"

static const char defaults[] = "\n"
  "OPENMP DISPLAY ENVIRONMENT BEGIN\n"
  "  _OPENMP = '202111'\n"
  "  [host] OMP_DYNAMIC = 'FALSE'\n"
  "  [host] OMP_NESTED = 'FALSE'\n"
  "  [host] OMP_NUM_THREADS = '1'\n"
  "  [host] OMP_SCHEDULE = 'DYNAMIC'\n"
  "  [host] OMP_PROC_BIND = 'FALSE'\n"
  "  [host] OMP_PLACES = ''\n"
  "  [host] OMP_STACKSIZE = '0'\n"
  "  [host] OMP_WAIT_POLICY = 'PASSIVE'\n"
  "  [host] OMP_THREAD_LIMIT = '4294967295'\n"
  "  [host] OMP_MAX_ACTIVE_LEVELS = '1'\n"
  "  [host] OMP_NUM_TEAMS = '0'\n"
  "  [host] OMP_TEAMS_THREAD_LIMIT = '0'\n"
  "  [all] OMP_CANCELLATION = 'FALSE'\n"
  "  [all] OMP_DEFAULT_DEVICE = '0'\n"
  "  [all] OMP_MAX_TASK_PRIORITY = '0'\n"
  "  [all] OMP_DISPLAY_AFFINITY = 'FALSE'\n"
  "  [host] OMP_AFFINITY_FORMAT = 'level %L thread %i affinity %A'\n"
  "  [host] OMP_ALLOCATOR = 'omp_default_mem_alloc'\n"
  "  [all] OMP_TARGET_OFFLOAD = 'DEFAULT'\n";
static const char verbose_defaults[] =
  "  [host] GOMP_CPU_AFFINITY = ''\n"
  "  [host] GOMP_STACKSIZE = '0'\n"
  "  [host] GOMP_SPINCOUNT = '300000'\n";
static const char end[] = "OPENMP DISPLAY ENVIRONMENT END\n";

static const char every_setting[] =
  "OMP_DISPLAY_ENV=verbose|OMP_DYNAMIC=true|OMP_NUM_THREADS=4,3|OMP_SCHEDULE=monotonic:guided,5|"
  "OMP_PROC_BIND=false|OMP_STACKSIZE=2m|OMP_WAIT_POLICY=active|OMP_THREAD_LIMIT=20|"
  "OMP_MAX_ACTIVE_LEVELS=3|OMP_NUM_TEAMS=6|OMP_TEAMS_THREAD_LIMIT=2|OMP_CANCELLATION=true|"
  "OMP_DEFAULT_DEVICE=1|OMP_MAX_TASK_PRIORITY=9|OMP_DISPLAY_AFFINITY=true|OMP_AFFINITY_FORMAT=%n|"
  "OMP_ALLOCATOR=omp_const_mem_alloc|OMP_TARGET_OFFLOAD=disabled";
static const char every_text[] = "\n"
  "OPENMP DISPLAY ENVIRONMENT BEGIN\n"
  "  _OPENMP = '202111'\n"
  "  [host] OMP_DYNAMIC = 'TRUE'\n"
  "  [host] OMP_NESTED = 'TRUE'\n"
  "  [host] OMP_NUM_THREADS = '4,3'\n"
  "  [host] OMP_SCHEDULE = 'MONOTONIC:GUIDED,5'\n"
  "  [host] OMP_PROC_BIND = 'FALSE'\n"
  "  [host] OMP_PLACES = ''\n"
  "  [host] OMP_STACKSIZE = '2097152'\n"
  "  [host] OMP_WAIT_POLICY = 'ACTIVE'\n"
  "  [host] OMP_THREAD_LIMIT = '20'\n"
  "  [host] OMP_MAX_ACTIVE_LEVELS = '3'\n"
  "  [host] OMP_NUM_TEAMS = '6'\n"
  "  [host] OMP_TEAMS_THREAD_LIMIT = '2'\n"
  "  [all] OMP_CANCELLATION = 'TRUE'\n"
  "  [all] OMP_DEFAULT_DEVICE = '1'\n"
  "  [all] OMP_MAX_TASK_PRIORITY = '9'\n"
  "  [all] OMP_DISPLAY_AFFINITY = 'TRUE'\n"
  "  [host] OMP_AFFINITY_FORMAT = '%n'\n"
  "  [host] OMP_ALLOCATOR = 'omp_const_mem_alloc'\n"
  "  [all] OMP_TARGET_OFFLOAD = 'DISABLED'\n"
  "  [host] GOMP_CPU_AFFINITY = ''\n"
  "  [host] GOMP_STACKSIZE = '2097152'\n"
  "  [host] GOMP_SPINCOUNT = '30000000000'\n"
  "OPENMP DISPLAY ENVIRONMENT END\n";

/* One line each.  */
static const struct { const char *settings, *line; } lines[] = {
  { "OMP_SCHEDULE=static", "  [host] OMP_SCHEDULE = 'STATIC'\n" },
  { "OMP_SCHEDULE=static,3", "  [host] OMP_SCHEDULE = 'STATIC,3'\n" },
  { "OMP_SCHEDULE=monotonic:static", "  [host] OMP_SCHEDULE = 'STATIC'\n" },
  { "OMP_SCHEDULE=nonmonotonic:static,1", "  [host] OMP_SCHEDULE = 'NONMONOTONIC:STATIC,1'\n" },
  { "OMP_SCHEDULE=dynamic,1", "  [host] OMP_SCHEDULE = 'DYNAMIC'\n" },
  { "OMP_SCHEDULE=monotonic:dynamic", "  [host] OMP_SCHEDULE = 'MONOTONIC:DYNAMIC'\n" },
  { "OMP_SCHEDULE=auto", "  [host] OMP_SCHEDULE = 'AUTO'\n" },
  { "OMP_PROC_BIND=primary,spread,close", "  [host] OMP_PROC_BIND = 'MASTER,SPREAD,CLOSE'\n" },
  { "OMP_PROC_BIND=true", "  [host] OMP_PROC_BIND = 'TRUE'\n" },
  { "OMP_PLACES=threads", "  [host] OMP_PROC_BIND = 'TRUE'\n" },
  { "GOMP_CPU_AFFINITY=0-1023", "  [host] OMP_PROC_BIND = 'TRUE'\n" },
  { "OMP_PLACES=threads|OMP_PROC_BIND=false", "  [host] OMP_PROC_BIND = 'FALSE'\n" },
  { "OMP_PLACES=nonsense", "  [host] OMP_PROC_BIND = 'FALSE'\n" },
  { "OMP_WAIT_POLICY=passive|OMP_DISPLAY_ENV=verbose", "  [host] GOMP_SPINCOUNT = '0'\n" },
  { "GOMP_SPINCOUNT=7k|OMP_DISPLAY_ENV=verbose", "  [host] GOMP_SPINCOUNT = '7000'\n" },
  { "GOMP_SPINCOUNT=infinite|OMP_DISPLAY_ENV=verbose",
    "  [host] GOMP_SPINCOUNT = '18446744073709551615'\n" },
  { "GOMP_STACKSIZE=1m|OMP_DISPLAY_ENV=verbose", "  [host] GOMP_STACKSIZE = '1048576'\n" },
  { "GOMP_STACKSIZE=1m", "  [host] OMP_STACKSIZE = '1048576'\n" },
  { "GOMP_STACKSIZE=1m|OMP_STACKSIZE=2m", "  [host] OMP_STACKSIZE = '2097152'\n" },
  { "OMP_SCHEDULE=auto,4", "  [host] OMP_SCHEDULE = 'AUTO'\n" },
  { "OMP_ALLOCATOR=omp_cgroup_mem_alloc", "  [host] OMP_ALLOCATOR = 'omp_cgroup_mem_alloc'\n" },
  { "OMP_NUM_THREADS=4|OMP_NUM_THREADS_ALL=7,2|OMP_NUM_THREADS_DEV=8|OMP_NUM_THREADS_DEV_12=9"
    "|OMP_NUM_THREADS_DEV_3=10",
    "  [host] OMP_NUM_THREADS = '4'\n  [all] OMP_NUM_THREADS = '7,2'\n"
    "  [device] OMP_NUM_THREADS = '8'\n  [12] OMP_NUM_THREADS = '9'\n"
    "  [3] OMP_NUM_THREADS = '10'\n  [host] OMP_SCHEDULE = 'DYNAMIC'\n" },
  { "OMP_NUM_TEAMS_DEV_0=4", "  [host] OMP_NUM_TEAMS = '0'\n  [0] OMP_NUM_TEAMS = '4'\n" },
  { "OMP_TARGET_OFFLOAD=mandatory", "  [all] OMP_DEFAULT_DEVICE = '-4'\n" },
  { "OMP_TARGET_OFFLOAD=mandatory|OMP_DEFAULT_DEVICE=0", "  [all] OMP_DEFAULT_DEVICE = '0'\n" },
  { "OMP_TARGET_OFFLOAD=mandatory|OMP_DEFAULT_DEVICE_ALL=1",
    "  [all] OMP_DEFAULT_DEVICE = '0'\n  [all] OMP_DEFAULT_DEVICE = '1'\n" },
  { "OMP_TARGET_OFFLOAD=mandatory|GOMP_CPU_DEVICES=1", "  [all] OMP_DEFAULT_DEVICE = '0'\n" },
  { "OMP_TARGET_OFFLOAD=mandatory|GOMP_CPU_DEVICES=1|OMP_AVAILABLE_DEVICES=kind(gpu)",
    "  [all] OMP_DEFAULT_DEVICE = '-4'\n" },
  { "OMP_DEFAULT_DEVICE_DEV=2",
    "  [all] OMP_DEFAULT_DEVICE = '0'\n  [device] OMP_DEFAULT_DEVICE = '2'\n" },
};

/* With OMP_DISPLAY_ENV=verbose there is a line about the library: take it off.  */
static void
expect_library (const char *settings, bool wanted)
{
  static const char begin[] = "  _OPENMP = '202111'\n  library = 'gompx ";
  char *at = strstr (run_output, begin), *end = at ? strchr (at + sizeof begin, '\n') : NULL;
  if ((at != NULL) != wanted || strstr (run_output, "library =") != (at ? at + 23 : NULL))
    run_complain (settings, "does not name the library once, or not where it should", "");
  if (at == NULL)
    return;
  if (end == NULL || end[-1] != '\'' || !memmem (at, end - at, "libgomp", 7))
    run_complain (settings, "does not name the library's file", "");
  if (end != NULL)
    {
      at = strchr (at, '\n') + 1;
      memmove (at, end + 1, strlen (end + 1) + 1);
    }
}

static void
expect_text (const char *settings, const char *mode, const char *wanted)
{
  if (run_self (settings, mode) != 0)
    run_complain (settings, "status is not 0", "");
  expect_library (settings, strstr (settings, "OMP_DISPLAY_ENV=verbose") != NULL);
  if (strcmp (run_output, wanted) != 0)
    run_complain (settings, "does not print exactly:\n", wanted);
}

int
main (int argc, char **argv)
{
  char text[8192];

  if (argc > 1)
    {
      if (strcmp (argv[1], "call") == 0)
	omp_display_env (0);
      else if (strcmp (argv[1], "call-verbose") == 0)
	omp_display_env (17);
      else if (strcmp (argv[1], "set-and-call") == 0)
	{
	  /* Setters do not show, but that of the affinity format.  */
	  omp_set_num_threads (12);
	  omp_set_dynamic (1);
	  omp_set_max_active_levels (4);
	  omp_set_default_device (3);
	  omp_set_affinity_format ("level %L thread %i affinity %A");
	  omp_display_env (0);
	}
      return 0;
    }

  snprintf (text, sizeof text, "%s%s", defaults, end);
  expect_text ("OMP_DISPLAY_ENV=true", "nothing", text);
  expect_text ("OMP_DISPLAY_ENV= TRUE ", "nothing", text);
  expect_text ("", "call", text);
  expect_text ("", "set-and-call", text);
  snprintf (text, sizeof text, "%s%s%s", defaults, verbose_defaults, end);
  expect_text ("OMP_DISPLAY_ENV=verbose", "nothing", text);
  expect_text ("", "call-verbose", text);
  expect_text ("OMP_DISPLAY_ENV=false", "nothing", "");
  expect_text ("", "nothing", "");
  expect_text (every_setting, "nothing", every_text);

  for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++)
    {
      snprintf (text, sizeof text, "OMP_DISPLAY_ENV=true|%s", lines[i].settings);
      /* The first assignment counts: verbose where a row says so.  */
      if (run_self (strstr (lines[i].settings, "verbose") ? lines[i].settings : text, "nothing") != 0
	  || !strstr (run_output, lines[i].line))
	run_complain (lines[i].settings, "does not print ", lines[i].line);
    }
  return run_failures != 0;
}
