// SPDX-License-Identifier: BSD-3-Clause
// SHA-256 (FIPS 180-4). Implemented here so that a build needs no cryptographic library for one digest.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace hypermon {

class Sha256 {
public:
  void add(std::span<const unsigned char> bytes);
  /// 64 hexadecimal digits. Nothing may be added afterwards.
  std::string hex();

private:
  void take(unsigned char byte);
  void compress();

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};
  std::uint64_t bytes_ = 0;
};

} // namespace hypermon
