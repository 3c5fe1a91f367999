! Reverse calls from Fortran: scalars, explicit-shape and allocatable arrays, mapped and local.
! MINGCC: 13
! TEST-MODES: host cpu gpu
module of_host
  implicit none
  integer :: factor = 1
end module

program main
  use of_host
  implicit none
  !$omp requires reverse_offload
  integer :: x, fixed(10), i, total
  integer, allocatable :: a(:)
  real(8) :: y

  allocate (a(5))
  a = [(i, i = 1, 5)]
  fixed = 0
  x = 1
  y = 2.5d0
  total = 0
  factor = 10

  !$omp target map(tofrom: x, y, a, fixed, total)
  block
    integer :: local(4), s
    local = [1, 2, 3, 4]
    x = x + 1
    a(2) = 20
    fixed(10) = 7
    s = 0
    !$omp target device(ancestor: 1) map(always, tofrom: x, y) map(always, to: a) &
    !$omp&  map(tofrom: local, s)
      x = x * factor
      y = y + sum (a)
      local = local * factor
      s = size (a) + ubound (a, 1)
    !$omp end target
    total = sum (local) + s
    !$omp target device(ancestor: 1) map(always, from: fixed)
      fixed(1) = factor
    !$omp end target
  end block
  !$omp end target

  if (x /= 20) stop 1
  if (abs (y - 35.5d0) > 1d-9) stop 2
  if (total /= 110) stop 3
  if (fixed(1) /= 10) stop 4
  if (a(2) /= 20) stop 5
end program
