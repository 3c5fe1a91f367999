! A Fortran program uses device memory: libgfortran has a handler, which follows ours.
! TEST-MODES: cpu fake
! TEST-SKIP-SANITIZER: address has a handler of its own
! TEST-SKIP-SANITIZER: thread has a handler of its own
! TEST-SKIP-SANITIZER: undefined has a handler of its own
! TEST-EXIT: signal 11
! TEST-OUTPUT: ^libgomp: the host has written the address 0x[0-9a-f]+, which is memory of device 0
! TEST-OUTPUT: ^  at MAIN__
! TEST-OUTPUT: ^Program received signal SIGSEGV
! TEST-OUTPUT: ^Backtrace for this error
! TEST-NO-OUTPUT: not reached
program host_access
  use omp_lib
  use iso_c_binding
  implicit none
  integer, pointer :: p(:)
  call c_f_pointer (omp_target_alloc (400_c_size_t, 0), p, [100])
  p(3) = 5
  print *, 'not reached'
end program
