// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/clients/dialogue.hpp"
#include "base/json_value.hpp"
#include "base/user_error.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>

namespace hypermon::scms {
namespace {

/// Lines over a pipe.
class Lines {
public:
  explicit Lines(const Dialogue& dialogue) : dialogue_(dialogue) {}

  std::optional<std::string> read() {
    for (;;) {
      const auto end = waiting_.find('\n');
      if (end != std::string::npos) {
        std::string line = waiting_.substr(0, end);
        waiting_.erase(0, end + 1);
        return line;
      }
      std::array<char, 1 << 16> more{};
      const ssize_t got = ::read(dialogue_.in, more.data(), more.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return std::nullopt;
      waiting_.append(more.data(), static_cast<std::size_t>(got));
    }
  }
  void write(const Json& answer) const {
    const std::string line = answer.dump() + "\n";
    for (std::size_t done = 0; done < line.size();) {
      const ssize_t put = ::write(dialogue_.out, line.data() + done, line.size() - done);
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) return; // the next read reports the error
      done += static_cast<std::size_t>(put);
    }
  }

private:
  Dialogue dialogue_;
  std::string waiting_;
};

const char* name_of(State state) {
  switch (state) {
  case State::ok:
  case State::same:
    return "ok";
  case State::outside:
    return "outside";
  case State::unknown:
    return "unprovided";
  case State::failed:
    return "error";
  case State::uncached:
    return "uncached";
  case State::missing:
    break;
  }
  return "missing";
}

class Caller {
public:
  Caller(Rmi& rmi, const Plugins& plugins, std::int64_t nodes) : rmi_(rmi), plugins_(plugins), nodes_(nodes) {}

  Json answer(const Json& call) {
    const auto verb = call.at("call").get<std::string>();
    if (verb == "now") return Json::object();
    if (verb == "live_nodes") return {{"nodes", numbers(rmi_.live_nodes())}};
    if (verb == "resources") return {{"resources", plugins_.names()}};
    if (verb == "sleep") {
      Daemon& daemon = rmi_.daemon();
      daemon.sleep_until(daemon.now() + Time::from_seconds_rounded(call.at("seconds").get<double>()));
      return Json::object();
    }
    if (verb == "get") {
      const auto resources = plugins_.resources(call.at("resources").get<std::string>(), "resources");
      const auto mode = call.at("mode") == "synchronous" ? Mode::synchronous : Mode::asynchronous;
      return rows(rmi_.get(nodes(call), resources, mode));
    }
    if (verb == "load" || verb == "unload") {
      const PluginId plugin = plugins_.id(call.at("plugin").get<std::string>(), "plugin");
      return rows(verb == "load" ? rmi_.load(nodes(call), plugin) : rmi_.unload(nodes(call), plugin));
    }
    throw std::logic_error("internal error: no call of RMI: " + verb);
  }

private:
  /// Python ensures that they are ascending and unique.
  NodeSet nodes(const Json& call) const {
    std::vector<NodeId> found;
    if (call.at("nodes").is_null()) {
      for (std::int64_t n = 0; n < nodes_; ++n) found.push_back(NodeId{static_cast<std::uint32_t>(n)});
    } else {
      for (const auto& n : call.at("nodes")) {
        const auto number = n.get<std::int64_t>();
        if (number < 0 || number >= nodes_)
          throw UserError("nodes = " + std::to_string(number) + ": must be from 0 to " + std::to_string(nodes_ - 1));
        found.push_back(NodeId{static_cast<std::uint32_t>(number)});
      }
    }
    return node_set(std::move(found));
  }
  static Json numbers(const std::vector<NodeId>& nodes) {
    Json all = Json::array();
    for (const NodeId node : nodes) all.push_back(hypermon::index(node));
    return all;
  }
  Json rows(const Answer& answer) const {
    Json resources = Json::array();
    for (const Resource resource : *answer.rows.resources) resources.push_back(plugins_.name(resource));
    Json values = Json::array();
    Json taken = Json::array();
    Json states = Json::array();
    for (const Value& value : answer.rows.values) {
      const bool is_ok = value.state == State::ok || value.state == State::same;
      values.push_back(is_ok ? Json(value.value) : Json());
      taken.push_back(is_ok ? Json(value.taken.ps()) : Json());
      states.push_back(name_of(value.state));
    }
    return {{"asked_ps", answer.asked.ps()}, {"nodes", numbers(answer.rows.nodes)}, {"resources", std::move(resources)},
            {"values", std::move(values)},   {"taken_ps", std::move(taken)},        {"states", std::move(states)}};
  }

  Rmi& rmi_;
  const Plugins& plugins_;
  std::int64_t nodes_;
};

/// Reports that no answer will come, if the run ends during a call.
class Ended {
public:
  Ended(const Lines& lines, const Daemon& daemon) : lines_(lines), daemon_(daemon) {}
  ~Ended() {
    if (is_open_) lines_.write({{"ended", true}, {"now_ps", daemon_.now().ps()}});
  }
  Ended(const Ended&) = delete;
  Ended& operator=(const Ended&) = delete;
  void answered() { is_open_ = false; }

private:
  const Lines& lines_;
  const Daemon& daemon_;
  bool is_open_ = true;
};

/// From the first call: {"call": "attach", "sma": 0}.
Peer sma_of(const Json& call, const Tree& tree) {
  const auto number = call.at("sma").get<std::int64_t>();
  if (number < 0 || number >= tree.smas())
    throw UserError("sma = " + std::to_string(number) + ": there are SMAs 0 to " + std::to_string(tree.smas() - 1));
  return tree.sma(static_cast<std::uint32_t>(number));
}

} // namespace

void converse(Daemon& self, Wiring& wiring, Peer client, const Plugins& plugins, std::int64_t nodes,
              const Dialogue& dialogue) {
  Lines lines(dialogue);
  const auto next = [&] {
    const auto line = lines.read();
    if (!line) throw std::runtime_error("who drives the run has gone");
    return Json::parse(*line);
  };
  Rmi rmi(self, wiring, client, sma_of(next(), wiring.design().tree), Time{});
  Caller caller(rmi, plugins, nodes);
  for (;;) {
    const Json call = next();
    if (call.at("call") == "finish") return;
    Ended ended(lines, self);
    Json answer;
    try {
      answer = caller.answer(call);
    } catch (const UserError& error) {
      answer = {{"error", error.what()}};
    }
    ended.answered();
    answer["now_ps"] = self.now().ps();
    lines.write(answer);
  }
}

} // namespace hypermon::scms
