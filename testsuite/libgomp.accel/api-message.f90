! The error directive in Fortran, whose text is not terminated; a text that is longer than the library's
! own memory for one.
! TEST-OUTPUT: ^libgomp: error directive encountered: abc$
! TEST-OUTPUT: ^libgomp: error directive encountered: x{200}x{200}$
! TEST-OUTPUT: ^libgomp: fatal error: error directive encountered: the end$
! TEST-EXIT: 1
program message
  character(*), parameter :: long = repeat("x", 400)
  !$omp error at(execution) severity(warning) message("abcdef"(1:3))
  !$omp error at(execution) severity(warning) message(long)
  !$omp error at(execution) severity(fatal) message("the end")
  print *, "not reached"
end program
