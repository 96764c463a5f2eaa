// SPDX-License-Identifier: BSD-3-Clause
// NumPy arrays as hypermon._core takes them.
#pragma once
#include <pybind11/numpy.h>

#include <span>

namespace hypermon {

/// Not copied if it has this type and is contiguous.
template <class T> using Column = pybind11::array_t<T, pybind11::array::c_style>;

template <class T> std::span<const T> span(const Column<T>& column) {
  return {column.data(), static_cast<std::size_t>(column.size())};
}

} // namespace hypermon
