! Output and internal files of libgfortran in target regions.
! TEST-MODES: host cpu
! TEST-OUTPUT: ^ *device +5$
! TEST-OUTPUT: ^ *sum +200
program cpu_output
  implicit none
  integer :: x
  real, allocatable :: a(:)
  character(20) :: s

  x = 5
  allocate (a(100))
  a = 1.0
  !$omp target map(tofrom: x, a)
  print *, 'device', x
  write (s, '(i5)') x + 1
  read (s, *) x
  a = a * 2
  print *, 'sum', sum (a)
  !$omp end target
  if (x /= 6 .or. any (a /= 2.0)) then
    print *, 'wrong:', x, a(1)
    stop 1
  end if
  deallocate (a)
end program
