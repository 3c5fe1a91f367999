! declare target data of modules and common blocks: arrays, allocatables, pointers, link;
! C pointers of the device.
! MINGCC: 14
! TEST-MODES: host cpu gpu
module things
  use iso_c_binding
  implicit none
  integer :: counter = 5
  integer, allocatable :: table(:)
  real(8) :: matrix(3, 3) = 1
  integer :: linked(10) = 7
  integer, pointer :: view(:) => null ()
  integer :: ca, cb(2)
  common /block/ ca, cb
  !$omp declare target (counter, table, matrix, view)
  !$omp declare target link (linked)
  !$omp declare target (/block/)
contains
  subroutine check (what, got, wanted)
    character(*), intent(in) :: what
    integer, intent(in) :: got, wanted
    if (got /= wanted) then
      print *, what, ':', got, 'instead of', wanted
      error stop
    end if
  end subroutine

  integer function next ()
    !$omp declare target
    counter = counter + 1
    next = counter
  end function

  integer function from_table (i)
    !$omp declare target
    integer, value :: i
    from_table = table(i) + size (table)
  end function
end module

program module_data
  use things
  use omp_lib
  implicit none
  integer :: r, i
  integer, target :: storage(6) = [1, 2, 3, 4, 5, 6]
  type(c_ptr) :: p
  integer, pointer :: f(:)

  !$omp target map(from: r)
  r = next ()
  r = next ()
  !$omp end target
  call check ('counter', r, 7)
  counter = 50
  !$omp target update to(counter)
  !$omp target map(from: r)
  r = next ()
  !$omp end target
  call check ('updated counter', r, 51)
  !$omp target update from(counter)
  call check ('counter back', counter, 51)

  ! Allocated after the device has its copy of the descriptor.
  allocate (table(4), source = [10, 20, 30, 40])
  !$omp target enter data map(to: table)
  !$omp target map(from: r)
  r = from_table (3)
  table(1) = 11
  !$omp end target
  call check ('table', r, 34)
  !$omp target update from(table)
  call check ('table back', table(1), 11)
  !$omp target exit data map(delete: table)
  deallocate (table)
  allocate (table(2), source = [1, 2])
  !$omp target enter data map(to: table)
  !$omp target map(from: r)
  r = from_table (2)
  !$omp end target
  call check ('table again', r, 4)
  !$omp target exit data map(delete: table)

  view => storage(2:5)
  !$omp target map(tofrom: view)
  view(1) = view(1) + size (view)
  !$omp end target
  call check ('pointer', storage(2), 6)

  linked(10) = 8
  !$omp target map(tofrom: linked) map(from: r)
  r = linked(1) + linked(10)
  linked(2) = 9
  !$omp end target
  call check ('link', r, 15)
  call check ('link back', linked(2), 9)

  ca = 3
  cb = 4
  !$omp target update to(ca, cb)
  !$omp target map(from: r)
  r = ca + cb(2)
  cb(1) = 100
  !$omp end target
  call check ('common', r, 7)
  !$omp target update from(cb)
  call check ('common back', cb(1), 100)
  matrix = 2
  !$omp target update to(matrix(:, 2))
  !$omp target map(from: r)
  r = nint (matrix(1, 2))
  matrix(3, 3) = 5
  !$omp end target
  call check ('column', r, 2)
  !$omp target update from(matrix(:, 3))
  call check ('element', nint (matrix(3, 3)), 5)

  ! Memory of the device by C pointers.
  p = omp_target_alloc (40_c_size_t, omp_get_default_device ())
  if (.not. c_associated (p)) error stop 'omp_target_alloc'
  !$omp target is_device_ptr(p) private(f, i)
  call c_f_pointer (p, f, [10])
  do i = 1, 10
    f(i) = i * i
  end do
  !$omp end target
  i = omp_target_memcpy (c_loc (storage), p, 24_c_size_t, 0_c_size_t, 16_c_size_t, &
			 omp_get_initial_device (), omp_get_default_device ())
  call check ('memcpy', i, 0)
  call check ('copied', storage(6), 100)
  call omp_target_free (p, omp_get_default_device ())
  storage = 1
  !$omp target data map(tofrom: storage)
  p = c_loc (storage)
  !$omp target data use_device_ptr(p)
  !$omp target is_device_ptr(p) private(f)
  call c_f_pointer (p, f, [6])
  f(3) = 33
  !$omp end target
  !$omp end target data
  !$omp end target data
  call check ('use_device_ptr of a C pointer', storage(3), 33)
end program
