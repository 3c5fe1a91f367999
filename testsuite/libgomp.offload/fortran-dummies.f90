! Dummy arguments of many kinds in regions of the procedures that get them: values, optional, assumed
! size, character, complex, contiguous pointers, results, internal procedures.
! TEST-MODES: host cpu gpu
module m
  implicit none
contains
  subroutine check (what, got, wanted)
    character(*), intent(in) :: what
    integer, intent(in) :: got, wanted
    if (got /= wanted) then
      print *, what, ':', got, 'instead of', wanted
      error stop
    end if
  end subroutine

  subroutine various (v, n, size_less, text, z, flag, opt, opt_array)
    integer, value :: v
    integer, intent(in) :: n
    integer :: size_less(*)
    character(*) :: text
    complex(8) :: z
    logical :: flag
    integer, optional :: opt, opt_array(:)
    integer :: local(n), r
    local = 1
    r = 0
    !$omp target map(tofrom: size_less(1:n), text, z, flag, local, r)
    size_less(n) = size_less(n) + v
    text(1:1) = text(2:2)
    z = conjg (z)
    flag = .not. flag
    local(n) = size_less(1)
    r = v
    !$omp end target
    call check ('value', r, v)
    call check ('automatic', local(n), size_less(1))
    !$omp target map(tofrom: opt, opt_array) map(from: r)
    r = 0
    if (present (opt)) then
      r = r + 1
      opt = opt + 1
    end if
    if (present (opt_array)) then
      r = r + 2
      opt_array = opt_array + size (opt_array)
    end if
    !$omp end target
    call check ('present', r, merge (1, 0, present (opt)) + merge (2, 0, present (opt_array)))
    !$omp target enter data map(to: opt_array)
    !$omp target update to(opt_array)
    !$omp target map(from: r)
    r = 4
    if (present (opt_array)) r = size (opt_array)
    !$omp end target
    !$omp target exit data map(delete: opt_array)
    if (present (opt_array)) then
      call check ('entered', r, size (opt_array))
    else
      call check ('not entered', r, 4)
    end if
  end subroutine

  function doubled (x) result (y)
    integer, intent(in) :: x(:)
    integer :: y(size (x)), i
    !$omp target teams distribute parallel do map(to: x) map(from: y)
    do i = 1, size (x)
      y(i) = 2 * x(i)
    end do
  end function

  integer function total (x)
    integer, intent(in) :: x(:, :)
    integer :: i, j, s
    s = 0
    !$omp target teams distribute parallel do collapse(2) reduction(+: s) map(to: x)
    do j = 1, size (x, 2)
      do i = 1, size (x, 1)
        s = s + x(i, j)
      end do
    end do
    total = s
  end function
end module

program dummies
  use m
  implicit none
  integer :: a(10), b(5, 4), o, i, inside
  character(3) :: text
  complex(8) :: z
  logical :: flag
  a = [(i, i = 1, 10)]
  text = 'abc'
  z = (1, 2)
  flag = .false.
  call various (7, 4, a, text, z, flag)
  call check ('assumed size', a(4), 11)
  call check ('complex', nint (aimag (z)), -2)
  if (text /= 'bbc' .or. .not. flag) error stop 'character, logical'
  o = 5
  call various (1, 10, a, text, z, flag, o)
  call check ('optional', o, 6)
  call various (1, 10, a, text, z, flag, opt_array = b(:, 2))
  call various (1, 10, a, text, z, flag, o, b(:, 3))
  b = 3
  call various (1, 2, a, text, z, flag, o, b(:, 3))
  call check ('optional array', b(5, 3), 8)
  call check ('beside it', b(1, 4) + b(5, 2), 6)
  a = doubled (a)
  call check ('result', a(10), 2 * 13)
  b = 1
  call check ('reduction', total (b(:, 2:3)), 10)
  call host_associated
  call check ('host associated', inside, 1)
contains
  subroutine host_associated
    inside = 0
    !$omp target map(tofrom: inside, b)
    inside = b(1, 1)
    b(2, 2) = 9
    !$omp end target
    call check ('host associated array', b(2, 2), 9)
  end subroutine
end program
