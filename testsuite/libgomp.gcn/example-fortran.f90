! Examples of the interface's description, 15: arrays of Fortran, its library, print in a region.
! TEST-OUTPUT: ^ device   328015\.0900640
program example
  implicit none
  integer :: i, s
  real (8) :: a(200), b(200), m

  s = 0
  a = 1d0
  b = [(dble (i), i = 1, 200)]
  !$omp target teams distribute parallel do map(tofrom: a, b, s) reduction(+: s)
  do i = 1, 200
    a(i) = a(i) + sqrt (b(i)) + mod (i, 7)
    s = s + nint (a(i))
  end do
  !$omp target map(tofrom: a, b, m)
  m = maxval (a) + sum (b) + dot_product (a, b)
  a(1:10) = matmul (reshape (a(1:100), [10, 10]), b(1:10))
  print *, 'device', m
  !$omp end target
  if (s /= 2688) error stop 1
  if (abs (m - 328015.09006404725d0) > 1d-6) error stop 2
end program
