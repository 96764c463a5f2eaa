// SPDX-License-Identifier: BSD-3-Clause
#include "sw/os/place.hpp"

#include <cxxabi.h>
#include <dlfcn.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace hypermon {

std::string plain_name(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? plain.get() : symbol;
}

std::string place_in_program(const void* address) {
  std::array<char, 64> text{};
  std::string name;
  Dl_info info{};
  dladdr(address, &info);
  if (info.dli_sname != nullptr) {
    std::snprintf(text.data(), text.size(), "+0x%tx ",
                  static_cast<const char*>(address) - static_cast<char*>(info.dli_saddr));
    name = plain_name(info.dli_sname) + text.data();
  }
  std::snprintf(text.data(), text.size(), "(offset 0x%tx in the program)",
                static_cast<const char*>(address) - static_cast<char*>(info.dli_fbase));
  return name + text.data();
}

} // namespace hypermon
