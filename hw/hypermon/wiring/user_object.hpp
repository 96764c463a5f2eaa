// SPDX-License-Identifier: BSD-3-Clause
// Loads a shared object with the user's SystemC modules (pbx.module, ecb.module).
#pragma once
#include <string>

namespace hypermon {

/// An interface between hypermon and a shared object: the names of its symbols.
struct UserInterface {
  const char* parameter;
  const char* macro; ///< macro with which the user's source defines the symbols
  const char* page;
  const char* function;
  const char* build_name; ///< HYPERMON_MODULES_BUILD of the object
  const char* systemc_name;
};

class UserObject {
public:
  /// Loads the file that the parameter names; an empty text names none. Throws UserError if the object has not this
  /// interface, or was built for another hypermon or another SystemC. It stays loaded, because its modules' code is
  /// needed until the end.
  UserObject(const std::string& parameter, const UserInterface& interface);

  bool empty() const { return function_ == nullptr; }
  /// "ecb.module = FILE", for errors.
  const std::string& name() const { return name_; }
  template <class Function> Function* function() const { return reinterpret_cast<Function*>(function_); }

private:
  std::string name_;
  void* function_ = nullptr;
};

} // namespace hypermon
