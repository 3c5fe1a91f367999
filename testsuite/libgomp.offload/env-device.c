/* Variables with the suffixes of devices set what a region on the device starts with: _DEV_n
   counts most, then _DEV, then _ALL; the form without suffix is for the host alone.
   TEST-MODES: cpu2 gpu
   TEST-GPU: mingcc=13 devices=2
   TEST-ENV: OMP_NUM_TEAMS=2
   TEST-ENV: OMP_NUM_TEAMS_ALL=4
   TEST-ENV: OMP_NUM_TEAMS_DEV=5
   TEST-ENV: OMP_NUM_TEAMS_DEV_1=6
   TEST-ENV: OMP_TEAMS_THREAD_LIMIT_ALL=7
   TEST-ENV: OMP_TEAMS_THREAD_LIMIT_DEV_0=8
   TEST-ENV: OMP_DEFAULT_DEVICE=1
   TEST-ENV: OMP_DEFAULT_DEVICE_DEV=3  */

#include <omp.h>
#include <stdio.h>

int
main (void)
{
  static const int wanted[3][3] = { { 5, 8, 3 }, { 6, 7, 3 }, { 2, 7, 1 } };
  int failures = 0;

  if (omp_get_num_devices () < 2)
    {
      printf ("needs two devices\n");
      return 77;
    }
  for (int device = 0; device < 3; device++)
    {
      int teams = -1, limit = -1, number = -1;
      if (device < 2)
#pragma omp target device(device) map(from: teams, limit, number)
	{
	  teams = omp_get_max_teams ();
	  limit = omp_get_teams_thread_limit ();
	  number = omp_get_default_device ();
	}
      else
	{
	  teams = omp_get_max_teams ();
	  limit = omp_get_teams_thread_limit ();
	  number = omp_get_default_device ();
	}
      if (teams != wanted[device][0] || limit != wanted[device][1] || number != wanted[device][2])
	{
	  printf ("FAIL: device %d: teams %d, thread limit %d, default device %d\n", device, teams,
		  limit, number);
	  failures++;
	}
    }
  return failures != 0;
}
