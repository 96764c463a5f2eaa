// SPDX-License-Identifier: BSD-3-Clause
// A user's client: a shared object (sw/include/hypermon_rmi.h).
#pragma once
#include "sw/monitors/scms/clients/params.hpp"
#include "sw/monitors/scms/plugins/plugins.hpp"
#include "sw/monitors/scms/rmi.hpp"

#include <string>

struct hypermon_rmi;

namespace hypermon::scms {

class OwnClient {
public:
  /// `log`: file for its output. Throws UserError with `path`, the parameter that names the object, if the object is
  /// not a client.
  OwnClient(const std::string& file, const std::string& path, std::string log);

  /// Call in a daemon's body. Returns the client's return value. Throws UserError if it crashes.
  int run(Daemon& self, Wiring& wiring, Peer client, const Plugins& plugins, const ScmsClientParams& params,
          std::int64_t nodes) const;

private:
  std::string path_;
  std::string file_;
  std::string log_;
  int (*client_)(const hypermon_rmi*) = nullptr;
};

} // namespace hypermon::scms
