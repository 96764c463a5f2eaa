// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a datatype in their order, as a compact map whose size does not depend on the number of pieces. Offsets
// are relative to the datatype's position. Byte n of the data is the n-th byte in the order of the type's map.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hypermon::mpiio {

/// A contiguous range of bytes.
struct Run {
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  auto operator<=>(const Run&) const = default;
};

/// Equal runs at equal distances: run k begins at offset + k * stride.
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
  /// A layout at an offset.
  struct Part {
    std::int64_t offset = 0;
    LayoutPointer layout;
  };

  static LayoutPointer bytes(std::int64_t bytes);
  /// `count` copies of `element`, copy k at k * stride.
  static LayoutPointer repeated(std::int64_t count, std::int64_t stride, const LayoutPointer& element);
  /// Several layouts in sequence, each at its offset.
  static LayoutPointer joined(const std::vector<Part>& parts);
  /// The same bytes with another lower bound and extent (MPI_Type_create_resized).
  static LayoutPointer resized(std::int64_t lower, std::int64_t extent, const LayoutPointer& layout);

  std::int64_t size() const { return size_; }
  std::int64_t lower() const { return lower_; }
  std::int64_t extent() const { return extent_; }
  /// Lowest position of a byte, and the position after the highest one. Both are 0 if there are no bytes.
  std::int64_t begin() const { return begin_; }
  std::int64_t end() const { return end_; }
  /// Number of maximal runs.
  std::int64_t pieces() const { return pieces_; }
  /// Position of the first byte of the data, and the position after the last one, in the order of the data.
  std::int64_t front() const { return front_; }
  std::int64_t back() const { return back_; }
  /// True if positions ascend in the order of the data and no byte occurs twice.
  bool is_ascending() const { return is_ascending_; }
  /// True if no element of the type's map begins before the previous one.
  bool is_nondecreasing() const { return is_nondecreasing_; }

  /// A run from byte `byte` (below size()) of the data on. It is within the type's map and need not be maximal.
  Run at(std::int64_t byte) const;
  /// Number of data bytes below `offset`. Only if is_ascending().
  std::int64_t below(std::int64_t offset) const;
  /// Number of maximal runs that contain any of the first `byte` bytes of the data.
  std::int64_t pieces_until(std::int64_t byte) const;
  /// All runs, in the order of the data.
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
  std::int64_t last_ = 0; // position of the last element of the type's map
  std::int64_t pieces_ = 0;
  std::int64_t count_ = 0;             // for Kind::repeated
  std::int64_t stride_ = 0;            // for Kind::repeated
  LayoutPointer element_;              // for Kind::repeated
  std::vector<Part> parts_;            // for Kind::joined
  std::vector<std::int64_t> data_end_; // for Kind::joined: data bytes up to the part's end
  std::vector<std::int64_t> runs_end_; // for Kind::joined: runs up to the part's end
};

} // namespace hypermon::mpiio
