! A module array that is mapped, but not declare target, in a procedure that a region calls: the region dies of the device's own
! descriptor, and the mapping checker says so.
! TEST-MODES: cpu
! TEST-OPTIONS: -O1 -foffload=disable -fno-sanitize=null
! TEST-SKIP-SANITIZER: thread variables of modules are not watched then
! TEST-ENV: GOMP_CHECK=map
! TEST-EXIT: 1
! TEST-OUTPUT: ^  before, it read `grid' of the module store, which is not declare target: the device has a variable of its own there, with another value
! TEST-OUTPUT: ^  remedy: write `declare target \(grid\)' behind its declaration
! TEST-NO-OUTPUT: `used'

module store
  real(8), allocatable :: grid(:, :)
  integer :: used = 3
  !$omp declare target (used)
contains
  subroutine relax (i, j)
    integer, intent(in) :: i, j
    grid(i, j) = used * (grid(i - 1, j) + grid(i + 1, j))
  end subroutine
end module

program main
  use store
  integer :: i, j
  allocate (grid(64, 64))
  grid = 1
  used = used + 0
  !$omp target enter data map(to: grid)
  !$omp target
  do j = 2, 63
    do i = 2, 63
      call relax (i, j)
    end do
  end do
  !$omp end target
  !$omp target exit data map(from: grid)
end program
