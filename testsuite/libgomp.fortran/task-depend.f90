! Dependences in Fortran: lists, array elements, depend objects, iterators, taskwait.
program task_depend
  use omp_lib
  implicit none
  integer :: threads
  call everything ()
  do threads = 1, 3
    !$omp parallel num_threads(threads)
    !$omp single
    call everything ()
    !$omp end single
    !$omp end parallel
  end do
contains
  subroutine check (got, want)
    integer, intent(in) :: got, want
    if (got /= want) then
      print *, got, 'instead of', want
      stop 1
    end if
  end subroutine

  subroutine everything ()
    integer :: x, y, i, total
    integer :: a(10)
    integer(omp_depend_kind) :: object

    x = 0
    do i = 1, 20
      !$omp task depend(inout: x) shared(x) firstprivate(i)
      x = 2 * x + i
      if (x > 100000) x = x - 100000
      !$omp end task
    end do
    !$omp taskwait depend(in: x)
    y = 0
    do i = 1, 20
      y = 2 * y + i
      if (y > 100000) y = y - 100000
    end do
    call check (x, y)

    a = 0
    total = 0
    do i = 1, 10
      !$omp task depend(out: a(i)) shared(a) firstprivate(i)
      a(i) = i
      !$omp end task
    end do
    ! The end of the range is named, too: gfortran (12, 14, 16) leaves it out.
    !$omp task depend(iterator(i = 1:10), in: a(i)) depend(in: a(10)) shared(a, total)
    total = sum (a)
    !$omp end task
    !$omp taskwait
    call check (total, 55)

    !$omp depobj(object) depend(inout: y)
    y = 0
    do i = 1, 10
      !$omp task depend(depobj: object) shared(y)
      y = y + 1
      !$omp end task
    end do
    !$omp depobj(object) update(mutexinoutset)
    do i = 1, 10
      !$omp task depend(depobj: object) shared(y)
      y = y + 1
      !$omp end task
    end do
    !$omp task depend(in: y) if(.false.) shared(y)
    call check (y, 20)
    !$omp end task
    !$omp taskwait
    !$omp depobj(object) destroy
  end subroutine
end program
