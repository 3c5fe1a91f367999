/* Stacks, arenas and the heap: as large as the user says, in a device that has little memory; with more teams than
   there is memory for, all of them run.
   TEST-MODES: gcnsim
   TEST-IMAGE: gcn
   MINGCC: 13
   TEST-ENV: GCN_SIM_MEMORY=64
   TEST-ENV: GCN_SIM_CUS=16
   TEST-ENV: GCN_STACK_SIZE=128k
   TEST-ENV: GCN_HEAP_SIZE=1m
   TEST-ENV: GOMP_INFO=2
   TEST-OUTPUT: memory is short: 20 teams at a time instead of 40  */

#include "aux-gcn.h"

/* Uses that much of the stack.  */
static int __attribute__ ((noinline))
deep (int n)
{
  volatile char room[1024];
  room[n % 1024] = (char) n;
  return n == 0 ? room[0] : deep (n - 1) + 1;
}
#pragma omp declare target to (deep)

int
main (void)
{
  int all = 0, depth = 0, large = 0, small = 0;
#pragma omp target teams num_teams (40) thread_limit (2) map (tofrom: all)
#pragma omp parallel
  if (omp_get_thread_num () == 0)
#pragma omp atomic
    all += omp_get_team_num () + 1;
  /* GCC's library may have made fewer teams.  */
  if (all != 40 * 41 / 2 && all != 20 * 21 / 2)
    CHECK_EQUAL (all, 40 * 41 / 2);

  depth = 300;
#pragma omp target map (tofrom: depth, large, small)
  {
    depth = deep (depth);
    void *p = malloc (2 << 20);
    large = p != NULL;
    p = malloc (200 << 10);
    small = p != NULL;
    free (p);
  }
  CHECK_EQUAL (depth, 300);
  CHECK_EQUAL (large, 0);
  CHECK_EQUAL (small, 1);
  return failures != 0;
}
