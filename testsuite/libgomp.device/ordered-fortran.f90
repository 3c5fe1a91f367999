! Fortran: ordered and doacross loops, workshare, copyprivate, in one team on the device.
! TEST-GPU: ours
! TEST-MODES: host cpu gpu
! TEST-OPTIONS: -foffload-options=nvptx-none=-latomic
program ordered_fortran
  use omp_lib
  implicit none
  integer :: order(50), pos, i, j, k, n, bad, told, a(20, 20), b(40)

  n = 20
  bad = 0
  pos = 0
  told = 0
  a = 0
  b = 0
  order = 0
  !$omp target map(tofrom: order, pos, bad, told, a, b)
  !$omp parallel num_threads(6) private(i, j, k) reduction(+: bad, told)
  !$omp do ordered schedule(dynamic, 2)
  do i = 50, 1, -1
    !$omp ordered
    pos = pos + 1
    order(pos) = i
    !$omp end ordered
  end do
  !$omp end do
  !$omp do ordered(2) schedule(static, 1)
  do i = 1, n
    do j = 1, n
      !$omp ordered depend(sink: i - 1, j) depend(sink: i, j - 1)
      if (i > 1) then
        if (a(j, i - 1) /= 1) bad = bad + 1
      end if
      if (j > 1) then
        if (a(j - 1, i) /= 1) bad = bad + 1
      end if
      a(j, i) = a(j, i) + 1
      !$omp ordered depend(source)
    end do
  end do
  !$omp end do
  !$omp workshare
  b = 3
  b(11:20) = b(1:10) + 4
  !$omp end workshare
  !$omp single
  k = 17
  !$omp end single copyprivate(k)
  if (k /= 17) told = told + 1
  !$omp end parallel
  !$omp end target
  if (pos /= 50 .or. any(order /= [(i, i = 50, 1, -1)])) then
    print *, 'ordered:', pos, order
    bad = bad + 1
  end if
  if (any(a /= 1) .or. sum(b) /= 40 * 3 + 10 * 4 .or. told /= 0) then
    print *, 'doacross, workshare, copyprivate:', count(a /= 1), sum(b), told
    bad = bad + 1
  end if
  if (bad /= 0) then
    print *, bad, 'wrong'
    stop 1
  end if
end program
