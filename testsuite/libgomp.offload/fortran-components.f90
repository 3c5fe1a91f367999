! Objects of derived types whose components are allocatable or pointers, mapped as a whole and by
! component: nested types, arrays of objects, allocatable objects, several directives.
! MINGCC: 16
! TEST-MODES: cpu gpu
module types
  implicit none
  type inner
    integer :: k = 0
    integer, allocatable :: list(:)
  end type
  type outer
    integer :: n = 0
    type(inner) :: one
    type(inner), allocatable :: many(:)
    real, allocatable :: scalar
    character(:), allocatable :: text
  end type
contains
  subroutine check (what, got, wanted)
    character(*), intent(in) :: what
    integer, intent(in) :: got, wanted
    if (got /= wanted) then
      print *, what, ':', got, 'instead of', wanted
      error stop
    end if
  end subroutine
end module

program components
  use types
  implicit none
  type(outer) :: v
  type(inner) :: array(3)
  type(inner), allocatable :: objects(:), object
  integer :: i, r
  v%n = 3
  v%one%k = 5
  allocate (v%one%list(4), source = [1, 2, 3, 4])
  allocate (v%many(2))
  allocate (v%many(1)%list(3), source = [10, 20, 30])
  allocate (v%scalar, source = 2.0)
  r = 0
  !$omp target map(tofrom: v) map(from: r)
  r = size (v%one%list) * 100 + size (v%many) * 10
  v%one%list(4) = v%one%list(4) + v%many(1)%list(2)
  v%many(2)%k = 77
  v%scalar = v%scalar * 2
  if (.not. allocated (v%many(2)%list)) r = r + 1
  v%n = 4
  !$omp end target
  call check ('sizes', r, 421)
  call check ('nested array', v%one%list(4), 24)
  call check ('element', v%many(2)%k, 77)
  call check ('allocatable scalar', nint (v%scalar), 4)
  call check ('plain component', v%n, 4)
  call check ('still allocated', size (v%many(1)%list), 3)

  ! An array of objects, some of them without data.
  do i = 1, 3, 2
    allocate (array(i)%list(i), source = i)
  end do
  !$omp target enter data map(to: array)
  !$omp target
  do i = 1, 3
    array(i)%k = i
    if (allocated (array(i)%list)) array(i)%list = array(i)%list + 100 * i
  end do
  !$omp end target
  array(1)%list = 5
  !$omp target exit data map(from: array)
  call check ('array(2)%k', array(2)%k, 2)
  call check ('array(1)', array(1)%list(1), 101)
  call check ('array(3)', array(3)%list(3), 303)

  ! Allocatable objects.
  allocate (objects(2), object)
  allocate (objects(2)%list(2), source = [7, 8])
  allocate (object%list(1), source = [9])
  !$omp target data map(tofrom: objects, object)
  !$omp target map(from: r)
  objects(2)%list(1) = objects(2)%list(2) + object%list(1)
  object%list(1) = 10
  r = size (objects)
  !$omp end target
  !$omp end target data
  call check ('size of objects', r, 2)
  call check ('allocatable array of objects', objects(2)%list(1), 17)
  call check ('allocatable object', object%list(1), 10)

  ! Update of a whole object moves the data of its components.
  !$omp target enter data map(to: object)
  object%list(1) = 30
  object%k = 31
  !$omp target update to(object)
  !$omp target map(from: r)
  r = object%list(1) + object%k
  object%list(1) = 40
  !$omp end target
  call check ('update to', r, 61)
  !$omp target update from(object)
  call check ('update from', object%list(1), 40)
  !$omp target map(always, tofrom: object)
  object%list(1) = object%list(1) + 1
  !$omp end target
  call check ('always', object%list(1), 41)
  !$omp target exit data map(delete: object)
end program
