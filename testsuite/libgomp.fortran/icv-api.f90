! The routines that set and query ICVs, with 32-bit and 64-bit integers and logicals.
! TEST-OPTIONS: -Wno-deprecated-declarations
program icv_api
  use omp_lib
  implicit none
  integer(omp_sched_kind) :: kind
  integer :: chunk, failures = 0
  integer(8) :: chunk8
  integer(8), parameter :: big = 2_8**40

  call omp_set_num_threads(3)
  call eq(omp_get_max_threads(), 3, 'num_threads')
  call omp_set_num_threads(4_8)
  call eq(omp_get_max_threads(), 4, 'num_threads 8')
  call omp_set_num_threads(big)
  call eq(omp_get_max_threads(), huge(0), 'num_threads clamped')
  call omp_set_num_threads(-big)
  call eq(omp_get_max_threads(), 1, 'num_threads clamped below')

  call omp_set_dynamic(.true.)
  call is(omp_get_dynamic(), 'dynamic')
  call omp_set_dynamic(.false._8)
  call is(.not. omp_get_dynamic(), 'dynamic 8 off')
  call omp_set_dynamic(.true._8)
  call is(omp_get_dynamic(), 'dynamic 8 on')
  call omp_set_dynamic(.false.)

  call omp_set_nested(.true._8)
  call is(omp_get_nested(), 'nested 8')
  call eq(omp_get_max_active_levels(), omp_get_supported_active_levels(), 'levels of nested')
  call omp_set_nested(.false.)
  call eq(omp_get_max_active_levels(), 1, 'levels of not nested')
  call omp_set_max_active_levels(7_8)
  call eq(omp_get_max_active_levels(), 7, 'levels 8')
  call omp_set_max_active_levels(-1_8)
  call eq(omp_get_max_active_levels(), 7, 'negative levels 8')
  call omp_set_max_active_levels(2)
  call eq(omp_get_max_active_levels(), 2, 'levels')

  call omp_set_schedule(omp_sched_guided, 5)
  call omp_get_schedule(kind, chunk)
  call eq(int(kind), 3, 'schedule kind')
  call eq(chunk, 5, 'schedule chunk')
  call omp_set_schedule(omp_sched_static, big)
  call omp_get_schedule(kind, chunk8)
  call eq(int(kind), 1, 'schedule kind 8')
  call is(chunk8 == huge(0), 'schedule chunk 8')
  ! The monotonic bit is set, but Fortran does not see it.
  call omp_set_schedule(ior(omp_sched_dynamic, ishft(1_omp_sched_kind, 31)), 2)
  call omp_get_schedule(kind, chunk)
  call eq(int(kind), 2, 'schedule without the monotonic bit')

  call eq(omp_get_thread_limit(), huge(0), 'thread limit')
  call is(.not. omp_get_cancellation(), 'cancellation')
  call eq(omp_get_max_task_priority(), 0, 'max task priority')
  call eq(int(omp_get_proc_bind()), 0, 'proc bind')
  call is(omp_get_num_procs() > 0, 'num procs')

  call omp_set_num_teams(5_8)
  call eq(omp_get_max_teams(), 5, 'num teams 8')
  call omp_set_num_teams(-1)
  call eq(omp_get_max_teams(), 5, 'negative num teams')
  call omp_set_teams_thread_limit(big)
  call eq(omp_get_teams_thread_limit(), huge(0), 'teams thread limit 8')
  call omp_set_teams_thread_limit(0)
  call eq(omp_get_teams_thread_limit(), 0, 'teams thread limit')

  call eq(omp_get_default_device(), 0, 'default device')
  call omp_set_default_device(4_8)
  call eq(omp_get_default_device(), 4, 'default device 8')
  call omp_set_default_device(-5)
  call eq(omp_get_default_device(), 4, 'default device: default')
  call omp_set_default_device(2)
  call eq(omp_get_default_device(), 2, 'default device 4')

  call is(omp_get_default_allocator() == omp_default_mem_alloc, 'default allocator')
  call omp_set_default_allocator(omp_thread_mem_alloc)
  call is(omp_get_default_allocator() == omp_thread_mem_alloc, 'set default allocator')
  call omp_set_default_allocator(omp_null_allocator)
  call is(omp_get_default_allocator() == omp_default_mem_alloc, 'null allocator')

  call is(omp_get_wtime() > 0d0 .and. omp_get_wtick() > 0d0 .and. omp_get_wtick() < 1d-3, 'clock')
  if (failures /= 0) stop 1

contains

  subroutine eq(got, wanted, what)
    integer, intent(in) :: got, wanted
    character(*), intent(in) :: what
    if (got /= wanted) then
      print *, 'FAIL: ', what, ': ', got, ' instead of ', wanted
      failures = failures + 1
    end if
  end subroutine

  subroutine is(ok, what)
    logical, intent(in) :: ok
    character(*), intent(in) :: what
    if (.not. ok) then
      print *, 'FAIL: ', what
      failures = failures + 1
    end if
  end subroutine
end program
