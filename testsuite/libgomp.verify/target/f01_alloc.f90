! Allocatable arrays: descriptor mapped, bounds kept, late allocation remapped.
! MINGCC: 12
! TEST-MODES: host cpu gpu
! EXPECT BOTH:
!   20  59
!    7   8
!   70   5
! END
! BOTH = host fallback and non-shared-memory device; DEV lines are derived from the OpenMP specification.
program p
  implicit none
  integer, allocatable :: a(:), b(:)
  integer :: r
  allocate (a(5:9)); a = [1, 2, 3, 4, 5]; r = 0
  !$omp target map(tofrom: a) map(from: r)
  a(6) = 20; r = lbound(a, 1) * 10 + ubound(a, 1)
  !$omp end target
  print '(2i4)', a(6), r
  !$omp target enter data map(to: b)
  allocate (b(3)); b = 7
  !$omp target map(tofrom: b) map(from: r)
  r = b(2); b(2) = 8
  !$omp end target
  print '(2i4)', r, b(2)
  !$omp target map(tofrom: a(7:8))
  a(7) = 70
  !$omp end target
  print '(2i4)', a(7), a(9)
  deallocate (a, b)
end program
