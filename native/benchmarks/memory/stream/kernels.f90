! The operations of memory/stream in Fortran: whole arrays, each thread its share as in C++.
!
! Checked in every run, like those of C++: stream.cpp.
module stream_kernels
    use, intrinsic :: iso_c_binding, only: c_bool, c_double, c_int64_t
    implicit none
contains
    function heorot_stream_is_built() result(is_built) bind(C)
        logical(c_bool) :: is_built
        is_built = .true._c_bool
    end function

    ! c(i) = a(i)
    subroutine heorot_stream_copy(c, a, n) bind(C)
        integer(c_int64_t), value :: n
        real(c_double), intent(inout) :: c(n)
        real(c_double), intent(in) :: a(n)
        integer(c_int64_t) :: i
        !$omp parallel do simd schedule(static)
        do i = 1, n
            c(i) = a(i)
        end do
    end subroutine

    ! b(i) = s c(i)
    subroutine heorot_stream_scale(b, s, c, n) bind(C)
        integer(c_int64_t), value :: n
        real(c_double), value :: s
        real(c_double), intent(inout) :: b(n)
        real(c_double), intent(in) :: c(n)
        integer(c_int64_t) :: i
        !$omp parallel do simd schedule(static)
        do i = 1, n
            b(i) = s * c(i)
        end do
    end subroutine

    ! c(i) = a(i) + b(i)
    subroutine heorot_stream_add(c, a, b, n) bind(C)
        integer(c_int64_t), value :: n
        real(c_double), intent(inout) :: c(n)
        real(c_double), intent(in) :: a(n), b(n)
        integer(c_int64_t) :: i
        !$omp parallel do simd schedule(static)
        do i = 1, n
            c(i) = a(i) + b(i)
        end do
    end subroutine

    ! a(i) = b(i) + s c(i)
    subroutine heorot_stream_triad(a, b, s, c, n) bind(C)
        integer(c_int64_t), value :: n
        real(c_double), value :: s
        real(c_double), intent(inout) :: a(n)
        real(c_double), intent(in) :: b(n), c(n)
        integer(c_int64_t) :: i
        !$omp parallel do simd schedule(static)
        do i = 1, n
            a(i) = b(i) + s * c(i)
        end do
    end subroutine
end module
