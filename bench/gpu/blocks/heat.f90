! heat.f90 -- heat.c in Fortran, with the team's arrays in a block construct.

module heat
  use blocks
  implicit none

  integer, parameter :: tile = 16, threads = tile**2, steps = 3, core = tile - 2 * steps
  integer, parameter :: launches = 8

contains

  subroutine prepare(start, power, expected, n)
    integer, intent(in) :: n
    real, intent(out) :: start(n, n), power(n, n), expected(n, n)
    real(real64), allocatable :: now(:, :), next(:, :)
    integer(int64) :: state
    integer :: step, x, y

    allocate (now(0:n + 1, 0:n + 1), next(n, n))
    state = 36
    do y = 1, n
      do x = 1, n
        start(x, y) = draw_between(state, 20.0, 80.0)
        power(x, y) = 0
        if (draw_below(state, 10) == 0) power(x, y) = draw_between(state, 0.0, 5.0)
      end do
    end do
    now(1:n, 1:n) = start
    do step = 1, steps * launches
      ! Cells beyond the border are as warm as those on it.
      now(0, :) = now(1, :)
      now(n + 1, :) = now(n, :)
      now(:, 0) = now(:, 1)
      now(:, n + 1) = now(:, n)
      do y = 1, n
        do x = 1, n
          next(x, y) = now(x, y) + 0.5d0 * power(x, y) &
                       + 0.15d0 * (now(x, y - 1) + now(x, y + 1) - 2 * now(x, y)) &
                       + 0.2d0 * (now(x - 1, y) + now(x + 1, y) - 2 * now(x, y)) &
                       + 0.01d0 * (25 - now(x, y))
        end do
      end do
      now(1:n, 1:n) = next
    end do
    expected = real(now(1:n, 1:n))
  end subroutine

  subroutine advance(from, power, to, n, had)
    integer, intent(in) :: n
    real, intent(in) :: from(n, n), power(n, n)
    real, intent(inout) :: to(n, n)
    integer, intent(inout) :: had
    integer :: across

    across = (n + core - 1) / core
    !$omp target teams num_teams(across**2) thread_limit(threads) map(tofrom: had)
    block
      real :: room(tile, tile, 0:1)
      !$omp parallel TEAM_OF(threads)
      block
        integer :: t, team, i, j, x, y, step, now
        real :: here, above, below, left, right, own_power
        logical :: inside

        t = omp_get_thread_num()
        team = omp_get_team_num()
        i = mod(t, tile) + 1
        j = t / tile + 1
        x = mod(team, across) * core + i - steps
        y = team / across * core + j - steps
        inside = x >= 1 .and. x <= n .and. y >= 1 .and. y <= n
        own_power = 0
        if (inside) then
          room(i, j, 0) = from(x, y)
          own_power = power(x, y)
        end if
        do step = 1, steps
          now = mod(step - 1, 2)
          !$omp barrier
          if (inside .and. min(i, j) > step .and. max(i, j) <= tile - step) then
            here = room(i, j, now)
            above = here
            below = here
            left = here
            right = here
            if (y > 1) above = room(i, j - 1, now)
            if (y < n) below = room(i, j + 1, now)
            if (x > 1) left = room(i - 1, j, now)
            if (x < n) right = room(i + 1, j, now)
            room(i, j, 1 - now) = here + 0.5 * own_power + 0.15 * (above + below - 2 * here) &
                                  + 0.2 * (left + right - 2 * here) + 0.01 * (25 - here)
          end if
        end do
        if (inside .and. min(i, j) > steps .and. max(i, j) <= tile - steps) &
          to(x, y) = room(i, j, mod(steps, 2))
        if (team == 0 .and. t == 0) had = omp_get_num_threads()
      end block
      !$omp end parallel
    end block
    !$omp end target teams
  end subroutine

  ! The result is in ONE if the number of launches is odd, else in TWO.
  subroutine run(start, power, one, two, n, had)
    integer, intent(in) :: n
    real, intent(in) :: start(n, n), power(n, n)
    real, intent(inout) :: one(n, n), two(n, n)
    integer, intent(inout) :: had
    integer :: launch

    call advance(start, power, one, n, had)
    do launch = 2, launches
      if (mod(launch, 2) == 0) then
        call advance(one, power, two, n, had)
      else
        call advance(two, power, one, n, had)
      end if
    end do
  end subroutine
end module

program main
  use heat
  implicit none
  real, allocatable :: start(:, :), power(:, :), one(:, :), two(:, :), expected(:, :)
  real(real64) :: begin
  integer :: n, repeats, turn, had

  call read_arguments(128, 3, 1024, n, repeats)
  n = n * tile - 5
  had = 0
  allocate (start(n, n), power(n, n), one(n, n), two(n, n), expected(n, n))
  call prepare(start, power, expected, n)
  one = -1e30
  two = -1e30
  !$omp target data map(to: start, power) map(tofrom: one, two, had)
  do turn = 0, repeats
    if (turn == 1) begin = omp_get_wtime()
    call run(start, power, one, two, n, had)
  end do
  call print_time('heat-f', begin, repeats)
  !$omp end target data
  call explain_threads(had, threads)
  if (mod(launches, 2) == 1) two = one
  call finish(two, expected, size(two, kind=int64), 1d-5, 1d0)
end program
