// How sweeps are cut into blocks: see blocks.hpp.
#include "benchmarks/algorithms/stencil/blocks.hpp"

namespace heorot::stencil {

namespace {

/// How many blocks of rows a plane has, so that the planes that a block has in flight fit: three
/// of what every step reads, one that the last one writes.
Index count_blocks(const Layout& layout, Index n_steps, std::size_t block_bytes) {
    const Index bytes_of_row =
        (3 * n_steps + 1) * layout.pitch * static_cast<Index>(sizeof(double));
    const Index beyond = 2 * n_steps;
    // Narrower blocks would compute more for their neighbours than for themselves.
    const Index fitting =
        std::max(static_cast<Index>(block_bytes) / bytes_of_row - beyond, 2 * n_steps);
    return (layout.shape.ny + fitting - 1) / fitting;
}

}  // namespace

Cut::Cut(const Layout& layout, Index n_steps, const Way& way, Index n_threads)
    : shape_(layout.shape),
      n_steps_(n_steps),
      way_(way),
      n_threads_(n_threads),
      n_blocks_(count_blocks(layout, n_steps, way.block_bytes)) {}

Index Cut::most_rows() const {
    return (shape_.ny + n_blocks_ - 1) / n_blocks_ + 2 * (n_steps_ - 1);
}

double Cut::n_computed() const {
    double total = 0.0;
    for (Index s = 1; s <= n_steps_; ++s) {
        Index n_planes = 0;
        for (Index thread = 0; thread < n_threads_; ++thread) {
            const Range own = planes(thread);
            if (own.size() > 0) n_planes += at_step(own, s, shape_.nz).size();
        }
        Index n_rows = 0;
        for (Index block = 0; block < n_blocks_; ++block) {
            n_rows += at_step(rows(block), s, shape_.ny).size();
        }
        total += static_cast<double>(n_planes) * static_cast<double>(n_rows * shape_.nx);
    }
    return total;
}

Wavefront::Wavefront(const Layout& layout, const Cut& cut)
    : layout_(layout),
      cut_(cut),
      most_rows_(cut.most_rows()),
      planes_(static_cast<std::size_t>((cut.n_steps() - 1) * n_kept * most_rows_ * layout.pitch +
                                       Layout::lead + Layout::trail)) {}

void Wavefront::touch() {
    std::ranges::fill(planes_, 0.0);
}

}  // namespace heorot::stencil
