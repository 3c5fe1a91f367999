! The allocators construct with -fopenmp-allocators: variables whose memory comes from an
! allocator are reallocated and deallocated like all others.
! MINGCC: 14
! TEST-OPTIONS: -fopenmp-allocators
program allocators_directive
  use omp_lib
  use, intrinsic :: iso_c_binding
  implicit none
  type(omp_alloctrait) :: t(3)
  integer(omp_allocator_handle_kind) :: h
  integer :: i
  integer, allocatable :: a(:), b(:), s
  real(8), pointer :: p(:)

  t(1) = omp_alloctrait(omp_atk_alignment, 512)
  t(2) = omp_alloctrait(omp_atk_pool_size, 60000)
  t(3) = omp_alloctrait(omp_atk_fallback, omp_atv_abort_fb)
  h = omp_init_allocator(omp_default_mem_space, 3, t)
  ! What is not given back exhausts the pool, and that ends the program.
  do i = 1, 50
    !$omp allocators allocate(allocator(h): a, b, s)
    allocate (a(1000), b(100), s)
    if (mod(loc(a), 512_8) /= 0 .or. mod(loc(s), 512_8) /= 0) stop 1
    a = i
    s = i
    b = 7
    b = a				! changes its size
    if (size(b) /= 1000 .or. any(b /= i)) stop 2
    a = [a, a]
    if (size(a) /= 2000 .or. any(a /= i) .or. s /= i) stop 3
    deallocate (a, s)
    allocate (s)			! not from the allocator
    s = 4
    deallocate (s)
    deallocate (b)
    call automatic (i)
    !$omp allocators allocate(omp_high_bw_mem_alloc: p)
    allocate (p(100))
    p = 1
    deallocate (p)
  end do
  call omp_destroy_allocator(h)

contains
  subroutine automatic (n)
    integer, intent(in) :: n
    integer, allocatable :: c(:)
    integer :: d(n), e
    !$omp allocate(d, e) allocator(h)
    !$omp allocators allocate(allocator(h), align(1024): c)
    allocate (c(n))
    d = n
    e = n
    c = d
    if (mod(loc(d), 512_8) /= 0 .or. sum(c) /= n * e) stop 4
    ! All of it is deallocated at the end.
  end subroutine
end program
