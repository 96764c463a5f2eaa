// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/object_file.hpp"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace hypermon {

ObjectFile::ObjectFile(int file) {
  struct stat status {};
  if (fstat(file, &status) != 0 || status.st_size == 0) return;
  const bool writable = (fcntl(file, F_GETFL) & O_ACCMODE) == O_RDWR;
  void* all = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ | PROT_WRITE,
                   writable ? MAP_SHARED : MAP_PRIVATE, file, 0);
  if (all != MAP_FAILED) bytes_ = {static_cast<char*>(all), static_cast<std::size_t>(status.st_size)};
}

ObjectFile::~ObjectFile() {
  if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
}

std::span<Elf64_Ehdr> ObjectFile::header() const {
  const auto header = table<Elf64_Ehdr>(0, 1);
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0 ||
      header[0].e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  return header;
}

std::span<Elf64_Shdr> ObjectFile::sections() const {
  const auto h = header();
  return h.empty() ? std::span<Elf64_Shdr>{} : table<Elf64_Shdr>(h[0].e_shoff, h[0].e_shnum);
}

std::span<Elf64_Phdr> ObjectFile::segments() const {
  const auto h = header();
  return h.empty() ? std::span<Elf64_Phdr>{} : table<Elf64_Phdr>(h[0].e_phoff, h[0].e_phnum);
}

std::span<Elf64_Dyn> ObjectFile::dynamic() const {
  for (const Elf64_Phdr& segment : segments())
    if (segment.p_type == PT_DYNAMIC) return table<Elf64_Dyn>(segment.p_offset, segment.p_filesz / sizeof(Elf64_Dyn));
  return {};
}

std::string_view ObjectFile::dynamic_text(std::uint64_t offset) const {
  for (const Elf64_Dyn& entry : dynamic()) {
    if (entry.d_tag != DT_STRTAB) continue;
    for (const Elf64_Phdr& segment : segments()) {
      if (segment.p_type != PT_LOAD || entry.d_un.d_ptr < segment.p_vaddr ||
          entry.d_un.d_ptr >= segment.p_vaddr + segment.p_filesz)
        continue;
      const std::uint64_t at = entry.d_un.d_ptr - segment.p_vaddr + segment.p_offset + offset;
      if (at >= bytes_.size()) return {};
      return {bytes_.data() + at, strnlen(bytes_.data() + at, bytes_.size() - at)};
    }
  }
  return {};
}

} // namespace hypermon
