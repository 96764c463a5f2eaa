#include "platforms/worker/own_definitions.hpp"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <span>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>

namespace hypermon {
namespace {

/// A shared object's file in memory.
class Object {
public:
  explicit Object(int file) {
    struct stat status {};
    if (fstat(file, &status) != 0 || status.st_size == 0) return;
    void* all = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (all != MAP_FAILED) bytes_ = {static_cast<char*>(all), static_cast<std::size_t>(status.st_size)};
  }
  ~Object() {
    if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
  }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  /// `count` of them from `offset`; none, if the file is shorter.
  template <class T> std::span<T> table(std::uint64_t offset, std::uint64_t count) const {
    if (offset > bytes_.size() || count > (bytes_.size() - offset) / sizeof(T)) return {};
    return {reinterpret_cast<T*>(bytes_.data() + offset), count};
  }
  std::span<Elf64_Shdr> sections() const {
    const auto header = table<Elf64_Ehdr>(0, 1);
    if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0 ||
        header[0].e_ident[EI_CLASS] != ELFCLASS64)
      return {};
    return table<Elf64_Shdr>(header[0].e_shoff, header[0].e_shnum);
  }
  template <class T> std::span<T> contents(const Elf64_Shdr& section) const {
    return table<T>(section.sh_offset, section.sh_size / sizeof(T));
  }

private:
  std::span<char> bytes_;
};

bool defines_mpi(const Object& object) {
  const auto sections = object.sections();
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_DYNSYM || section.sh_link >= sections.size()) continue;
    const auto names = object.contents<char>(sections[section.sh_link]);
    for (const Elf64_Sym& symbol : object.contents<Elf64_Sym>(section)) {
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= names.size()) continue;
      const auto name = names.subspan(symbol.st_name);
      if (std::string_view(name.data(), name.size()).starts_with("MPI_") && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC)
        return true;
    }
  }
  return false;
}

} // namespace

void bind_own_definitions_first(int file) {
  const Object object(file);
  if (!defines_mpi(object)) return;
  for (const Elf64_Shdr& section : object.sections()) {
    if (section.sh_type != SHT_DYNAMIC) continue;
    const auto entries = object.contents<Elf64_Dyn>(section);
    const auto flags = std::find_if(entries.begin(), entries.end(), [](const auto& e) { return e.d_tag == DT_FLAGS; });
    if (flags != entries.end()) {
      flags->d_un.d_val |= DF_SYMBOLIC;
      continue;
    }
    // Linkers leave room: more than the one empty entry that ends the section.
    const auto end = std::find_if(entries.begin(), entries.end(), [](const auto& e) { return e.d_tag == DT_NULL; });
    if (std::distance(end, entries.end()) > 1) end->d_tag = DT_SYMBOLIC;
  }
}

} // namespace hypermon
