! THREADPRIVATE common blocks and saved variables keep their values from region to region; COPYIN.
module state
  implicit none
  integer, save :: counter = 0
  !$omp threadprivate(counter)
end module

program threadprivate_common
  use state
  use omp_lib
  implicit none
  integer :: shared_value, bad, round
  common /block/ shared_value
  !$omp threadprivate(/block/)

  bad = 0
  do round = 1, 5
    !$omp parallel num_threads(4) reduction(+: bad)
    counter = counter + omp_get_thread_num() + 1
    if (counter /= round * (omp_get_thread_num() + 1)) bad = bad + 1
    !$omp end parallel
  end do
  shared_value = 99
  !$omp parallel num_threads(4) copyin(/block/) reduction(+: bad)
  if (shared_value /= 99) bad = bad + 1
  shared_value = omp_get_thread_num()
  !$omp end parallel
  !$omp parallel num_threads(4) reduction(+: bad)
  if (shared_value /= omp_get_thread_num()) bad = bad + 1
  !$omp end parallel
  if (bad /= 0) then
    print *, bad, 'wrong'
    stop 1
  end if
end program
