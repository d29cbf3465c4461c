// Conjugate gradients and their stabilised biconjugate relatives.
#include "numerics/sparse/krylov.hpp"

#include <cmath>

namespace heorot::sparse {

Solved ConjugateGradients::solve(const double* b, double* x, const Limits& limits) {
    double* const p = p_.data();
    double* const q = q_.data();
    double* const r = r_.data();
    double* const z = z_.data();
    vectors_.fill(x, 0.0);
    vectors_.copy(b, r);
    const double goal = limits.tolerance * std::sqrt(vectors_.dot(b, b));
    m_.apply(r, z);
    vectors_.copy(z, p);
    double rho = vectors_.dot(r, z);
    Solved solved;
    while (solved.n_steps < limits.most_steps && !solved.has_converged) {
        a_.multiply(p, q);                                       // q = A p
        const double alpha = rho / vectors_.dot(p, q);           // alpha = rho / (p q)
        const double r_r = vectors_.advance(alpha, p, q, x, r);  // x = x + alpha p, r = r - alpha q
        ++solved.n_steps;
        solved.has_converged = std::sqrt(r_r) <= goal;
        m_.apply(r, z);                               // z = M^-1 r
        const double next = vectors_.dot(r, z);       // rho' = r z
        vectors_.update_direction(next / rho, z, p);  // p = z + (rho' / rho) p
        rho = next;
    }
    // Two dot products, x and r, |r|, p; before the steps |b|, r z and a preconditioner.
    const auto n = static_cast<double>(a_.n_rows);
    solved.step = product() + m_.work() + Work{12.0 * n, (16.0 + 48.0 + 16.0 + 24.0) * n};
    const Work start = m_.work() + Work{4.0 * n, (8.0 + 16.0 + 8.0 + 16.0 + 16.0) * n};
    solved.work = static_cast<double>(solved.n_steps) * solved.step + start;
    return solved;
}

Solved StabilisedBiconjugateGradients::solve(const double* b, double* x, const Limits& limits) {
    vectors_.fill(x, 0.0);
    vectors_.copy(b, r_.data());
    vectors_.copy(b, shadow_.data());
    vectors_.copy(b, p_.data());
    double rho = vectors_.dot(b, b);
    const double goal = limits.tolerance * std::sqrt(rho);
    const auto dot = [&](const Array<double>& u, const Array<double>& v) {
        return vectors_.dot(u.data(), v.data());
    };
    Solved solved;
    while (solved.n_steps < limits.most_steps && !solved.has_converged) {
        m_.apply(p_.data(), y_.data());                  // y = M^-1 p
        a_.multiply(y_.data(), v_.data());               // v = A y
        const double alpha = rho / dot(shadow_, v_);     // alpha = rho / (r0 v)
        subtract(alpha);                                 // s = r - alpha v, in place of r
        m_.apply(r_.data(), z_.data());                  // z = M^-1 s
        a_.multiply(z_.data(), t_.data());               // t = A z
        const double omega = dot(t_, r_) / dot(t_, t_);  // omega = (t s) / (t t)
        const double norm = advance(alpha, omega, x);    // x = x + alpha y + omega z,
        ++solved.n_steps;                                // r = s - omega t
        solved.has_converged = norm <= goal;
        const double next = dot(shadow_, r_);              // rho' = r0 r
        const double beta = next / rho * (alpha / omega);  // beta = (rho' alpha) / (rho omega)
        update_direction(beta, omega);                     // p = r + beta (p - omega v)
        rho = next;
    }
    const auto n = static_cast<double>(a_.n_rows);
    const Work start = Work{2.0 * n, (8.0 + 3.0 * 16.0 + 8.0) * n};
    solved.step = step_work();
    solved.work = static_cast<double>(solved.n_steps) * solved.step + start;
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
void StabilisedBiconjugateGradients::update_direction(double beta, double omega) {
    double* const p = p_.data();
    const double* const r = r_.data();
    const double* const v = v_.data();
    vectors_.each([=](Index first, Index last) {
#pragma omp simd
        for (Index i = first; i < last; ++i) p[i] = r[i] + beta * (p[i] - omega * v[i]);
    });
}

}  // namespace heorot::sparse
