// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpiio/core/stream.hpp"

namespace hypermon::mpiio {

Stream::Stream(LayoutPointer element, std::int64_t origin)
    : element_(std::move(element)), origin_(origin),
      is_dense_(element_->pieces() == 1 && element_->size() == element_->extent()),
      is_ascending_(element_->is_ascending() && element_->extent() >= element_->end() - element_->begin()) {}

Run Stream::at(std::int64_t byte) const {
  if (is_dense_) return {origin_ + element_->begin() + byte, std::numeric_limits<std::int64_t>::max() / 4};
  const std::int64_t k = byte / element_->size();
  const Run run = element_->at(byte - k * element_->size());
  return {run.offset + origin_ + k * element_->extent(), run.bytes};
}

std::int64_t Stream::below(std::int64_t offset) const {
  const std::int64_t from_first = offset - origin_ - element_->begin();
  if (from_first <= 0 || element_->size() == 0) return 0;
  if (is_dense_) return from_first;
  const std::int64_t k = from_first / element_->extent(); // the elements before the k-th are completely below it
  return k * element_->size() + element_->below(offset - origin_ - k * element_->extent());
}

std::int64_t Stream::pieces_until(std::int64_t byte) const {
  const Layout& e = *element_;
  const bool touches = e.extent() + e.front() == e.back();
  const std::int64_t k = byte / e.size();
  const std::int64_t rest = byte - k * e.size();
  const std::int64_t whole = k * e.pieces() - (touches && k > 0 ? k - 1 : 0);
  return whole + e.pieces_until(rest) - (touches && k > 0 && rest > 0 ? 1 : 0);
}

std::int64_t Stream::pieces(std::int64_t begin, std::int64_t end) const {
  if (begin >= end || element_->size() == 0) return 0;
  if (is_dense_) return 1;
  const bool within = begin > 0 && at(begin - 1).offset + 1 == at(begin).offset;
  return pieces_until(end) - pieces_until(begin) + (within ? 1 : 0);
}

Run next_run(const Stream& stream, std::int64_t begin, std::int64_t end) {
  Run run = stream.at(begin);
  run.bytes = std::min(run.bytes, end - begin);
  for (std::int64_t at = begin + run.bytes; at < end; at = begin + run.bytes) {
    const Run next = stream.at(at);
    if (next.offset != run.offset + run.bytes) break;
    run.bytes += std::min(next.bytes, end - at);
  }
  return run;
}

} // namespace hypermon::mpiio
