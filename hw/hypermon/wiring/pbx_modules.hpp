// SPDX-License-Identifier: BSD-3-Clause
// Loads the shared object of pbx.module.
#pragma once
#include <memory>
#include <string>

namespace sc_core {
class sc_module;
}

namespace hypermon {

struct PbxPlace;

class PbxModules {
public:
  /// Loads the shared object that the parameter names; empty: none. Throws UserError if it is no such module or has
  /// another version. It stays loaded, because its modules' code is needed until the end.
  explicit PbxModules(const std::string& parameter);

  bool empty() const { return bind_ == nullptr; }
  std::unique_ptr<sc_core::sc_module> bind(const PbxPlace& place) const;

private:
  std::string path_;
  void* bind_ = nullptr;
};

} // namespace hypermon
