// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/emission_recorder.hpp"
#include "base/json_value.hpp"
#include "base/text_file.hpp"

#include <algorithm>
#include <stdexcept>

namespace hypermon {

namespace {
std::filesystem::path made(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  return folder;
}
} // namespace

EmissionRecorder::EmissionRecorder(const std::filesystem::path& folder)
    : folder_(made(folder)), node_(folder / "node.npy"), first_ps_(folder / "first_ps.npy"),
      spacing_ps_(folder / "spacing_ps.npy"), message_(folder / "message.npy"), side_(folder / "side.npy"),
      bytes_(folder / "bytes.npy"), data_(folder / "data.npy") {}

void EmissionRecorder::add(NodeId node, Time first, Time spacing, std::span<const std::uint8_t> data,
                           std::uint64_t message, MessageSide side) {
  if (data.size() > most_bytes) throw std::logic_error("internal error: an event too long to be recorded");
  Row& row = pending_.emplace_back();
  row.first = first;
  row.spacing = spacing;
  row.message = message;
  row.node = static_cast<std::uint16_t>(index(node));
  row.side = side;
  row.bytes = static_cast<std::uint8_t>(data.size());
  std::copy(data.begin(), data.end(), row.data.begin());
}

void EmissionRecorder::advance(Time horizon) {
  const auto later =
      std::stable_partition(pending_.begin(), pending_.end(), [&](const Row& row) { return row.first < horizon; });
  std::stable_sort(pending_.begin(), later);
  for (auto row = pending_.begin(); row != later; ++row) {
    node_.append(row->node);
    first_ps_.append(row->first.ps());
    spacing_ps_.append(row->spacing.ps());
    message_.append(row->message);
    side_.append(static_cast<std::uint8_t>(row->side));
    bytes_.append(row->bytes);
    data_.append(std::span(row->data).first(row->bytes));
  }
  pending_.erase(pending_.begin(), later);
}

void EmissionRecorder::close() {
  advance(Time::never());
  node_.close();
  first_ps_.close();
  spacing_ps_.close();
  message_.close();
  side_.close();
  bytes_.close();
  data_.close();
}

void EmissionRecorder::measured(Time begin, Time end, Time program_end) const {
  write_text(folder_ / "measured.json", [&](std::ostream& file) {
    file << Json{{"begin_ps", begin.ps()}, {"end_ps", end.ps()}, {"program_end_ps", program_end.ps()}} << '\n';
  });
}

} // namespace hypermon
