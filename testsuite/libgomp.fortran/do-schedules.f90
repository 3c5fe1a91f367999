! Every schedule of a DO loop runs each iteration once: both directions, steps, 8-byte integers,
! collapse.
program do_schedules
  use omp_lib
  implicit none
  integer :: hits(1000), threads, n, i, bad
  integer(8) :: k
  integer, parameter :: sizes(5) = [0, 1, 5, 64, 333]
  integer :: s, a, b

  bad = 0
  do threads = 1, 4
    do s = 1, 5
      n = sizes(s)
      hits = 0
      !$omp parallel num_threads(threads)
      !$omp do schedule(dynamic)
      do i = 1, n
        !$omp atomic
        hits(i) = hits(i) + 1
      end do
      !$omp end do
      !$omp do schedule(guided, 3)
      do i = 3 * n, 1, -3
        !$omp atomic
        hits(i / 3) = hits(i / 3) + 10
      end do
      !$omp end do nowait
      !$omp do schedule(dynamic, 7)
      do k = 1_8, int(n, 8)
        !$omp atomic
        hits(k) = hits(k) + 100
      end do
      !$omp end do nowait
      !$omp do schedule(runtime)
      do i = 1, n
        !$omp atomic
        hits(i) = hits(i) + 1000
      end do
      !$omp end do
      !$omp do schedule(static, 2)
      do i = 1, n
        !$omp atomic
        hits(i) = hits(i) + 10000
      end do
      !$omp end do
      !$omp end parallel
      if (any(hits(1:n) /= 11111) .or. any(hits(n+1:) /= 0)) then
        print *, 'threads', threads, 'n', n
        bad = bad + 1
      end if
      hits = 0
      !$omp parallel do num_threads(threads) schedule(dynamic, 2) collapse(2)
      do a = 1, 20
        do b = 30, 1, -2
          !$omp atomic
          hits((a - 1) * 15 + b / 2) = hits((a - 1) * 15 + b / 2) + 1
        end do
      end do
      if (any(hits(1:300) /= 1) .or. any(hits(301:) /= 0)) then
        print *, 'collapse, threads', threads
        bad = bad + 1
      end if
    end do
  end do
  if (bad /= 0) stop 1
end program
