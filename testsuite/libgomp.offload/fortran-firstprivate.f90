! firstprivate of allocatable arrays, texts and absent arguments.
! MINGCC: 14
! TEST-MODES: host cpu gpu
program firstprivate
  implicit none
  integer, allocatable :: a(:), none(:)
  integer, target :: storage(3) = [1, 2, 3]
  character(5) :: text = 'hello'
  integer :: r, matrix(2, 2) = 4
  allocate (a(5:7), source = [50, 60, 70])
  r = 0
  !$omp target firstprivate(a, none, matrix, text) map(from: r)
  r = a(5) + a(7) + lbound (a, 1) + matrix(2, 2)
  if (allocated (none)) r = -1
  if (text /= 'hello') r = -2
  a = 0
  matrix = 0
  text = 'xxxxx'
  !$omp end target
  if (r /= 50 + 70 + 5 + 4) error stop 'values'
  if (a(7) /= 70 .or. matrix(1, 1) /= 4 .or. text /= 'hello') error stop 'private'
  call absent (r)
  if (r /= 3) error stop 'absent'
  call absent (r, storage)
  if (r /= 8 .or. storage(3) /= 3) error stop 'present'
contains
  subroutine absent (r, x, y)
    integer, intent(out) :: r
    integer, optional :: x(3), y(:)
    !$omp target map(from: r) firstprivate(x) map(tofrom: y)
    r = 3
    if (present (x)) then
      r = x(3) + 5
      x(3) = 0
    end if
    if (present (y)) r = -1
    !$omp end target
  end subroutine
end program
