! Fortran on the device: array intrinsics, matmul, reductions over teams, derived types, allocation, character
! functions, recursion, complex numbers.  (A sum with a condition as its mask goes wrong with GCC 14, whose device
! compiler leaves the mask out.)
! TEST-SKIP-SANITIZER: thread the simulator is slow there
module m
  implicit none
  type point
    real(8) :: x, y
    integer :: n(3)
  end type point
  !$omp declare target (fib)
contains
  recursive function fib (n) result (r)
    integer, value :: n
    integer :: r
    if (n < 2) then
      r = n
    else
      r = fib (n - 1) + fib (n - 2)
    end if
  end function fib
end module m

program fortran
  use omp_lib
  use m
  implicit none
  integer :: i, s, want, bad, k, where
  real(8) :: a(200), b(200), c(10), mx, total, dot, p10(10, 10), r(10)
  complex(8) :: z, w
  type(point) :: p
  character(len=20) :: text
  logical :: found, above(200)
  bad = 0
  s = 0
  want = 0
  a = 1d0
  b = [(dble (i), i = 1, 200)]
  !$omp target teams distribute parallel do map(tofrom: a, b, s) reduction(+: s) num_teams (3)
  do i = 1, 200
    a(i) = a(i) + 2 * b(i) + mod (i, 7)
    s = s + nint (a(i))
  end do
  do i = 1, 200
    want = want + 1 + 2 * i + mod (i, 7)
    if (a(i) /= 1 + 2 * i + mod (i, 7)) bad = bad + 1
  end do
  if (s /= want .or. bad /= 0) then
    print *, 'loop:', s, want, bad
    stop 1
  end if

  p10 = reshape (b(1:100), [10, 10])
  !$omp target map(to: a, b, p10) map(from: mx, total, dot, c, where, found)
  mx = maxval (a)
  where = maxloc (a, 1)
  above = b > 100
  total = sum (b, mask = above)
  dot = dot_product (a, b)
  c = matmul (p10, b(1:10))
  found = any (a == 4d0) .and. all (b > 0) .and. count (b > 190) == 10
  !$omp end target
  r = matmul (p10, b(1:10))
  if (mx /= maxval (a) .or. where /= maxloc (a, 1) .or. total /= sum (b, mask = b > 100) &
      .or. abs (dot - dot_product (a, b)) > 1d-9 * dot .or. any (c /= r) .or. .not. found) then
    print *, 'intrinsics:', mx, where, total, dot, found
    stop 2
  end if

  p = point (1.5d0, 2.5d0, [1, 2, 3])
  z = (1d0, 2d0)
  text = 'abc'
  k = 0
  !$omp target map(tofrom: p, z, text, k)
  p%x = p%x * 2 + p%y
  p%n(2:3) = p%n(1:2) + 10
  z = z * z + conjg (z)
  text = trim (text) // 'def' // repeat ('x', 3)
  k = fib (10) + index (text, 'def') * 1000 + len_trim (text) * 10000
  !$omp end target
  w = (1d0, 2d0)
  w = w * w + conjg (w)
  if (p%x /= 5.5d0 .or. any (p%n /= [1, 11, 12]) .or. z /= w .or. text /= 'abcdefxxx' .or. k /= 55 + 4000 + 90000) then
    print *, 'values:', p%x, p%n, z, text, k
    stop 3
  end if

  k = 0
  !$omp target map(tofrom: k)
  block
    integer, allocatable :: list(:)
    integer :: j
    allocate (list(50))
    list = [(j * j, j = 1, 50)]
    k = sum (list) + size (list)
    deallocate (list)
  end block
  !$omp end target
  if (k /= 42925 + 50) then
    print *, 'allocated:', k
    stop 4
  end if
end program fortran
