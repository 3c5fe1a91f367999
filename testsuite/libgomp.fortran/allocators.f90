! Memory allocators from Fortran: both forms of omp_init_allocator, all routines that allocate, the
! default allocator, the allocate clause.
program allocators
  use omp_lib
  use, intrinsic :: iso_c_binding
  implicit none
  type(omp_alloctrait) :: t(3)
  integer(omp_allocator_handle_kind) :: h, h8, big
  type(c_ptr) :: p, q
  integer(c_int8_t), pointer :: bytes(:)
  integer :: failures = 0, i, v, total
  integer, allocatable :: a(:)

  t(1) = omp_alloctrait(omp_atk_alignment, 256)
  t(2) = omp_alloctrait(omp_atk_pool_size, 5000)
  t(3) = omp_alloctrait(omp_atk_fallback, omp_atv_null_fb)
  h = omp_init_allocator(omp_default_mem_space, 3, t)
  h8 = omp_init_allocator(omp_low_lat_mem_space, 3_8, t)
  call check(h /= omp_null_allocator .and. h8 /= omp_null_allocator .and. h /= h8, 'init')
  ! Only the first two: the fallback is the default allocator.
  big = omp_init_allocator(omp_large_cap_mem_space, 2_8, t)
  p = omp_alloc(100000_c_size_t, big)
  call check(c_associated(p), 'two of the traits')
  call omp_free(p, big)
  call omp_destroy_allocator(big)
  call check(omp_init_allocator(omp_default_mem_space, -1, t) == omp_null_allocator, 'negative')
  call check(omp_init_allocator(omp_default_mem_space, -2_8**40, t) == omp_null_allocator, &
             'negative 8')
  t(2)%value = 3
  t(2)%key = omp_atk_alignment
  call check(omp_init_allocator(omp_default_mem_space, 2, t) == omp_null_allocator, 'bad trait')

  p = omp_alloc(100_c_size_t, h)
  q = omp_aligned_alloc(1024_c_size_t, 100_c_size_t, h8)
  call check(aligned(p, 256) .and. aligned(q, 1024), 'alignment')
  call check(.not. c_associated(omp_alloc(6000_c_size_t, h)), 'beyond the pool')
  call omp_free(q, h8)
  call c_f_pointer(p, bytes, [100])
  bytes = 5_c_int8_t
  p = omp_realloc(p, 3000_c_size_t, h8, h)
  call check(aligned(p, 256), 'realloc')
  call c_f_pointer(p, bytes, [3000])
  call check(all(bytes(1:100) == 5_c_int8_t), 'contents')
  call omp_free(p, omp_null_allocator)
  p = omp_calloc(30_c_size_t, 100_c_size_t, h)
  q = omp_aligned_calloc(512_c_size_t, 10_c_size_t, 100_c_size_t, h8)
  call c_f_pointer(p, bytes, [3000])
  call check(all(bytes == 0_c_int8_t), 'calloc')
  call c_f_pointer(q, bytes, [1000])
  call check(all(bytes == 0_c_int8_t) .and. aligned(q, 512), 'aligned_calloc')
  call omp_free(p, h)
  call omp_free(q, h8)
  call omp_free(c_null_ptr, h)

  call check(omp_get_default_allocator() == omp_default_mem_alloc, 'default')
  call omp_set_default_allocator(h8)
  call check(omp_get_default_allocator() == h8, 'set default')
  p = omp_alloc(8_c_size_t, omp_null_allocator)
  call check(aligned(p, 256), 'memory of the default allocator')
  call omp_free(p, omp_null_allocator)
  call omp_set_default_allocator(omp_null_allocator)
  call check(omp_get_default_allocator() == omp_default_mem_alloc, 'back to the default')

  v = 3
  total = 0
  allocate (a(50))
  a = 2
  !$omp parallel num_threads(3) firstprivate(v, a) allocate(h: v, a) reduction(+: total)
  v = v + omp_get_thread_num()
  a(50) = a(50) + v
  total = total + a(1) + a(50)
  !$omp end parallel
  call check(total == 12 + 12 .and. v == 3 .and. all(a == 2), 'allocate clause')
  deallocate (a)

  do i = 1, 100
    call omp_destroy_allocator(omp_init_allocator(omp_const_mem_space, mod(i, 2), t))
  end do
  call omp_destroy_allocator(h)
  call omp_destroy_allocator(h8)
  call omp_destroy_allocator(omp_null_allocator)
  if (failures /= 0) stop 1

contains
  logical function aligned(p, n)
    type(c_ptr), intent(in) :: p
    integer, intent(in) :: n
    aligned = c_associated(p) .and. mod(transfer(p, 0_c_intptr_t), int(n, c_intptr_t)) == 0
  end function
  subroutine check(ok, what)
    logical, intent(in) :: ok
    character(*), intent(in) :: what
    if (.not. ok) then
      print '(2a)', 'wrong: ', what
      failures = failures + 1
    end if
  end subroutine
end program
