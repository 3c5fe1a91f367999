! The interop routines that have a Fortran form of their own.
! MINGCC: 15
program interop
  use omp_lib
  implicit none
  integer(omp_interop_kind) :: none = omp_interop_none
  integer(omp_interop_rc_kind) :: rc
  character(:), pointer :: text

  if (omp_get_num_interop_properties(none) /= 0) stop 1
  text => omp_get_interop_name(none, omp_ipr_device_num)
  if (text /= 'device_num') stop 2
  text => omp_get_interop_rc_desc(none, omp_irc_success)
  if (text /= 'successful') stop 3
  text => omp_get_interop_type_desc(none, omp_ipr_vendor)
  if (associated(text)) stop 4
  text => omp_get_interop_str(none, omp_ipr_vendor_name, rc)
  if (associated(text) .or. rc /= omp_irc_empty) stop 5
  if (omp_get_interop_int(none, omp_ipr_vendor, rc) /= 0 .or. rc /= omp_irc_empty) stop 6
end program
