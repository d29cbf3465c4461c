// npb/ft: a periodic complex field, its spectrum, and the transforms between them.
//
// Checked against sums over all points of a line in tests/npb/test_ft.cpp:
// field_is_that_of_the_definition.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "benchmarks/npb/ft/layout.hpp"
#include "harness/program.hpp"
#include "numerics/fft.hpp"

namespace heorot::ft {

/// f_x(k_x), f_y(k_y), f_z(k_z), whose product multiplies a mode of the spectrum.
struct Factors {
    explicit Factors(const Grid& grid);
    std::vector<double> x, y, z;
};

/// Writes the nx points of a line along x as pairs re, im.
using MakeLine = void (*)(const Grid& grid, int y, int z, std::span<double> pairs);

/// The field u(x, y, z) and its spectrum, distributed to the ranks by Layout.
class Field {
  public:
    /// **Collective.**
    Field(Program& program, const Grid& grid, const RankGrid& ranks);

    /// Whether planes are transformed as a whole, along x and y; in words.
    const char* method() const { return whole_planes_ ? "plane by plane" : "line by line"; }
    /// Flops of a point of one transform of the field, the factors left out.
    double flops_of_point() const {
        return x_fft_.flops_of_point() + y_fft_.flops_of_point() + z_fft_.flops_of_point();
    }
    /// Computes the roots of unity.
    void make_roots();
    /// The spectrum of the field that `make_line` gives. The field is overwritten. **Collective.**
    void make_spectrum(MakeLine make_line);
    /// The field that has this spectrum times `factors`, not divided by the number of points. The
    /// spectrum stays. **Collective.**
    void make_field(const Factors& factors);

    /// Where in this rank's part of the field a point is, or -1; for at().
    std::int64_t find(int x, int y, int z) const;
    std::complex<double> at(std::int64_t place) const {
        const auto i = static_cast<std::size_t>(place);
        return {field_[i], field_[i + n_lanes]};
    }
    /// Sum of |u|^2 over this rank's part of the field.
    double field_energy() const;
    /// Sum of |u_k|^2 over its part of the spectrum times `factors`.
    double spectrum_energy(const Factors& factors) const;

  private:
    /// Memory for one thread.
    struct Workplace {
        double* scratch;
        std::int64_t* at;  // where the blocks of a line are
    };
    Workplace workplace();
    Array<double>& along_z() { return ranks_.n_rows > 1 ? other_ : field_; }

    void make_line_along_x(MakeLine make_line, std::int64_t line, const Workplace& work);
    void fft_x(std::int64_t line, Direction direction, const Workplace& work);
    void fft_x(Direction direction);
    void fft_y(int z, int x, Direction direction, const Workplace& work);
    void fft_y(Direction direction);
    void make_planes(MakeLine make_line);
    void make_lines(MakeLine make_line);
    Lanes f_xy(const Factors& factors, int y, int x) const;
    void fft_z();
    void evolve_fft_z(const Factors& factors);
    void fft_planes();
    void exchange(const Communicator& group, const Array<double>& from, const Lengths& out,
                  Array<double>& to, const Lengths& in);

    RankGrid ranks_;
    Layout layout_;
    Communicator row_, column_;
    LineFft x_fft_;
    LanesFft y_fft_, z_fft_;
    Array<double> spectrum_, field_;
    Array<double> other_;  // what is to be sent, if there are several ranks

    // A rank's planes are transformed along y and x while they are in the cache, unless columns cut
    // them or there are fewer of them than threads.
    bool whole_planes_;
    std::size_t scratch_length_, addresses_length_;  // for each thread
    Array<double> scratch_;
    Array<std::int64_t> addresses_;

    Phases& phases_;
    Phase initial_conditions_phase_, fft_xy_phase_, fft_x_phase_, fft_y_phase_;
    Phase transpose_phase_, fft_z_phase_, evolve_fft_z_phase_;
};

}  // namespace heorot::ft
