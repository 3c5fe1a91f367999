/* What a region sets of the device's ICVs stays, for this device only, and decides over later teams
   regions; the program's own values are others.
   TEST-MODES: cpu2
   TEST-ENV: OMP_NUM_TEAMS_DEV_0=5
   TEST-ENV: OMP_TEAMS_THREAD_LIMIT_DEV=8
   TEST-SHARED: icv-persist-lib.c -fopenmp  */

#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

static int failures;

/* The compiler does not want the call in a teams region.  */
#pragma omp declare target
static int __attribute__ ((noinline))
thread_limit (void)
{
  return omp_get_thread_limit ();
}
#pragma omp end declare target

static void
teams (int device, int wanted_teams, int wanted_limit, int line)
{
  int n = -1, limit = -1;
#pragma omp target teams device (device) map (tofrom: n, limit)
  if (omp_get_team_num () == 0)
    {
      n = omp_get_num_teams ();
      limit = thread_limit ();
    }
  if (n != wanted_teams || (wanted_limit != 0 && limit != wanted_limit))
    {
      printf ("FAIL line %d: device %d: %d teams, limit %d\n", line, device, n, limit);
      failures++;
    }
}
#define TEAMS(device, n, limit) teams (device, n, limit, __LINE__)

static void
set (int device, int n, int limit)
{
#pragma omp target device (device)
  {
    omp_set_num_teams (n);
    omp_set_teams_thread_limit (limit);
    omp_set_num_teams (-3);
    omp_set_default_device (77);
  }
}

static void
values (int device, int n, int limit, int line)
{
  int got[3] = { -1, -1, -1 };
#pragma omp target device (device) map (from: got)
  {
    got[0] = omp_get_max_teams ();
    got[1] = omp_get_teams_thread_limit ();
    got[2] = omp_get_default_device ();
  }
  if (got[0] != n || got[1] != limit || got[2] != 0)
    {
      printf ("FAIL line %d: device %d: %d %d %d\n", line, device, got[0], got[1], got[2]);
      failures++;
    }
}
#define VALUES(device, n, limit) values (device, n, limit, __LINE__)

int
main (void)
{
  if (omp_get_num_devices () != 2)
    return 77;
  TEAMS (0, 5, 8);
  TEAMS (1, 1, 8);
  VALUES (0, 5, 8);
  VALUES (1, 0, 8);

  omp_set_num_teams (9);
  omp_set_teams_thread_limit (3);
  set (0, 2, 6);
  TEAMS (0, 2, 6);
  TEAMS (1, 1, 8);
  VALUES (0, 2, 6);
  /* By the default device's number as well.  */
  omp_set_default_device (1);
  int n = 0;
#pragma omp target map (from: n)
  {
    omp_set_num_teams (3);
    n = omp_get_device_num ();
  }
  TEAMS (1, 3, 8);
  TEAMS (0, 2, 6);
  if (n != 1)
    printf ("FAIL: ran on %d\n", n), failures++;

  /* Clauses count more.  */
#pragma omp target teams num_teams (4) thread_limit (2) device (0) map (from: n)
  n = omp_get_num_teams () * 100 + thread_limit ();
  if (n != 402)
    printf ("FAIL: clauses %d\n", n), failures++;

  /* Another image does not bring the initial values back; a hard pause does.  */
  void *handle = dlopen ("./icv-persist-lib.so", RTLD_NOW);
  int (*other) (int) = handle ? (int (*) (int)) dlsym (handle, "other_image") : NULL;
  if (other == NULL || other (0) != 2)
    printf ("FAIL: other image\n"), failures++;
  TEAMS (0, 2, 6);
  if (omp_pause_resource (omp_pause_hard, 0) != 0)
    printf ("FAIL: pause\n"), failures++;
  TEAMS (0, 5, 8);
  VALUES (0, 5, 8);
  TEAMS (1, 3, 8);
  /* 0 is unset, for which the device chooses.  */
  set (0, 0, 0);
  TEAMS (0, 1, 0);
  return failures != 0;
}
