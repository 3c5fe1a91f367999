! gemm.f90 -- the product of two matrices in Fortran, as in gemm.c: a tile of 64 x 64 elements by
! each team, 4 x 4 by each thread.  The next parts of the factors are not loaded ahead.

module gemm
  use blocks
  implicit none

  integer, parameter :: tile = 64, each = 4, across = tile / each, threads = across**2, depth = 16

contains

  ! All columns of a small product, and one in 61 of a large one.
  logical function is_compared(column, n)
    integer, intent(in) :: column, n

    is_compared = n <= 2 * tile .or. mod(column, 61) == 7
  end function

  subroutine prepare(a, b, n)
    integer, intent(in) :: n
    real, intent(out) :: a(n, n), b(n, n)
    integer(int64) :: state
    integer :: i, j

    state = 27
    do j = 1, n
      do i = 1, n
        a(i, j) = draw_between(state, -1.0, 1.0)
        b(i, j) = draw_between(state, -1.0, 1.0)
      end do
    end do
  end subroutine

  subroutine multiply_exactly(a, b, product, expected, n)
    integer, intent(in) :: n
    real, intent(in) :: a(n, n), b(n, n), product(n, n)
    real, intent(out) :: expected(n, n)
    real(real64) :: sums(n)
    integer :: j, k

    do j = 1, n
      if (is_compared(j, n)) then
        sums = 0
        do k = 1, n
          sums = sums + real(a(:, k), real64) * b(k, j)
        end do
        expected(:, j) = real(sums)
      else
        expected(:, j) = product(:, j)
      end if
    end do
  end subroutine

  subroutine multiply(a, b, c, n, had)
    integer, intent(in) :: n
    real, intent(in) :: a(n, n), b(n, n)
    real, intent(inout) :: c(n, n)
    integer, intent(inout) :: had
    real :: left(tile, depth), right(tile, depth), sums(each, each)
    integer :: tiles, t, team, row, column, x, y, first, i, j, k

    tiles = n / tile
    !$omp target teams num_teams(tiles * tiles) thread_limit(threads) &
    !$omp   private(left, right) map(tofrom: had)
    !$omp parallel TEAM_OF(threads) private(sums, t, team, row, column, x, y, first, i, j, k)
    t = omp_get_thread_num()
    team = omp_get_team_num()
    row = mod(team, tiles) * tile
    column = team / tiles * tile
    x = mod(t, across) * each
    y = t / across * each
    sums = 0
    do first = 0, n - depth, depth
      do i = t, tile * depth - 1, threads
        j = mod(i, tile) + 1
        k = i / tile + 1
        left(j, k) = a(row + j, first + k)
        ! A column of b is a row of right.
        j = i / depth + 1
        k = mod(i, depth) + 1
        right(j, k) = b(first + k, column + j)
      end do
      !$omp barrier
      do k = 1, depth
        do j = 1, each
          do i = 1, each
            sums(i, j) = sums(i, j) + left(x + i, k) * right(y + j, k)
          end do
        end do
      end do
      !$omp barrier
    end do
    do j = 1, each
      do i = 1, each
        c(row + x + i, column + y + j) = sums(i, j)
      end do
    end do
    if (team == 0 .and. t == 0) had = omp_get_num_threads()
    !$omp end parallel
    !$omp end target teams
  end subroutine
end module

program main
  use gemm
  implicit none
  real, allocatable :: a(:, :), b(:, :), c(:, :), expected(:, :)
  real(real64) :: begin
  integer :: n, repeats, turn, had

  call read_arguments(16, 1, 128, n, repeats)
  n = n * tile
  had = 0
  allocate (a(n, n), b(n, n), c(n, n), expected(n, n))
  call prepare(a, b, n)
  c = -1e30
  !$omp target data map(to: a, b) map(tofrom: c, had)
  do turn = 0, repeats
    if (turn == 1) begin = omp_get_wtime()
    call multiply(a, b, c, n, had)
  end do
  call print_time('gemm-f', begin, repeats)
  !$omp end target data
  call explain_threads(had, threads)
  call multiply_exactly(a, b, c, expected, n)
  call finish(c, expected, size(c, kind=int64), 1d-5, 20d0)
end program
