! taskloop, task reductions, scans and conditional lastprivate in Fortran.
program taskloop
  use omp_lib
  implicit none
  integer :: i, j, n, last, threads, bad
  integer(8) :: k, total, product8
  integer :: hits(300)
  real(8) :: sums(4), running, prefix(100)
  logical :: all

  bad = 0
  do threads = 1, 4
    hits = 0
    last = 0
    n = 300
    !$omp parallel num_threads (threads)
    !$omp single
    !$omp taskloop num_tasks (17) lastprivate (last)
    do i = 1, n
      hits(i) = hits(i) + 1
      last = i
    end do
    !$omp end taskloop
    if (last /= 300 .or. any (hits /= 1)) call wrong ("num_tasks")

    !$omp taskloop grainsize (strict: 9) shared (hits)
    do k = 300_8, 1_8, -3_8
      hits(k) = hits(k) + 1
    end do
    !$omp end taskloop
    if (sum (hits) /= 400 .or. any (hits(3:300:3) /= 2)) call wrong ("downwards")

    !$omp taskloop collapse (2) grainsize (4) shared (hits) nogroup
    do j = 0, 9
      do i = 1, 30
        hits(j * 30 + i) = 5
      end do
    end do
    !$omp end taskloop
    !$omp taskwait
    if (any (hits /= 5)) call wrong ("collapse")
    !$omp end single
    !$omp end parallel

    total = 1
    product8 = 1
    all = .true.
    sums = 0
    !$omp parallel num_threads (threads)
    !$omp single
    !$omp taskloop reduction (+: total, sums) reduction (*: product8) reduction (.and.: all)
    do i = 1, 40
      total = total + i
      sums(mod (i, 4) + 1) = sums(mod (i, 4) + 1) + i
      if (i > 35) product8 = product8 * 3
      all = all .and. i /= 20
    end do
    !$omp end taskloop
    !$omp taskgroup task_reduction (+: total)
    do i = 1, 40
      !$omp task in_reduction (+: total) firstprivate (i)
      total = total + i
      !$omp task in_reduction (+: total) firstprivate (i)
      total = total + i
      !$omp end task
      !$omp end task
    end do
    !$omp end taskgroup
    !$omp end single

    !$omp do reduction (task, +: total) schedule (dynamic, 3)
    do i = 1, 40
      !$omp task in_reduction (+: total) firstprivate (i)
      total = total + i
      !$omp end task
    end do
    !$omp end do
    !$omp end parallel
    if (total /= 1 + 4 * 820) call wrong ("sum")
    if (product8 /= 243 .or. all) call wrong ("product, and")
    if (any (abs (sums - [220d0, 190d0, 200d0, 210d0]) > 0.1d0)) call wrong ("array")

    total = 0
    !$omp parallel num_threads (threads) reduction (task, +: total)
    !$omp task in_reduction (+: total)
    total = total + 5
    !$omp end task
    !$omp end parallel
    if (total /= 5 * threads) call wrong ("parallel")

    running = 0
    last = 0
    !$omp parallel num_threads (threads)
    !$omp do reduction (inscan, +: running)
    do i = 1, 100
      prefix(i) = running
      !$omp scan exclusive (running)
      running = running + i
    end do
    !$omp end do
    !$omp do lastprivate (conditional: last) schedule (dynamic, 2)
    do i = 1, 100
      if (mod (i, 13) == 0) last = i
    end do
    !$omp end do
    !$omp end parallel
    if (running /= 5050 .or. prefix(1) /= 0 .or. prefix(100) /= 4950) call wrong ("scan")
    if (last /= 91) call wrong ("conditional")
  end do
  if (bad /= 0) stop 1

contains
  subroutine wrong (what)
    character (*), intent (in) :: what
    print *, "wrong: ", what, threads
    bad = bad + 1
  end subroutine
end program
