// SPDX-License-Identifier: BSD-3-Clause
// Finds the library's definition of a function that this executable defines, too.
#pragma once
#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace hypermon {

/// The next definition of the symbol `name` after this executable's. Throws std::logic_error if there is none.
template <class F> F* next_definition(const char* name) {
  void* symbol = dlsym(RTLD_NEXT, name);
  if (symbol == nullptr) throw std::logic_error(std::string(name) + ": only this executable has it");
  return reinterpret_cast<F*>(symbol);
}

} // namespace hypermon
