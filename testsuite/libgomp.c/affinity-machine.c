/* Places of machines that are not there: parts with holes, CPUs that are offline, old kernels,
   more CPUs than cpu_set_t has.  */

#include "aux-fake-machine.h"
#include "aux-run-self.h"

#include <omp.h>

#define NO_PLACES "Error reading core/socket topology"

/* {0:2,8},{3} */
static void
print_places (void)
{
  static int ids[1 << 16];
  printf ("procs %d threads %d places ", omp_get_num_procs (), omp_get_max_threads ());
  for (int i = 0; i < omp_get_num_places (); i++)
    {
      int n = omp_get_place_num_procs (i);
      omp_get_place_proc_ids (i, ids);
      printf ("%s{", i ? "," : "");
      for (int j = 0; j < n; )
	{
	  int first = j++;
	  while (j < n && ids[j] == ids[j - 1] + 1)
	    j++;
	  printf (j - first > 1 ? "%s%d:%d" : "%s%d", first ? "," : "", ids[first], j - first);
	}
      printf ("}");
    }
  printf (" end\n");
}

/* How many places, how many CPUs in the first, its first two and its last.  */
static void
print_summary (void)
{
  static int ids[1 << 16];
  int n = omp_get_place_num_procs (0);
  omp_get_place_proc_ids (0, ids);
  printf ("procs %d places %d, %d in the first: %d %d %d end\n", omp_get_num_procs (),
	  omp_get_num_places (), n, ids[0], n > 1 ? ids[1] : -1, n > 0 ? ids[n - 1] : -1);
}

static void
summary (const char *settings, const char *wanted)
{
  char text[200];
  snprintf (text, sizeof text, "%s end\n", wanted);
  if (run_self (settings, "summary") != 0 || strcmp (run_output, text) != 0)
    run_complain (settings, "wanted ", text);
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    {
      if (strcmp (argv[1], "summary") == 0)
	print_summary ();
      else
	print_places ();
      return 0;
    }

#define P16 "procs 16 threads 16 places "
  expect_run ("FAKE_CPUS=16", P16 " end", NULL);
  expect_run ("FAKE_CPUS=16|OMP_PLACES=cores",
	      P16 "{0,8},{1,9},{2,10},{3,11},{4,12},{5,13},{6,14},{7,15} end", NULL);
  expect_run ("FAKE_CPUS=16|OMP_PLACES=cores(3)", P16 "{0,8},{1,9},{2,10} end", NULL);
  expect_run ("FAKE_CPUS=16|OMP_PLACES=sockets", P16 "{0:4,8:4},{4:4,12:4} end", NULL);
  expect_run ("FAKE_CPUS=16|OMP_PLACES=sockets|FAKE_ALTERNATE=1",
	      P16 "{0,2,4,6,8,10,12,14},{1,3,5,7,9,11,13,15} end", NULL);
  expect_run ("FAKE_CPUS=16|OMP_PLACES=ll_caches",
	      P16 "{0:2,8:2},{2:2,10:2},{4:2,12:2},{6:2,14:2} end", NULL);
  expect_run ("FAKE_CPUS=16|OMP_PLACES=numa_domains", P16 "{4:4,12:4},{0:4,8:4} end", NULL);
  expect_run ("FAKE_CPUS=16|OMP_PLACES=numa_domains(1)", P16 "{4:4,12:4} end", NULL);

  /* Kernels before 5.x.  */
  expect_run ("FAKE_CPUS=16|FAKE_OLD=1|OMP_PLACES=cores(2)", P16 "{0,8},{1,9} end", NULL);
  expect_run ("FAKE_CPUS=16|FAKE_OLD=1|OMP_PLACES=sockets", P16 "{0:4,8:4},{4:4,12:4} end", NULL);

  /* A mask with holes: parts are cut down, empty ones are not there.  */
#define HOLES "FAKE_CPUS=16|FAKE_MASK=0,3,5,8,13|OMP_PLACES="
#define P5 "procs 5 threads 5 places "
  expect_run (HOLES "threads", P5 "{0},{3},{5},{8},{13} end", NULL);
  expect_run (HOLES "cores", P5 "{0,8},{3},{5,13} end", NULL);
  expect_run (HOLES "sockets", P5 "{0,3,8},{5,13} end", NULL);
  expect_run (HOLES "ll_caches", P5 "{0,8},{3},{5,13} end", NULL);
  expect_run (HOLES "numa_domains", P5 "{5,13},{0,3,8} end", NULL);
  expect_run (HOLES "{0:8}:2:8", P5 "{0,3,5},{8,13} end", NULL);
  expect_run ("FAKE_CPUS=16|FAKE_MASK=9|OMP_PLACES=sockets", "places {9} end", NULL);
  expect_run ("FAKE_CPUS=16|FAKE_MASK=9|OMP_PROC_BIND=close", "places {9} end", NULL);

  /* CPUs outside the mask are left out, and that is told.  */
  expect_run ("FAKE_CPUS=16|FAKE_MASK=2-3|GOMP_CPU_AFFINITY=0-6:2 3", "places {2},{3} end",
	      "Number of places reduced from 5 to 2 because some places didn't contain any usable"
	      " logical CPUs");
  expect_run ("FAKE_CPUS=16|FAKE_MASK=2-3|OMP_PLACES={0:2}:8:2", "places {2:2} end",
	      "Number of places reduced from 8 to 1 because some places didn't contain any usable"
	      " logical CPUs");

  /* Of one CPU, or of all, nothing is known.  */
  expect_run ("FAKE_CPUS=16|FAKE_UNTOLD=3|OMP_PLACES=cores",
	      P16 "{0,8},{1,9},{2,10},{4,12},{5,13},{6,14},{7,15},{11} end", NULL);
  expect_run ("FAKE_CPUS=16|FAKE_UNTOLD=3|OMP_PLACES=ll_caches(2)", P16 "{0:2,8:2},{2,10:2} end", NULL);
  expect_run ("FAKE_CPUS=16|FAKE_NOTHING=1|OMP_PLACES=threads(2)", P16 "{0},{1} end", NULL);
  expect_run ("FAKE_CPUS=16|FAKE_NOTHING=1|OMP_PLACES=cores", P16 " end", NO_PLACES);
  expect_run ("FAKE_CPUS=16|FAKE_NOTHING=1|OMP_PLACES=sockets", P16 " end", NO_PLACES);
  expect_run ("FAKE_CPUS=16|FAKE_NOTHING=1|OMP_PLACES=ll_caches", P16 " end", NO_PLACES);
  expect_run ("FAKE_CPUS=16|FAKE_NOTHING=1|OMP_PLACES=numa_domains", P16 " end", NO_PLACES);

  /* Large machines.  Lists of alternating CPUs are long.  */
  summary ("FAKE_CPUS=4096|OMP_PLACES=threads", "procs 4096 places 4096, 1 in the first: 0 -1 0");
  summary ("FAKE_CPUS=4096|OMP_PLACES=numa_domains",
	   "procs 4096 places 2, 2048 in the first: 1024 1025 4095");
  summary ("FAKE_CPUS=4096|OMP_PLACES=sockets|FAKE_ALTERNATE=1",
	   "procs 4096 places 2, 2048 in the first: 0 2 4094");
  summary ("FAKE_CPUS=4096|OMP_PLACES={4095},{0:4096}", "procs 4096 places 2, 1 in the first: 4095 -1 4095");
  summary ("FAKE_CPUS=2000|FAKE_MASK=1024,1500-1999|OMP_PLACES=cores(1)",
	   "procs 501 places 1, 1 in the first: 1024 -1 1024");
  summary ("FAKE_CPUS=1032|FAKE_MASK=1024-1031|OMP_PROC_BIND=true",
	   "procs 8 places 8, 1 in the first: 1024 -1 1024");
  expect_run ("FAKE_CPUS=4096|OMP_PLACES={4096}", "procs 4096 threads 4096 places  end",
	      "Logical CPU number 4096 out of range");
  return run_failures != 0;
}
