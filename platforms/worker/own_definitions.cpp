// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/own_definitions.hpp"
#include "platforms/worker/object_file.hpp"
#include "sw/mpi/worlds.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace hypermon {
namespace {

constexpr Elf64_Sxword hidden = 0x60000005; // a tag that loaders ignore

bool defines_mpi(const ObjectFile& object) {
  bool found = false;
  object.for_each_symbol([&](std::string_view name, const Elf64_Sym& symbol) {
    found |= symbol.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && name.starts_with("MPI_");
  });
  return found;
}

} // namespace

void bind_own_definitions_first(int file) {
  const ObjectFile object(file);
  if (!defines_mpi(object)) return;
  const auto entries = object.dynamic();
  const auto flags = std::find_if(entries.begin(), entries.end(), [](const auto& e) { return e.d_tag == DT_FLAGS; });
  if (flags != entries.end()) {
    flags->d_un.d_val |= DF_SYMBOLIC;
    return;
  }
  // Linkers leave room after the entry that ends the table.
  const auto end = std::find_if(entries.begin(), entries.end(), [](const auto& e) { return e.d_tag == DT_NULL; });
  if (std::distance(end, entries.end()) > 1) end->d_tag = DT_SYMBOLIC;
}

void bind_world(int file, std::size_t program) {
  if (program == 0) return;
  const ObjectFile object(file);
  const std::string name = name_of_world(0) + '\0';
  const std::string own = name_of_world(program);
  // Names of undefined symbols are not in the object's hash table, so the name can be changed.
  for (const Elf64_Shdr& section : object.sections()) {
    if (section.sh_type != SHT_DYNSYM || section.sh_link >= object.sections().size()) continue;
    const auto names = object.contents<char>(object.sections()[section.sh_link]);
    const auto at = std::search(names.begin(), names.end(), name.begin(), name.end());
    if (at != names.end()) std::copy(own.begin(), own.end(), at);
  }
}

Destructors take_destructors(int file) {
  const ObjectFile object(file);
  Destructors found;
  for (Elf64_Dyn& entry : object.dynamic()) {
    const std::pair<Elf64_Sxword, std::uint64_t*> wanted[] = {
        {DT_FINI_ARRAY, &found.array}, {DT_FINI_ARRAYSZ, &found.bytes}, {DT_FINI, &found.last}};
    for (const auto& [tag, value] : wanted)
      if (entry.d_tag == tag) {
        *value = entry.d_un.d_val;
        entry.d_tag = hidden;
        break;
      }
  }
  return found;
}

} // namespace hypermon
