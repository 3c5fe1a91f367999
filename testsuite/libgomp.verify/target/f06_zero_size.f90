! Zero-size arrays: several at once, in one and in nested constructs.
! MINGCC: 12
! TEST-MODES: host cpu gpu
! EXPECT BOTH:
!    2   9
!    0
! END
! BOTH = host fallback and non-shared-memory device; DEV lines are derived from the OpenMP specification.
! Note: the existing libraries stop here on a device ("is already mapped").
program empty_ones
  implicit none
  integer, allocatable :: e1(:), e2(:), full(:)
  integer :: n
  allocate (e1(0), e2(0), full(2)); full = [1, 2]; n = -1
  !$omp target map(tofrom: e1, e2, full) map(from: n)
  n = size (e1) + 10 * size (e2) + full(2); full(1) = 9
  !$omp end target
  print '(2i4)', n, full(1)
  !$omp target enter data map(to: e1, e2)
  !$omp target map(tofrom: e1) map(to: e2) map(from: n)
  n = sum (e1) + sum (e2)
  !$omp end target
  !$omp target exit data map(from: e1, e2)
  print '(i4)', n
  deallocate (e1, e2, full)
end program
