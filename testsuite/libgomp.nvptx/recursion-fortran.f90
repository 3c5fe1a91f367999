! Recursive functions and subroutines, with arrays of their own.  As recursion-frames.c.
! TEST-MODES: ptxsim ptxours ptxlanes gpu

module cases
  use omp_lib
  use iso_c_binding
  implicit none
  private
  public :: plain, together, failures
  integer, parameter :: n = 192, teams = 2, t = 96, depths = 10
  integer :: failures = 0
  integer :: found(0:n - 1)

contains

  ! The caller's numbers are changed, and the own ones used again.
  recursive integer function down(above, depth, seed, other) result(r)
    !$omp declare target
    integer, intent(inout) :: above(2)
    integer, intent(in) :: depth, seed, other
    integer :: own(2)

    own = [seed, above(1) + other]
    if (depth > 0) then
      r = down(own, depth - 1, other + 1, ieor(seed, depth))
      above(2) = above(2) + own(1) + r
      r = r * 5 + own(2) - other * seed
    else
      above(1) = above(1) + 1
      r = ieor(own(1), own(2))
    end if
  end function

  recursive subroutine even(x, depth)
    !$omp declare target
    integer, intent(inout) :: x
    integer, intent(in) :: depth
    integer :: next

    next = x + depth
    if (depth > 0) call odd(next, depth - 1)
    x = x * 3 + next
  end subroutine

  recursive subroutine odd(x, depth)
    !$omp declare target
    integer, intent(inout) :: x
    integer, intent(in) :: depth
    integer :: next

    next = ieor(x, depth)
    if (depth > 0) call even(next, depth - 1)
    x = next - x * 5
  end subroutine

  integer function from(i)
    !$omp declare target
    integer, intent(in) :: i
    integer :: own(2), x

    own = [i, 3]
    from = down(own, depths + mod(i, 3), i, 7) + own(2)
    x = i
    call even(x, depths - mod(i, 4))
    from = from - x
  end function

  subroutine check(name, turned)
    character(*), intent(in) :: name
    logical, intent(in) :: turned
    integer :: i, want

    do i = 0, n - 1
      want = from(i)
      if (turned) want = from(i / t * t + t - 1 - mod(i, t))
      if (found(i) == want) cycle
      failures = failures + 1
      if (failures <= 20) print *, name, ':', found(i), 'instead of', want, 'at', i
    end do
  end subroutine

  ! EXPECT: plain direct
  subroutine plain() bind(c)
    integer :: i

    !$omp target teams distribute parallel do map(from: found)
    do i = 0, n - 1
      found(i) = from(i)
    end do
    call check('plain', .false.)
  end subroutine

  ! EXPECT: together direct
  subroutine together() bind(c)
    !$omp target teams num_teams(teams) thread_limit(t) map(from: found)
    block
      integer :: part(0:t - 1)
      !$omp parallel
      block
        integer :: first, threads, k

        first = omp_get_team_num() * t
        threads = omp_get_num_threads()
        do k = omp_get_thread_num(), t - 1, threads
          part(k) = from(first + k)
        end do
        !$omp barrier
        do k = omp_get_thread_num(), t - 1, threads
          found(first + k) = part(t - 1 - k)
        end do
      end block
    end block
    call check('together', .true.)
  end subroutine

end module

program recursion
  use cases
  implicit none

  call plain()
  call together()
  if (failures > 0) stop 1
end program
