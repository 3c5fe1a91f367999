! The interop construct from Fortran, with a device that has CUDA's runtimes and without any.
! MINGCC: 15
! TEST-MODES: host test
! TEST-ENV: GOMPX_TEST_PLUGIN=devices=2,cuda
program interop_construct
  use omp_lib
  use iso_c_binding
  implicit none
  integer(omp_interop_kind) :: obj = omp_interop_none, other = omp_interop_none
  integer(omp_interop_rc_kind) :: rc
  character(:), pointer :: text
  type(c_ptr) :: queue
  logical :: real_device
  real_device = omp_get_num_devices() > 0

  !$omp interop init(prefer_type("cuda_driver"), targetsync: obj) device(0)
  !$omp interop init(target: other) device(omp_initial_device)
  if (other /= omp_interop_none) stop 1
  if (real_device .neqv. obj /= omp_interop_none) stop 2
  if (real_device) then
    text => omp_get_interop_str(obj, omp_ipr_fr_name, rc)
    if (text /= 'cuda_driver' .or. rc /= omp_irc_success) stop 3
    text => omp_get_interop_type_desc(obj, omp_ipr_targetsync)
    if (text /= 'CUstream') stop 4
    queue = omp_get_interop_ptr(obj, omp_ipr_targetsync, rc)
    if (.not. c_associated(queue) .or. rc /= omp_irc_success) stop 5
    if (omp_get_interop_int(obj, omp_ipr_device_num, rc) /= 0 .or. rc /= omp_irc_success) stop 6
    text => omp_get_interop_type_desc(obj, omp_ipr_platform)
    if (text /= 'N/A') stop 7
  end if
  !$omp interop use(obj)
  !$omp interop destroy(obj, other)
  if (obj /= omp_interop_none .or. other /= omp_interop_none) stop 8
end program
