// SPDX-License-Identifier: BSD-3-Clause
// Which bytes a datatype consists of, and in which order: a map that is not written out, however many pieces it has.
// Offsets are from where the datatype is put; byte n of the data is the n-th in the order of the type's map.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hypermon::mpiio {

/// Bytes that lie together.
struct Run {
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  auto operator<=>(const Run&) const = default;
};

/// Equal runs at equal distances: the k-th begins at offset + k * stride.
struct Runs {
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  std::int64_t stride = 0;
  std::int64_t count = 1;
  auto operator<=>(const Runs&) const = default;
};

class Layout;
using LayoutPointer = std::shared_ptr<const Layout>;

class Layout {
public:
  /// Something at an offset.
  struct Part {
    std::int64_t offset = 0;
    LayoutPointer layout;
  };

  static LayoutPointer bytes(std::int64_t bytes);
  /// `count` times `element`, the k-th at k * stride.
  static LayoutPointer repeated(std::int64_t count, std::int64_t stride, const LayoutPointer& element);
  /// One after the other, each where it says.
  static LayoutPointer joined(const std::vector<Part>& parts);
  /// The same bytes; the next one of it begins `extent` further, and it ends there.
  static LayoutPointer resized(std::int64_t lower, std::int64_t extent, const LayoutPointer& layout);

  std::int64_t size() const { return size_; }
  std::int64_t lower() const { return lower_; }
  std::int64_t extent() const { return extent_; }
  /// Where its first byte lies, by place, and what is behind its last one. Both 0 if it has none.
  std::int64_t begin() const { return begin_; }
  std::int64_t end() const { return end_; }
  /// Runs that it has, as long as they can be.
  std::int64_t pieces() const { return pieces_; }
  /// Where the data begin and end, by their order.
  std::int64_t front() const { return front_; }
  std::int64_t back() const { return back_; }
  /// Do its bytes lie in the order of the data, none twice?
  bool is_ascending() const { return is_ascending_; }
  /// Does each element of the type's map begin where the one before it begins, or behind that?
  bool is_nondecreasing() const { return is_nondecreasing_; }

  /// From byte `byte` of the data on (below size()): a run that is within the type's map, if not as long as it can be.
  Run at(std::int64_t byte) const;
  /// Bytes of the data that lie below `offset`; only if it is ascending.
  std::int64_t below(std::int64_t offset) const;
  /// Runs, as long as they can be, that hold any of the first `byte` bytes of the data.
  std::int64_t pieces_until(std::int64_t byte) const;
  /// All of it, in the order of the data.
  std::vector<Runs> runs() const;
  /// "8009 x (8 B every 64080 B)"
  std::string text() const;

private:
  enum class Kind : std::uint8_t { bytes, repeated, joined };
  void measure_joined();
  void append_runs(std::int64_t offset, std::vector<Runs>& all) const;

  Kind kind_ = Kind::bytes;
  bool is_ascending_ = true;
  bool is_nondecreasing_ = true;
  std::int64_t size_ = 0;
  std::int64_t lower_ = 0;
  std::int64_t extent_ = 0;
  std::int64_t begin_ = 0;
  std::int64_t end_ = 0;
  std::int64_t front_ = 0;
  std::int64_t back_ = 0;
  std::int64_t last_ = 0; // where the last element of the type's map begins
  std::int64_t pieces_ = 0;
  std::int64_t count_ = 0;             // repeated
  std::int64_t stride_ = 0;            // repeated
  LayoutPointer element_;              // repeated
  std::vector<Part> parts_;            // joined
  std::vector<std::int64_t> data_end_; // joined: bytes of data up to the part's end
  std::vector<std::int64_t> runs_end_; // joined: runs up to there
};

} // namespace hypermon::mpiio
