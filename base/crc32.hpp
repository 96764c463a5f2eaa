// SPDX-License-Identifier: BSD-3-Clause
// CRC-32 as in zlib, Ethernet and PNG.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>

namespace hypermon {

namespace detail {
inline constexpr auto crc32_by_byte = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    table[i] = i;
    for (int bit = 0; bit < 8; ++bit) table[i] = table[i] >> 1 ^ ((table[i] & 1) != 0 ? 0xEDB88320U : 0U);
  }
  return table;
}();
} // namespace detail

inline std::uint32_t crc32(std::span<const std::byte> bytes) {
  std::uint32_t crc = ~std::uint32_t{0};
  for (const std::byte b : bytes)
    crc = detail::crc32_by_byte[(crc ^ std::to_integer<std::uint32_t>(b)) & 0xFFU] ^ crc >> 8;
  return ~crc;
}

/// The CRC-32 of a text, as eight hexadecimal digits.
inline std::string crc32_text(std::string_view text) {
  std::array<char, 9> hex{};
  std::snprintf(hex.data(), hex.size(), "%08x", static_cast<unsigned>(crc32(std::as_bytes(std::span(text)))));
  return hex.data();
}

} // namespace hypermon
