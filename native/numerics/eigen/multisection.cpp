// Intervals that shrink around eigenvalues, round by round.
#include "numerics/eigen/multisection.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "numerics/eigen/sturm.hpp"

namespace heorot::eigen {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double tolerance = 4.0 * eps;  // width of an interval whose middle is an eigenvalue
constexpr int most_rounds = 200;

/// Where some eigenvalues are: those from number low.n_below on, up to before high.n_below.
struct Interval {
    Evaluation low;
    Evaluation high;
    Evaluation former = {};       ///< the end that the last point replaced
    bool is_high_latest = false;  ///< which end the last point is
    bool has_former = false;

    Index n_values() const { return high.n_below - low.n_below; }
    double width() const { return high.x - low.x; }
};

/// p in units of 2^exponent, which is not below its own, with the sign that makes the lower end of
/// an interval positive.
double scaled(const Evaluation& point, std::int64_t exponent, Index n_below) {
    constexpr std::int64_t bias = 1023;
    const auto unit =
        static_cast<std::uint64_t>(std::max<std::int64_t>(point.exponent - exponent + bias, 0));
    const double size = point.mantissa * std::bit_cast<double>(unit << 52U);
    return point.n_below <= n_below ? size : -size;
}

/// The next point in an interval with one eigenvalue, as a fraction of the way from the last point
/// to the other end: Chandrupatla's choice.
double next_fraction(const Evaluation& last, const Evaluation& other, const Evaluation& former,
                     Index n_below) {
    const auto exponent = std::max({last.exponent, other.exponent, former.exponent});
    const double fa = scaled(last, exponent, n_below);
    const double fb = scaled(other, exponent, n_below);
    const double fc = scaled(former, exponent, n_below);
    const double xi = (last.x - other.x) / (former.x - other.x);
    const double phi = (fa - fb) / (fc - fb);
    const bool is_near = phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi;
    if (!is_near) return 0.5;
    return fa / (fb - fa) * (fc / (fb - fc)) +
           (former.x - last.x) / (other.x - last.x) * (fa / (fc - fa)) * (fb / (fc - fb));
}

double next_point(const Interval& u) {
    if (!u.has_former) return u.low.x + 0.5 * u.width();
    const Evaluation& last = u.is_high_latest ? u.high : u.low;
    const Evaluation& other = u.is_high_latest ? u.low : u.high;
    const double least = 0.5 * tolerance / u.width();
    const double fraction = next_fraction(last, other, u.former, u.low.n_below);
    return last.x + std::clamp(fraction, least, 1.0 - least) * (other.x - last.x);
}

/// The points at which an interval is cut next: as many as it has eigenvalues.
void add_points(const Interval& u, std::vector<Evaluation>& points) {
    const Index n = u.n_values();
    if (n == 1) {
        points.push_back({.x = next_point(u)});
        return;
    }
    const double step = u.width() / static_cast<double>(n + 1);
    for (Index k = 1; k <= n; ++k) points.push_back({.x = u.low.x + static_cast<double>(k) * step});
}

/// Eigenvalues, and the intervals in which there are others.
class Search {
  public:
    Search(const Sturm& sturm, double* values) : sturm_(sturm), values_(values) {}

    Sectioned run() {
        const double beyond = 1.0 + 8.0 * eps * static_cast<double>(sturm_.n());
        std::vector<Evaluation> points = {{.x = -beyond}, {.x = beyond}};
        sturm_.evaluate(points);
        points[0].n_below = 0;
        points[1].n_below = sturm_.n();
        keep({.low = points[0], .high = points[1]});
        double n_evaluations = 2.0;
        for (int round = 0; round < most_rounds && !kept_.empty(); ++round) {
            points.clear();
            for (const Interval& each : kept_) add_points(each, points);
            sturm_.evaluate(points);
            n_evaluations += static_cast<double>(points.size());
            cut_all(points);
        }
        return {kept_.empty(), n_evaluations};
    }

  private:
    void cut_all(const std::vector<Evaluation>& points) {
        const std::vector<Interval> former = std::exchange(kept_, {});
        const Evaluation* next = points.data();
        for (const Interval& each : former) {
            if (each.n_values() == 1) {
                shrink(each, *next++);
            } else {
                next = cut(each, next);
            }
        }
    }

    /// Into the intervals between points. Rounding may leave the counts out of order by one.
    const Evaluation* cut(const Interval& u, const Evaluation* points) {
        Evaluation low = u.low;
        const Index n = u.n_values();
        for (Index k = 0; k < n; ++k) {
            Evaluation high = points[k];
            high.n_below = std::clamp(high.n_below, low.n_below, u.high.n_below);
            keep({.low = low, .high = high});
            low = high;
        }
        keep({.low = low, .high = u.high});
        return points + n;
    }

    void shrink(Interval u, const Evaluation& point) {
        u.is_high_latest = point.n_below > u.low.n_below;
        Evaluation& end = u.is_high_latest ? u.high : u.low;
        u.former = std::exchange(end, point);
        end.n_below = u.former.n_below;
        u.has_former = true;
        keep(u);
    }

    void keep(const Interval& u) {
        if (u.n_values() == 0) return;
        if (u.width() > tolerance) {
            kept_.push_back(u);
            return;
        }
        std::fill(values_ + u.low.n_below, values_ + u.high.n_below,
                  0.5 * (u.low.x + u.high.x) * sturm_.norm());
    }

    const Sturm& sturm_;
    double* values_;
    std::vector<Interval> kept_;
};

}  // namespace

Sectioned tridiagonal_values(Index n, double* d, const double* e) {
    if (n == 0) return {};
    return Search(Sturm(n, d, e), d).run();
}

}  // namespace heorot::eigen
