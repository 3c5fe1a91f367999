! Components in map clauses one by one: static, allocatable, pointer components, sections, enter, update, exit.
! MINGCC: 16
! TEST-MODES: cpu gpu
module types
  implicit none
  type grid
    integer :: nx, ny
    real(8) :: origin(3)
    real(8), allocatable :: cell(:,:)
    integer, pointer :: mark(:) => null ()
    integer, allocatable :: late(:)
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

  subroutine smooth (g, r)
    type(grid), intent(inout) :: g
    integer, intent(out) :: r
    integer :: i
    !$omp target map(tofrom: g%cell) map(to: g%nx) map(from: r)
    do i = 1, g%nx
      g%cell(i, 2) = g%cell(i, 2) + i
    end do
    r = ubound (g%cell, 2)
    !$omp end target
  end subroutine

  subroutine element (x, i)
    integer, intent(in) :: i
    type(grid), intent(inout) :: x(:)
    !$omp target map(tofrom: x(i)%late)
    x(i)%late(5) = 55
    !$omp end target
    !$omp target map(tofrom: x(i)%late(2:3))
    x(i)%late(3) = 33
    !$omp end target
  end subroutine
end module

program component_items
  use types
  implicit none
  type(grid), target :: g
  type(grid) :: a(3)
  integer, target :: storage(10)
  integer :: i, r
  g%nx = 4
  g%ny = 3
  g%origin = [1, 2, 3]
  allocate (g%cell(4, 0:2))
  g%cell = 1
  storage = [(i, i = 1, 10)]
  g%mark => storage(2:8:1)

  call smooth (g, r)
  call check ('ubound', r, 2)
  call check ('cell', nint (g%cell(4, 2)), 5)

  !$omp target enter data map(to: g%nx, g%cell, g%origin)
  call smooth (g, r)
  call check ('untouched', nint (g%cell(4, 2)), 5)
  !$omp target update from(g%cell)
  call check ('updated', nint (g%cell(4, 2)), 9)
  g%origin(2) = 20
  !$omp target update to(g%origin(2:3))
  !$omp target map(from: r) map(alloc: g%origin)
  r = nint (g%origin(1) + g%origin(2))
  !$omp end target
  call check ('origin', r, 21)
  !$omp target exit data map(from: g%cell, g%origin) map(release: g%nx)

  !$omp target map(tofrom: g%mark)
  g%mark(1) = 100
  g%mark(7) = 700
  !$omp end target
  call check ('pointer, first', storage(2), 100)
  call check ('pointer, last', storage(8), 700)
  call check ('pointer, outside', storage(9), 9)

  !$omp target data map(tofrom: g%mark)
  !$omp target map(from: r)
  r = size (g%mark)
  g%mark = g%mark + 1
  !$omp end target
  !$omp end target data
  call check ('size of pointer', r, 7)
  call check ('pointer in data region', storage(3), 4)

  ! Components of elements.
  allocate (a(3)%late(5), source = 2)
  call element (a, 3)
  call check ('element', a(3)%late(5), 55)
  call check ('element, section', a(3)%late(3), 33)
  call check ('element, beside the section', a(3)%late(4), 2)
  !$omp target map(tofrom: a(1)%nx, a(3)%nx)
  a(1)%nx = 1
  a(3)%nx = 3
  !$omp end target
  call check ('element nx', a(1)%nx + a(3)%nx, 4)

  ! Allocated only after the object was mapped.
  !$omp target enter data map(to: g)
  allocate (g%late(6), source = 6)
  !$omp target map(tofrom: g%late) map(from: r)
  r = size (g%late)
  g%late(6) = 66
  !$omp end target
  call check ('late size', r, 6)
  call check ('late', g%late(6), 66)
  !$omp target exit data map(delete: g)
end program
