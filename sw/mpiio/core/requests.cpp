// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpiio/core/requests.hpp"

namespace hypermon::mpiio {

Requests::Requests(Access access, Strategy strategy, Limits limits)
    : access_(std::move(access)), strategy_(strategy), limits_(limits) {
  if (access_.bytes == 0) return;
  const bool is_contiguous = access_.is_contiguous_in_file();
  if (is_contiguous && access_.is_contiguous_in_memory()) strategy_ = Strategy::contiguous;
  if (strategy_ != Strategy::sieving) return;
  if (is_contiguous)
    strategy_ = Strategy::contiguous; // contiguous in the file: data sieving has no effect
  else if (!access_.in_file.is_ascending())
    strategy_ = Strategy::lists;
}

std::optional<Request> Requests::next() {
  if (done_ == access_.bytes) return std::nullopt;
  Request request;
  switch (strategy_) {
  case Strategy::contiguous:
    request = {{access_.file_run(0, access_.bytes)}, {0, access_.bytes}};
    break;
  case Strategy::pieces:
    request = next_list(1);
    break;
  case Strategy::lists:
    request = next_list(limits_.regions);
    break;
  case Strategy::datatype:
    request = next_list(most_of_datatype);
    break;
  case Strategy::sieving:
    request = next_sieved();
  }
  done_ = request.data.end;
  return request;
}

Request Requests::next_list(std::int64_t most) {
  Request request{{}, {done_, done_}};
  std::int64_t& end = request.data.end;
  std::int64_t memory_pieces = 0;
  Run memory{};
  Run file{};
  while (end < access_.bytes) {
    if (memory.bytes == 0) {
      if (memory_pieces == most) break;
      memory = access_.memory_run(end, access_.bytes);
      ++memory_pieces;
    }
    if (file.bytes == 0) {
      if (static_cast<std::int64_t>(request.regions.size()) == most) break;
      file = access_.file_run(end, access_.bytes);
      request.regions.push_back({file.offset, 0});
    }
    const std::int64_t bytes = std::min(memory.bytes, file.bytes);
    request.regions.back().bytes += bytes;
    memory.bytes -= bytes;
    file.bytes -= bytes;
    end += bytes;
  }
  return request;
}

Request Requests::next_sieved() {
  const std::int64_t begin = access_.file_run(done_, access_.bytes).offset;
  const DataRange data{done_, access_.within(begin, begin + limits_.buffer_bytes).end};
  const std::int64_t end = access_.in_file.at(access_.first + data.end - 1).offset + 1;
  return {{{begin, end - begin}}, data};
}

} // namespace hypermon::mpiio
