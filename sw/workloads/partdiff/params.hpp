// SPDX-License-Identifier: BSD-3-Clause
// The defaults are those of HDTrace's run of partdiff-par (sec. 6 and 7): one process, a matrix of 8009 x 8009 numbers.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
#include "base/quantity.hpp"
#include "sw/workloads/common/file_access.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

enum class RelaxationMethod : std::uint8_t { gauss_seidel, jacobi };
constexpr auto words_of(RelaxationMethod) { return words("gauss_seidel", "jacobi"); }

enum class PoissonSource : std::uint8_t { zero, sine };
constexpr auto words_of(PoissonSource) { return words("zero", "sine"); }

/// Poisson's equation on a square by relaxation, with checkpoints and diagonals in files (partdiff.cpp).
struct PartdiffParams {
  std::int64_t interlines = 1000;
  RelaxationMethod method = RelaxationMethod::jacobi;
  PoissonSource source = PoissonSource::sine;
  std::int64_t iterations = 20;
  std::int64_t residuum_every = 0;
  FileAccess access = FileAccess::independent;
  std::int64_t checkpoint_every = 5;
  std::int64_t diagonal_every = 1;
  std::string hints;
  Nanoseconds point_ns = 6.0831;
  std::int64_t largest_computed = 1033;
};

constexpr auto fields_of(const PartdiffParams*) {
  using P = PartdiffParams;
  return fields(
      Field{"interlines", &P::interlines, range(0, 12500), "",
            "Size of the matrix, which has 8 * interlines + 9 rows and as many columns, boundary included.",
            "facts (hdtrace): 8009 rows, 489.4 MiB, which the text rounds to about 8000 and 450 MiB"},
      Field{"method", &P::method,
            "Relaxation method. gauss_seidel: in place, the ranks one after the other. jacobi: from one matrix into "
            "another, all ranks at once.",
            "facts (hdtrace): of partdiff-par; which of them is chosen"},
      Field{"source", &P::source,
            "Right-hand side of Poisson's equation. zero: the solution is 1 - x - y + 2 x y, which is also the "
            "boundary. sine: the solution is sin(pi x) sin(pi y), and the boundary is zero.",
            "chosen: partdiff-par's two"},
      Field{"iterations", &P::iterations, range(0, 1e7), "", "Number of sweeps over the matrix.", "HDTrace sec. 6"},
      Field{"residuum_every", &P::residuum_every, range(0, 1e7), "",
            "Sweeps between two global maxima of the change. 0: no maxima.", "chosen: one process has none"},
      Field{"access", &P::access,
            "Calls that write checkpoints and diagonals. none: nothing is written. independent: MPI_File_write_at of "
            "each rank. collective: MPI_File_write_at_all.",
            "HDTrace sec. 6: MPI_File_write_at without a view"},
      Field{"checkpoint_every", &P::checkpoint_every, range(0, 1e7), "",
            "Sweeps between two checkpoints of the whole matrix, written to two files in turn. 0: no checkpoints.",
            "HDTrace sec. 6"},
      Field{"diagonal_every", &P::diagonal_every, range(0, 1e7), "",
            "Sweeps between two writes of the diagonal, each with its number before it. 0: neither diagonals nor a "
            "file of progress.",
            "HDTrace sec. 6"},
      Field{"hints", &P::hints, any_value(), "",
            "Hints for all files as NAME=VALUE, separated by blanks: romio_pvfs2_listio_write=enable.",
            "HDTrace sec. 6: none"},
      Field{"point_ns", &P::point_ns, range(0, 1e9), "CPU time of updating one point in a sweep.",
            "facts (hdtrace): 0.390 s a sweep closes the total; of 8007 x 8007 points"},
      Field{"largest_computed", &P::largest_computed, range(0, 100009), "rows",
            "Largest matrix whose numbers are computed. Larger matrices cause the same messages, written bytes and CPU "
            "time, but have no contents and give no answer.",
            "chosen"});
}
static_assert(all_members_described<PartdiffParams>());

} // namespace hypermon
