// SPDX-License-Identifier: BSD-3-Clause
// A packet-level platform: stations on a network, and a parallel file system on them. No simulation kernel: the caller
// provides the time, is notified of requests, and advances the platform.
#pragma once
#include "hw/packets/core/clients.hpp"
#include "hw/packets/core/packet_network.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace hypermon::piosim {

struct PiosimParams {
  PacketParams packets{};
  PfsParams pfs{};
  PfsCacheParams cache{};
  PfsDiskParams disk{};
  PioCpuParams cpu{};
};

class Piosim : public PacketNetwork, public ParallelFileSystem, MessageUser, JobUser {
public:
  /// `clock` returns the time. `asked` is called when next() may return an earlier time. The first `places` stations of
  /// `graph` are the computers of programs; the others are the servers' own.
  Piosim(const PiosimParams& params, NetworkGraph graph, std::size_t places, const IoObservers& observers,
         std::function<Time()> clock, std::function<void()> asked);

  Time next() const { return events_.next(); }
  /// Processes everything that is due by then.
  void advance(Time until);
  bool has_files() const { return params_.pfs.servers > 0; }
  std::size_t stations() const { return stations_; }
  const Network& network() const { return *network_; }
  const FileClients& file_clients() const { return *files_; }
  std::uint64_t jobs() const { return processors_.jobs(); }
  std::uint64_t events() const { return events_.happened(); }

  // PacketNetwork:
  void send(Endpoint from, Endpoint to, std::int64_t bytes, OperationId cause, Done left, Done arrived) override;
  void work(Station at, std::int64_t cycles, Done done) override;
  void step(Station at, Done done) override { work(at, 1, std::move(done)); }
  InterfaceTraffic traffic(Station at) const override { return network_->traffic(at); }

  // ParallelFileSystem, only if has_files():
  FileId file(const std::string& name) override;
  void submit(FileRequest request, std::function<void(FileAnswer)> done) override;
  std::int64_t size(FileId file) const override;
  void resize(FileId file, std::int64_t bytes) override;
  void remove(FileId file) override;
  std::int64_t regions_per_request() const override { return params_.pfs.regions_per_request; }
  std::int64_t stripe_bytes() const override;

private:
  struct OutsideMessage {
    Done left{};
    Done arrived{};
  };
  void left(std::uint64_t tag) override;
  void arrived(std::uint64_t tag) override;
  void worked(std::uint64_t tag) override;
  /// Runs a request from outside the model at the current time.
  template <class Ask> void ask(Ask&& what);

  PiosimParams params_;
  std::size_t stations_;
  std::function<Time()> clock_;
  std::function<void()> asked_;
  Events events_;
  std::unique_ptr<Network> network_;
  Stations processors_;
  std::optional<FileClients> files_;
  Pool<OutsideMessage> messages_;
  Pool<Done> jobs_;
  bool advancing_ = false;
};

} // namespace hypermon::piosim
