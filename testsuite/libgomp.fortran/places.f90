! The place queries with 32-bit and 64-bit integers.
! TEST-ENV: OMP_PLACES=threads
! TEST-NO-OUTPUT: libgomp:
program places
  use omp_lib
  implicit none
  integer :: n, i, failures = 0
  integer, allocatable :: ids(:), nums(:)
  integer(8), allocatable :: ids8(:), nums8(:)

  n = omp_get_num_places()
  if (n == 0) stop 77	! run alone, without OMP_PLACES
  call is(n == omp_get_num_procs(), 'a place for each CPU')
  do i = 0, n - 1
    call is(omp_get_place_num_procs(i) == 1, 'one CPU')
    call is(omp_get_place_num_procs(int(i, 8)) == 1, 'one CPU, 8')
    allocate (ids(2), ids8(2))
    ids = -7
    ids8 = -7
    call omp_get_place_proc_ids(i, ids)
    call omp_get_place_proc_ids(int(i, 8), ids8)
    call is(ids(1) >= 0 .and. ids(2) == -7, 'its number')
    call is(ids8(1) == ids(1) .and. ids8(2) == -7, 'its number, 8')
    deallocate (ids, ids8)
  end do
  call is(omp_get_place_num_procs(-1_8) == 0, 'no such place')
  call is(omp_get_place_num_procs(2_8**32) == 0, 'no such place, 8')

  call is(omp_get_partition_num_places() == n, 'partition')
  allocate (nums(n), nums8(n))
  call omp_get_partition_place_nums(nums)
  call omp_get_partition_place_nums(nums8)
  call is(all(nums == [(i, i = 0, n - 1)]), 'places of the partition')
  call is(all(nums8 == nums), 'places of the partition, 8')
  call is(omp_get_place_num() == 0, 'bound to the first place')
  call is(omp_get_proc_bind() == omp_proc_bind_true, 'proc bind')

  ! As many threads as places: each has its own as partition.
  nums = -7
  nums8 = -7
  !$omp parallel num_threads(n) proc_bind(spread) private(i) shared(nums, nums8)
  i = omp_get_thread_num()
  if (omp_get_partition_num_places() == 1) then
    call omp_get_partition_place_nums(nums(i + 1:i + 1))
    call omp_get_partition_place_nums(nums8(i + 1:i + 1))
  end if
  !$omp critical
  call is(omp_get_place_num() == i, 'own place')
  call is(omp_get_proc_bind() == omp_proc_bind_spread, 'proc bind inside')
  !$omp end critical
  !$omp end parallel
  call is(all(nums == [(i, i = 0, n - 1)]), 'partitions')
  call is(all(nums8 == nums), 'partitions, 8')
  call is(omp_get_partition_num_places() == n, 'partition afterwards')
  deallocate (nums, nums8)
  if (failures /= 0) stop 1

contains

  subroutine is(ok, what)
    logical, intent(in) :: ok
    character(*), intent(in) :: what
    if (.not. ok) then
      print *, 'FAIL: ', what
      failures = failures + 1
    end if
  end subroutine
end program
