// SPDX-License-Identifier: BSD-3-Clause
// The defaults are HDTrace's run of partdiff-par (sec. 6 and 7): one process, a matrix of 8009 x 8009 numbers.
#pragma once
#include "base/choice.hpp"
#include "base/quantity.hpp"
#include "sw/workloads/common/file_access.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

enum class RelaxationMethod : std::uint8_t { gauss_seidel, jacobi };
constexpr auto words_of(RelaxationMethod) { return words("gauss_seidel", "jacobi"); }

enum class PoissonSource : std::uint8_t { zero, sine };
constexpr auto words_of(PoissonSource) { return words("zero", "sine"); }

/// Poisson's equation on a square, by relaxation, with checkpoints and diagonals in files (partdiff.cpp).
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

} // namespace hypermon
