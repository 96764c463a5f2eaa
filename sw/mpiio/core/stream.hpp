// SPDX-License-Identifier: BSD-3-Clause
// Data in memory or in a file, arranged by a datatype that repeats.
#pragma once
#include "sw/mpiio/core/layout.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace hypermon::mpiio {

/// An endless sequence of elements: element k is at origin + k * its extent.
class Stream {
public:
  Stream() : Stream(Layout::bytes(1), 0) {}
  explicit Stream(LayoutPointer element, std::int64_t origin = 0);

  std::int64_t origin() const { return origin_; }
  const LayoutPointer& element() const { return element_; }
  /// True if the stream is a single endless run.
  bool is_dense() const { return is_dense_; }
  /// True if positions ascend in the order of the data and no byte occurs twice.
  bool is_ascending() const { return is_ascending_; }
  /// A run from byte `byte` of the data on. The element must not be empty.
  Run at(std::int64_t byte) const;
  /// Number of data bytes below `offset`. Only if is_ascending().
  std::int64_t below(std::int64_t offset) const;
  /// Number of maximal runs of bytes [begin, end) of the data.
  std::int64_t pieces(std::int64_t begin, std::int64_t end) const;

private:
  std::int64_t pieces_until(std::int64_t byte) const;

  LayoutPointer element_;
  std::int64_t origin_;
  bool is_dense_;
  bool is_ascending_;
};

/// The first maximal run of [begin, end).
Run next_run(const Stream& stream, std::int64_t begin, std::int64_t end);

/// Calls f(Run) for each maximal run of bytes [begin, end) of the data.
template <class F> void for_each_run(const Stream& stream, std::int64_t begin, std::int64_t end, F&& f) {
  while (begin < end) {
    const Run run = next_run(stream, begin, end);
    f(run);
    begin += run.bytes;
  }
}

} // namespace hypermon::mpiio
