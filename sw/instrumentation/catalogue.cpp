// SPDX-License-Identifier: BSD-3-Clause
#include "sw/instrumentation/catalogue.hpp"
#include <algorithm>
#include <bit>
#include <cstring>

namespace hypermon {

static_assert(std::endian::native == std::endian::little, "pack and unpack copy arguments as they lie in memory");

namespace {
constexpr std::size_t header_bytes = 3; // code and delta
constexpr std::size_t record_bytes = max_hardware_nibbles / 2;

/// The row of the point with the same number.
EventRow nx2_row(Point point, std::vector<Argument> arguments) {
  const PointInfo info = info_of(point);
  const std::string name = info.name.substr(info.name.find('.') + 1);
  const std::uint8_t code = point == Point::user ? 0x42 : coset_code(static_cast<unsigned>(index(point)));
  return {name, point, info.event_class, code, std::move(arguments)};
}

std::vector<EventRow> nx2_rows() {
  const std::vector<Argument> message{{Item::peer_and_length, 4}};
  const std::vector<Argument> call{{Item::call, 4}};
  const std::vector<Argument> process{{Item::process, 4}};
  return {nx2_row(Point::process_start, {{Item::process, 4}, {Item::program, 4}, {Item::nodes, 4}}),
          nx2_row(Point::process_end, {{Item::status, 1}}),
          nx2_row(Point::tick, {{Item::left, 4}, {Item::entered, 4}}),
          nx2_row(Point::syscall_entry, call),
          nx2_row(Point::syscall_exit, call),
          nx2_row(Point::send_start, message),
          nx2_row(Point::request_sent, message),
          nx2_row(Point::switch_out, process),
          nx2_row(Point::switch_in, process),
          nx2_row(Point::grant_received, message),
          nx2_row(Point::dma_done, message),
          nx2_row(Point::receive_posted, {{Item::peer, 4}}),
          nx2_row(Point::message_arrived, message),
          nx2_row(Point::request_arrived, message),
          nx2_row(Point::grant_sent, message),
          nx2_row(Point::data_done, message),
          nx2_row(Point::user, {{Item::value, 1}})};
}

bool is_regular(const EventRow& row) {
  const auto& arguments = row.arguments;
  if (arguments.size() == 1 && arguments[0].bytes == 1) return true;
  for (const Argument& a : arguments)
    if (a.bytes != 4) return false;
  return !arguments.empty();
}
} // namespace

std::uint8_t coset_code(unsigned high) {
  const unsigned low = high ^ 0xCU ^ ((std::popcount(high) & 1) != 0 ? 0xFU : 0U);
  return static_cast<std::uint8_t>(high << 4 | low);
}

Catalogue::Catalogue(std::string name, std::vector<EventRow> rows) : rows_(std::move(rows)), name_(std::move(name)) {
  entry_by_code_.fill(no_code);
  nibbles_by_first_.fill(8);
  type_by_point_.fill(no_type);
  for (std::size_t type = 0; type < rows_.size(); ++type) {
    const EventRow& row = rows_[type];
    const auto nibbles = static_cast<std::uint8_t>(row.hardware_nibbles());
    entry_by_code_[row.code] = static_cast<std::uint16_t>(type | (is_regular(row) ? 0U : irregular));
    nibbles_by_first_[row.code & 0xFU] = nibbles;
    nibbles_by_type_[type] = nibbles;
    code_by_type_[type] = row.code;
    type_by_point_[hypermon::index(row.point)] = static_cast<std::uint8_t>(type);
    Row& encoding = encodings_.emplace_back();
    encoding.data_bytes = static_cast<std::uint8_t>(row.data_bytes());
    encoding.cost = Time::from_ns_rounded(row.cost_us * 1e3);
    for (const Argument& a : row.arguments) {
      encoding.items[encoding.arguments] = a.item;
      encoding.bytes[encoding.arguments] = a.bytes;
      encoding.masks[encoding.arguments++] = 0xFFFFFFFFU >> (32 - 8 * a.bytes);
    }
  }
}

const Catalogue& Catalogue::nx2() {
  static const Catalogue catalogue("nx2", nx2_rows());
  return catalogue;
}

std::optional<EventType> Catalogue::type_named(std::string_view name) const {
  const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const EventRow& row) { return row.name == name; });
  if (found == rows_.end()) return std::nullopt;
  return static_cast<EventType>(found - rows_.begin());
}

void Catalogue::pack(const Event& event, Words& words) const {
  const Row& row = encodings_[hypermon::index(event.type)];
  std::array<std::uint8_t, record_bytes> record{};
  std::uint8_t* at = record.data() + header_bytes;
  for (std::size_t i = 0; i < row.arguments; at += row.bytes[i++]) std::memcpy(at, &event.args[i], row.bytes[i]);
  std::memcpy(words.data(), record.data(), record.size());
}

bool Catalogue::unpack(const Words& words, Event& event) const {
  const Row& row = encodings_[hypermon::index(event.type)];
  std::array<std::uint8_t, record_bytes> record{};
  std::memcpy(record.data(), words.data(), record.size());
  const std::uint8_t* at = record.data() + header_bytes;
  event.args = {};
  for (std::size_t i = 0; i < row.arguments; at += row.bytes[i++]) std::memcpy(&event.args[i], at, row.bytes[i]);
  const std::uint8_t* const end = record.data() + nibbles(event.type) / 2;
  for (; at != end; ++at)
    if (*at != 0) return false;
  return true;
}

} // namespace hypermon
