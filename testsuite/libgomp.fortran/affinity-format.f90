! Character arguments: no terminating zero, blanks behind what is returned, full lengths.
! TEST-OUTPUT: ^shown 0$
! TEST-OUTPUT: ^set 1$
program affinity_format
  use omp_lib
  implicit none
  character(12) :: text
  character(3) :: short
  character(8) :: padded = 'a%n'
  integer :: failures = 0

  call omp_set_affinity_format('L%L-%n')
  call is(omp_get_affinity_format(text), 6, text, 'L%L-%n')
  call is(omp_get_affinity_format(short), 6, short, 'L%L')
  call is(omp_capture_affinity(text, '%N threads'), 9, text, '1 threads')
  call is(omp_capture_affinity(short, '%N threads'), 9, short, '1 t')
  ! No characters: the format that was set.
  call is(omp_capture_affinity(text, ''), 4, text, 'L0-0')
  ! Blanks are characters.
  call is(omp_capture_affinity(text, padded), 7, text, 'a0')
  call is(omp_capture_affinity(text, '[%.4{num_threads}]'), 6, text, '[   1]')

  call omp_display_affinity('shown %n')
  call omp_set_affinity_format('set %{num_teams}')
  call omp_display_affinity('')
  if (failures /= 0) stop 1

contains

  subroutine is(length, wanted_length, got, wanted)
    integer, intent(in) :: length, wanted_length
    character(*), intent(in) :: got, wanted
    if (length /= wanted_length .or. got /= wanted) then
      print *, 'FAIL: ', length, '[', got, '], not ', wanted_length, '[', wanted, ']'
      failures = failures + 1
    end if
  end subroutine
end program
