// SPDX-License-Identifier: BSD-3-Clause
#include "sw/instrumentation/codes.hpp"
#include <algorithm>
#include <array>
#include <bit>
#include <tuple>

namespace hypermon {

namespace {

constexpr std::size_t lengths = max_hardware_nibbles / 8;
constexpr std::size_t codes_per_low_nibble = 15; // 16 high nibbles, except the one equal to the low nibble

std::size_t length_of(const EventRow& row) { return row.hardware_nibbles() / 8 - 1; }

/// The length that each low nibble stands for, and the number of low nibbles that each length may still take.
struct Shares {
  std::array<std::optional<std::size_t>, 16> length_by_low;
  std::array<std::size_t, lengths> more{};
};

/// Each length gets as many low nibbles as its rows need. The remaining nibbles go, one by one, to the length with the
/// most rows per nibble.
Shares share_out(const std::vector<EventRow>& rows) {
  Shares shares;
  std::array<std::size_t, lengths> n_rows{};
  std::array<std::size_t, lengths> low_nibbles{};
  for (const EventRow& row : rows) {
    ++n_rows[length_of(row)];
    if (row.code == 0) continue;
    auto& length = shares.length_by_low[row.code & 0xFU];
    if (!length) ++low_nibbles[length_of(row)];
    length = length_of(row);
  }
  auto left =
      static_cast<std::size_t>(std::count(shares.length_by_low.begin(), shares.length_by_low.end(), std::nullopt));
  const auto give = [&](std::size_t length) {
    ++shares.more[length];
    ++low_nibbles[length];
    --left;
  };
  for (std::size_t length = 0; length < lengths; ++length)
    while (left > 0 && n_rows[length] > codes_per_low_nibble * low_nibbles[length]) give(length);
  while (left > 0) {
    std::optional<std::size_t> fullest;
    for (std::size_t length = 0; length < lengths; ++length)
      if (n_rows[length] > low_nibbles[length] &&
          (!fullest || n_rows[length] * low_nibbles[*fullest] > n_rows[*fullest] * low_nibbles[length]))
        fullest = length;
    if (!fullest) break;
    give(*fullest);
  }
  return shares;
}

int distance(unsigned a, unsigned b) { return std::popcount(a ^ b); }

} // namespace

std::optional<std::size_t> assign_codes(std::vector<EventRow>& rows) {
  Shares shares = share_out(rows);
  std::vector<unsigned> used;
  for (const EventRow& row : rows)
    if (row.code != 0) used.push_back(row.code);
  for (EventRow& row : rows) {
    if (row.code != 0) continue;
    const std::size_t length = length_of(row);
    // distance in bits, membership in the coset, complement of the code
    std::optional<std::tuple<int, bool, unsigned>> best;
    for (unsigned code = 0; code < 256; ++code) {
      const auto& owner = shares.length_by_low[code & 0xFU];
      if (!may_be_code(code) || (owner ? *owner != length : shares.more[length] == 0)) continue;
      int apart = 9;
      for (const unsigned other : used) apart = std::min(apart, distance(code, other));
      if (apart > 0) best = std::max(best, std::optional(std::tuple(apart, coset_code(code >> 4) == code, 255 - code)));
    }
    if (!best) return static_cast<std::size_t>(&row - rows.data());
    row.code = static_cast<std::uint8_t>(255 - std::get<2>(*best));
    used.push_back(row.code);
    auto& owner = shares.length_by_low[row.code & 0xFU];
    if (!owner) --shares.more[length];
    owner = length;
  }
  return std::nullopt;
}

int least_distance(const Catalogue& catalogue) {
  int least = 8;
  for (const EventRow& a : catalogue.rows())
    for (const EventRow& b : catalogue.rows())
      if (a.code != b.code) least = std::min(least, distance(a.code, b.code));
  return least;
}

} // namespace hypermon
