// SPDX-License-Identifier: BSD-3-Clause
// Sections with a parameter `count`, of which a machine may have several instances: networks, servers, other programs,
// competitors. A parameter applies to all instances or to one (lan[1].name).
#pragma once
#include "base/section.hpp"
#include "base/spec.hpp"

#include <string>
#include <utility>

namespace hypermon {

/// "lan[1]", or "lan" if the instance has no parameters of its own.
template <class Params> std::string path_of(const std::string& section, const Several<Params>& all, std::size_t one) {
  return all.differing.contains(one) ? section + "[" + std::to_string(one) + "]" : section;
}

/// Error text if the instance does not exist by the section's `count`; otherwise empty.
template <class Section> std::string beyond_count(const Spec& spec, std::size_t one, const std::string& path) {
  const std::int64_t count = spec.get<Section>().count;
  return one < static_cast<std::size_t>(count) ? "" : path + " = " + std::to_string(count);
}

template <class Params>
SectionKind several(const std::string& name, const std::string& description,
                    std::string (*no_such)(const Spec&, std::size_t)) {
  SectionKind kind = section<Several<Params>>(name, description);
  kind.no_such = no_such;
  kind.each = name;
  return kind;
}

} // namespace hypermon
