// SPDX-License-Identifier: BSD-3-Clause
// A shared object's file (ELF, 64 bits) in memory: its tables, each empty if the file is too short for it.
#pragma once
#include <elf.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace hypermon {

class ObjectFile {
public:
  /// Of an open file; what is changed here changes the file if it is open for writing, too.
  explicit ObjectFile(int file);
  ~ObjectFile();
  ObjectFile(const ObjectFile&) = delete;
  ObjectFile& operator=(const ObjectFile&) = delete;

  /// Empty if the file is none.
  std::span<Elf64_Ehdr> header() const;
  std::span<Elf64_Shdr> sections() const;
  /// The loader's table, up to its end.
  std::span<Elf64_Dyn> dynamic() const;
  /// A text of that table (DT_NEEDED).
  std::string_view dynamic_text(std::uint64_t offset) const;
  /// All of it.
  std::span<char> bytes() const { return bytes_; }
  /// Calls f(name, symbol) for each one that the loader knows.
  template <class F> void for_each_symbol(F&& f) const { for_each_symbol(SHT_DYNSYM, f); }
  /// Of the loader's table, or of SHT_SYMTAB, which has local ones, too, unless it was stripped.
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
