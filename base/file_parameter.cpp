// SPDX-License-Identifier: BSD-3-Clause
#include "base/file_parameter.hpp"
#include "base/sha256.hpp"
#include "base/user_error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace hypermon {
namespace {

constexpr std::string_view mark = "@sha256:";
constexpr std::size_t digits = 64;
/// Read when the process begins, because a program's surroundings later hide the host's environment.
const std::string home = [] {
  const char* const home = std::getenv("HOME");
  return std::string(home == nullptr ? "" : home);
}();

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

std::string digest_of(const std::string& parameter, const std::string& path) {
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
  const auto unreadable = [&] {
    return UserError(parameter + " = " + path + ": cannot be read: " + std::strerror(errno));
  };
  if (!file) throw unreadable();
  Sha256 digest;
  std::array<unsigned char, 1 << 16> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), file.get())) digest.add({buffer.data(), n});
  if (std::ferror(file.get()) != 0) throw unreadable();
  return digest.hex();
}

} // namespace

std::string expanded_home(const std::string& path) { return path.starts_with("~/") ? home + path.substr(1) : path; }

std::optional<FileParameter> file_parameter(const std::string& value) {
  if (value.size() <= mark.size() + digits || !(value.starts_with('/') || value.starts_with("~/"))) return std::nullopt;
  const std::size_t at = value.size() - digits - mark.size();
  const std::string sha256 = value.substr(at + mark.size());
  if (value.compare(at, mark.size(), mark) != 0 || sha256.find_first_not_of("0123456789abcdef") != std::string::npos)
    return std::nullopt;
  return FileParameter{expanded_home(value.substr(0, at)), sha256};
}

std::vector<FileParameter> file_parameters(const std::string& value) {
  std::vector<FileParameter> found;
  std::size_t begin = 0;
  for (auto at = value.find(mark); at != std::string::npos; at = value.find(mark, begin)) {
    const std::size_t end = at + mark.size() + digits;
    if (end < value.size() && value[end] != ' ') break;
    const auto one = file_parameter(value.substr(begin, end - begin));
    if (!one) break;
    found.push_back(*one);
    begin = std::min(end + 1, value.size());
  }
  return found;
}

void check_files(const Spec& spec) {
  spec.for_each_field([](const std::string& path, const FieldInfo& field, const auto& value) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::string>)
      for (const FileParameter& file :
           field.allowed.is_file && !field.allowed.is_folder ? file_parameters(value) : std::vector<FileParameter>())
        if (digest_of(path, file.path) != file.sha256)
          throw UserError(path + " = " + file.path + ": its content has changed since the run was specified");
  });
}

} // namespace hypermon
