// SPDX-License-Identifier: BSD-3-Clause
// A shared object's file (ELF, 64 bits) mapped into memory. Tables that the file is too short for are empty.
#pragma once
#include <elf.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace hypermon {

class ObjectFile {
public:
  /// Maps an open file. Changes are written to the file if it is open for writing.
  explicit ObjectFile(int file);
  ~ObjectFile();
  ObjectFile(const ObjectFile&) = delete;
  ObjectFile& operator=(const ObjectFile&) = delete;

  /// Empty if the file is not such an object.
  std::span<Elf64_Ehdr> header() const;
  std::span<Elf64_Shdr> sections() const;
  /// The dynamic section, up to its end.
  std::span<Elf64_Dyn> dynamic() const;
  /// A string of the dynamic section (DT_NEEDED).
  std::string_view dynamic_text(std::uint64_t offset) const;
  /// The whole file.
  std::span<char> bytes() const { return bytes_; }
  /// Calls f(name, symbol) for each dynamic symbol.
  template <class F> void for_each_symbol(F&& f) const { for_each_symbol(SHT_DYNSYM, f); }
  /// Uses the loader's table, or SHT_SYMTAB, which includes local symbols unless it was stripped.
  template <class F> void for_each_symbol(Elf64_Word table, F&& f) const {
    const auto tables = sections();
    for (const Elf64_Shdr& section : tables) {
      if (section.sh_type != table || section.sh_link >= tables.size()) continue;
      const auto names = contents<char>(tables[section.sh_link]);
      for (const Elf64_Sym& symbol : contents<Elf64_Sym>(section)) {
        if (symbol.st_name >= names.size()) continue;
        const auto name = names.subspan(symbol.st_name);
        f(std::string_view(name.data(), strnlen(name.data(), name.size())), symbol);
      }
    }
  }
  template <class T> std::span<T> contents(const Elf64_Shdr& section) const {
    return table<T>(section.sh_offset, section.sh_size / sizeof(T));
  }

private:
  template <class T> std::span<T> table(std::uint64_t offset, std::uint64_t count) const {
    if (offset > bytes_.size() || count > (bytes_.size() - offset) / sizeof(T)) return {};
    return {reinterpret_cast<T*>(bytes_.data() + offset), count};
  }
  std::span<Elf64_Phdr> segments() const;

  std::span<char> bytes_;
};

} // namespace hypermon
