! Fortran: loops over teams and threads with reductions, sections, critical, tasks with dependences, and what
! the routines of omp_lib answer in a region.
! TEST-MODES: host cpu gpu
! TEST-OPTIONS: -foffload-options=nvptx-none=-latomic
program teams_fortran
  use omp_lib
  implicit none
  integer, parameter :: n = 2000
  integer :: hits(n), i, j, bad, counts(3), chain, level, threads, most
  integer(8) :: total
  real(8) :: half

  bad = 0
  hits = 0
  total = 0
  half = 0
  !$omp target teams distribute parallel do num_teams(9) schedule(dynamic, 3) map(tofrom: hits) &
  !$omp& reduction(+: total, half)
  do i = n, 1, -1
    hits(i) = hits(i) + 1
    total = total + i
    half = half + 0.5d0
  end do
  if (any(hits /= 1) .or. total /= int(n, 8) * (n + 1) / 2 .or. half /= n / 2) then
    print *, 'distribute parallel do:', count(hits /= 1), total, half
    bad = bad + 1
  end if

  counts = 0
  chain = 1
  level = -1
  threads = 0
  most = 0
  !$omp target map(tofrom: counts, chain, level, threads, most)
  !$omp parallel num_threads(5) private(i)
  !$omp sections
  !$omp section
  counts(1) = counts(1) + 1
  !$omp section
  counts(2) = counts(2) + 1
  !$omp end sections
  do i = 1, 10
    !$omp critical (one)
    counts(3) = counts(3) + 1
    !$omp end critical (one)
  end do
  !$omp single
  threads = omp_get_num_threads()
  level = omp_get_level() * 10 + omp_get_active_level()
  most = omp_get_thread_limit()
  do i = 1, 20
    !$omp task depend(inout: chain) firstprivate(i) shared(chain)
    chain = mod(chain * 3 + i, 10007)
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  !$omp end target
  j = 1
  do i = 1, 20
    j = mod(j * 3 + i, 10007)
  end do
  if (chain /= j .or. counts(1) /= 1 .or. counts(2) /= 1 .or. counts(3) /= 10 * threads) then
    print *, 'constructs:', counts, chain, threads
    bad = bad + 1
  end if
  if (threads < 1 .or. threads > most .or. level /= merge(11, 10, threads > 1)) then
    print *, 'queries:', threads, most, level
    bad = bad + 1
  end if
  if (bad /= 0) stop 1
end program
