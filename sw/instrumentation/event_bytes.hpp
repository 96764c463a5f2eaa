// SPDX-License-Identifier: BSD-3-Clause
// An event as plain bytes without a time: the code of its type, then its arguments, each least significant byte first.
#pragma once
#include "sw/instrumentation/catalogue.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace hypermon {

inline constexpr std::size_t max_event_bytes = 1 + 4 * max_arguments;

struct EventBytes {
  std::array<std::uint8_t, max_event_bytes> bytes{};
  std::uint32_t count = 0;
  std::span<const std::uint8_t> data() const { return {bytes.data(), count}; }
};

inline EventBytes encode_bytes(const Event& event, const Catalogue& catalogue) {
  EventBytes all;
  all.bytes[all.count++] = catalogue.code(event.type);
  const auto& arguments = catalogue.row(event.type).arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    for (std::uint32_t byte = 0; byte < arguments[i].bytes; ++byte)
      all.bytes[all.count++] = static_cast<std::uint8_t>(event.args[i] >> (8 * byte));
  return all;
}

/// None if the bytes are not an event: unknown code, too few bytes, or nonzero bytes after the event.
inline std::optional<Event> decode_bytes(std::span<const std::uint8_t> bytes, const Catalogue& catalogue) {
  if (bytes.empty() || !catalogue.has_code(bytes[0])) return std::nullopt;
  Event event{static_cast<EventType>(catalogue.entry(bytes[0]) & 0xFF), {}};
  if (bytes.size() < catalogue.data_bytes(event.type)) return std::nullopt;
  std::size_t at = 1;
  const auto& arguments = catalogue.row(event.type).arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    for (std::uint32_t byte = 0; byte < arguments[i].bytes; ++byte)
      event.args[i] |= static_cast<std::uint32_t>(bytes[at++]) << (8 * byte);
  for (; at < bytes.size(); ++at)
    if (bytes[at] != 0) return std::nullopt;
  return event;
}

} // namespace hypermon
