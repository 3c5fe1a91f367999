! Simple and nestable locks; a nestable lock variable holds a pointer, which destroying clears.
program locks
  use omp_lib
  implicit none
  integer(omp_lock_kind) :: lock
  integer(omp_nest_lock_kind) :: nest(3)
  integer :: i, n, count, nest_count, failures = 0
  logical :: got

  call omp_init_lock(lock)
  do i = 1, 3
    call omp_init_nest_lock(nest(i))
  end do

  call omp_set_lock(lock)
  call is(.not. omp_test_lock(lock), 'test of a lock that we hold')
  call omp_unset_lock(lock)
  call is(omp_test_lock(lock), 'test of a free lock')
  call omp_unset_lock(lock)

  call is(omp_test_nest_lock(nest(1)) == 1, 'first test')
  call omp_set_nest_lock(nest(1))
  call is(omp_test_nest_lock(nest(1)) == 3, 'third')
  call is(omp_test_nest_lock(nest(2)) == 1, 'another lock')
  call omp_unset_nest_lock(nest(2))
  n = -1
  !$omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) n = omp_test_nest_lock(nest(1))
  !$omp end parallel
  call is(n == 0, 'held against the other thread')
  do i = 1, 3
    call omp_unset_nest_lock(nest(1))
  end do

  count = 0
  nest_count = 0
  !$omp parallel num_threads(4) private(i, got)
  do i = 1, 2000
    call omp_set_lock(lock)
    count = count + 1
    call omp_unset_lock(lock)
    call omp_set_nest_lock(nest(3))
    call omp_set_nest_lock(nest(3))
    nest_count = nest_count + 1
    call omp_unset_nest_lock(nest(3))
    call omp_unset_nest_lock(nest(3))
  end do
  !$omp end parallel
  call is(count == 8000, 'no increment is lost')
  call is(nest_count == 8000, 'no increment is lost under the nestable lock')

  do i = 1, 3
    call omp_destroy_nest_lock(nest(i))
    call is(nest(i) == 0, 'handle is cleared')
  end do
  call omp_destroy_lock(lock)
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
