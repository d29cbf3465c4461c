! A sum by several threads: what has to work before kernels are built in Fortran.
real(c_double) function sum_of(n, a) bind(C)
    use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
    implicit none
    integer(c_int64_t), value :: n
    real(c_double), intent(in) :: a(n)
    integer(c_int64_t) :: i
    sum_of = 0.0_c_double
    !$omp parallel do simd reduction(+ : sum_of)
    do i = 1, n
        sum_of = sum_of + a(i)
    end do
end function
