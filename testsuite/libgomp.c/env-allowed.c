/* Bad settings: what may be written is told, and that the setting is ignored.
   TEST-ENV: OMP_DYNAMIC=1
   TEST-ENV: OMP_NUM_THREADS=some
   TEST-ENV: OMP_SCHEDULE=static,x
   TEST-ENV: OMP_PLACES=here
   TEST-ENV: OMP_ALLOCATOR=mine
   TEST-ENV: GOMP_INFO=yes
   TEST-OUTPUT: ^libgomp: Invalid value for environment variable OMP_DYNAMIC: 1\n  it is ignored; allowed: true \| false$
   TEST-OUTPUT: ^libgomp: Invalid value for environment variable OMP_NUM_THREADS: some\n  it is ignored; allowed: n\[,n\]...$
   TEST-OUTPUT: ^libgomp: Invalid value for chunk size in environment variable OMP_SCHEDULE: x\n  it is ignored; allowed: .*static\|dynamic\|guided\|auto\[,chunk\]$
   TEST-OUTPUT: ^libgomp: Invalid value for environment variable OMP_PLACES: here\n  it is ignored; allowed: threads\|cores
   TEST-OUTPUT: ^libgomp: Invalid value for environment variable OMP_ALLOCATOR when parsing: mine\n  it is ignored; allowed: allocator \|
   TEST-OUTPUT: ^libgomp: Invalid value for environment variable GOMP_INFO: yes\n  it is ignored; allowed: 0 \| 1 \| 2$  */

#include <omp.h>

int
main (void)
{
  return omp_get_dynamic () != 0;
}
