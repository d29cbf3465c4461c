// Dense matrices stored column by column, which may be parts of larger ones.
#pragma once

#include <cstddef>

namespace heorot::dense {

using Index = std::ptrdiff_t;

/// No matrix has more rows: BLAS and LAPACK count its elements by 32 bits.
constexpr Index most_rows = 46'340;

/// A view of a matrix: element (i, j) is at elements[i + j stride]. Its numbers of rows and columns
/// are separate arguments.
template <class Element>
struct View {
    Element* elements;
    Index stride;  ///< from one column to the next [elements]

    Element& operator()(Index i, Index j) const { return elements[i + j * stride]; }
    Element* column(Index j) const { return elements + j * stride; }
    /// The part from row i, column j on.
    View part(Index i, Index j) const { return {elements + i + j * stride, stride}; }
    /// The same to be read only.
    operator View<const Element>() const { return {elements, stride}; }  // NOLINT: as pointers do
};

using Matrix = View<double>;
using ConstMatrix = View<const double>;

}  // namespace heorot::dense
