// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>

namespace hypermon {

/// The address range of a loaded object.
struct LoadedObject {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool contains(const void* address) const {
    const auto a = reinterpret_cast<std::uintptr_t>(address);
    return a >= begin && a < end;
  }
  std::uintptr_t offset_of(const void* address) const { return reinterpret_cast<std::uintptr_t>(address) - begin; }
};

} // namespace hypermon
