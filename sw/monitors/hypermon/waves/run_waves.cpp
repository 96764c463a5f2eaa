// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hypermon/waves/run_waves.hpp"
#include "base/user_error.hpp"
#include "sw/monitors/hypermon/waves/module_signals.hpp"

namespace hypermon {

namespace {

Time ps(const Json& json, const char* key) { return Time::from_ps(json.at(key).get<std::int64_t>()); }

WaveTrigger trigger_of(const Json& json, const Spec& spec) {
  if (json.contains("difference")) return {.difference = true};
  std::optional<std::string> cause;
  std::optional<std::uint64_t> above;
  std::optional<std::pair<std::uint32_t, std::string>> event;
  if (json.contains("cause")) cause = json["cause"].get<std::string>();
  if (json.contains("above")) above = json["above"].get<std::uint64_t>();
  if (const Json* named = json.find("event"))
    event = {(*named)[0].get<std::uint32_t>(), (*named)[1].get<std::string>()};
  return wave_trigger(spec, cause, above, event);
}

} // namespace

WaveRequest wave_request(const Json& json, const Spec& spec, std::string path) {
  try {
    WaveRequest request{std::move(path), {}, {}, {}, {}, {}, {}};
    if (!has_waves_of_modules(spec)) {
      request.wanted = json.at("wanted").get<std::vector<bool>>();
      if (request.wanted.size() != signals_of(spec).size()) throw UserError("waves: signals of another machine");
    }
    if (json.at("trigger").is_null()) {
      request.from = ps(json, "from_ps");
      request.to = ps(json, "to_ps");
    } else {
      request.trigger = trigger_of(json["trigger"], spec);
      request.pre = ps(json, "pre_ps");
      request.post = ps(json, "post_ps");
    }
    return request;
  } catch (const JsonError& e) {
    throw UserError(std::string("waves: ") + e.what());
  } catch (const std::invalid_argument& e) {
    throw UserError(std::string("waves: ") + e.what());
  }
}

Json waves_written(const WaveCapture& capture) {
  const auto& written = capture.written();
  if (!written) return nullptr;
  const auto& trigger = written->trigger;
  return {{"from_ps", written->from.ps()},
          {"to_ps", written->to.ps()},
          {"marker_ps", trigger ? Json(trigger->time.ps()) : Json()},
          {"board", trigger ? Json(trigger->board) : Json()},
          {"transitions", written->transitions}};
}

} // namespace hypermon
