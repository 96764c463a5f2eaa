// SPDX-License-Identifier: BSD-3-Clause
// NumPy arrays as arguments and results of hypermon._core.
#pragma once
#include <pybind11/numpy.h>

#include <algorithm>
#include <span>
#include <type_traits>

namespace hypermon {

/// The array is not copied if it has this type and is contiguous.
template <class T> using Column = pybind11::array_t<T, pybind11::array::c_style>;

template <class T> std::span<const T> span(const Column<T>& column) {
  return {column.data(), static_cast<std::size_t>(column.size())};
}

/// An array of f(item) for each item.
template <class Items, class F> auto column(const Items& items, F&& f) {
  using Value = std::decay_t<decltype(f(items[0]))>;
  pybind11::array_t<Value> array(static_cast<pybind11::ssize_t>(items.size()));
  std::ranges::transform(items, array.mutable_data(), f);
  return array;
}

} // namespace hypermon
