! cg.f90 -- conjugate gradients on a sparse matrix from a file:   cg-f [FILE.mtx]
!
! The same solver as cg.c, on the same matrix, in Fortran.  What to look at:
!   - allocatable arrays in target data: the data is mapped together with its descriptor;
!   - the kernels take explicit-shape dummies, so their regions need no descriptor and find what
!     the caller has mapped;
!   - target update brings each right-hand side in and each solution out.
!
! Checked: the residual and the error against the known solution, both computed by the host.
! The last line is "cg-f: right: ..." or "cg-f: WRONG: ...", see example.h.

module sparse
  use, intrinsic :: iso_fortran_env, only: error_unit, real64, int64
  use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan
  implicit none
  private
  public :: wrong, read_matrix, multiply_on_host

contains

  subroutine wrong (text)
    character (*), intent (in) :: text
    write (error_unit, '(2a)') 'cg-f: WRONG: ', text
    stop 1, quiet=.true.
  end subroutine wrong

  ! The next line that has something in it and is no comment; false at the end of the file.
  logical function next_line (unit, line, number)
    integer, intent (in) :: unit
    character (*), intent (out) :: line
    integer, intent (inout) :: number
    integer :: status
    do
      read (unit, '(a)', iostat=status) line
      next_line = status == 0
      if (status /= 0) return
      number = number + 1
      line = adjustl (line)
      if (line /= '' .and. line(1:1) /= '%') return
    end do
  end function next_line

  ! Stop because of line NUMBER of FILE.
  subroutine reject (file, number, text)
    character (*), intent (in) :: file, text
    integer, intent (in) :: number
    character (12) :: digits
    write (digits, '(i0)') number
    call wrong (file // ':' // trim (digits) // ': ' // text)
  end subroutine reject

  ! Read a square "matrix coordinate real general|symmetric" into compressed rows: the entries
  ! of row i are row(i) .. row(i + 1) - 1 of col and val.  A symmetric file is expanded.
  ! Nothing in the file is believed; whatever is wrong stops the program with its line.
  subroutine read_matrix (file, n, row, col, val)
    character (*), intent (in) :: file
    integer, intent (out) :: n
    integer, allocatable, intent (out) :: row(:), col(:)
    real (real64), allocatable, intent (out) :: val(:)
    character (256) :: line
    integer, parameter :: limit = 2 ** 30 - 1  ! a symmetric entry may become two
    character (32) :: word(5)
    integer, allocatable :: i(:), j(:), next(:)
    real (real64), allocatable :: v(:)
    integer :: unit, status, number, columns, entries, k, total
    logical :: symmetric

    open (newunit=unit, file=file, status='old', action='read', iostat=status, iomsg=line)
    if (status /= 0) call wrong (file // ': ' // trim (line))

    number = 1
    word = ''
    read (unit, '(a)', iostat=status) line
    if (status /= 0) call reject (file, number, 'the file is empty')
    read (line, *, iostat=status) word
    if (status /= 0 .or. word(1) /= '%%MatrixMarket') &
      call reject (file, number, 'not a Matrix Market file')
    if (word(2) /= 'matrix' .or. word(3) /= 'coordinate' .or. word(4) /= 'real') &
      call reject (file, number, 'only "matrix coordinate real" is supported')
    symmetric = word(5) == 'symmetric'
    if (.not. symmetric .and. word(5) /= 'general') &
      call reject (file, number, 'only general and symmetric are supported')

    if (.not. next_line (unit, line, number)) call reject (file, number, 'no line of counts')
    n = 0
    entries = -1
    read (line, *, iostat=status) n, columns, entries
    if (status /= 0) call reject (file, number, 'expected "rows columns entries"')
    if (n < 1 .or. n /= columns) call reject (file, number, 'a square matrix is needed')
    if (entries < 0 .or. entries > limit &
        .or. entries > int (n, int64) * int (n, int64)) &
      call reject (file, number, 'so many entries cannot be')

    allocate (i(entries), j(entries), v(entries), stat=status)
    if (status /= 0) call reject (file, number, 'no memory for so many entries')
    do k = 1, entries
      if (.not. next_line (unit, line, number)) &
        call reject (file, number, 'the file ends before its last entry')
      i(k) = 0  ! a "/" ends the list early and leaves the rest as it is
      j(k) = 0
      v(k) = ieee_value (v(k), ieee_quiet_nan)
      read (line, *, iostat=status) i(k), j(k), v(k)
      if (status /= 0 .or. .not. abs (v(k)) <= huge (v(k))) &
        call reject (file, number, 'expected "row column value"')
      if (min (i(k), j(k)) < 1 .or. max (i(k), j(k)) > n) &
        call reject (file, number, 'the entry lies outside the matrix')
      if (symmetric .and. i(k) < j(k)) &
        call reject (file, number, 'the entry is above the diagonal of a symmetric matrix')
    end do
    if (next_line (unit, line, number)) call reject (file, number, 'more entries than announced')
    close (unit)

    ! Count the entries of each row, then fill; the order within a row does not matter here.
    allocate (row(n + 1))
    row = 0
    do k = 1, entries
      row(i(k) + 1) = row(i(k) + 1) + 1
      if (symmetric .and. i(k) /= j(k)) row(j(k) + 1) = row(j(k) + 1) + 1
    end do
    row(1) = 1
    do k = 1, n
      row(k + 1) = row(k) + row(k + 1)
    end do
    total = row(n + 1) - 1
    allocate (col(total), val(total), next(n))
    next = row(1:n)
    do k = 1, entries
      call put (i(k), j(k), v(k))
      if (symmetric .and. i(k) /= j(k)) call put (j(k), i(k), v(k))
    end do

  contains

    subroutine put (r, c, value)
      integer, intent (in) :: r, c
      real (real64), intent (in) :: value
      col(next(r)) = c
      val(next(r)) = value
      next(r) = next(r) + 1
    end subroutine put

  end subroutine read_matrix

  ! y = A x, by the host alone.
  subroutine multiply_on_host (n, row, col, val, x, y)
    integer, intent (in) :: n, row(:), col(:)
    real (real64), intent (in) :: val(:), x(:)
    real (real64), intent (out) :: y(:)
    integer :: i
    do i = 1, n
      y(i) = dot_product (val(row(i):row(i + 1) - 1), x(col(row(i):row(i + 1) - 1)))
    end do
  end subroutine multiply_on_host

end module sparse

! The steps of the method.  All array arguments must be on the device.
module kernels
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none

contains

  ! Start at x = 0, where the residual is b.  rr = r . r, rz = r . (r / diagonal)
  subroutine start (n, b, inverse, x, r, p, rr, rz)
    integer, intent (in) :: n
    real (real64), intent (in) :: b(n), inverse(n)
    real (real64), intent (inout) :: x(n), r(n), p(n)
    real (real64), intent (out) :: rr, rz
    integer :: i
    rr = 0
    rz = 0
    !$omp target teams distribute parallel do reduction (+: rr, rz)
    do i = 1, n
      x(i) = 0
      r(i) = b(i)
      p(i) = b(i) * inverse(i)
      rr = rr + b(i) * b(i)
      rz = rz + b(i) * b(i) * inverse(i)
    end do
  end subroutine start

  ! q = A p, pq = p . q
  subroutine multiply (n, entries, row, col, val, p, q, pq)
    integer, intent (in) :: n, entries, row(n + 1), col(entries)
    real (real64), intent (in) :: val(entries), p(n)
    real (real64), intent (inout) :: q(n)
    real (real64), intent (out) :: pq
    real (real64) :: total
    integer :: i, k
    pq = 0
    !$omp target teams distribute parallel do private (k, total) reduction (+: pq)
    do i = 1, n
      total = 0
      do k = row(i), row(i + 1) - 1
        total = total + val(k) * p(col(k))
      end do
      q(i) = total
      pq = pq + total * p(i)
    end do
  end subroutine multiply

  ! x = x + alpha p, r = r - alpha q; rr and rz as above
  subroutine step (n, alpha, p, q, inverse, x, r, rr, rz)
    integer, intent (in) :: n
    real (real64), intent (in) :: alpha, p(n), q(n), inverse(n)
    real (real64), intent (inout) :: x(n), r(n)
    real (real64), intent (out) :: rr, rz
    real (real64) :: res
    integer :: i
    rr = 0
    rz = 0
    !$omp target teams distribute parallel do private (res) reduction (+: rr, rz)
    do i = 1, n
      res = r(i) - alpha * q(i)
      x(i) = x(i) + alpha * p(i)
      r(i) = res
      rr = rr + res * res
      rz = rz + res * res * inverse(i)
    end do
  end subroutine step

  ! p = r / diagonal + beta p
  subroutine turn (n, beta, r, inverse, p)
    integer, intent (in) :: n
    real (real64), intent (in) :: beta, r(n), inverse(n)
    real (real64), intent (inout) :: p(n)
    integer :: i
    !$omp target teams distribute parallel do
    do i = 1, n
      p(i) = r(i) * inverse(i) + beta * p(i)
    end do
  end subroutine turn

end module kernels

program cg
  use, intrinsic :: iso_fortran_env, only: real64
  use omp_lib
  use sparse
  use kernels
  implicit none

  real (real64), parameter :: tolerance = 1e-10_real64  ! of the residual, relative to b
  character (256) :: file
  character (12) :: time
  integer, allocatable :: row(:), col(:)
  real (real64), allocatable :: val(:), inverse(:), b(:), known(:), check(:)
  real (real64), allocatable :: x(:), r(:), p(:), q(:)
  real (real64) :: rr, rz, bb, pq, before, begin, seconds, residual, error
  real (real64) :: worst_residual, worst_error
  integer :: n, entries, i, k, which, limit, iterations(2)

  file = 'data/diffusion.mtx'
  if (command_argument_count () > 0) call get_command_argument (1, file)
  call read_matrix (trim (file), n, row, col, val)
  entries = size (col)
  print '(3a, i0, a, i0, a)', 'cg-f: ', trim (file), ': ', n, ' rows, ', entries, ' entries'

  allocate (inverse(n), b(n), known(n), check(n), x(n), r(n), p(n), q(n))
  inverse = 0
  do i = 1, n
    do k = row(i), row(i + 1) - 1
      if (col(k) == i) inverse(i) = val(k)
    end do
  end do
  if (.not. all (inverse > 0)) call wrong ('the matrix is not positive definite: see its diagonal')
  inverse = 1 / inverse

  limit = max (2000, 10 * n)
  worst_residual = 0
  worst_error = 0
  seconds = 0

  !$omp target data map (to: row, col, val, inverse) map (alloc: b, x, r, p, q)
  do which = 1, 2
    known = [(solution (which, i), i = 1, n)]
    call multiply_on_host (n, row, col, val, known, b)

    begin = omp_get_wtime ()
    !$omp target update to (b)
    call start (n, b, inverse, x, r, p, rr, rz)
    bb = rr
    k = 0
    do while (rr > tolerance ** 2 * bb)
      if (k == limit) call wrong ('no convergence')
      call multiply (n, entries, row, col, val, p, q, pq)
      if (.not. pq > 0) call wrong ('the matrix is not positive definite')
      before = rz
      call step (n, rz / pq, p, q, inverse, x, r, rr, rz)
      call turn (n, rz / before, r, inverse, p)
      k = k + 1
    end do
    !$omp target update from (x)
    seconds = seconds + omp_get_wtime () - begin
    iterations(which) = k

    call multiply_on_host (n, row, col, val, x, check)
    residual = norm2 (check - b) / norm2 (b)
    error = norm2 (x - known) / norm2 (known)
    print '(a, i0, a, i0, a, es8.2, a, es8.2)', 'cg-f: system ', which, ': ', k, &
      ' iterations, residual ', residual, ', error ', error
    worst_residual = max (worst_residual, residual)
    worst_error = max (worst_error, error)
  end do
  !$omp end target data

  if (.not. worst_residual < 10 * tolerance) call wrong ('the residual is too large')
  if (.not. worst_error < 1e5_real64 * tolerance) call wrong ('the solution is off')
  write (time, '(f12.3)') seconds
  print '(a, i0, a, i0, a, es7.1, a, es7.1, 3a, i0, a)', 'cg-f: right: ', &
    iterations(1), ' + ', iterations(2), ' iterations, residual ', worst_residual, &
    ', error ', worst_error, ' (', trim (adjustl (time)), ' s, ', omp_get_num_devices (), ' devices)'
  deallocate (row, col, val, inverse, b, known, check, x, r, p, q)

contains

  ! The two solutions to be found, at row i.
  real (real64) function solution (which, i)
    integer, intent (in) :: which, i
    real (real64) :: t
    t = (i - 0.5_real64) / n
    if (which == 1) then
      solution = 1 + t * (1 - t)
    else
      solution = sin (20 * t) - 3 * t
    end if
  end function solution

end program cg
