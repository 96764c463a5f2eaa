// SPDX-License-Identifier: BSD-3-Clause
// Parameters of SCMS/RMS's clients.
#pragma once
#include "base/choice.hpp"
#include "base/quantity.hpp"
#include "base/several.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

enum class ScmsMode : std::uint8_t { asynchronous, synchronous };
constexpr auto words_of(ScmsMode) { return words("asynchronous", "synchronous"); }
enum class ScmsClientKind : std::uint8_t { reader, scheduler, administrator, program };
constexpr auto words_of(ScmsClientKind) { return words("reader", "scheduler", "administrator", "program"); }
/// How many nodes a request names.
enum class ScmsAsk : std::uint8_t { together, one_by_one };
constexpr auto words_of(ScmsAsk) { return words("together", "one_by_one"); }
enum class ScmsArrival : std::uint8_t { periodic, random };
constexpr auto words_of(ScmsArrival) { return words("periodic", "random"); }
enum class ScmsSession : std::uint8_t { once, every_call };
constexpr auto words_of(ScmsSession) { return words("once", "every_call"); }

/// Who asks for what, how, and when.
struct ScmsClientParams {
  std::int64_t count = 1;
  ScmsClientKind kind = ScmsClientKind::reader;
  std::int64_t clients = 1;
  std::string resources;
  std::string nodes = "all";
  ScmsMode mode = ScmsMode::asynchronous;
  ScmsAsk ask = ScmsAsk::together;
  std::int64_t sma = 0;
  std::string place;
  Seconds period_s = 0;
  ScmsArrival arrival = ScmsArrival::periodic;
  std::int64_t calls = 0;
  std::int64_t outstanding = 1;
  Seconds begin_s = 0;
  Seconds end_s = 0;
  Milliseconds session_ms = 21;
  ScmsSession session = ScmsSession::once;
  Seconds timeout_s = 0;
  std::string program;
};
using ScmsClientSection = Several<ScmsClientParams>;

} // namespace hypermon
