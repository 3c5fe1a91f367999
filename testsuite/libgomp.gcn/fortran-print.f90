! Output statements of Fortran in a region: list-directed, with a format, of an array.
! EXPECT BOTH:
!  device          42   2.5000000000000000      T  text
! i=   42 x=    2.500
!   1  4  9 16 25
! after
! END
program fortran_print
  implicit none
  integer :: n, i, squares(5)
  real(8) :: x
  n = 42
  x = 2.5d0
  squares = [(i * i, i = 1, 5)]
  !$omp target map(to: n, x, squares)
  print *, 'device', n, x, n > 3, ' text'
  print '(a,i5,a,f9.3)', 'i=', n, ' x=', x
  write (*, '(5i3)') squares
  !$omp end target
  print '(a)', 'after'
end program fortran_print
