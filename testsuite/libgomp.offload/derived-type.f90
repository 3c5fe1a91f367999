! Allocatable components of a derived type in map clauses of all directives.
! MINGCC: 15
! TEST-MODES: host cpu gpu
module sparse_matrices
  type sparse
    integer :: n
    integer, allocatable :: row(:), col(:)
    real(8), allocatable :: val(:)
  end type
contains
  subroutine multiply (m, x, y)
    type(sparse) :: m
    real(8) :: x(:), y(:), s
    integer :: i, k, n
    n = m%n
    !$omp target teams distribute parallel do private(s, k) &
    !$omp   map(to: m%row, m%col, m%val, x) map(from: y)
    do i = 1, n
      s = 0
      do k = m%row(i), m%row(i + 1) - 1
        s = s + m%val(k) * x(m%col(k))
      end do
      y(i) = s
    end do
  end subroutine
end module

program derived_type
  use sparse_matrices
  implicit none
  integer, parameter :: n = 100
  type(sparse) :: m
  real(8) :: x(n), y(n)
  integer :: i, k
  m%n = n
  allocate (m%row(n + 1), m%col(3 * n), m%val(3 * n))
  k = 1
  do i = 1, n
    m%row(i) = k
    x(i) = real (i, 8)**2
    if (i > 1) then
      m%col(k) = i - 1
      m%val(k) = -1
      k = k + 1
    end if
    m%col(k) = i
    m%val(k) = 2
    k = k + 1
    if (i < n) then
      m%col(k) = i + 1
      m%val(k) = -1
      k = k + 1
    end if
  end do
  m%row(n + 1) = k

  call multiply (m, x, y)
  call check ("one region")
  !$omp target data map(to: m%row, m%col, m%val)
  call multiply (m, x, y)
  call check ("target data")
  !$omp end target data
  !$omp target enter data map(to: m%row, m%col, m%val)
  call multiply (m, x, y)
  call check ("target enter data")
  m%val = 2 * m%val
  !$omp target update to(m%val)
  call multiply (m, x, y)
  y = y / 2
  call check ("target update")
  !$omp target exit data map(release: m%row, m%col, m%val)
contains
  subroutine check (what)
    character(*) :: what
    if (any (abs (y(2:n - 1) + 2) > 1e-9)) then
      print *, what, ': wrong result', y(2:4)
      stop 1
    end if
    y = 0
  end subroutine
end program
