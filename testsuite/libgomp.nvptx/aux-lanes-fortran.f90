! aux-lanes-fortran.f90 -- as aux-lanes-blocks.c: kernels of Fortran's, whose routines have other names.

module cases
  use omp_lib
  use iso_c_binding
  implicit none
  integer, parameter :: teams = 5, t = 96, n = teams * t
  integer :: failures = 0

contains

  subroutine expect(name, i, got, want)
    character(*), intent(in) :: name
    integer, intent(in) :: i, got, want

    if (got == want) return
    failures = failures + 1
    if (failures <= 20) print *, name, ':', got, 'instead of', want, 'at', i
  end subroutine

  ! Each team turns its part around, with its array in a block construct.  EXPECT: reversal direct
  subroutine reversal(in, out) bind(c)
    integer(c_int), intent(in) :: in(0:n - 1)
    integer(c_int), intent(inout) :: out(0:n - 1)
    integer :: i

    !$omp target teams num_teams(teams) thread_limit(t) map(to: in) map(from: out)
    block
      integer :: part(0:t - 1)
      !$omp parallel
      block
        integer :: first, threads, k

        first = omp_get_team_num() * t
        threads = omp_get_num_threads()
        do k = omp_get_thread_num(), t - 1, threads
          part(k) = in(first + k)
        end do
        !$omp barrier
        do k = omp_get_thread_num(), t - 1, threads
          out(first + k) = part(t - 1 - k)
        end do
      end block
      !$omp end parallel
    end block
    !$omp end target teams
    do i = 0, n - 1
      call expect('reversal', i, out(i), in(i / t * t + t - 1 - mod(i, t)))
    end do
  end subroutine

  ! Loops that the team shares out, a sum, and what one thread does.  EXPECT: shared_out direct
  subroutine shared_out(in, out) bind(c)
    integer(c_int), intent(in) :: in(n)
    integer(c_int), intent(inout) :: out(n)
    integer :: row(t), total, most, team, i

    !$omp target teams num_teams(teams) thread_limit(t) map(to: in) map(from: out) &
    !$omp& private(row, total, most, team)
    team = omp_get_team_num()
    total = 0
    most = omp_get_num_teams()
    !$omp parallel
    !$omp do reduction(+: total)
    do i = 1, t
      row(i) = in(team * t + i)
      total = total + row(i)
    end do
    !$omp end do
    !$omp single
    most = most * total
    !$omp end single
    !$omp do
    do i = 1, t
      out(team * t + i) = row(t + 1 - i) + most
    end do
    !$omp end do
    !$omp end parallel
    !$omp end target teams
    do i = 1, n
      team = (i - 1) / t
      call expect('shared_out', i, out(i), in(team * t + t - mod(i - 1, t)) &
                  + teams * sum(in(team * t + 1:team * t + t)))
    end do
  end subroutine

  ! What is called asks and waits, and gets an array of the team.
  subroutine scan(part)
    !$omp declare target
    integer, intent(inout) :: part(0:31)
    integer :: far, mine, other

    far = 1
    do while (far < 32)
      other = omp_get_thread_num() - far
      mine = 0
      if (other >= 0) mine = part(other)
      !$omp barrier
      if (omp_get_thread_num() < 32) part(omp_get_thread_num()) = part(omp_get_thread_num()) + mine
      !$omp barrier
      far = far * 2
    end do
  end subroutine

  ! EXPECT: called direct
  subroutine called(in, out) bind(c)
    integer(c_int), intent(in) :: in(0:n - 1)
    integer(c_int), intent(inout) :: out(0:n - 1)
    integer :: part(0:31), i, k

    !$omp target teams num_teams(teams) thread_limit(32) map(to: in) map(from: out) private(part)
    !$omp parallel num_threads(32) private(i)
    i = omp_get_thread_num()
    part(i) = in(omp_get_team_num() * t + i)
    !$omp barrier
    call scan(part)
    call scan(part)
    out(omp_get_team_num() * t + i) = part(i)
    !$omp end parallel
    !$omp end target teams
    do k = 0, teams - 1
      do i = 0, 31
        call expect('called', k * t + i, out(k * t + i), twice(in(k * t:k * t + i)))
      end do
    end do
  end subroutine

  pure integer function twice(a)
    integer, intent(in) :: a(:)
    integer :: i

    twice = 0
    do i = 1, size(a)
      twice = twice + (size(a) + 1 - i) * a(i)
    end do
  end function

  ! A loop with a stride that asks for the team, too: no barriers, any number of threads.  EXPECT: asked direct
  subroutine asked(in, out) bind(c)
    integer(c_int), intent(in) :: in(n)
    integer(c_int), intent(inout) :: out(n)
    integer :: i

    !$omp target teams distribute parallel do num_teams(teams) map(to: in) map(from: out)
    do i = 1, n
      out(i) = in(i) + (omp_get_num_teams() - 1) / teams
    end do
    do i = 1, n
      call expect('asked', i, out(i), in(i))
    end do
  end subroutine
end module

program main
  use cases
  implicit none
  integer :: in(n), out(n), i

  in = [(mod(i * 7, 1013), i = 0, n - 1)]
  out = -1
  call reversal(in, out)
  out = -1
  call shared_out(in, out)
  out = -1
  call called(in, out)
  out = -1
  call asked(in, out)
  if (failures > 0) error stop
end program
