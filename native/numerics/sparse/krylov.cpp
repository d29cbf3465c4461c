// Conjugate gradients and their stabilised biconjugate relatives.
#include "numerics/sparse/krylov.hpp"

#include <cmath>

namespace heorot::sparse {

// q = A p, alpha = rho / (p q); x, r; z = M^-1 r, rho = r z, p
Solved ConjugateGradients::solve(const double* b, double* x, const Limits& limits) {
    vectors_.fill(x, 0.0);
    vectors_.copy(b, r_.data());
    const double goal = limits.tolerance * std::sqrt(vectors_.dot(b, b));
    m_.apply(r_.data(), z_.data());
    vectors_.copy(z_.data(), p_.data());
    double rho = vectors_.dot(r_.data(), z_.data());
    Solved solved;
    while (solved.n_steps < limits.most_steps && !solved.has_converged) {
        a_.multiply(p_.data(), q_.data());
        const double alpha = rho / vectors_.dot(p_.data(), q_.data());
        const double norm = advance(alpha, x);
        ++solved.n_steps;
        solved.has_converged = norm <= goal;
        m_.apply(r_.data(), z_.data());
        const double next = vectors_.dot(r_.data(), z_.data());
        turn(next / rho);
        rho = next;
    }
    // Two dot products, x and r, |r|, p; before the steps |b|, r z and a preconditioner.
    const auto n = static_cast<double>(a_.n_rows);
    const Work step = product() + m_.work() + Work{12.0 * n, (16.0 + 48.0 + 16.0 + 24.0) * n};
    const Work start = m_.work() + Work{4.0 * n, (8.0 + 16.0 + 8.0 + 16.0 + 16.0) * n};
    solved.work = static_cast<double>(solved.n_steps) * step + start;
    return solved;
}

// x = x + alpha p, r = r - alpha q; returns |r|
double ConjugateGradients::advance(double alpha, double* x) {
    const double* const p = p_.data();
    const double* const q = q_.data();
    double* const r = r_.data();
    return std::sqrt(vectors_.sum([=](Index first, Index last) {
#pragma omp simd
        for (Index i = first; i < last; ++i) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        return Vectors::dot(r, r, first, last);
    }));
}

// p = z + beta p
void ConjugateGradients::turn(double beta) {
    double* const p = p_.data();
    const double* const z = z_.data();
    vectors_.each([=](Index first, Index last) {
#pragma omp simd
        for (Index i = first; i < last; ++i) p[i] = z[i] + beta * p[i];
    });
}

// y = M^-1 p, v = A y, alpha = rho / (r0 v), s = r - alpha v; z = M^-1 s, t = A z,
// omega = (t s) / (t t); x, r = s - omega t, rho = r0 r, p
Solved StabilisedBiconjugateGradients::solve(const double* b, double* x, const Limits& limits) {
    vectors_.fill(x, 0.0);
    vectors_.copy(b, r_.data());
    vectors_.copy(b, shadow_.data());
    vectors_.copy(b, p_.data());
    double rho = vectors_.dot(b, b);
    const double goal = limits.tolerance * std::sqrt(rho);
    Solved solved;
    while (solved.n_steps < limits.most_steps && !solved.has_converged) {
        m_.apply(p_.data(), y_.data());
        a_.multiply(y_.data(), v_.data());
        const double alpha = rho / vectors_.dot(shadow_.data(), v_.data());
        subtract(alpha);
        m_.apply(r_.data(), z_.data());
        a_.multiply(z_.data(), t_.data());
        const double omega =
            vectors_.dot(t_.data(), r_.data()) / vectors_.dot(t_.data(), t_.data());
        const double norm = advance(alpha, omega, x);
        ++solved.n_steps;
        solved.has_converged = norm <= goal;
        const double next = vectors_.dot(shadow_.data(), r_.data());
        turn(next / rho * (alpha / omega), omega);
        rho = next;
    }
    const auto n = static_cast<double>(a_.n_rows);
    const Work start = Work{2.0 * n, (8.0 + 3.0 * 16.0 + 8.0) * n};
    solved.work = static_cast<double>(solved.n_steps) * step_work() + start;
    return solved;
}

Work StabilisedBiconjugateGradients::step_work() const {
    // Dot products r0 v, t s, t t, r0 r; s; x and r, |r|; p.
    const auto n = static_cast<double>(a_.n_rows);
    const Work vectors = {(8.0 + 2.0 + 6.0 + 2.0 + 4.0) * n,
                          (16.0 + 16.0 + 8.0 + 16.0 + 24.0 + 56.0 + 32.0) * n};
    return 2.0 * (product() + m_.work()) + vectors;
}

// r = r - alpha v, which is s
void StabilisedBiconjugateGradients::subtract(double alpha) {
    double* const r = r_.data();
    const double* const v = v_.data();
    vectors_.each([=](Index first, Index last) {
#pragma omp simd
        for (Index i = first; i < last; ++i) r[i] -= alpha * v[i];
    });
}

// x = x + alpha y + omega z, r = r - omega t; returns |r|
double StabilisedBiconjugateGradients::advance(double alpha, double omega, double* x) {
    const double* const y = y_.data();
    const double* const z = z_.data();
    const double* const t = t_.data();
    double* const r = r_.data();
    return std::sqrt(vectors_.sum([=](Index first, Index last) {
#pragma omp simd
        for (Index i = first; i < last; ++i) {
            x[i] += alpha * y[i] + omega * z[i];
            r[i] -= omega * t[i];
        }
        return Vectors::dot(r, r, first, last);
    }));
}

// p = r + beta (p - omega v)
void StabilisedBiconjugateGradients::turn(double beta, double omega) {
    double* const p = p_.data();
    const double* const r = r_.data();
    const double* const v = v_.data();
    vectors_.each([=](Index first, Index last) {
#pragma omp simd
        for (Index i = first; i < last; ++i) p[i] = r[i] + beta * (p[i] - omega * v[i]);
    });
}

}  // namespace heorot::sparse
