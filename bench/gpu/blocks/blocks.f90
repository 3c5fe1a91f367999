! blocks.f90 -- what the Fortran programs of this folder share: arguments, input, times, and the
! comparison with the reference, as in blocks.h.  It is compiled with -fwrapv, as the product of two
! numbers of 64 bits wraps.

module blocks
  use iso_fortran_env, only: int64, real64, error_unit
  use omp_lib
  implicit none

contains

  ! -s, -r REPEATS, N; USUAL is the size without arguments, SMALL that of -s, MOST the largest.
  subroutine read_arguments(usual, small, most, n, repeats)
    integer, intent(in) :: usual, small, most
    integer, intent(out) :: n, repeats
    character(len=32) :: text
    integer :: i

    n = usual
    repeats = 20
    i = 1
    do while (i <= command_argument_count())
      call get_command_argument(i, text)
      if (text == '-s') then
        n = small
        repeats = 2
      else if (text == '-r') then
        i = i + 1
        call get_command_argument(i, text)
        repeats = number_in(text, 1000000)
      else
        n = number_in(text, most)
      end if
      i = i + 1
    end do
    if (n == 0 .or. repeats == 0) then
      write (error_unit, '(a, i0)') 'usage: [-s] [-r repeats] [n], n at most ', most
      stop 2, quiet=.true.
    end if
  end subroutine

  ! TEXT as a number from 1 to MOST, 0 if it is none.
  integer function number_in(text, most)
    character(len=*), intent(in) :: text
    integer, intent(in) :: most
    integer :: error

    number_in = 0
    if (text == '' .or. verify(trim(text), '0123456789') /= 0) return
    read (text, *, iostat=error) number_in
    if (error /= 0 .or. number_in > most) number_in = 0
  end function

  ! 32 bits without an order, the same on every machine.
  integer(int64) function draw(state)
    integer(int64), intent(inout) :: state
    integer(int64) :: z

    state = state - 7046029254386353131_int64
    z = ieor(state, shiftr(state, 30)) * (-4658895280553007687_int64)
    z = ieor(z, shiftr(z, 27)) * (-7723592293110705685_int64)
    draw = shiftr(z, 32)
  end function

  integer function draw_below(state, limit)
    integer(int64), intent(inout) :: state
    integer, intent(in) :: limit

    draw_below = int(mod(draw(state), int(limit, int64)))
  end function

  ! LOW <= result < HIGH.
  real function draw_between(state, low, high)
    integer(int64), intent(inout) :: state
    real, intent(in) :: low, high

    draw_between = low + (high - low) * (real(shiftr(draw(state), 9)) / 2.0**23)
  end function

  ! The average of REPEATS turns since BEGIN.
  subroutine print_time(name, begin, repeats)
    character(len=*), intent(in) :: name
    real(real64), intent(in) :: begin
    integer, intent(in) :: repeats

    print '(a, a, f0.2, a)', name, ' kernel ', (omp_get_wtime() - begin) / repeats * 1e6, ' us'
  end subroutine

  ! Says why the results of a kernel that needs NEED threads a team are wrong.
  subroutine explain_threads(had, need)
    integer, intent(in) :: had, need

    if (had /= need) &
      print '(a, i0, a, i0)', 'note: the team had ', had, ' threads, the kernel needs ', need
  end subroutine

  ! Prints PASS or the first difference, with the index of C, and ends the program.  The distance
  ! may be TOLERANCE * (SCALE + |expected|); NaN is always wrong.
  subroutine finish(got, expected, n, tolerance, scale)
    integer(int64), intent(in) :: n
    real, intent(in) :: got(n), expected(n)
    real(real64), intent(in) :: tolerance, scale
    integer(int64) :: i

    do i = 1, n
      if (.not. abs(real(got(i), real64) - expected(i)) <= tolerance * (scale + abs(expected(i)))) &
        then
        print '(a, i0, a, es15.8, a, es15.8)', 'FAIL index ', i - 1, ', got ', got(i), &
          ', expected ', expected(i)
        stop 1, quiet=.true.
      end if
    end do
    print '(a)', 'PASS'
  end subroutine
end module
