#include "platforms/worker/private_library.hpp"
#include "sw/model/user_error.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hypermon {
namespace {

constexpr std::string_view versions("GFORTRAN");             // of its symbols: GFORTRAN_8, ...
constexpr std::string_view library("\0libgfortran.so.", 16); // as it stands among an object's strings

/// A file's content, which changes with it.
class Mapped {
public:
  Mapped(int file, int protection, int flags) {
    struct stat status {};
    if (fstat(file, &status) != 0 || status.st_size == 0) return;
    void* all = mmap(nullptr, static_cast<std::size_t>(status.st_size), protection, flags, file, 0);
    if (all != MAP_FAILED) bytes = {static_cast<char*>(all), static_cast<std::size_t>(status.st_size)};
  }
  ~Mapped() {
    if (!bytes.empty()) munmap(bytes.data(), bytes.size());
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  std::span<char> bytes;
};

/// libgfortran.so.5, if that is among the strings.
std::optional<std::string> needed(std::span<const char> bytes) {
  const auto at = std::search(bytes.begin(), bytes.end(), library.begin(), library.end());
  if (at == bytes.end()) return std::nullopt;
  return std::string(at + 1, std::find(at + 1, bytes.end(), '\0'));
}

/// One name for another of the same length.
void rename(std::span<char> bytes, const std::string& name, const std::string& other) {
  for (auto at = bytes.begin();; at += static_cast<std::ptrdiff_t>(name.size())) {
    at = std::search(at, bytes.end(), name.c_str(), name.c_str() + name.size() + 1);
    if (at == bytes.end()) return;
    std::copy(other.begin(), other.end(), at);
  }
}

/// An offset's place, if there is one in a file that may be damaged.
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

/// GFORTRAN_8 as 00000001_8, in the strings that begin at `strings`, and its hash.
void rename_version(std::span<char> bytes, std::uint64_t strings, std::uint32_t name, std::uint32_t& hash,
                    const std::string& mark) {
  const std::uint64_t begin = strings + name;
  if (begin + mark.size() >= bytes.size()) return;
  const auto text = bytes.subspan(begin);
  const std::string_view version(text.data(),
                                 static_cast<std::size_t>(std::find(text.begin(), text.end(), '\0') - text.begin()));
  if (version.starts_with(versions)) std::copy(mark.begin(), mark.end(), text.begin());
  if (version.starts_with(mark)) hash = elf_hash(version);
}

/// All versions of symbols that the file defines or needs by gfortran's names. With others the object's references do
/// not match the library that is loaded with SimGrid, which needs it too, and would be found first.
void rename_versions(std::span<char> bytes, const std::string& mark) {
  const auto* header = at<Elf64_Ehdr>(bytes, 0);
  const auto section = [&](std::uint64_t i) { return at<Elf64_Shdr>(bytes, header->e_shoff + i * sizeof(Elf64_Shdr)); };
  for (std::uint64_t i = 0; header != nullptr && i < header->e_shnum; ++i) {
    const auto* of = section(i);
    const auto* strings = of != nullptr ? section(of->sh_link) : nullptr;
    if (strings == nullptr) return;
    for (std::uint64_t place = of->sh_offset, n = of->sh_info; of->sh_type == SHT_GNU_verdef && n > 0; --n) {
      auto* defined = at<Elf64_Verdef>(bytes, place);
      const auto* named = defined != nullptr ? at<Elf64_Verdaux>(bytes, place + defined->vd_aux) : nullptr;
      if (named == nullptr) return;
      rename_version(bytes, strings->sh_offset, named->vda_name, defined->vd_hash, mark);
      place += defined->vd_next;
    }
    for (std::uint64_t place = of->sh_offset, n = of->sh_info; of->sh_type == SHT_GNU_verneed && n > 0; --n) {
      const auto* library_needed = at<Elf64_Verneed>(bytes, place);
      if (library_needed == nullptr) return;
      std::uint64_t inner = place + library_needed->vn_aux;
      for (int k = 0; k < library_needed->vn_cnt; ++k) {
        auto* version = at<Elf64_Vernaux>(bytes, inner);
        if (version == nullptr) return;
        rename_version(bytes, strings->sh_offset, version->vna_name, version->vna_hash, mark);
        inner += version->vna_next;
      }
      place += library_needed->vn_next;
    }
  }
}

/// Where the loader finds a library; nothing if it does not.
std::string path_of(const std::string& name) {
  void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  link_map* map = nullptr;
  return handle != nullptr && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : "";
}

} // namespace

void give_private_fortran(int object) {
  const Mapped program(object, PROT_READ | PROT_WRITE, MAP_SHARED);
  const auto name = needed(program.bytes);
  if (!name) return;
  const int in = open(path_of(*name).c_str(), O_RDONLY | O_CLOEXEC);
  if (in < 0) return;
  const Mapped original(in, PROT_READ, MAP_PRIVATE);
  close(in);
  const int out = memfd_create("libgfortran", MFD_CLOEXEC); // stays open, as the ranks' objects do (rank_loader)
  if (out < 0 || ftruncate(out, static_cast<off_t>(original.bytes.size())) != 0)
    throw UserError(*name + ": no copy for a rank: " + std::strerror(errno));
  const Mapped copy(out, PROT_READ | PROT_WRITE, MAP_SHARED);
  if (copy.bytes.empty()) throw UserError(*name + ": no copy for a rank: " + std::strerror(errno));
  std::copy(original.bytes.begin(), original.bytes.end(), copy.bytes.begin());
  // The loader knows a library by the name that it has for itself: the object finds the copy by that.
  static int copies = 0;
  const std::string number = std::to_string(++copies);
  const std::string other = std::string(name->size() - number.size(), '0') + number;
  const std::string mark = std::string(versions.size() - number.size(), '0') + number;
  for (const auto bytes : {copy.bytes, program.bytes}) {
    rename(bytes, *name, other);
    rename_versions(bytes, mark);
  }
  if (dlopen(("/proc/self/fd/" + std::to_string(out)).c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
    throw UserError(*name + ": no copy for a rank: " + dlerror());
}

} // namespace hypermon
