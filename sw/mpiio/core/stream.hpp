// SPDX-License-Identifier: BSD-3-Clause
// Data that lie in memory or in a file as a datatype says, element after element.
#pragma once
#include "sw/mpiio/core/layout.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace hypermon::mpiio {

/// Elements without end: the k-th is put at origin + k * its extent.
class Stream {
public:
  Stream() : Stream(Layout::bytes(1), 0) {}
  explicit Stream(LayoutPointer element, std::int64_t origin = 0);

  std::int64_t origin() const { return origin_; }
  const LayoutPointer& element() const { return element_; }
  /// One run without end.
  bool is_dense() const { return is_dense_; }
  /// Do the bytes lie in the order of the data, none twice?
  bool is_ascending() const { return is_ascending_; }
  /// From byte `byte` of the data on, if the element has bytes at all.
  Run at(std::int64_t byte) const;
  /// Bytes of the data that lie below `offset`; only if it is ascending.
  std::int64_t below(std::int64_t offset) const;
  /// Runs, as long as they can be, of bytes [begin, end) of the data.
  std::int64_t pieces(std::int64_t begin, std::int64_t end) const;

private:
  std::int64_t pieces_until(std::int64_t byte) const;

  LayoutPointer element_;
  std::int64_t origin_;
  bool is_dense_;
  bool is_ascending_;
};

/// The next run of [begin, end), as long as it can be.
Run next_run(const Stream& stream, std::int64_t begin, std::int64_t end);

/// f(Run) for each run of bytes [begin, end) of the data, as long as they can be.
template <class F> void for_each_run(const Stream& stream, std::int64_t begin, std::int64_t end, F&& f) {
  while (begin < end) {
    const Run run = next_run(stream, begin, end);
    f(run);
    begin += run.bytes;
  }
}

} // namespace hypermon::mpiio
