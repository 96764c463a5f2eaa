// SPDX-License-Identifier: BSD-3-Clause
#include "base/json_value.hpp"
#include "hw/machine/site.hpp"
#include "sw/monitors/supermon/deployment.hpp"
#include "sw/monitors/supermon/params.hpp"
#include "sw/monitors/tau/monhole_dumps.hpp"
#include "sw/monitors/tau/monhole_result_keys.hpp"
#include "sw/monitors/tau/transports.hpp"
#include "sw/os/execution.hpp"

#include <simgrid/s4u/Semaphore.hpp>

#include <algorithm>

namespace hypermon::tau {
namespace {

/// Data of a process on their way to its mon.
struct Socket {
  std::vector<std::string> directories{}; ///< made by the process, not yet reported to a sink
  std::string file;                       ///< open file
  std::string text;                       ///< written into it
  std::size_t waiting = 0;                ///< bytes that mon has not read
  simgrid::s4u::SemaphorePtr room{};      ///< set while the process waits for room
};

class MonholeTransport final : public Transport {
public:
  MonholeTransport(const Spec& spec, ProfileLog& log, const std::string& folder)
      : params_(spec.get<SupermonParams>()), control_(spec.get<TauControlParams>(), [this] { ++news_; }),
        dumps_(log, folder, control_), supermon_(spec, &dumps_) {}

  void start(Site& site) override { supermon_.start(site); }

  // The directory does not exist on the node, so nothing is waited for: its name goes to the sinks with the profile.
  void make_directory(RankState& rank, const std::string& path) override {
    sockets_[rank.rank].directories.push_back(path);
  }
  void open(RankState& rank, const std::string& file) override {
    Socket& own = sockets_[rank.rank];
    own.file = file;
    own.text.clear();
  }
  void write(RankState& rank, const std::string&, std::string_view text) override { sockets_[rank.rank].text += text; }
  void close(RankState& rank, const std::string&, const Dump& dump) override {
    if (dump.last) send(rank, dump, ""); // it is not renamed
  }
  void rename(RankState& rank, const std::string&, const std::string& to, const Dump& dump) override {
    send(rank, dump, to);
  }

  bool takes_commands() const override { return control_.is_on(); }
  const Control* control(const RankState& rank) const override { return control_.latest_command(rank.kernel->node()); }

  void finish(Time) override {
    supermon_.finish();
    dumps_.finish();
  }
  void report(Results& results, Time, Time) const override {
    supermon_.report(results);
    supermon_.report_monholes(results);
    results.set(control_.report());
    const auto& keys = tau_supermon_keys.monhole_writes;
    results.set({keys.writes(writes_), keys.bytes(bytes_), keys.failed(failed_), keys.waited_s(waited_),
                 keys.longest_wait_s(longest_)});
  }

private:
  /// Sends the whole profile with one write into the monhole.
  void send(RankState& rank, const Dump& dump, const std::string& renamed) {
    Socket& own = sockets_[rank.rank];
    const ProfileEntry entry{rank.rank, dump.number, std::exchange(own.directories, {}), own.file, renamed, own.text};
    const auto text = std::make_shared<const std::string>(write_entry(entry));
    execution().compute(rank,
                        Time(params_.write_us) +
                            Time::from_ns_rounded(static_cast<double>(text->size()) * params_.write_ns.number),
                        WorkOf::monitor);
    const NodeId node = rank.kernel->node();
    const auto number = dumps_.send(dump);
    ++writes_;
    bytes_ += text->size();
    own.waiting += text->size();
    const auto is_off = [this, &own, bytes = text->size()] {
      own.waiting -= bytes;
      if (own.room) own.room->release();
    };
    const bool is_there = supermon_.write(node, {.source = "tau." + std::to_string(rank.rank),
                                                 .text = text,
                                                 .taken =
                                                     [this, node, number, is_off] {
                                                       is_off();
                                                       dumps_.taken(node, number);
                                                     },
                                                 .lost =
                                                     [this, number, is_off] {
                                                       is_off();
                                                       dumps_.lose(number, "socket");
                                                     }});
    if (!is_there) {
      ++failed_;
      own.waiting -= text->size();
      return dumps_.lose(number, "no_mon");
    }
    await_room(rank, own);
  }

  void await_room(RankState& rank, Socket& own) {
    const auto most =
        params_.writer_waits == SupermonWriter::taken ? 0 : static_cast<std::size_t>(params_.socket_bytes.number);
    if (own.waiting <= most) return;
    const Time begin = simgrid_now();
    execution().in_system_call(rank, "write to the monhole", [&] {
      while (own.waiting > most) {
        own.room = simgrid::s4u::Semaphore::create(0);
        own.room->acquire();
      }
      own.room = nullptr;
    });
    const Time waited = simgrid_now() - begin;
    waited_ += waited;
    longest_ = std::max(longest_, waited);
  }

  SupermonParams params_;
  MonholeControl control_;
  MonholeDumps dumps_;
  supermon::Deployment supermon_;
  std::map<int, Socket> sockets_; // by rank
  std::uint64_t writes_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t failed_ = 0;
  Time waited_;
  Time longest_;
};

} // namespace

std::unique_ptr<Transport> make_monhole_transport(const MonitorSetting& setting, ProfileLog& log) {
  return std::make_unique<MonholeTransport>(setting.spec, log, setting.directory);
}

} // namespace hypermon::tau
