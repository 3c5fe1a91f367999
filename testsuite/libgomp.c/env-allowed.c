/* Bad settings: what may be written is told, and that the setting is ignored.
   TEST-ENV: OMP_DYNAMIC=1
   TEST-ENV: OMP_NUM_THREADS=some
   TEST-ENV: OMP_SCHEDULE=static,x
   TEST-ENV: OMP_PLACES=here
   TEST-ENV: OMP_ALLOCATOR=mine
   TEST-ENV: GOMP_INFO=yes
   TEST-ENV: OMP_NUM_TEAMS_DEVX=2
   TEST-ENV: OMP_TEAMS_THREAD_LIMIT_DEV_-1=2
   TEST-ENV: OMP_CANCELLATION_ALL=true
   TEST-ENV: OMP_SCHEDULE_DEV=static,
   TEST-OUTPUT: ^libgomp: Invalid value for environment variable OMP_DYNAMIC: 1\n  it is ignored; allowed: true \| false$
   TEST-OUTPUT: ^libgomp: Invalid value for environment variable OMP_NUM_THREADS: some\n  it is ignored; allowed: n\[,n\]...$
   TEST-OUTPUT: ^libgomp: Invalid value for chunk size in environment variable OMP_SCHEDULE: x\n  it is ignored; allowed: .*static\|dynamic\|guided\|auto\[,chunk\]$
   TEST-OUTPUT: ^libgomp: Invalid value for environment variable OMP_PLACES: here\n  it is ignored; allowed: threads\|cores
   TEST-OUTPUT: ^libgomp: Invalid value for environment variable OMP_ALLOCATOR when parsing: mine\n  it is ignored; allowed: allocator \|
   TEST-OUTPUT: ^libgomp: Invalid environment variable in OMP_NUM_TEAMS_DEVX=2\n  it is ignored; allowed: OMP_NUM_TEAMS\[_ALL \| _DEV \| _DEV_n\]$
   TEST-OUTPUT: ^libgomp: Invalid environment variable in OMP_CANCELLATION_ALL=true\n  it is ignored; allowed: OMP_CANCELLATION$
   TEST-OUTPUT: ^libgomp: Invalid device number in OMP_TEAMS_THREAD_LIMIT_DEV_-1=2\n  it is ignored; allowed: OMP_TEAMS_THREAD_LIMIT_DEV_n, n \(0 or more\)$
   TEST-OUTPUT: ^libgomp: Missing value at the end of environment variable OMP_SCHEDULE_DEV=static,\n  it is ignored; allowed: .*static\|dynamic
   TEST-OUTPUT: ^libgomp: Invalid value for environment variable GOMP_INFO: yes\n  it is ignored; allowed: 0 \| 1 \| 2$  */

#include <omp.h>

int
main (void)
{
  return omp_get_dynamic () != 0;
}
