! omp_in_explicit_task and omp_in_final: outside, in implicit, deferred, included and final tasks.
! MINGCC: 13
program explicit
  use omp_lib
  implicit none
  integer :: bad
  bad = 0
  if (omp_in_explicit_task() .or. omp_in_final()) bad = bad + 1
  !$omp parallel num_threads(2) reduction(task, +: bad)
  if (omp_in_explicit_task() .or. omp_in_final()) bad = bad + 1
  !$omp single
  !$omp task in_reduction(+: bad)
  if (.not. omp_in_explicit_task() .or. omp_in_final()) bad = bad + 1
  !$omp end task
  !$omp task if(.false.) in_reduction(+: bad)
  if (.not. omp_in_explicit_task() .or. omp_in_final()) bad = bad + 1
  !$omp end task
  !$omp task final(.true.) in_reduction(+: bad)
  if (.not. omp_in_explicit_task() .or. .not. omp_in_final()) bad = bad + 1
  !$omp end task
  !$omp end single
  if (omp_in_explicit_task() .or. omp_in_final()) bad = bad + 1
  !$omp end parallel
  if (omp_in_explicit_task()) bad = bad + 1
  if (bad /= 0) then
    print *, bad, ' wrong answers'
    stop 1
  end if
end program
