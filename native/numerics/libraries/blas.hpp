// BLAS and LAPACK of others, called by their Fortran interface with 32-bit integers.
//
// Source: L. S. Blackford et al., An updated set of Basic Linear Algebra Subprograms, ACM TOMS 28
// (2002); E. Anderson et al., LAPACK Users' Guide, 3rd ed. (1999).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/program.hpp"
#include "numerics/libraries/library.hpp"

namespace heorot::libraries {

/// A BLAS, with LAPACK if the same libraries have it. Matrices are stored column by column.
class Blas {
  public:
    /// Declares --blas, which is HEOROT_BLAS or else none; before program.start().
    static std::string option(Program& program);
    /// Opens the library of --blas and notes its version, kernels and threads; empty for `none`.
    /// After program.start(). Throws UsageError if it does not open, or is no BLAS.
    static std::optional<Blas> open(Program& program, const std::string& names);

    /// x y, of n elements each.
    double dot(int n, const double* x, const double* y) const;
    /// y := alpha x + y
    void axpy(int n, double alpha, const double* x, double* y) const;
    /// y := A x, or A^T x if `transposed`; A has m rows and n columns.
    void matrix_vector(bool transposed, int m, int n, const double* a, const double* x,
                       double* y) const;
    /// C := A B; A has m rows and k columns, B k rows and n columns.
    void multiply(int m, int n, int k, const double* a, const double* b, double* c) const;

    /// Whether LAPACK is available, which the next functions need.
    bool has_lapack() const { return getrf_ != nullptr && getrs_ != nullptr && syevd_ != nullptr; }
    /// A := L U with row exchanges in `pivots` (n, counted from 1). True if A is not singular.
    bool factorise(int n, double* a, int* pivots) const;
    /// x := A^-1 x for one right-hand side, with the factors by factorise().
    void solve(int n, const double* lu, const int* pivots, double* x) const;
    /// Eigenvalues (n, ascending) and, if `vectors`, orthonormal eigenvectors in place of the
    /// symmetric A, of which the lower half is read. Divide and conquer. True if it converged.
    /// `work` is resized as needed, once for each n.
    struct Work {
        std::vector<double> reals;
        std::vector<int> integers;
        int n = 0;
        bool vectors = false;
    };
    bool eigen(int n, bool vectors, double* a, double* values, Work& work) const;

  private:
    using Int = std::int32_t;
    using Length = std::size_t;  // of a text, which Fortran passes behind all other arguments
    using Dot = double(const Int*, const double*, const Int*, const double*, const Int*);
    using Axpy = void(const Int*, const double*, const double*, const Int*, double*, const Int*);
    using Gemv = void(const char*, const Int*, const Int*, const double*, const double*, const Int*,
                      const double*, const Int*, const double*, double*, const Int*, Length);
    using Gemm = void(const char*, const char*, const Int*, const Int*, const Int*, const double*,
                      const double*, const Int*, const double*, const Int*, const double*, double*,
                      const Int*, Length, Length);
    using Getrf = void(const Int*, const Int*, double*, const Int*, Int*, Int*);
    using Getrs = void(const char*, const Int*, const Int*, const double*, const Int*, const Int*,
                       double*, const Int*, Int*, Length);
    using Syevd = void(const char*, const char*, const Int*, double*, const Int*, double*, double*,
                       const Int*, Int*, const Int*, Int*, Length, Length);

    explicit Blas(const Library& library);
    /// The routine, by any of its names in libraries.
    template <class Function>
    Function* routine(const Library& library, const std::string& name) const;
    std::string version(const Library& library) const;
    /// The processor that its kernels are for, and the number of its threads, in words.
    std::string effort(const Library& library) const;

    std::string prefix_;
    Dot* dot_;
    Axpy* axpy_;
    Gemv* gemv_;
    Gemm* gemm_;
    Getrf* getrf_;
    Getrs* getrs_;
    Syevd* syevd_;
};

}  // namespace heorot::libraries
