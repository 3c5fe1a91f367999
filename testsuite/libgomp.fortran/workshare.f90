! WORKSHARE, SINGLE with COPYPRIVATE, SECTIONS, ORDERED, CRITICAL and MASTER.
program workshare
  use omp_lib
  implicit none
  integer, parameter :: n = 200
  integer :: a(n), b(n), i, total, order(n), pos, seen, bad, count(3), masters
  real(8) :: x

  bad = 0
  a = [(i, i = 1, n)]
  b = 0
  total = 0
  !$omp parallel num_threads(3)
  !$omp workshare
  b = a * 2
  where (b > n)
    b = -b
  end where
  total = sum(b)
  a(1) = 77
  !$omp end workshare
  !$omp end parallel
  if (any(b(1:n/2) /= [(2 * i, i = 1, n/2)]) .or. any(b(n/2+1:) /= [(-2 * i, i = n/2+1, n)])) bad = bad + 1
  if (total /= sum(b) .or. a(1) /= 77) bad = bad + 1
  if (bad /= 0) print *, 'workshare'

  seen = 0
  masters = 0
  count = 0
  pos = 0
  x = 0
  !$omp parallel num_threads(4) private(x)
  !$omp single
  x = 2.5d0
  !$omp end single copyprivate(x)
  if (x /= 2.5d0) then
    !$omp atomic
    bad = bad + 1
  end if
  !$omp master
  masters = masters + 1
  !$omp end master
  !$omp critical (name)
  seen = seen + 1
  !$omp end critical (name)
  !$omp sections
  !$omp section
  count(1) = count(1) + 1
  !$omp section
  count(2) = count(2) + 1
  !$omp section
  count(3) = count(3) + 1
  !$omp end sections
  !$omp do ordered schedule(dynamic, 3)
  do i = 1, n
    !$omp ordered
    pos = pos + 1
    order(pos) = i
    !$omp end ordered
  end do
  !$omp end do
  !$omp end parallel
  if (seen /= 4 .or. masters /= 1 .or. any(count /= 1)) then
    print *, 'seen', seen, 'masters', masters, 'sections', count
    bad = bad + 1
  end if
  if (pos /= n .or. any(order /= [(i, i = 1, n)])) then
    print *, 'ordered'
    bad = bad + 1
  end if
  if (bad /= 0) stop 1
end program
