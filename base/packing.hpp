// SPDX-License-Identifier: BSD-3-Clause
// Packs the items of a queue: the difference of each number from the previous item's is stored in 1 to 10 bytes.
//
// An item lists its fields once, for packing and for unpacking:
//
//   struct Item {
//     Time at;
//     std::uint32_t value;
//     template <class Coder> void code(Coder& coder, Item& before) {
//       coder(at, before.at);
//       coder(value, before.value);
//     }
//   };
//
// `before` has the fields of the previous item; for the first item of a block it is Item{}. An unpacked item also
// starts as Item{}.
#pragma once
#include "base/time.hpp"
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace hypermon {

/// Converts integers, enumerations and times to 64 bits and back.
template <class T> constexpr std::uint64_t to_bits(T value) {
  if constexpr (std::is_same_v<T, Time>)
    return static_cast<std::uint64_t>(value.ps());
  else
    return static_cast<std::uint64_t>(value);
}
template <class T> constexpr T from_bits(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, Time>)
    return Time::from_ps(static_cast<std::int64_t>(bits));
  else
    return static_cast<T>(bits);
}

class Packer {
public:
  /// Largest size of a packed field.
  static constexpr std::size_t most_bytes = 10;

  explicit Packer(std::byte* to) : begin_(to), to_(to) {}
  std::size_t size() const { return static_cast<std::size_t>(to_ - begin_); }

  template <class T> void operator()(T value, T& before) {
    const std::uint64_t step = to_bits(value) - to_bits(before);
    before = value;
    std::uint64_t left = step << 1 ^ (0 - (step >> 63)); // maps 0, -1, 1, -2, ... to 0, 1, 2, 3, ...
    for (; left >= 0x80; left >>= 7) *to_++ = static_cast<std::byte>(left | 0x80);
    *to_++ = static_cast<std::byte>(left);
  }
  /// Stores the value without compression, so that it can be overwritten in its block.
  template <class T> void fixed(T value) {
    std::memcpy(to_, &value, sizeof value);
    to_ += sizeof value;
  }

private:
  std::byte* begin_;
  std::byte* to_;
};

class Unpacker {
public:
  explicit Unpacker(const std::byte* from) : from_(from) {}

  template <class T> void operator()(T& value, T& before) {
    std::uint64_t coded = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<std::uint64_t>(*from_++);
      coded |= (byte & 0x7F) << shift;
      if (byte < 0x80) break;
    }
    value = before = from_bits<T>(to_bits(before) + (coded >> 1 ^ (0 - (coded & 1))));
  }
  template <class T> void fixed(T& value) {
    std::memcpy(&value, from_, sizeof value);
    from_ += sizeof value;
  }

private:
  const std::byte* from_;
};

} // namespace hypermon
