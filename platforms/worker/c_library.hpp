// SPDX-License-Identifier: BSD-3-Clause
// Replacements of C library functions for the program. Symbols of the executable take precedence for every loaded
// object, including libstdc++. A replacement has a name of its own in C++, because the C library's name may be a macro
// or inline, and the C library's name as its symbol.
#pragma once
#include <dlfcn.h>

/// Defines the C library's function `name`; in C++ it is called own_name.
#define LIBC(result, name, ...)                                                                                        \
  extern "C" [[gnu::visibility("default"), gnu::used]] result own_##name(__VA_ARGS__) __asm__(#name);                  \
  result own_##name(__VA_ARGS__)

namespace hypermon {

/// The original function of that name in the C library.
template <class Function> Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

} // namespace hypermon
