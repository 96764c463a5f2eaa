// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/clients/own_client.hpp"
#include "base/plain_number.hpp"
#include "base/user_error.hpp"
#include "sw/include/hypermon_rmi.h"
#include "sw/monitors/scms/plugins/guard.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace hypermon::scms {
namespace {

/// RMI as the object sees it. Its calls leave the guard around the object's code.
struct Calls : hypermon_rmi {
  Rmi& rmi;
  const Plugins& plugins;
  const std::string& log;
  Guard guard{};

  static Calls& from(const hypermon_rmi* self) {
    return *const_cast<Calls*>(static_cast<const Calls*>(self)); // made below, not const
  }
};

NodeSet set_of(const std::uint32_t* nodes, std::size_t count) {
  std::vector<NodeId> found;
  for (std::size_t n = 0; n < count; ++n) {
    if (n > 0 && nodes[n] <= nodes[n - 1]) throw PluginCrash{"asks for nodes that are not ascending, each once", false};
    found.push_back(NodeId{nodes[n]});
  }
  return node_set(std::move(found));
}

std::uint32_t state_of(State state) {
  switch (state) {
  case State::ok:
  case State::same:
    return HYPERMON_RMI_OK;
  case State::outside:
    return HYPERMON_RMI_OUTSIDE;
  case State::unknown:
    return HYPERMON_RMI_UNKNOWN;
  case State::failed:
    return HYPERMON_RMI_ERROR;
  case State::uncached:
    return HYPERMON_RMI_UNCACHED;
  case State::missing:
    break;
  }
  return HYPERMON_RMI_MISSING;
}

std::int64_t now_ps(const hypermon_rmi* self) { return Calls::from(self).rmi.daemon().now().ps(); }

void wait(const hypermon_rmi* self, double seconds) {
  if (!(seconds >= 0) || seconds > 1e6) throw PluginCrash{"sleeps for no time from 0 to 1e6 s", false};
  Daemon& daemon = Calls::from(self).rmi.daemon();
  Calls::from(self).guard.outside([&] { daemon.sleep_until(daemon.now() + Time::from_seconds_rounded(seconds)); });
}

std::size_t live_nodes(const hypermon_rmi* self, std::uint32_t* nodes, std::size_t room) {
  const auto live = Calls::from(self).guard.outside([&] { return Calls::from(self).rmi.live_nodes(); });
  for (std::size_t n = 0; n < std::min(room, live.size()); ++n) nodes[n] = hypermon::index(live[n]);
  return live.size();
}

int resource_named(const hypermon_rmi* self, const char* name, std::uint64_t* found) {
  try {
    *found = static_cast<std::uint64_t>(Calls::from(self).plugins.resources(name, "resource")->front());
    return 1;
  } catch (const UserError&) {
    return 0;
  }
}

void get(const hypermon_rmi* self, const std::uint32_t* nodes, std::size_t node_count, const std::uint64_t* resources,
         std::size_t resource_count, hypermon_rmi_mode mode, hypermon_rmi_value* values) {
  if (node_count == 0 || resource_count == 0) return;
  std::vector<Resource> wanted;
  for (std::size_t r = 0; r < resource_count; ++r) wanted.push_back(static_cast<Resource>(resources[r]));
  NodeSet asked = set_of(nodes, node_count);
  const Answer answer = Calls::from(self).guard.outside([&] {
    return Calls::from(self).rmi.get(asked, resource_vector(std::move(wanted)),
                                     mode == HYPERMON_RMI_SYNCHRONOUS ? Mode::synchronous : Mode::asynchronous);
  });
  for (std::size_t v = 0; v < answer.rows.values.size(); ++v) {
    const Value& own = answer.rows.values[v];
    values[v] = {own.value, own.taken.ps(), state_of(own.state), static_cast<std::uint32_t>(own.bytes)};
  }
}

int manage(const hypermon_rmi* self, Answer (Rmi::*verb)(NodeSet, PluginId), const char* plugin,
           const std::uint32_t* nodes, std::size_t count, std::uint32_t* states) {
  PluginId id = 0;
  try {
    id = Calls::from(self).plugins.id(plugin, "plug-in");
  } catch (const UserError&) {
    return 0;
  }
  if (count == 0) return 1;
  NodeSet asked = set_of(nodes, count);
  const Answer answer = Calls::from(self).guard.outside([&] { return (Calls::from(self).rmi.*verb)(asked, id); });
  for (std::size_t n = 0; n < count; ++n) states[n] = state_of(answer.rows.row(n).front().state);
  return 1;
}

int load(const hypermon_rmi* self, const char* plugin, const std::uint32_t* nodes, std::size_t count,
         std::uint32_t* states) {
  return manage(self, &Rmi::load, plugin, nodes, count, states);
}

int unload(const hypermon_rmi* self, const char* plugin, const std::uint32_t* nodes, std::size_t count,
           std::uint32_t* states) {
  return manage(self, &Rmi::unload, plugin, nodes, count, states);
}

void say(const hypermon_rmi* self, const char* text) {
  std::ofstream log(Calls::from(self).log, std::ios::app);
  log << plain_number(Calls::from(self).rmi.daemon().now().seconds()) << " s: " << text << '\n';
}

} // namespace

OwnClient::OwnClient(const std::string& file, const std::string& path, std::string log)
    : path_(path), file_(file), log_(std::move(log)) {
  void* const object = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) throw UserError(path + " = " + file + ": cannot be loaded: " + dlerror());
  client_ = reinterpret_cast<int (*)(const hypermon_rmi*)>(dlsym(object, "hypermon_rmi_client"));
  if (client_ == nullptr) throw UserError(path + " = " + file + ": has no hypermon_rmi_client() (hypermon_rmi.h)");
}

int OwnClient::run(Daemon& self, Wiring& wiring, Peer client, const Plugins& plugins, const ScmsClientParams& params,
                   std::int64_t nodes) const {
  self.sleep_until(params.begin_s);
  const Tree& tree = wiring.design().tree;
  Rmi rmi(self, wiring, client, tree.sma(static_cast<std::uint32_t>(params.sma)), params.timeout_s);
  self.sleep_until(self.now() + Time(params.session_ms));
  Calls calls{{HYPERMON_RMI_VERSION, static_cast<std::uint32_t>(nodes), now_ps, wait, live_nodes, resource_named, get,
               load, unload, say},
              rmi,
              plugins,
              log_};
  int status = 0;
  try {
    calls.guard.run([&] { status = client_(&calls); });
  } catch (const PluginCrash& crash) {
    throw UserError(path_ + " = " + file_ + ": " + (crash.is_signal ? "crashed: " : "failed: ") + crash.what + " at " +
                    plain_number(self.now().seconds()) + " s");
  }
  return status;
}

} // namespace hypermon::scms
