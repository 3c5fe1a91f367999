! Doacross loops: several levels, steps, downwards, schedules, COLLAPSE.
program doacross
  implicit none
  integer, parameter :: n = 24
  integer :: a(0:n, 0:n), b(0:n, 0:n), c(4, 3, 5), i, j, k, bad
  integer(8) :: l, total, serial

  bad = 0
  a = 1
  do i = 1, n
    do j = 1, n
      a(j, i) = mod(a(j, i - 1) * 3 + a(j - 1, i), 1009)
    end do
  end do
  b = 1
  !$omp parallel do ordered(2) schedule(dynamic, 2) num_threads(4)
  do i = 1, n
    do j = 1, n
      !$omp ordered depend(sink: i - 1, j) depend(sink: i, j - 1)
      b(j, i) = mod(b(j, i - 1) * 3 + b(j - 1, i), 1009)
      !$omp ordered depend(source)
    end do
  end do
  if (any(a /= b)) bad = bad + 1

  c = 0
  !$omp parallel do collapse(2) ordered(3) schedule(static, 1) num_threads(3) reduction(+: bad)
  do i = 1, 4
    do j = 3, 1, -1
      do k = 1, 5, 2
        !$omp ordered depend(sink: i - 1, j, k) depend(sink: i, j + 1, k - 2)
        if (i > 1) bad = bad + merge(0, 1, c(max(i - 1, 1), j, k) == 1)
        c(i, j, k) = c(i, j, k) + 1
        !$omp ordered depend(source)
      end do
    end do
  end do
  if (sum(c) /= 4 * 3 * 3) bad = bad + 1

  total = 0
  !$omp parallel num_threads(5)
  !$omp do ordered(1) schedule(guided)
  do l = 1000, 1, -7
    !$omp ordered depend(sink: l + 7)
    total = mod(total * 5 + l, 99991_8)
    !$omp ordered depend(source)
  end do
  !$omp end do
  !$omp end parallel
  serial = 0
  do l = 1000, 1, -7
    serial = mod(serial * 5 + l, 99991_8)
  end do
  if (total /= serial) bad = bad + 1

  if (bad /= 0) then
    print *, bad, 'wrong'
    stop 1
  end if
end program doacross
