/* Threads of a cpu device are bound only when a variable for devices says so, and then in the
   same way as the program's own.
   TEST-MODES: cpu  */

#include "../libgomp.c/aux-run-self.h"

#include <omp.h>

static int
child (void)
{
  int place[2] = { -9, -9 }, places = -9, bind = -9;

#pragma omp target map(tofrom: place, places, bind)
  {
    places = omp_get_num_places ();
    bind = omp_get_proc_bind ();
#pragma omp parallel num_threads(2)
    place[omp_get_thread_num ()] = omp_get_place_num ();
  }
  printf ("device %d %d at %d %d, host %d at %d\n", bind, places > 0, place[0], place[1],
	  omp_get_proc_bind (), omp_get_place_num ());
  return 0;
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    return child ();
  if (omp_get_num_procs () < 2)
    {
      puts ("needs two CPUs");
      return 77;
    }
#define DEVICE "GOMP_CPU_DEVICES=1|"
  expect_run (DEVICE "OMP_PLACES=threads", "device 0 0 at -1 -1, host 1 at 0\n", NULL);
  expect_run (DEVICE "OMP_PROC_BIND=close", "device 0 0 at -1 -1, host 3 at 0\n", NULL);
  expect_run (DEVICE "OMP_PROC_BIND_DEV=close", "device 3 1 at 0 1, host 0 at -1\n", NULL);
  expect_run (DEVICE "OMP_PROC_BIND_ALL=spread", "device 4 1 at 0 1, host 4 at 0\n", NULL);
  expect_run (DEVICE "OMP_PROC_BIND_ALL=spread|OMP_PROC_BIND_DEV=false",
	      "device 0 0 at -1 -1, host 4 at 0\n", NULL);
  return run_failures != 0;
}
