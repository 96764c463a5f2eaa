// SPDX-License-Identifier: BSD-3-Clause
// Functions of which this executable has a definition of its own: the one that stands behind it.
#pragma once
#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace hypermon {

/// The next definition after this executable's, of the symbol `name`. Throws std::logic_error if there is none.
template <class F> F* next_definition(const char* name) {
  void* symbol = dlsym(RTLD_NEXT, name);
  if (symbol == nullptr) throw std::logic_error(std::string(name) + ": only this executable has it");
  return reinterpret_cast<F*>(symbol);
}

} // namespace hypermon
