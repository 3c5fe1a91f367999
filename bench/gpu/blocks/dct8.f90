! dct8.f90 -- dct8.c in Fortran: what is called a row there is a column here.

module dct8
  use blocks
  implicit none

  integer, parameter :: side = 8, across = 4, width = across * side, threads = width * side

contains

  subroutine prepare(in, cosines, expected, n)
    integer, intent(in) :: n
    real, intent(out) :: in(n, n), cosines(side, side), expected(n, n)
    real(real64) :: exact(side, side)
    integer(int64) :: state
    integer :: u, x, y

    state = 31
    do u = 1, side
      do x = 1, side
        exact(u, x) = sqrt(merge(1d0, 2d0, u == 1) / side) &
                      * cos((2 * x - 1) * (u - 1) * acos(-1d0) / (2 * side))
      end do
    end do
    cosines = real(exact)
    do y = 1, n
      do x = 1, n
        in(x, y) = mod(x * 3 + y * 5, 200) - 128 + draw_below(state, 56)
      end do
    end do
    do y = 1, n, side
      do x = 1, n, side
        expected(x:x + side - 1, y:y + side - 1) &
          = real(matmul(exact, matmul(real(in(x:x + side - 1, y:y + side - 1), real64), &
                                      transpose(exact))))
      end do
    end do
  end subroutine

  subroutine transform(in, out, cosines, n, had)
    integer, intent(in) :: n
    real, intent(in) :: in(n, n), cosines(side, side)
    real, intent(inout) :: out(n, n)
    integer, intent(inout) :: had
    real :: factors(side, side), pixels(width, side), rows(width, side), total
    integer :: teams, t, team, x, y, u, left, k, to_x, to_y

    teams = n / width
    !$omp target teams num_teams(teams * (n / side)) thread_limit(threads) &
    !$omp   private(factors, pixels, rows) map(tofrom: had)
    !$omp parallel TEAM_OF(threads) private(t, team, x, y, u, left, k, to_x, to_y, total)
    t = omp_get_thread_num()
    team = omp_get_team_num()
    x = mod(t, width) + 1
    y = t / width + 1
    u = mod(x - 1, side) + 1
    left = x - u
    to_x = mod(team, teams) * width + x
    to_y = team / teams * side + y
    if (x <= side) factors(x, y) = cosines(x, y)
    pixels(x, y) = in(to_x, to_y)
    !$omp barrier
    total = 0
    do k = 1, side
      total = total + factors(u, k) * pixels(left + k, y)
    end do
    rows(x, y) = total
    !$omp barrier
    total = 0
    do k = 1, side
      total = total + factors(y, k) * rows(x, k)
    end do
    out(to_x, to_y) = total
    if (team == 0 .and. t == 0) had = omp_get_num_threads()
    !$omp end parallel
    !$omp end target teams
  end subroutine
end module

program main
  use dct8
  implicit none
  real, allocatable :: in(:, :), out(:, :), expected(:, :)
  real :: cosines(side, side)
  real(real64) :: begin
  integer :: n, repeats, turn, had

  call read_arguments(64, 1, 1024, n, repeats)
  n = n * width
  had = 0
  allocate (in(n, n), out(n, n), expected(n, n))
  call prepare(in, cosines, expected, n)
  out = -1e30
  !$omp target data map(to: in, cosines) map(tofrom: out, had)
  do turn = 0, repeats
    if (turn == 1) begin = omp_get_wtime()
    call transform(in, out, cosines, n, had)
  end do
  call print_time('dct8-f', begin, repeats)
  !$omp end target data
  call explain_threads(had, threads)
  call finish(out, expected, size(out, kind=int64), 1d-5, 100d0)
end program
