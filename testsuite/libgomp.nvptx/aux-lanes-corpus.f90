! aux-lanes-corpus.f90 -- as aux-lanes-corpus.c, what Fortran makes of descriptors, elementals and array sections.

! /* EXPECT: stencil lanes */
subroutine stencil (o, p, n) bind (c)
  integer, value :: n
  double precision :: o(n), p(n)
  integer :: i
  !$omp target teams distribute parallel do map (tofrom: o, p)
  do i = 2, n - 1
    o(i) = (p(i - 1) + p(i) + p(i + 1)) / 3
  end do
end subroutine

! /* EXPECT: matrices lanes */
subroutine matrices (a, b, c, n) bind (c)
  integer, value :: n
  real :: a(n, n), b(n, n), c(n, n)
  integer :: i, j, k
  !$omp target teams distribute parallel do collapse (2) map (tofrom: a, b, c) private (k)
  do j = 1, n
    do i = 1, n
      c(i, j) = 0
      do k = 1, n
        c(i, j) = c(i, j) + a(i, k) * b(k, j)
      end do
    end do
  end do
end subroutine

! /* EXPECT: sums lanes */
subroutine sums (o, p, n) bind (c)
  integer, value :: n
  double precision :: o(n), p(n), s
  integer :: i
  s = 0
  !$omp target teams distribute parallel do map (tofrom: o, p, s) reduction (+: s)
  do i = 1, n
    s = s + o(i) * p(i)
  end do
  o(1) = s
end subroutine

! /* EXPECT: two_sums lanes stride */
subroutine two_sums (p, s, t, n) bind (c)
  integer, value :: n
  double precision :: p(n), s, t
  integer :: i
  !$omp target teams distribute parallel do map (tofrom: p, s, t) reduction (+: s, t)
  do i = 1, n
    p(i) = 3 * p(i)
    s = s + p(i)
    t = t + p(i) * p(i)
  end do
end subroutine

! /* EXPECT: histogram lanes */
subroutine histogram (o, p, n) bind (c)
  integer, value :: n
  integer :: o(16), p(n), i
  !$omp target teams distribute parallel do map (tofrom: o, p)
  do i = 1, n
    !$omp atomic
    o(1 + iand (p(i), 15)) = o(1 + iand (p(i), 15)) + 1
  end do
end subroutine

! /* EXPECT: local_array lanes */
subroutine local_array (o, p, n) bind (c)
  integer, value :: n
  integer :: o(n), p(n), i, j, t(8)
  !$omp target teams distribute parallel do map (tofrom: o, p) private (t, j)
  do i = 1, n
    do j = 1, 8
      t(1 + iand (j + p(i), 7)) = j
    end do
    o(i) = t(1 + iand (i, 7)) + sum (t)
  end do
end subroutine

program main
end program
