! Arrays that are mapped through descriptors: allocatable, pointer, assumed shape, sections, late
! allocation, reallocation, deferred-length texts, use_device_addr, has_device_addr.
module routines
  implicit none
contains
  subroutine check (what, got, wanted)
    character(*), intent(in) :: what
    integer, intent(in) :: got, wanted
    if (got /= wanted) then
      print *, what, ':', got, 'instead of', wanted
      error stop
    end if
  end subroutine

  subroutine assumed (x, y, n)
    integer, intent(inout) :: x(:), y(:,:)
    integer, intent(in) :: n
    integer :: z(n), i
    z = 3
    !$omp target map(tofrom: x, y, z)
    do i = 1, size (x)
      x(i) = x(i) + 10
    end do
    y(2, 2) = ubound (y, 1) * 10 + ubound (y, 2)
    z(n) = 4
    !$omp end target
    call check ('automatic', z(n), 4)
  end subroutine

  subroutine dummy_enter (x, n)
    integer, intent(in) :: n
    integer :: x(n)
    !$omp target enter data map(to: x)
    !$omp target
    x(n) = x(n) + 1
    !$omp end target
    !$omp target exit data map(from: x)
  end subroutine

  subroutine allocatable_dummy (x)
    integer, allocatable, intent(inout) :: x(:)
    !$omp target map(tofrom: x)
    x(3) = -1
    !$omp end target
  end subroutine
end module

program descriptors
  use routines
  implicit none
  integer, allocatable :: al(:), late(:), two(:,:), scalar
  integer, pointer :: p(:), q => null ()
  integer, target :: storage(20)
  integer :: fixed(4, 4), r, i
  character(:), allocatable :: text
  logical :: l

  allocate (al(3:12))
  al = 1
  r = 0
  !$omp target map(tofrom: al) map(from: r)
  al(3) = 30
  r = lbound (al, 1) * 100 + size (al)
  !$omp end target
  call check ('bounds', r, 310)
  call check ('al(3)', al(3), 30)

  ! A section, and the descriptor of the whole.
  !$omp target map(tofrom: al(5:7)) map(from: r)
  al(6) = 60
  r = ubound (al, 1)
  !$omp end target
  call check ('bounds with a section', r, 12)
  call check ('al(6)', al(6), 60)

  ! Pointers that move between regions.
  storage = [(i, i = 1, 20)]
  p => storage(1:5)
  !$omp target data map(tofrom: storage)
  !$omp target map(p)
  p(1) = p(1) + 100
  !$omp end target
  p => storage(11:20)
  !$omp target map(p) map(from: r)
  p(1) = p(1) + 200
  r = size (p)
  !$omp end target
  !$omp end target data
  call check ('size of p', r, 10)
  call check ('first target', storage(1), 101)
  call check ('second target', storage(11), 211)
  q => storage(4)
  !$omp target map(tofrom: q)
  q = 44
  !$omp end target
  call check ('scalar pointer', storage(4), 44)

  ! Allocated late, freed, allocated again with other bounds.
  !$omp target enter data map(to: late)
  allocate (late(2), source = [1, 2])
  !$omp target map(tofrom: late) map(from: r)
  late(2) = 22
  r = size (late)
  !$omp end target
  call check ('late size', r, 2)
  call check ('late', late(2), 22)
  deallocate (late)
  allocate (late(-1:5), source = 7)
  !$omp target map(tofrom: late) map(from: r)
  late(-1) = 9
  r = lbound (late, 1) * 100 + size (late)
  !$omp end target
  call check ('later bounds', r, -93)
  call check ('later', late(-1), 9)

  allocate (scalar, source = 3)
  !$omp target map(tofrom: scalar)
  scalar = scalar + 1
  !$omp end target
  call check ('allocatable scalar', scalar, 4)

  fixed = 0
  call assumed (storage(8:14), fixed(:, 2:4), 5)
  call check ('section as actual', storage(8), 18)
  call check ('rest', storage(15), 15)
  call check ('matrix', fixed(2, 3), 43)
  call dummy_enter (storage(3:5), 3)
  call check ('dummy', storage(5), 6)
  call allocatable_dummy (al)
  call check ('allocatable dummy', al(3), -1)

  text = 'abc'
  l = .false.
  !$omp target map(tofrom: text) map(from: l)
  l = text == 'abc' .and. len (text) == 3
  text(2:2) = 'X'
  !$omp end target
  if (.not. l .or. text /= 'aXc') error stop 'deferred length'

  ! Zero size and not allocated at all.
  allocate (two(0, 5))
  deallocate (late)
  !$omp target exit data map(delete: late)
  !$omp target map(tofrom: two, late) map(from: r, l)
  r = size (two, 2) * 10 + size (two)
  l = allocated (late)
  !$omp end target
  call check ('zero size', r, 50)
  if (l) error stop 'allocated'
  deallocate (two)

  allocate (two(3, 3), source = 1)
  !$omp target data map(tofrom: two, storage) use_device_addr(two, storage)
  !$omp target has_device_addr(two, storage) map(from: r)
  two(3, 3) = 9
  storage(20) = 2000
  r = ubound (two, 1)
  !$omp end target
  !$omp end target data
  call check ('use_device_addr', two(3, 3), 9)
  call check ('use_device_addr, static', storage(20), 2000)
  call check ('bounds of use_device_addr', r, 3)

  ! always copies the descriptor, too.
  !$omp target enter data map(to: p)
  p => storage(2:3)
  !$omp target map(always, tofrom: p) map(from: r)
  r = size (p)
  p(1) = 1
  !$omp end target
  call check ('always, size', r, 2)
  call check ('always', storage(2), 1)
  deallocate (al, scalar, text, two)
end program
