! CANCEL of regions, loops and sections.
! TEST-ENV: OMP_CANCELLATION=true
program cancel
  use omp_lib
  implicit none
  integer :: i, after, hits, n, bad, k

  bad = 0
  if (.not. omp_get_cancellation ()) bad = bad + 1
  do k = 1, 50
    after = 0
    !$omp parallel num_threads(3)
    !$omp cancel parallel if (omp_get_thread_num () == 1)
    !$omp barrier
    !$omp atomic
    after = after + 1
    !$omp end parallel
    if (after /= 0) bad = bad + 1

    hits = 0
    n = 0
    !$omp parallel num_threads(4)
    !$omp do schedule(dynamic)
    do i = 1, 1000000
      !$omp atomic
      hits = hits + 1
      !$omp cancel do if (i == 10)
      !$omp cancellation point do
    end do
    !$omp end do
    !$omp do reduction(+: n)
    do i = 1, 50
      !$omp cancellation point do
      n = n + 1
    end do
    !$omp end do
    !$omp end parallel
    if (hits >= 1000000 .or. n /= 50) bad = bad + 1
  end do
  if (bad /= 0) then
    print *, bad, 'wrong'
    stop 1
  end if
end program cancel
