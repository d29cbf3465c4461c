// npb/ft: the three-dimensional transforms, line by line and plane by plane.
#include "benchmarks/npb/ft/field.hpp"

#include <algorithm>
#include <numeric>

#include "harness/world/threads.hpp"

namespace heorot::ft {

namespace {

/// Points of a spectrum on their way to another time: lines along z times f_x f_y f_z.
struct Evolving {
    Lanes f_xy;
    const double* f_z;
    AdjacentPoints spectrum;

    [[gnu::always_inline]] ComplexLanes load(std::ptrdiff_t i) const {
        const ComplexLanes u = spectrum.load(i);
        const Lanes f = f_xy * f_z[i];
        return {u.re * f, u.im * f};
    }
};

std::size_t as_size(std::int64_t n) {
    return static_cast<std::size_t>(n);
}

/// Each thread writes the part that will be its own, planes or lines, first.
void clear(Array<double>& array) {
#pragma omp parallel for schedule(static)
    for (double& value : array) value = 0.0;
}

}  // namespace

Factors::Factors(const Grid& grid)
    : x(as_size(grid.nx)), y(as_size(grid.ny)), z(as_size(grid.nz)) {}

Field::Field(Program& program, const Grid& grid, const RankGrid& ranks)
    : ranks_(ranks),
      layout_(grid, ranks, program.world().rank()),
      row_(program.world().split(ranks.row(program.world().rank()), program.world().rank())),
      column_(program.world().split(ranks.column(program.world().rank()), program.world().rank())),
      x_fft_(grid.nx),
      y_fft_(grid.ny),
      z_fft_(grid.nz),
      spectrum_(layout_.array_length),
      field_(layout_.array_length),
      other_(ranks.size() > 1 ? layout_.array_length : 0),
      whole_planes_(!layout_.has_columns && grid.nz / ranks.n_rows >= program.n_threads()),
      scratch_length_(std::max({x_fft_.scratch_length(), y_fft_.scratch_length(),
                                z_fft_.scratch_length(), 2 * as_size(grid.nx)})),
      addresses_length_(as_size(std::max({grid.nx, grid.ny, grid.nz}))),
      scratch_(as_size(program.n_threads()) * scratch_length_),
      addresses_(as_size(program.n_threads()) * addresses_length_),
      phases_(program.phases()) {
    // The gaps between rows and planes travel with them.
    clear(field_);
    clear(other_);
    initial_conditions_phase_ = phases_.add("initial_conditions");
    if (whole_planes_) {
        fft_xy_phase_ = phases_.add("fft_xy");
    } else {
        fft_x_phase_ = phases_.add("fft_x");
        fft_y_phase_ = phases_.add("fft_y");
    }
    if (ranks.size() > 1) transpose_phase_ = phases_.add("transpose");
    fft_z_phase_ = phases_.add("fft_z");
    evolve_fft_z_phase_ = phases_.add("evolve_fft_z");
}

/// f_x f_y of the lines along z at y, x, counted from the first that this rank has.
Lanes Field::f_xy(const Factors& factors, int y, int x) const {
    const int first = (layout_.x.first + x) * n_lanes;
    return load(&factors.x[as_size(first)]) * factors.y[as_size(layout_.y_of_row.first + y)];
}

void Field::make_roots() {
    x_fft_.make_roots();
    y_fft_.make_roots();
    z_fft_.make_roots();
}

Field::Workplace Field::workplace() {
    const auto thread = static_cast<std::size_t>(thread_number());
    return {scratch_.data() + thread * scratch_length_,
            addresses_.data() + thread * addresses_length_};
}

void Field::make_line_along_x(MakeLine make_line, std::int64_t line, const Workplace& work) {
    const std::span<double> pairs(work.scratch, 2 * as_size(layout_.grid.nx));
    make_line(layout_.grid, layout_.y_of(line), layout_.z_of(line), pairs);
    layout_.fill(line, work.at);
    for (int b = 0; b < x_fft_.n_blocks(); ++b) {
        double* const block = field_.data() + work.at[b];
        for (std::ptrdiff_t l = 0; l < n_lanes; ++l) {
            block[l] = work.scratch[b * block_length + 2 * l];
            block[l + n_lanes] = work.scratch[b * block_length + 2 * l + 1];
        }
    }
}

void Field::fft_x(std::int64_t line, Direction direction, const Workplace& work) {
    layout_.fill(line, work.at);
    const Points points(field_.data(), work.at, direction);
    x_fft_.transform(points, points, work.scratch);
}

/// Lines along y of the plane z, those in the blocks x; with columns, they are turned.
void Field::fft_y(int z, int x, Direction direction, const Workplace& work) {
    const Points points(field_.data() + x * block_length, work.at, direction);
    const AdjacentPoints adjacent = {points};
    if (!layout_.has_columns) return y_fft_.transform(adjacent, points, work.scratch);
    const std::int64_t place = std::int64_t{z} * layout_.x.size() + x;
    const Points turned(other_.data() + place * block_length, layout_.turned.base.data(),
                        direction);
    if (direction == Direction::inverse) return y_fft_.transform(adjacent, turned, work.scratch);
    y_fft_.transform(turned, points, work.scratch);
}

void Field::exchange(const Communicator& group, const Array<double>& from, const Lengths& out,
                     Array<double>& to, const Lengths& in) {
    const auto timed = phases_.enter(transpose_phase_);
    group.all_to_all(from.span().first(as_size(std::reduce(out.begin(), out.end()))), out,
                     to.span().first(as_size(std::reduce(in.begin(), in.end()))), in);
}

void Field::make_planes(MakeLine make_line) {
    const std::int64_t ny = layout_.grid.ny;
#pragma omp parallel for schedule(static)
    for (int z = 0; z < layout_.z.size(); ++z) {
        const Workplace work = workplace();
        {
            const auto timed = phases_.enter(initial_conditions_phase_);
            for (std::int64_t y = 0; y < ny; ++y) make_line_along_x(make_line, z * ny + y, work);
        }
        const auto timed = phases_.enter(fft_xy_phase_);
        for (std::int64_t y = 0; y < ny; ++y) fft_x(z * ny + y, Direction::forward, work);
        layout_.along_y.fill(z, work.at);
        for (int x = 0; x < layout_.x.size(); ++x) fft_y(z, x, Direction::forward, work);
    }
}

void Field::make_lines(MakeLine make_line) {
    {
        const auto timed = phases_.enter(initial_conditions_phase_);
#pragma omp parallel for schedule(static)
        for (std::int64_t line = 0; line < layout_.n_lines(); ++line) {
            make_line_along_x(make_line, line, workplace());
        }
    }
    fft_x(Direction::forward);
    if (layout_.has_columns) {
        exchange(row_, field_, layout_.lengths_along_x, other_, layout_.lengths_turned);
    }
    fft_y(Direction::forward);
}

void Field::fft_x(Direction direction) {
    const auto timed = phases_.enter(fft_x_phase_);
#pragma omp parallel for schedule(static)
    for (std::int64_t line = 0; line < layout_.n_lines(); ++line) {
        fft_x(line, direction, workplace());
    }
}

void Field::fft_y(Direction direction) {
    const auto timed = phases_.enter(fft_y_phase_);
#pragma omp parallel for collapse(2) schedule(static)
    for (int z = 0; z < layout_.z.size(); ++z) {
        for (int x = 0; x < layout_.x.size(); ++x) {
            const Workplace work = workplace();
            layout_.along_y.fill(z, work.at);
            fft_y(z, x, direction, work);
        }
    }
}

void Field::make_spectrum(MakeLine make_line) {
    if (whole_planes_) {
        make_planes(make_line);
    } else {
        make_lines(make_line);
    }
    if (ranks_.n_rows > 1) {
        exchange(column_, field_, layout_.lengths_along_y, other_, layout_.lengths_along_z);
    }
    fft_z();
}

void Field::fft_z() {
    const auto timed = phases_.enter(fft_z_phase_);
    const std::int64_t* const at = layout_.along_z.base.data();
#pragma omp parallel for collapse(2) schedule(static)
    for (int y = 0; y < layout_.y_of_row.size(); ++y) {
        for (int x = 0; x < layout_.x.size(); ++x) {
            const std::int64_t first = layout_.first_along_z(y, x);
            const AdjacentPoints from = {Points(along_z().data() + first, at, Direction::forward)};
            const Points to(spectrum_.data() + first, at, Direction::forward);
            z_fft_.transform(from, to, workplace().scratch);
        }
    }
}

void Field::evolve_fft_z(const Factors& factors) {
    const auto timed = phases_.enter(evolve_fft_z_phase_);
    const std::int64_t* const at = layout_.along_z.base.data();
#pragma omp parallel for collapse(2) schedule(static)
    for (int y = 0; y < layout_.y_of_row.size(); ++y) {
        for (int x = 0; x < layout_.x.size(); ++x) {
            const std::int64_t first = layout_.first_along_z(y, x);
            const Evolving from = {f_xy(factors, y, x),
                                   factors.z.data(),
                                   {Points(spectrum_.data() + first, at, Direction::inverse)}};
            const Points to(along_z().data() + first, at, Direction::inverse);
            z_fft_.transform(from, to, workplace().scratch);
        }
    }
}

void Field::make_field(const Factors& factors) {
    evolve_fft_z(factors);
    if (ranks_.n_rows > 1) {
        exchange(column_, other_, layout_.lengths_along_z, field_, layout_.lengths_along_y);
    }
    if (whole_planes_) return fft_planes();
    fft_y(Direction::inverse);
    if (layout_.has_columns) {
        exchange(row_, other_, layout_.lengths_turned, field_, layout_.lengths_along_x);
    }
    fft_x(Direction::inverse);
}

void Field::fft_planes() {
    const auto timed = phases_.enter(fft_xy_phase_);
    const std::int64_t ny = layout_.grid.ny;
#pragma omp parallel for schedule(static)
    for (int z = 0; z < layout_.z.size(); ++z) {
        const Workplace work = workplace();
        layout_.along_y.fill(z, work.at);
        for (int x = 0; x < layout_.x.size(); ++x) fft_y(z, x, Direction::inverse, work);
        for (std::int64_t y = 0; y < ny; ++y) fft_x(z * ny + y, Direction::inverse, work);
    }
}

std::int64_t Field::find(int x, int y, int z) const {
    if (!layout_.z.contains(z) || !layout_.y_of_column.contains(y)) return -1;
    return layout_.address(layout_.line(y, z), x / n_lanes) + x % n_lanes;
}

double Field::field_energy() const {
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
    for (std::int64_t line = 0; line < layout_.n_lines(); ++line) {
        double sum_of_line = 0.0;
        for (int b = 0; b < x_fft_.n_blocks(); ++b) {
            const double* const block = field_.data() + layout_.address(line, b);
            for (int l = 0; l < block_length; ++l) sum_of_line += block[l] * block[l];
        }
        sum += sum_of_line;
    }
    return sum;
}

double Field::spectrum_energy(const Factors& factors) const {
    double sum = 0.0;
#pragma omp parallel for collapse(2) reduction(+ : sum) schedule(static)
    for (int y = 0; y < layout_.y_of_row.size(); ++y) {
        for (int x = 0; x < layout_.x.size(); ++x) {
            Lanes sum_of_line = {};
            for (int z = 0; z < layout_.grid.nz; ++z) {
                const double* const u =
                    spectrum_.data() + layout_.first_along_z(y, x) + layout_.along_z.of(0, z);
                const Lanes f = f_xy(factors, y, x) * factors.z[as_size(z)];
                const Lanes re = load(u) * f;
                const Lanes im = load(u + n_lanes) * f;
                sum_of_line += re * re + im * im;
            }
            for (int l = 0; l < n_lanes; ++l) sum += sum_of_line[l];
        }
    }
    return sum;
}

}  // namespace heorot::ft
