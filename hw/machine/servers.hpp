// SPDX-License-Identifier: BSD-3-Clause
// File servers by name (section `server`): each stands at a place, is reached over one network, and keeps its files on
// a disk of its own. A request goes to the server, waits its turn, the disk does it, the reply comes back.
#pragma once
#include "hw/machine/networks.hpp"
#include "hw/machine/storage.hpp"

namespace hypermon {

class Servers {
public:
  Servers(const Spec& spec, Networks& networks);
  ~Servers();
  Servers(const Servers&) = delete;
  Servers& operator=(const Servers&) = delete;

  std::size_t count() const;
  const std::string& name(ServerId server) const;
  NetworkId network(ServerId server) const;
  const Place& place(ServerId server) const;
  /// By name. Throws UserError with `path`, the parameter that names it, and what servers there are.
  ServerId named(const std::string& name, const std::string& path) const;

  // --- from an actor -------------------------------------------------------------------------------------------------
  /// Appends to the file, which begins empty; returns when the server's acknowledgement has arrived: the bytes are on
  /// its disk then. Throws std::logic_error if the place does not reach the server's network
  /// (Places::check_reaches with network(server)).
  void write(ServerId server, const Place& from, const std::string& file, std::int64_t bytes);
  /// The next `bytes` of the file, of which each place has read none at first; fewer where the file ends. Returns how
  /// many, when the last of them has arrived.
  std::int64_t read(ServerId server, const Place& from, const std::string& file, std::int64_t bytes);
  /// The place reads the file from its beginning again.
  void rewind(ServerId server, const Place& from, const std::string& file);

  /// What the server and its disk have done.
  const StorageCounts& counts(ServerId server) const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace hypermon
