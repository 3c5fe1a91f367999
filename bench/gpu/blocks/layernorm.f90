! layernorm.f90 -- layernorm.c in Fortran: a row is a column here, and the loops that a team shares
! out have no schedule.

module layernorm
  use blocks
  implicit none

  integer, parameter :: width = 1537, threads = 256
  real, parameter :: epsilon = 1e-5

contains

  subroutine prepare(in, gain, bias, expected, rows)
    integer, intent(in) :: rows
    real, intent(out) :: in(width, rows), gain(width), bias(width), expected(width, rows)
    integer(int64) :: state
    integer :: i, r
    real :: center, reach
    real(real64) :: mean, variance

    state = 22
    do i = 1, width
      gain(i) = draw_between(state, 0.5, 2.0)
      bias(i) = draw_between(state, -1.0, 1.0)
    end do
    do r = 1, rows
      center = draw_between(state, -2.0, 2.0)
      reach = draw_between(state, 0.5, 5.0)
      if (mod(r, 8) == 4) then
        reach = 0.005
        center = center / 256
      end if
      do i = 1, width
        in(i, r) = center + draw_between(state, -reach, reach)
      end do
      mean = sum(real(in(:, r), real64)) / width
      variance = sum((in(:, r) - mean)**2) / width
      expected(:, r) = real((in(:, r) - mean) / sqrt(variance + epsilon) * gain + bias)
    end do
  end subroutine

  subroutine normalize(in, out, gain, bias, rows)
    integer, intent(in) :: rows
    real, intent(in) :: in(width, rows), gain(width), bias(width)
    real, intent(inout) :: out(width, rows)
    real :: row(width), total, squares, mean, scale
    integer :: i, r

    !$omp target teams num_teams(rows) thread_limit(threads) private(row, total, squares, r)
    r = omp_get_team_num() + 1
    total = 0
    squares = 0
    !$omp parallel TEAM_OF(threads) private(mean, scale)
    !$omp do reduction(+: total)
    do i = 1, width
      row(i) = in(i, r)
      total = total + row(i)
    end do
    !$omp end do
    mean = total / width
    !$omp do reduction(+: squares)
    do i = 1, width
      squares = squares + (row(i) - mean)**2
    end do
    !$omp end do
    scale = 1 / sqrt(squares / width + epsilon)
    !$omp do
    do i = 1, width
      out(i, r) = (row(i) - mean) * scale * gain(i) + bias(i)
    end do
    !$omp end do
    !$omp end parallel
    !$omp end target teams
  end subroutine
end module

program main
  use layernorm
  implicit none
  real, allocatable :: in(:, :), out(:, :), expected(:, :)
  real :: gain(width), bias(width)
  real(real64) :: begin
  integer :: rows, repeats, turn

  call read_arguments(8192, 16, 1048576, rows, repeats)
  allocate (in(width, rows), out(width, rows), expected(width, rows))
  call prepare(in, gain, bias, expected, rows)
  out = -1e30
  !$omp target data map(to: in, gain, bias) map(tofrom: out)
  do turn = 0, repeats
    if (turn == 1) begin = omp_get_wtime()
    call normalize(in, out, gain, bias, rows)
  end do
  call print_time('layernorm-f', begin, repeats)
  !$omp end target data
  call finish(out, expected, size(out, kind=int64), 2d-5, 1d0)
end program
