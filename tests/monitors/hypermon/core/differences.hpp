// SPDX-License-Identifier: BSD-3-Clause
// The oracle's result against a board's, the conservation laws, and words for what differs.
#pragma once
#include "tests/monitors/hypermon/core/oracle.hpp"
#include <sstream>
#include <string>
#include <tuple>

namespace hypermon::testing {

inline std::string text(const DeliveredFrame& d) {
  std::ostringstream to;
  to << std::hex << "vector " << d.frame.vector;
  if (d.frame.stamped) to << std::dec << " timestamp " << d.frame.timestamp << std::hex;
  for (std::size_t i = 0; i < max_inputs; ++i)
    if (d.frame.data[i] != 0) to << " [" << std::dec << i << "] " << std::hex << d.frame.data[i];
  to << std::dec << " read at " << d.read_end.ps() << " ps";
  return to.str();
}
inline std::string text(const Loss& loss) {
  constexpr std::array names{"aliasing", "node overrun", "window lost", "frame lost"};
  std::ostringstream to;
  to << names.at(static_cast<std::size_t>(loss.cause)) << " of strobe " << loss.sequence << " of input " << loss.input
     << " at " << loss.time.ps() << " ps";
  return to.str();
}
inline std::string text(const Counts& c) {
  std::ostringstream to;
  to << "strobes " << c.strobes << " aliasing " << c.aliasing << " node_overruns " << c.node_overruns
     << " windows_lost " << c.windows_lost << " discarded " << c.discarded << " accumulating " << c.accumulating
     << " frames_built " << c.frames_built << " merged " << c.merged << " frames_lost " << c.frames_lost << " drained "
     << c.drained << " frames_in_fifo " << c.frames_in_fifo << " peak " << c.peak_frame_fifo << " first_overrun "
     << (c.first_overrun ? std::to_string(c.first_overrun->ps()) : "none") << " end " << c.end.ps();
  return to.str();
}

/// Losses as a set: in which order a board names them is not part of the contract.
inline void sort(std::vector<Loss>& losses) {
  std::sort(losses.begin(), losses.end(), [](const Loss& a, const Loss& b) {
    return std::tuple(a.input, a.sequence) < std::tuple(b.input, b.sequence);
  });
}

/// Empty if equal; otherwise the first difference.
template <class T>
std::string difference(const std::string& what, const std::vector<T>& board, const std::vector<T>& contract) {
  const auto [b, c] = std::mismatch(board.begin(), board.end(), contract.begin(), contract.end());
  if (b == board.end() && c == contract.end()) return {};
  return what + " " + std::to_string(b - board.begin()) + "\n  contract: " + (c == contract.end() ? "none" : text(*c)) +
         "\n  board:    " + (b == board.end() ? "none" : text(*b)) + "\n";
}
/// Difference of the true times at which the frames were captured, for frames that are otherwise equal.
inline std::string difference_in_capture(const std::vector<DeliveredFrame>& board,
                                         const std::vector<DeliveredFrame>& contract) {
  for (std::size_t i = 0; i < board.size() && i < contract.size(); ++i)
    if (board[i].captured != contract[i].captured)
      return "frame " + std::to_string(i) + ": captured at " + std::to_string(board[i].captured.ps()) +
             " ps, by the contract at " + std::to_string(contract[i].captured.ps()) + " ps\n";
  return {};
}
inline std::string difference(const Counts& board, const Counts& contract) {
  if (board == contract) return {};
  return "counts\n  contract: " + text(contract) + "\n  board:    " + text(board) + "\n";
}
/// Both with sorted losses.
template <class Result> std::string difference(const Result& board, const oracle::Result& contract) {
  return difference("frame", board.frames, contract.frames) + difference("loss", board.losses, contract.losses) +
         difference(board.counts, contract.counts);
}

/// Violated invariant (spec sec. 4, docs/design/section6.md) at the end of a run; empty if all hold. The losses are
/// sorted. A result itself only says how many frames it built without a word.
inline std::string broken_law(const oracle::Result& result, std::span<const Burst> bursts, const PortParams& port,
                              const EcbParams& ecb) {
  const auto width = static_cast<std::size_t>(port.width_bits);
  const std::uint64_t data_per_word = ecb.accumulate_bits == 0 ? 1 : 32 / width;
  const Counts& c = result.counts;
  const std::uint64_t words_built = c.merged + c.frames_built - result.empty_frames_built;
  if (words_built != result.words_built) return "merged: words of built frames less those frames";
  if (c.strobes != data_per_word * (words_built + c.aliasing + c.node_overruns + c.discarded) + c.accumulating)
    return "strobes = words built, aliased, overrun and discarded, and data accumulating";
  if (c.frames_built != c.frames_lost + c.drained + c.frames_in_fifo)
    return "frames built = lost + drained + in the FIFO";

  // "Delivered nibbles, per node and in order, are the node's strobes less those counted lost."
  std::array<std::vector<std::uint32_t>, max_inputs> strobed;
  const std::size_t bytes = (width + 7) / 8;
  for (const Burst& b : bursts)
    for (std::size_t j = 0; j < b.data.size(); j += bytes) {
      std::uint32_t datum = 0;
      for (std::size_t k = bytes; k-- > 0;) datum = datum << 8 | b.data[j + k];
      strobed[b.input].push_back(width == 4 ? datum & 0xF : datum);
    }
  std::array<std::vector<bool>, max_inputs> lost;
  for (std::size_t i = 0; i < max_inputs; ++i) lost[i].resize(strobed[i].size());
  for (const Loss& loss : result.losses) {
    if (lost[loss.input][loss.sequence]) return "a strobe is lost once: " + text(loss);
    lost[loss.input][loss.sequence] = true;
  }
  std::array<std::size_t, max_inputs> next{};
  for (const DeliveredFrame& d : result.frames)
    for (std::uint32_t i = 0; i < max_inputs; ++i) {
      if (!d.frame.has(i)) continue;
      while (next[i] < lost[i].size() && lost[i][next[i]]) ++next[i];
      std::uint32_t word = 0;
      for (std::uint64_t j = 0; j < data_per_word; ++j, ++next[i]) {
        if (next[i] >= strobed[i].size() || lost[i][next[i]]) return "a word that was not strobed: " + text(d);
        word |= strobed[i][next[i]] << (j * width);
      }
      if (word != d.frame.data[i]) return "data delivered in order: " + text(d);
    }
  std::uint64_t undelivered = 0;
  for (std::size_t i = 0; i < max_inputs; ++i)
    for (; next[i] < strobed[i].size(); ++next[i]) undelivered += lost[i][next[i]] ? 0 : 1;
  if (undelivered != c.accumulating) return "what is neither delivered nor lost is accumulating";

  if (ecb.timestamp_policy == TimestampPolicy::every && ecb.timestamp_bits >= 40)
    for (std::size_t i = 1; i < result.frames.size(); ++i)
      if (result.frames[i].frame.timestamp <= result.frames[i - 1].frame.timestamp) return "timestamps increase";
  return {};
}

} // namespace hypermon::testing
