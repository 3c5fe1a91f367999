! nowait and depend on constructs with descriptors, components and private allocatables: what the lists
! name is what it was when the construct was met.
! MINGCC: 15
! TEST-MODES: host cpu gpu
program deferred
  implicit none
  type box
    integer :: n
    integer, allocatable :: a(:)
  end type
  integer, allocatable :: x(:), y(:)
  type(box) :: b
  integer :: r, s, i
  allocate (x(-1:8), source = 1)
  allocate (y(10), source = 2)
  allocate (b%a(5), source = 3)
  b%n = 5
  r = 0
  s = 0

  !$omp target enter data map(to: x) depend(out: x) nowait
  do i = 1, 3
    !$omp target map(tofrom: x) firstprivate(i) depend(inout: x) nowait
    x(-1) = x(-1) * 2 + i
    x(8) = ubound (x, 1)
    !$omp end target
  end do
  !$omp target exit data map(from: x) depend(inout: x) nowait

  !$omp target firstprivate(y) map(from: r) depend(out: r) nowait
  r = sum (y) + size (y)
  y = 100
  !$omp end target
  y = 0

  !$omp target enter data map(to: b%a) depend(out: b) nowait
  !$omp target map(tofrom: b%a) depend(inout: b) nowait
  b%a(5) = b%a(4) + size (b%a)
  !$omp end target
  !$omp target update from(b%a) depend(inout: b) nowait
  !$omp target exit data map(delete: b%a) depend(inout: b) nowait

  !$omp task depend(in: x, r, b) shared(s, x, r, b)
  s = x(-1) * 10000 + x(8) * 1000 + r * 10 + b%a(5)
  !$omp end task
  !$omp taskwait
  ! ((1 * 2 + 1) * 2 + 2) * 2 + 3
  if (s /= 19 * 10000 + 8 * 1000 + 30 * 10 + 8) then
    print *, s
    error stop
  end if
  if (any (y /= 0)) error stop 'private'
  deallocate (x, y)
end program
