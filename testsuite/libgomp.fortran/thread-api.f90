! The routines that tell where a thread is, with default and 8-byte integers.
program thread_api
  use omp_lib
  implicit none
  integer :: bad, i
  logical :: in_final

  bad = 0
  if (omp_get_thread_num() /= 0 .or. omp_get_num_threads() /= 1 .or. omp_in_parallel()) bad = bad + 1
  if (omp_get_level() /= 0 .or. omp_get_active_level() /= 0) bad = bad + 1
  if (omp_get_ancestor_thread_num(0) /= 0 .or. omp_get_ancestor_thread_num(1_8) /= -1) bad = bad + 1
  if (omp_get_team_size(0_8) /= 1 .or. omp_get_team_size(-1) /= -1) bad = bad + 1
  if (omp_get_ancestor_thread_num(4294967296_8) /= -1) bad = bad + 1
  if (omp_get_num_teams() /= 1 .or. omp_get_team_num() /= 0) bad = bad + 1
  if (bad /= 0) print *, 'outside', bad

  call omp_set_max_active_levels(2)
  !$omp parallel num_threads(3) reduction(+: bad) private(i, in_final)
  i = omp_get_thread_num()
  in_final = omp_in_final()
  if (in_final) bad = bad + 1
  !$omp parallel num_threads(2) reduction(+: bad)
  if (.not. omp_in_parallel()) bad = bad + 1
  if (omp_get_level() /= 2 .or. omp_get_active_level() /= 2) bad = bad + 1
  if (omp_get_ancestor_thread_num(1) /= i .or. omp_get_ancestor_thread_num(1_8) /= i) bad = bad + 1
  if (omp_get_team_size(1) /= 3 .or. omp_get_team_size(2_8) /= 2) bad = bad + 1
  !$omp end parallel
  !$omp end parallel
  if (bad /= 0) print *, 'inside', bad

  if (omp_pause_resource_all(omp_pause_soft) /= 0) bad = bad + 1
  i = 0
  !$omp teams num_teams(2) reduction(+: i)
  i = i + omp_get_num_teams() * 10 + omp_get_team_num()
  !$omp end teams
  if (i /= 41) bad = bad + 1
  if (bad /= 0) then
    print *, 'wrong:', bad
    stop 1
  end if
end program
