// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/private_library.hpp"
#include "base/user_error.hpp"
#include "platforms/worker/object_file.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hypermon {
namespace {

constexpr std::string_view symbol_versions("GFORTRAN");      // prefix of its symbol versions: GFORTRAN_8, ...
constexpr std::string_view library("\0libgfortran.so.", 16); // as it appears in an object's string table

/// First position of the text at or after `from`. memmem() is fast, which matters because the whole program of each
/// rank is searched.
std::optional<std::size_t> find(std::span<const char> bytes, std::string_view text, std::size_t from = 0) {
  const void* found = memmem(bytes.data() + from, bytes.size() - from, text.data(), text.size());
  if (found == nullptr) return std::nullopt;
  return static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
}

/// The name libgfortran.so.5, if it is among the strings.
std::optional<std::string> needed(std::span<const char> bytes) {
  const auto at = find(bytes, library);
  if (!at) return std::nullopt;
  const auto name = bytes.subspan(*at + 1);
  return std::string(name.begin(), std::find(name.begin(), name.end(), '\0'));
}

/// Replaces a name by another one of the same length.
void rename(std::span<char> bytes, const std::string& name, const std::string& other) {
  const std::string_view whole(name.c_str(), name.size() + 1);
  for (auto at = find(bytes, whole); at; at = find(bytes, whole, *at + name.size()))
    std::copy(other.begin(), other.end(), bytes.begin() + static_cast<std::ptrdiff_t>(*at));
}

/// Pointer to an offset; null if the offset lies outside a possibly damaged file.
template <class T> T* at(std::span<char> bytes, std::uint64_t offset) {
  return offset <= bytes.size() && sizeof(T) <= bytes.size() - offset ? reinterpret_cast<T*>(bytes.data() + offset)
                                                                      : nullptr;
}

std::uint32_t elf_hash(std::string_view name) {
  std::uint32_t hash = 0;
  for (const char c : name) {
    hash = (hash << 4) + static_cast<unsigned char>(c);
    hash = (hash ^ (hash & 0xf0000000) >> 24) & 0x0fffffff;
  }
  return hash;
}

/// Renames a version GFORTRAN_8 to 00000001_8, in the strings that begin at `strings`, and updates its hash.
void rename_version(std::span<char> bytes, std::uint64_t strings, std::uint32_t name, std::uint32_t& hash,
                    const std::string& mark) {
  const std::uint64_t begin = strings + name;
  if (begin + mark.size() >= bytes.size()) return;
  const auto text = bytes.subspan(begin);
  const std::string_view version(text.data(),
                                 static_cast<std::size_t>(std::find(text.begin(), text.end(), '\0') - text.begin()));
  if (version.starts_with(symbol_versions)) std::copy(mark.begin(), mark.end(), text.begin());
  if (version.starts_with(mark)) hash = elf_hash(version);
}

/// Renames all gfortran symbol versions that the file defines or needs. Then the object's references do not match the
/// shared library that SimGrid also needs, which would otherwise be found first.
void rename_versions(const ObjectFile& object, const std::string& mark) {
  const auto bytes = object.bytes();
  const auto sections = object.sections();
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_link >= sections.size()) continue;
    const std::uint64_t strings = sections[section.sh_link].sh_offset;
    for (std::uint64_t place = section.sh_offset, n = section.sh_info; section.sh_type == SHT_GNU_verdef && n > 0;
         --n) {
      auto* defined = at<Elf64_Verdef>(bytes, place);
      const auto* named = defined != nullptr ? at<Elf64_Verdaux>(bytes, place + defined->vd_aux) : nullptr;
      if (named == nullptr) return;
      rename_version(bytes, strings, named->vda_name, defined->vd_hash, mark);
      place += defined->vd_next;
    }
    for (std::uint64_t place = section.sh_offset, n = section.sh_info; section.sh_type == SHT_GNU_verneed && n > 0;
         --n) {
      const auto* library_needed = at<Elf64_Verneed>(bytes, place);
      if (library_needed == nullptr) return;
      std::uint64_t inner = place + library_needed->vn_aux;
      for (int k = 0; k < library_needed->vn_cnt; ++k) {
        auto* version = at<Elf64_Vernaux>(bytes, inner);
        if (version == nullptr) return;
        rename_version(bytes, strings, version->vna_name, version->vna_hash, mark);
        inner += version->vna_next;
      }
      place += library_needed->vn_next;
    }
  }
}

/// While it exists, a copy of the library that is being loaded reads from its environment that standard output and
/// standard error are unbuffered. Its buffers would be lost in a crash; RankOutput buffers instead.
class Unbuffered {
public:
  Unbuffered() : was_set_(getenv(variable) != nullptr) { setenv(variable, "y", 0); }
  ~Unbuffered() {
    if (!was_set_) unsetenv(variable);
  }
  Unbuffered(const Unbuffered&) = delete;
  Unbuffered& operator=(const Unbuffered&) = delete;

private:
  static constexpr const char* variable = "GFORTRAN_UNBUFFERED_PRECONNECTED";
  bool was_set_;
};

/// Path at which the loader finds a library; none if it finds none.
std::string path_of(const std::string& name) {
  void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  link_map* map = nullptr;
  return handle != nullptr && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : "";
}

} // namespace

void give_private_fortran(int object) {
  const ObjectFile program(object);
  const auto name = needed(program.bytes());
  if (!name) return;
  const int in = open(path_of(*name).c_str(), O_RDONLY | O_CLOEXEC);
  if (in < 0) return;
  const ObjectFile original(in);
  close(in);
  const int out = memfd_create("libgfortran", MFD_CLOEXEC); // stays open, as the ranks' objects do (rank_loader)
  if (out < 0 || ftruncate(out, static_cast<off_t>(original.bytes().size())) != 0)
    throw UserError(*name + ": no copy for a rank: " + std::strerror(errno));
  const ObjectFile copy(out);
  if (copy.bytes().empty()) throw UserError(*name + ": no copy for a rank: " + std::strerror(errno));
  std::copy(original.bytes().begin(), original.bytes().end(), copy.bytes().begin());
  // The loader identifies a library by its name, so that the copy gets a new name, by which the object finds it.
  static int copies = 0;
  const std::string number = std::to_string(++copies);
  const std::string other = std::string(name->size() - number.size(), '0') + number;
  const std::string mark = std::string(symbol_versions.size() - number.size(), '0') + number;
  for (const ObjectFile* file : {&copy, &program}) {
    rename(file->bytes(), *name, other);
    rename_versions(*file, mark);
  }
  const Unbuffered standard_streams;
  if (dlopen(("/proc/self/fd/" + std::to_string(out)).c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
    throw UserError(*name + ": no copy for a rank: " + dlerror());
}

} // namespace hypermon
