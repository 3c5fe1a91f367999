! omp_display_env with logicals of both sizes: the second text has the verbose lines.
! TEST-OUTPUT: ^  _OPENMP = '202111'$
! TEST-OUTPUT: ^  \[host\] OMP_NUM_THREADS = '3'$
! TEST-OUTPUT: ^  \[host\] GOMP_STACKSIZE = '0'$
! TEST-ENV: OMP_NUM_THREADS=3
program display_env
  use omp_lib
  implicit none
  call omp_display_env(.false.)
  call omp_display_env(.true._8)
end program
