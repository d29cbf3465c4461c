// The functions that are measured, all with two arguments, of which most take the first only.
#pragma once

#include <cmath>
#include <string_view>

namespace heorot::intrinsics {

constexpr double one_digit = 5.0;  // units in the last place: ten halves of one

/// A function: its name in C, which arguments are ordinary, and how many units in the last place it
/// may be off. Checked in every run: check().
struct Exp {
    static constexpr std::string_view name = "exp";
    static constexpr double low = -5.0;
    static constexpr double high = 5.0;
    static constexpr double tolerance = one_digit;
    template <class Real>
    static Real of(Real x, Real /*y*/) {
        return std::exp(x);
    }
};
struct Log {
    static constexpr std::string_view name = "log";
    static constexpr double low = 0.1;
    static constexpr double high = 10.0;
    static constexpr double tolerance = one_digit;
    template <class Real>
    static Real of(Real x, Real /*y*/) {
        return std::log(x);
    }
};
struct Sin {
    static constexpr std::string_view name = "sin";
    static constexpr double low = -3.0;
    static constexpr double high = 3.0;
    static constexpr double tolerance = one_digit;
    template <class Real>
    static Real of(Real x, Real /*y*/) {
        return std::sin(x);
    }
};
struct Cos {
    static constexpr std::string_view name = "cos";
    static constexpr double low = -3.0;
    static constexpr double high = 3.0;
    static constexpr double tolerance = one_digit;
    template <class Real>
    static Real of(Real x, Real /*y*/) {
        return std::cos(x);
    }
};
struct Tan {
    static constexpr std::string_view name = "tan";
    static constexpr double low = -3.0;
    static constexpr double high = 3.0;
    static constexpr double tolerance = one_digit;
    template <class Real>
    static Real of(Real x, Real /*y*/) {
        return std::tan(x);
    }
};
struct Atan {
    static constexpr std::string_view name = "atan";
    static constexpr double low = -5.0;
    static constexpr double high = 5.0;
    static constexpr double tolerance = one_digit;
    template <class Real>
    static Real of(Real x, Real /*y*/) {
        return std::atan(x);
    }
};
struct Sqrt {
    static constexpr std::string_view name = "sqrt";
    static constexpr double low = 0.1;
    static constexpr double high = 100.0;
    static constexpr double tolerance = one_digit;
    template <class Real>
    static Real of(Real x, Real /*y*/) {
        return std::sqrt(x);
    }
};
struct Cbrt {
    static constexpr std::string_view name = "cbrt";
    static constexpr double low = 0.1;
    static constexpr double high = 100.0;
    static constexpr double tolerance = one_digit;
    template <class Real>
    static Real of(Real x, Real /*y*/) {
        return std::cbrt(x);
    }
};
struct Pow {
    static constexpr std::string_view name = "pow";
    static constexpr double low = 0.1;
    static constexpr double high = 10.0;
    static constexpr double tolerance = one_digit;
    template <class Real>
    static Real of(Real x, Real y) {
        return std::pow(x, y);
    }
};
struct Erf {
    static constexpr std::string_view name = "erf";
    static constexpr double low = -3.0;
    static constexpr double high = 3.0;
    static constexpr double tolerance = one_digit;
    template <class Real>
    static Real of(Real x, Real /*y*/) {
        return std::erf(x);
    }
};
struct Tgamma {
    static constexpr std::string_view name = "tgamma";
    static constexpr double low = 0.5;
    static constexpr double high = 20.0;
    static constexpr double tolerance = 20.0;
    template <class Real>
    static Real of(Real x, Real /*y*/) {
        return std::tgamma(x);
    }
};

}  // namespace heorot::intrinsics
