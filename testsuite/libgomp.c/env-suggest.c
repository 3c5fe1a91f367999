/* Names of environment variables that are wrong in a letter or two are told, with the right one; others
   are nobody's business.  TEST-OPTIONS: -Wno-deprecated-declarations */

#include "aux-print-icvs.h"
#include "aux-run-self.h"

#define TELLS(name, right)							\
  "Environment variable " name " is ignored: there is none of that name; did you mean " right "?"

static const struct { const char *settings, *message; } rows[] = {
  { "OMP_NUM_THREAD=3", TELLS ("OMP_NUM_THREAD", "OMP_NUM_THREADS") },
  { "OMP_NUMTHREADS=3", TELLS ("OMP_NUMTHREADS", "OMP_NUM_THREADS") },
  { "OMP_NUM_THREDAS=3", TELLS ("OMP_NUM_THREDAS", "OMP_NUM_THREADS") },
  { "GOMP_NUM_THREADS=3", TELLS ("GOMP_NUM_THREADS", "OMP_NUM_THREADS") },
  { "OMP_PROCBIND=close", TELLS ("OMP_PROCBIND", "OMP_PROC_BIND") },
  { "OMP_SPINCOUNT=3", TELLS ("OMP_SPINCOUNT", "GOMP_SPINCOUNT") },
  { "GOMP_PLUGIN=x", TELLS ("GOMP_PLUGIN", "GOMP_PLUGINS") },
  { "OMP_NESTEDX=1", TELLS ("OMP_NESTEDX", "OMP_NESTED") },
  { "OMP_DISPLAY_ENVX=1", TELLS ("OMP_DISPLAY_ENVX", "OMP_DISPLAY_ENV") },
  { "GOMP_CPU_DEVICE=1", TELLS ("GOMP_CPU_DEVICE", "GOMP_CPU_DEVICES") },
  /* Too far from all.  */
  { "OMP_THREADS=3|OMP_NUM=3|GOMP_CPUS=1|OMP_PLACES_ALL=x|OMP_=1|GOMP_=1|OMP_NUM_GADGETS=1", NULL },
  /* Those of others.  */
  { "OMP_DEBUG=enabled|OMP_TOOL_VERBOSE=1|OMP_TOOLS=1|GOMP_RTEMS_THREAD_POOLS=1", NULL },
  { "XOMP_NUM_THREAD=3|omp_num_thread=3|OMPX_NUM_THREADS=1|COMP_NUM_THREADS=3", NULL },
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
    expect_run (rows[i].settings, " threads=", rows[i].message);
  return run_failures != 0;
}
