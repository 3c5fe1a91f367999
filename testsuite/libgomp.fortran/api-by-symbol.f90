! Every routine of the host with integer or logical arguments, by the names of its symbols: NAME_ takes
! them with 32 bits, NAME_8_ with 64 bits, all by reference, and answers with 32 bits.  The other
! half of what a too large access would see or change is not 0.
! TEST-ENV: OMP_PLACES={0}
module by_name
  use, intrinsic :: iso_c_binding, only: i4 => c_int32_t, i8 => c_int64_t, h => c_intptr_t, &
                                         size_kind => c_size_t, r8 => c_double
  implicit none
  interface
    subroutine omp_set_num_threads(n) bind(c, name="omp_set_num_threads_")
      import i4
      integer(i4), intent(in) :: n
    end subroutine
    subroutine omp_set_num_threads_8(n) bind(c, name="omp_set_num_threads_8_")
      import i8
      integer(i8), intent(in) :: n
    end subroutine
    subroutine omp_set_dynamic(n) bind(c, name="omp_set_dynamic_")
      import i4
      integer(i4), intent(in) :: n
    end subroutine
    subroutine omp_set_dynamic_8(n) bind(c, name="omp_set_dynamic_8_")
      import i8
      integer(i8), intent(in) :: n
    end subroutine
    subroutine omp_set_nested(n) bind(c, name="omp_set_nested_")
      import i4
      integer(i4), intent(in) :: n
    end subroutine
    subroutine omp_set_nested_8(n) bind(c, name="omp_set_nested_8_")
      import i8
      integer(i8), intent(in) :: n
    end subroutine
    subroutine omp_set_max_active_levels(n) bind(c, name="omp_set_max_active_levels_")
      import i4
      integer(i4), intent(in) :: n
    end subroutine
    subroutine omp_set_max_active_levels_8(n) bind(c, name="omp_set_max_active_levels_8_")
      import i8
      integer(i8), intent(in) :: n
    end subroutine
    subroutine omp_set_default_device(n) bind(c, name="omp_set_default_device_")
      import i4
      integer(i4), intent(in) :: n
    end subroutine
    subroutine omp_set_default_device_8(n) bind(c, name="omp_set_default_device_8_")
      import i8
      integer(i8), intent(in) :: n
    end subroutine
    subroutine omp_set_num_teams(n) bind(c, name="omp_set_num_teams_")
      import i4
      integer(i4), intent(in) :: n
    end subroutine
    subroutine omp_set_num_teams_8(n) bind(c, name="omp_set_num_teams_8_")
      import i8
      integer(i8), intent(in) :: n
    end subroutine
    subroutine omp_set_teams_thread_limit(n) bind(c, name="omp_set_teams_thread_limit_")
      import i4
      integer(i4), intent(in) :: n
    end subroutine
    subroutine omp_set_teams_thread_limit_8(n) bind(c, name="omp_set_teams_thread_limit_8_")
      import i8
      integer(i8), intent(in) :: n
    end subroutine
    subroutine omp_set_schedule(kind, chunk) bind(c, name="omp_set_schedule_")
      import i4
      integer(i4), intent(in) :: kind
      integer(i4), intent(in) :: chunk
    end subroutine
    subroutine omp_set_schedule_8(kind, chunk) bind(c, name="omp_set_schedule_8_")
      import i4, i8
      integer(i4), intent(in) :: kind
      integer(i8), intent(in) :: chunk
    end subroutine
    subroutine omp_get_schedule(kind, chunk) bind(c, name="omp_get_schedule_")
      import i4
      integer(i4), intent(out) :: kind
      integer(i4), intent(out) :: chunk
    end subroutine
    subroutine omp_get_schedule_8(kind, chunk) bind(c, name="omp_get_schedule_8_")
      import i4, i8
      integer(i4), intent(out) :: kind
      integer(i8), intent(out) :: chunk
    end subroutine
    integer(i4) function omp_get_num_threads() bind(c, name="omp_get_num_threads_")
      import i4
    end function
    integer(i4) function omp_get_max_threads() bind(c, name="omp_get_max_threads_")
      import i4
    end function
    integer(i4) function omp_get_thread_num() bind(c, name="omp_get_thread_num_")
      import i4
    end function
    integer(i4) function omp_get_num_procs() bind(c, name="omp_get_num_procs_")
      import i4
    end function
    integer(i4) function omp_get_dynamic() bind(c, name="omp_get_dynamic_")
      import i4
    end function
    integer(i4) function omp_get_nested() bind(c, name="omp_get_nested_")
      import i4
    end function
    integer(i4) function omp_get_thread_limit() bind(c, name="omp_get_thread_limit_")
      import i4
    end function
    integer(i4) function omp_get_max_active_levels() bind(c, name="omp_get_max_active_levels_")
      import i4
    end function
    integer(i4) function omp_get_supported_active_levels() bind(c, name="omp_get_supported_active_levels_")
      import i4
    end function
    integer(i4) function omp_get_level() bind(c, name="omp_get_level_")
      import i4
    end function
    integer(i4) function omp_get_active_level() bind(c, name="omp_get_active_level_")
      import i4
    end function
    integer(i4) function omp_get_cancellation() bind(c, name="omp_get_cancellation_")
      import i4
    end function
    integer(i4) function omp_get_proc_bind() bind(c, name="omp_get_proc_bind_")
      import i4
    end function
    integer(i4) function omp_get_num_places() bind(c, name="omp_get_num_places_")
      import i4
    end function
    integer(i4) function omp_get_place_num() bind(c, name="omp_get_place_num_")
      import i4
    end function
    integer(i4) function omp_get_partition_num_places() bind(c, name="omp_get_partition_num_places_")
      import i4
    end function
    integer(i4) function omp_get_default_device() bind(c, name="omp_get_default_device_")
      import i4
    end function
    integer(i4) function omp_get_num_devices() bind(c, name="omp_get_num_devices_")
      import i4
    end function
    integer(i4) function omp_get_initial_device() bind(c, name="omp_get_initial_device_")
      import i4
    end function
    integer(i4) function omp_get_device_num() bind(c, name="omp_get_device_num_")
      import i4
    end function
    integer(i4) function omp_get_num_teams() bind(c, name="omp_get_num_teams_")
      import i4
    end function
    integer(i4) function omp_get_team_num() bind(c, name="omp_get_team_num_")
      import i4
    end function
    integer(i4) function omp_get_max_teams() bind(c, name="omp_get_max_teams_")
      import i4
    end function
    integer(i4) function omp_get_teams_thread_limit() bind(c, name="omp_get_teams_thread_limit_")
      import i4
    end function
    integer(i4) function omp_get_max_task_priority() bind(c, name="omp_get_max_task_priority_")
      import i4
    end function
    integer(i4) function omp_in_parallel() bind(c, name="omp_in_parallel_")
      import i4
    end function
    integer(i4) function omp_in_final() bind(c, name="omp_in_final_")
      import i4
    end function
    integer(i4) function omp_is_initial_device() bind(c, name="omp_is_initial_device_")
      import i4
    end function
    integer(i4) function omp_get_ancestor_thread_num(n) bind(c, name="omp_get_ancestor_thread_num_")
      import i4
      integer(i4), intent(in) :: n
    end function
    integer(i4) function omp_get_ancestor_thread_num_8(n) bind(c, name="omp_get_ancestor_thread_num_8_")
      import i4, i8
      integer(i8), intent(in) :: n
    end function
    integer(i4) function omp_get_team_size(n) bind(c, name="omp_get_team_size_")
      import i4
      integer(i4), intent(in) :: n
    end function
    integer(i4) function omp_get_team_size_8(n) bind(c, name="omp_get_team_size_8_")
      import i4, i8
      integer(i8), intent(in) :: n
    end function
    integer(i4) function omp_get_place_num_procs(n) bind(c, name="omp_get_place_num_procs_")
      import i4
      integer(i4), intent(in) :: n
    end function
    integer(i4) function omp_get_place_num_procs_8(n) bind(c, name="omp_get_place_num_procs_8_")
      import i4, i8
      integer(i8), intent(in) :: n
    end function
    subroutine omp_get_place_proc_ids(n, ids) bind(c, name="omp_get_place_proc_ids_")
      import i4
      integer(i4), intent(in) :: n
      integer(i4), intent(inout) :: ids(*)
    end subroutine
    subroutine omp_get_place_proc_ids_8(n, ids) bind(c, name="omp_get_place_proc_ids_8_")
      import i8
      integer(i8), intent(in) :: n
      integer(i8), intent(inout) :: ids(*)
    end subroutine
    subroutine omp_get_partition_place_nums(ids) bind(c, name="omp_get_partition_place_nums_")
      import i4
      integer(i4), intent(inout) :: ids(*)
    end subroutine
    subroutine omp_get_partition_place_nums_8(ids) bind(c, name="omp_get_partition_place_nums_8_")
      import i8
      integer(i8), intent(inout) :: ids(*)
    end subroutine
    integer(i4) function omp_pause_resource(kind, device) bind(c, name="omp_pause_resource_")
      import i4
      integer(i4), intent(in) :: kind
      integer(i4), intent(in) :: device
    end function
    integer(i4) function omp_pause_resource_all(kind) bind(c, name="omp_pause_resource_all_")
      import i4
      integer(i4), intent(in) :: kind
    end function
    real(r8) function omp_get_wtime() bind(c, name="omp_get_wtime_")
      import r8
    end function
    real(r8) function omp_get_wtick() bind(c, name="omp_get_wtick_")
      import r8
    end function
    integer(h) function omp_init_allocator(space, n, traits) bind(c, name="omp_init_allocator_")
      import h, i4
      integer(h), intent(in) :: space
      integer(i4), intent(in) :: n
      integer(h), intent(in) :: traits(*)
    end function
    integer(h) function omp_init_allocator_8(space, n, traits) bind(c, name="omp_init_allocator_8_")
      import h, i8
      integer(h), intent(in) :: space
      integer(i8), intent(in) :: n
      integer(h), intent(in) :: traits(*)
    end function
    subroutine omp_destroy_allocator(a) bind(c, name="omp_destroy_allocator_")
      import h
      integer(h), intent(in) :: a
    end subroutine
    subroutine omp_set_default_allocator(a) bind(c, name="omp_set_default_allocator_")
      import h
      integer(h), intent(in) :: a
    end subroutine
    integer(h) function omp_get_default_allocator() bind(c, name="omp_get_default_allocator_")
      import h
    end function
    subroutine omp_init_lock(l) bind(c, name="omp_init_lock_")
      import i4
      integer(i4), intent(inout) :: l
    end subroutine
    subroutine omp_init_nest_lock(l) bind(c, name="omp_init_nest_lock_")
      import h
      integer(h), intent(inout) :: l
    end subroutine
    subroutine omp_destroy_lock(l) bind(c, name="omp_destroy_lock_")
      import i4
      integer(i4), intent(inout) :: l
    end subroutine
    subroutine omp_destroy_nest_lock(l) bind(c, name="omp_destroy_nest_lock_")
      import h
      integer(h), intent(inout) :: l
    end subroutine
    subroutine omp_set_lock(l) bind(c, name="omp_set_lock_")
      import i4
      integer(i4), intent(inout) :: l
    end subroutine
    subroutine omp_set_nest_lock(l) bind(c, name="omp_set_nest_lock_")
      import h
      integer(h), intent(inout) :: l
    end subroutine
    subroutine omp_unset_lock(l) bind(c, name="omp_unset_lock_")
      import i4
      integer(i4), intent(inout) :: l
    end subroutine
    subroutine omp_unset_nest_lock(l) bind(c, name="omp_unset_nest_lock_")
      import h
      integer(h), intent(inout) :: l
    end subroutine
    integer(i4) function omp_test_lock(l) bind(c, name="omp_test_lock_")
      import i4
      integer(i4), intent(inout) :: l
    end function
    integer(i4) function omp_test_nest_lock(l) bind(c, name="omp_test_nest_lock_")
      import h, i4
      integer(h), intent(inout) :: l
    end function
  end interface
end module

program api_by_symbol
  use by_name
  implicit none
  ! Around each argument is something else.
  integer(i4) :: four(3)
  integer(i8) :: eight(3)
  integer(i8), parameter :: big = 2_i8**40
  integer :: failures = 0
  integer(i4) :: lock = 0
  integer(h) :: nest(2) = 0, a, b, traits(2), space
  real(r8) :: t

  call set4(3); call omp_set_num_threads(four(2))
  call check(omp_get_max_threads() == 3, 'num_threads 3')
  call set4(4); call omp_set_num_threads(four(2))
  call check(omp_get_max_threads() == 4, 'num_threads 4')
  call set4(0); call omp_set_num_threads(four(2))
  call check(omp_get_max_threads() == 1, 'num_threads 0')
  call set4(-5); call omp_set_num_threads(four(2))
  call check(omp_get_max_threads() == 1, 'num_threads -5')
  call set8(3_i8); call omp_set_num_threads_8(eight(2))
  call check(omp_get_max_threads() == 3, 'num_threads 8 3')
  call set8(4_i8); call omp_set_num_threads_8(eight(2))
  call check(omp_get_max_threads() == 4, 'num_threads 8 4')
  call set8(0_i8); call omp_set_num_threads_8(eight(2))
  call check(omp_get_max_threads() == 1, 'num_threads 8 0')
  call set8(-5_i8); call omp_set_num_threads_8(eight(2))
  call check(omp_get_max_threads() == 1, 'num_threads 8 -5')
  call set8(big); call omp_set_num_threads_8(eight(2))
  call check(omp_get_max_threads() == huge(0_i4), 'num_threads 8 clamped')
  call set8(-big); call omp_set_num_threads_8(eight(2))
  call check(omp_get_max_threads() == 1, 'num_threads 8 clamped below')
  call set4(1); call omp_set_dynamic(four(2))
  call check(omp_get_dynamic() == 1, 'dynamic 1')
  call set4(0); call omp_set_dynamic(four(2))
  call check(omp_get_dynamic() == 0, 'dynamic 0')
  call set4(256); call omp_set_dynamic(four(2))
  call check(omp_get_dynamic() == 1, 'dynamic 256')
  call set4(0); call omp_set_dynamic(four(2))
  call check(omp_get_dynamic() == 0, 'dynamic 0')
  call set8(1_i8); call omp_set_dynamic_8(eight(2))
  call check(omp_get_dynamic() == 1, 'dynamic 8 1')
  call set8(0_i8); call omp_set_dynamic_8(eight(2))
  call check(omp_get_dynamic() == 0, 'dynamic 8 0')
  call set8(256_i8); call omp_set_dynamic_8(eight(2))
  call check(omp_get_dynamic() == 1, 'dynamic 8 256')
  call set8(0_i8); call omp_set_dynamic_8(eight(2))
  call check(omp_get_dynamic() == 0, 'dynamic 8 0')
  call set8(big); call omp_set_dynamic_8(eight(2))
  call check(omp_get_dynamic() == 1, 'dynamic 8 by its upper half')
  call set4(0); call omp_set_dynamic(four(2))
  call set4(7); call omp_set_max_active_levels(four(2))
  call check(omp_get_max_active_levels() == 7, 'max_active_levels 7')
  call set4(-1); call omp_set_max_active_levels(four(2))
  call check(omp_get_max_active_levels() == 7, 'max_active_levels -1')
  call set4(1000); call omp_set_max_active_levels(four(2))
  call check(omp_get_max_active_levels() == 255, 'max_active_levels 1000')
  call set4(2); call omp_set_max_active_levels(four(2))
  call check(omp_get_max_active_levels() == 2, 'max_active_levels 2')
  call set8(7_i8); call omp_set_max_active_levels_8(eight(2))
  call check(omp_get_max_active_levels() == 7, 'max_active_levels 8 7')
  call set8(-1_i8); call omp_set_max_active_levels_8(eight(2))
  call check(omp_get_max_active_levels() == 7, 'max_active_levels 8 -1')
  call set8(1000_i8); call omp_set_max_active_levels_8(eight(2))
  call check(omp_get_max_active_levels() == 255, 'max_active_levels 8 1000')
  call set8(2_i8); call omp_set_max_active_levels_8(eight(2))
  call check(omp_get_max_active_levels() == 2, 'max_active_levels 8 2')
  call set4(1); call omp_set_nested(four(2))
  call check(omp_get_nested() == 1, 'nested 1')
  call set4(0); call omp_set_nested(four(2))
  call check(omp_get_nested() == 0, 'nested 0')
  call set4(65536); call omp_set_nested(four(2))
  call check(omp_get_nested() == 1, 'nested 65536')
  call set4(0); call omp_set_nested(four(2))
  call check(omp_get_nested() == 0, 'nested 0')
  call set8(1_i8); call omp_set_nested_8(eight(2))
  call check(omp_get_nested() == 1, 'nested 8 1')
  call set8(0_i8); call omp_set_nested_8(eight(2))
  call check(omp_get_nested() == 0, 'nested 8 0')
  call set8(65536_i8); call omp_set_nested_8(eight(2))
  call check(omp_get_nested() == 1, 'nested 8 65536')
  call set8(0_i8); call omp_set_nested_8(eight(2))
  call check(omp_get_nested() == 0, 'nested 8 0')
  call set8(big); call omp_set_nested_8(eight(2))
  call check(omp_get_nested() == 1, 'nested 8 by its upper half')
  call set4(0); call omp_set_nested(four(2))
  call set4(5); call omp_set_default_device(four(2))
  call check(omp_get_default_device() == 5, 'default_device 5')
  call set4(0); call omp_set_default_device(four(2))
  call check(omp_get_default_device() == 0, 'default_device 0')
  call set8(5_i8); call omp_set_default_device_8(eight(2))
  call check(omp_get_default_device() == 5, 'default_device 8 5')
  call set8(0_i8); call omp_set_default_device_8(eight(2))
  call check(omp_get_default_device() == 0, 'default_device 8 0')
  call set4(5); call omp_set_num_teams(four(2))
  call check(omp_get_max_teams() == 5, 'num_teams 5')
  call set4(-1); call omp_set_num_teams(four(2))
  call check(omp_get_max_teams() == 5, 'num_teams -1')
  call set4(0); call omp_set_num_teams(four(2))
  call check(omp_get_max_teams() == 0, 'num_teams 0')
  call set8(5_i8); call omp_set_num_teams_8(eight(2))
  call check(omp_get_max_teams() == 5, 'num_teams 8 5')
  call set8(-1_i8); call omp_set_num_teams_8(eight(2))
  call check(omp_get_max_teams() == 5, 'num_teams 8 -1')
  call set8(0_i8); call omp_set_num_teams_8(eight(2))
  call check(omp_get_max_teams() == 0, 'num_teams 8 0')
  call set8(big); call omp_set_num_teams_8(eight(2))
  call check(omp_get_max_teams() == huge(0_i4), 'num_teams 8 clamped')
  call set8(-big); call omp_set_num_teams_8(eight(2))
  call check(omp_get_max_teams() == huge(0_i4), 'num_teams 8 clamped below')
  call set4(6); call omp_set_teams_thread_limit(four(2))
  call check(omp_get_teams_thread_limit() == 6, 'teams_thread_limit 6')
  call set4(-7); call omp_set_teams_thread_limit(four(2))
  call check(omp_get_teams_thread_limit() == 6, 'teams_thread_limit -7')
  call set4(0); call omp_set_teams_thread_limit(four(2))
  call check(omp_get_teams_thread_limit() == 0, 'teams_thread_limit 0')
  call set8(6_i8); call omp_set_teams_thread_limit_8(eight(2))
  call check(omp_get_teams_thread_limit() == 6, 'teams_thread_limit 8 6')
  call set8(-7_i8); call omp_set_teams_thread_limit_8(eight(2))
  call check(omp_get_teams_thread_limit() == 6, 'teams_thread_limit 8 -7')
  call set8(0_i8); call omp_set_teams_thread_limit_8(eight(2))
  call check(omp_get_teams_thread_limit() == 0, 'teams_thread_limit 8 0')
  call set8(big); call omp_set_teams_thread_limit_8(eight(2))
  call check(omp_get_teams_thread_limit() == huge(0_i4), 'teams_thread_limit 8 clamped')
  call set8(-big); call omp_set_teams_thread_limit_8(eight(2))
  call check(omp_get_teams_thread_limit() == huge(0_i4), 'teams_thread_limit 8 clamped below')

  call set4(5)
  call omp_set_schedule(3_i4, four(2))
  call set4(0)
  call omp_get_schedule(four(1), four(2))
  call check(four(1) == 3 .and. four(2) == 5 .and. four(3) == -1, 'schedule')
  call set8(big)
  call omp_set_schedule_8(2_i4, eight(2))
  call set8(0_i8)
  call omp_get_schedule_8(four(1), eight(2))
  call check(four(1) == 2 .and. eight(2) == huge(0_i4) .and. eight(1) == -1 .and. eight(3) == -1, &
             'schedule 8')

  call check(omp_get_num_threads() == 1 .and. omp_get_thread_num() == 0, 'team of one')
  call check(omp_get_level() == 0 .and. omp_get_active_level() == 0, 'levels')
  call check(omp_get_num_procs() > 0 .and. omp_get_thread_limit() > 0, 'processors')
  call check(omp_get_supported_active_levels() == 255, 'supported levels')
  call check(omp_get_cancellation() == 0 .and. omp_get_max_task_priority() == 0, 'environment')
  call check(omp_get_num_teams() == 1 .and. omp_get_team_num() == 0, 'teams')
  call check(omp_in_parallel() == 0 .and. omp_in_final() == 0, 'where')
  call check(omp_is_initial_device() == 1, 'initial device')
  call check(omp_get_initial_device() == omp_get_num_devices(), 'number of the initial device')
  call check(omp_get_device_num() == omp_get_num_devices(), 'number of this device')

  call set4(0)
  call set8(0_i8)
  call check(omp_get_ancestor_thread_num(four(2)) == 0, 'ancestor')
  call check(omp_get_ancestor_thread_num_8(eight(2)) == 0, 'ancestor 8')
  call check(omp_get_team_size(four(2)) == 1 .and. omp_get_team_size_8(eight(2)) == 1, 'team size')
  call set4(1)
  call set8(2_i8**32)
  call check(omp_get_ancestor_thread_num(four(2)) == -1, 'no ancestor')
  call check(omp_get_ancestor_thread_num_8(eight(2)) == -1, 'no ancestor 8')
  call check(omp_get_team_size(four(2)) == -1 .and. omp_get_team_size_8(eight(2)) == -1, 'no team')

  call places
  call check(omp_pause_resource(1_i4, omp_get_initial_device()) == 0, 'pause')
  call check(omp_pause_resource(2_i4, 12345_i4) == -1, 'pause of no device')
  call check(omp_pause_resource_all(1_i4) == 0, 'pause all')
  t = omp_get_wtime()
  call check(t <= omp_get_wtime() .and. omp_get_wtick() > 0, 'time')

  ! Two words a trait, the key in the lower half of the first.
  traits = [2_h, 64_h]
  space = 0
  call set4(1)
  call set8(1_i8)
  a = omp_init_allocator(space, four(2), traits)
  b = omp_init_allocator_8(space, eight(2), traits)
  call check(a > 201 .and. b > 201 .and. a /= b, 'allocators')
  traits(2) = 63
  call check(omp_init_allocator(space, four(2), traits) == 0, 'bad trait')
  call check(omp_init_allocator_8(space, eight(2), traits) == 0, 'bad trait 8')
  call omp_set_default_allocator(a)
  call check(omp_get_default_allocator() == a, 'default allocator')
  call omp_set_default_allocator(0_h)
  call check(omp_get_default_allocator() == 1, 'default default allocator')
  call omp_destroy_allocator(a)
  call omp_destroy_allocator(b)

  call omp_init_lock(lock)
  call omp_set_lock(lock)
  call check(omp_test_lock(lock) == 0, 'lock is held')
  call omp_unset_lock(lock)
  call check(omp_test_lock(lock) == 1, 'lock is free')
  call omp_unset_lock(lock)
  call omp_destroy_lock(lock)
  call nested_lock
  if (failures /= 0) stop 1

contains
  subroutine check(ok, what)
    logical, intent(in) :: ok
    character(*), intent(in) :: what
    if (ok) return
    print '(2a)', 'wrong: ', what
    failures = failures + 1
  end subroutine

  subroutine set4(n)
    integer, intent(in) :: n
    four = -1
    four(2) = n
  end subroutine

  subroutine set8(n)
    integer(i8), intent(in) :: n
    eight = -1
    eight(2) = n
  end subroutine

  ! OMP_PLACES has one place with one processor.
  subroutine places
    integer(i4) :: ids(2)
    integer(i8) :: ids8(2)
    if (omp_get_num_places() == 0) stop 77	! processor 0 is not for us
    call set4(0)
    call set8(0_i8)
    call check(omp_get_num_places() == 1 .and. omp_get_place_num() == 0, 'places')
    call check(omp_get_place_num_procs(four(2)) == 1, 'processors of a place')
    call check(omp_get_place_num_procs_8(eight(2)) == 1, 'processors of a place 8')
    ids = -1
    ids8 = -1
    call omp_get_place_proc_ids(four(2), ids)
    call omp_get_place_proc_ids_8(eight(2), ids8)
    call check(ids(1) == 0 .and. ids(2) == -1 .and. ids8(1) == 0 .and. ids8(2) == -1, 'numbers')
    ids = -1
    ids8 = -1
    call omp_get_partition_place_nums(ids)
    call omp_get_partition_place_nums_8(ids8)
    call check(omp_get_partition_num_places() == 1, 'partition')
    call check(ids(1) == 0 .and. ids(2) == -1 .and. ids8(1) == 0 .and. ids8(2) == -1, &
               'places of the partition')
    call set4(1)
    call set8(2_i8**32)
    call check(omp_get_place_num_procs(four(2)) == 0, 'no place')
    call check(omp_get_place_num_procs_8(eight(2)) == 0, 'no place 8')
    call check(omp_get_proc_bind() == 1, 'proc bind')
  end subroutine

  ! In Fortran a nestable lock is as large as a pointer.
  subroutine nested_lock
    call omp_init_nest_lock(nest(1))
    call omp_set_nest_lock(nest(1))
    call check(omp_test_nest_lock(nest(1)) == 2, 'count of a nestable lock')
    call omp_unset_nest_lock(nest(1))
    call omp_unset_nest_lock(nest(1))
    call check(omp_test_nest_lock(nest(1)) == 1, 'count of a free nestable lock')
    call omp_unset_nest_lock(nest(1))
    call omp_destroy_nest_lock(nest(1))
    call check(nest(2) == 0, 'behind a nestable lock')
  end subroutine
end program

