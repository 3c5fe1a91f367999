! stencil8.f90 -- stencil8.c in Fortran.

module stencil8
  use blocks
  implicit none

  integer, parameter :: radius = 4, width = 32, height = 8, threads = width * height

contains

  subroutine prepare(now, before, weights, expected, n)
    integer, intent(in) :: n
    real, dimension(n + 2 * radius, n + 2 * radius, n + 2 * radius), intent(out) &
      :: now, before, expected
    real, intent(out) :: weights(0:radius)
    integer(int64) :: state
    integer :: x, y, z, k
    real(real64) :: total

    state = 21
    weights = real([-205d0 / 24, 8d0 / 5, -1d0 / 5, 8d0 / 315, -1d0 / 560] * 0.1d0)
    do z = 1, n + 2 * radius
      do y = 1, n + 2 * radius
        do x = 1, n + 2 * radius
          now(x, y, z) = draw_between(state, -1.0, 1.0)
          before(x, y, z) = draw_between(state, -1.0, 1.0)
        end do
      end do
    end do
    expected = 0
    do z = radius + 1, n + radius
      do y = radius + 1, n + radius
        do x = radius + 1, n + radius
          total = 2d0 * now(x, y, z) - before(x, y, z) + real(weights(0), real64) * now(x, y, z)
          do k = 1, radius
            total = total + weights(k) * (real(now(x - k, y, z), real64) + now(x + k, y, z) &
                                          + now(x, y - k, z) + now(x, y + k, z) &
                                          + now(x, y, z - k) + now(x, y, z + k))
          end do
          expected(x, y, z) = real(total)
        end do
      end do
    end do
  end subroutine

  subroutine step(now, before, next, weights, n, had)
    integer, intent(in) :: n
    real, dimension(n + 2 * radius, n + 2 * radius, n + 2 * radius), intent(in) :: now, before
    real, intent(inout) :: next(n + 2 * radius, n + 2 * radius, n + 2 * radius)
    real, intent(in) :: weights(0:radius)
    integer, intent(inout) :: had
    real :: tile(width + 2 * radius, height + 2 * radius), column(-radius:radius), w(0:radius)
    real :: total
    integer :: across, t, team, i, j, x, y, z, k

    across = n / width
    !$omp target teams num_teams(across * (n / height)) thread_limit(threads) &
    !$omp   private(tile) map(tofrom: had)
    !$omp parallel TEAM_OF(threads) private(column, w, total, t, team, i, j, x, y, z, k)
    t = omp_get_thread_num()
    team = omp_get_team_num()
    ! The place in the team's array and in the cube.
    i = mod(t, width) + 1 + radius
    j = t / width + 1 + radius
    x = mod(team, across) * width + i
    y = team / across * height + j
    w = weights
    do k = 1, 2 * radius
      column(k - radius) = now(x, y, k)
    end do
    do z = radius + 1, n + radius
      do k = -radius, radius - 1
        column(k) = column(k + 1)
      end do
      column(radius) = now(x, y, z + radius)
      !$omp barrier
      tile(i, j) = column(0)
      if (j <= 2 * radius) then
        tile(i, j - radius) = now(x, y - radius, z)
        tile(i, j + height) = now(x, y + height, z)
      end if
      if (i <= 2 * radius) then
        tile(i - radius, j) = now(x - radius, y, z)
        tile(i + width, j) = now(x + width, y, z)
      end if
      !$omp barrier
      total = 2 * column(0) - before(x, y, z) + w(0) * column(0)
      do k = 1, radius
        total = total + w(k) * (tile(i - k, j) + tile(i + k, j) + tile(i, j - k) + tile(i, j + k) &
                                + column(-k) + column(k))
      end do
      next(x, y, z) = total
    end do
    if (team == 0 .and. t == 0) had = omp_get_num_threads()
    !$omp end parallel
    !$omp end target teams
  end subroutine
end module

program main
  use stencil8
  implicit none
  real, dimension(:, :, :), allocatable :: now, before, next, expected
  real :: weights(0:radius)
  real(real64) :: begin
  integer :: n, m, repeats, turn, had

  call read_arguments(8, 1, 24, n, repeats)
  n = n * width
  m = n + 2 * radius
  had = 0
  allocate (now(m, m, m), before(m, m, m), next(m, m, m), expected(m, m, m))
  call prepare(now, before, weights, expected, n)
  next = 0
  !$omp target data map(to: now, before, weights) map(tofrom: next, had)
  do turn = 0, repeats
    if (turn == 1) begin = omp_get_wtime()
    call step(now, before, next, weights, n, had)
  end do
  call print_time('stencil8-f', begin, repeats)
  !$omp end target data
  call explain_threads(had, threads)
  call finish(next, expected, size(next, kind=int64), 1d-5, 1d0)
end program
