// SPDX-License-Identifier: BSD-3-Clause
// The C library's functions as the program finds them. The executable's symbols come first for every object that is
// loaded, libstdc++ among them: what it defines, under a name of ours with the C library's as its symbol (that one may
// be a macro or inline), is what the program calls.
#pragma once
#include <dlfcn.h>

/// `result name(parameters)` defined as the C library's function `name`; here it is own_name.
#define LIBC(result, name, ...)                                                                                        \
  extern "C" [[gnu::visibility("default"), gnu::used]] result own_##name(__VA_ARGS__) __asm__(#name);                  \
  result own_##name(__VA_ARGS__)

namespace hypermon {

/// The C library's function of that name.
template <class Function> Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

} // namespace hypermon
