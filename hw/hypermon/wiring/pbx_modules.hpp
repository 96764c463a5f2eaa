// SPDX-License-Identifier: BSD-3-Clause
// The shared object of pbx.module.
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
  /// Loads what the parameter names; empty: nothing. Throws UserError if it is no such module, or one of another
  /// version. It stays loaded: its modules' code is needed to the end.
  explicit PbxModules(const std::string& parameter);

  bool empty() const { return bind_ == nullptr; }
  std::unique_ptr<sc_core::sc_module> bind(const PbxPlace& place) const;

private:
  std::string path_;
  void* bind_ = nullptr;
};

} // namespace hypermon
