// SPDX-License-Identifier: BSD-3-Clause
// The fast Fourier transform of one row.
#pragma once
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <utility>

namespace hypermon::workloads {

/// In place; `size` must be a power of two. The result is scaled by 1 / sqrt(size), so that repeated transforms keep
/// their magnitude.
inline void fourier(std::complex<double>* row, std::size_t size) {
  for (std::size_t i = 1, j = 0; i < size; ++i) { // bit-reversed order
    std::size_t bit = size / 2;
    for (; j & bit; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(row[i], row[j]);
  }
  for (std::size_t half = 1; half < size; half *= 2)
    for (std::size_t k = 0; k < half; ++k) {
      const auto turn = std::polar(1.0, -std::numbers::pi * static_cast<double>(k) / static_cast<double>(half));
      for (std::size_t i = k; i < size; i += 2 * half) {
        const auto odd = turn * row[i + half];
        row[i + half] = row[i] - odd;
        row[i] += odd;
      }
    }
  const double scale = 1 / std::sqrt(static_cast<double>(size));
  for (std::size_t i = 0; i < size; ++i) row[i] *= scale;
}

/// Butterflies of one row: size / 2 in each of log2(size) stages.
inline double butterflies(std::size_t size) {
  return static_cast<double>(size) / 2 * std::log2(static_cast<double>(size));
}

} // namespace hypermon::workloads
