// SPDX-License-Identifier: BSD-3-Clause
// Broadcasts of MPICH2 1.3 (MPIR_Bcast_intra), with messages between two ranks. Below 12 KiB or 8 ranks it is a
// binomial tree. Otherwise it is a scatter along that tree and an all-gather of the pieces, by recursive doubling (2^k
// ranks, below 512 KiB) or in a ring.
#include "sw/messages/core/algorithms.hpp"

#include <algorithm>
#include <bit>
#include <memory>

namespace hypermon::messages {

Task Member::send(int to, std::int64_t bytes, const char* algorithm, int number) const {
  const auto message = std::make_shared<Message>();
  message->context = context;
  message->from = all.process(rank);
  message->to = all.process(to);
  message->tag = tag;
  message->bytes = bytes;
  message->cause = call;
  return messages.send(message, algorithm, number);
}

Task Member::receive(int from) const {
  return messages.receive(std::make_shared<Receive>(Receive{context, all.process(rank), all.process(from), tag, call}));
}

Task Member::exchange(int to, std::int64_t bytes, int from, const char* algorithm, int number) const {
  co_await step();
  AllOf both;
  both.add(send(to, bytes, algorithm, number));
  both.add(receive(from));
  co_await both;
}

namespace {

constexpr std::int64_t short_below = 12288;
constexpr std::int64_t long_from = 524288;
constexpr int tree_below_ranks = 8;

/// The message in pieces, one for each rank; the last ones are shorter or empty. Ranks are relative to the root here.
struct Pieces {
  std::int64_t bytes;
  int ranks;
  std::int64_t piece() const { return (bytes + ranks - 1) / ranks; }
  std::int64_t from(int first, int count) const {
    return std::clamp<std::int64_t>(bytes - first * piece(), 0, count * piece());
  }
};

int lowest_bit(int relative, int size) {
  return relative == 0 ? static_cast<int>(std::bit_ceil(static_cast<unsigned>(size))) : relative & -relative;
}

/// `bytes_of(relative rank, ranks under it)`: number of bytes that the rank receives.
template <class BytesOf> Task binomial(const Member& m, int root, const char* name, BytesOf bytes_of) {
  const int size = m.size();
  const int relative = (m.rank - root + size) % size;
  const int mine = lowest_bit(relative, size);
  if (relative != 0 && bytes_of(relative, mine) >= 0) co_await m.receive((m.rank - mine + size) % size);
  int number = 0;
  for (int mask = mine >> 1; mask > 0; mask >>= 1, ++number)
    if (relative + mask < size && bytes_of(relative + mask, mask) >= 0)
      co_await m.send((m.rank + mask) % size, bytes_of(relative + mask, mask), name, number);
}

Task recursive_doubling(const Member& m, int root, Pieces pieces) {
  const int size = m.size();
  const int relative = (m.rank - root + size) % size;
  int number = 0;
  for (int mask = 1; mask < size; mask <<= 1, ++number) {
    const int partner = ((relative ^ mask) + root) % size;
    co_await m.exchange(partner, pieces.from(relative & ~(mask - 1), mask), partner, "bcast/mpich_recursive_doubling",
                        number);
  }
}

Task ring(const Member& m, int root, Pieces pieces) {
  const int size = m.size();
  const int relative = (m.rank - root + size) % size;
  for (int round = 0; round + 1 < size; ++round)
    co_await m.exchange((m.rank + 1) % size, pieces.from((relative - round + size) % size, 1),
                        (m.rank - 1 + size) % size, "bcast/mpich_ring", round);
}

} // namespace

Task broadcast_mpich(const Member& m, std::int64_t bytes, int root) {
  co_await m.step();
  if (m.size() == 1) co_return;
  if (bytes < short_below || m.size() < tree_below_ranks) {
    co_await binomial(m, root, "bcast/mpich_binomial", [bytes](int, int) { return bytes; });
    co_return;
  }
  const Pieces pieces{bytes, m.size()};
  co_await binomial(m, root, "bcast/mpich_scatter", [pieces](int relative, int count) {
    const std::int64_t part = pieces.from(relative, count);
    return part > 0 ? part : -1; // no message
  });
  if (bytes < long_from && std::has_single_bit(static_cast<unsigned>(m.size())))
    co_await recursive_doubling(m, root, pieces);
  else
    co_await ring(m, root, pieces);
}

} // namespace hypermon::messages
