! A dot product as Fortran has it, for compute/dot_product.
!
! Checked in every run, like those of C++: dot_product.cpp.
module dot_product_kernels
    use, intrinsic :: iso_c_binding, only: c_bool, c_double, c_int64_t
    implicit none
contains
    function heorot_dot_product_is_built() result(is_built) bind(C)
        logical(c_bool) :: is_built
        is_built = .true._c_bool
    end function

    ! x(1) y(1) + ... + x(n) y(n)
    function heorot_dot_product(x, y, n) result(s) bind(C)
        integer(c_int64_t), value :: n
        real(c_double), intent(in) :: x(n), y(n)
        real(c_double) :: s
        s = dot_product(x, y)
    end function
end module
