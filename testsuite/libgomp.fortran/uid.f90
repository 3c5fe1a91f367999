! Identities of devices from Fortran: blanks at the end do not count; device numbers come by value, as
! in the omp_lib of compilers that have it.
! TEST-OPTIONS: -L@libdir@

module uids
  use omp_lib, only: omp_get_initial_device
  implicit none
  integer, parameter :: initial_device = -1, invalid_device = -4
  ! Not in every compiler's omp_lib.
  interface
    function omp_get_uid_from_device (n)
      integer, value :: n
      character(:), pointer :: omp_get_uid_from_device
    end function
    function omp_get_uid_from_device_8 (n)
      integer(8), value :: n
      character(:), pointer :: omp_get_uid_from_device_8
    end function
    integer function omp_get_device_from_uid (uid)
      character(*), intent (in) :: uid
    end function
  end interface
end module

program uid
  use uids
  implicit none
  character(:), pointer :: s, none
  character(40) :: padded
  if (omp_get_device_from_uid ("OMP_INITIAL_DEVICE") /= initial_device) stop 1
  if (omp_get_device_from_uid ("OMP_INITIAL_DEVICE   ") /= initial_device) stop 2
  if (omp_get_device_from_uid ("nothing like this") /= invalid_device) stop 3
  s => omp_get_uid_from_device (omp_get_initial_device ())
  if (s /= "OMP_INITIAL_DEVICE" .or. len (s) /= 18) stop 4
  s => omp_get_uid_from_device_8 (int (omp_get_initial_device (), 8))
  if (s /= "OMP_INITIAL_DEVICE") stop 7
  none => omp_get_uid_from_device_8 (2_8**32)
  if (associated (none)) stop 8
  none => omp_get_uid_from_device (1000)
  if (associated (none)) stop 5
  padded = s
  if (omp_get_device_from_uid (padded) /= initial_device) stop 6
end program
