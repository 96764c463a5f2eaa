// SPDX-License-Identifier: BSD-3-Clause
#include "hw/nfs/core/tree.hpp"

namespace hypermon::nfs {

std::string directory_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

Tree::Attributes Tree::create(Time now, const std::string& path) {
  const auto [place, is_new] = paths_.try_emplace(path);
  if (is_new) {
    place->second = SharedFiles::FileNumber{++last_number_};
    change(path);
  }
  File& file = files_[place->second];
  file = {{place->second, 0, now}, {}};
  return file.attributes;
}

void Tree::write(Time now, SharedFiles::Contents contents) {
  const auto file = files_.find(contents.file);
  if (file == files_.end()) return;
  file->second.attributes.bytes = contents.bytes;
  file->second.attributes.changed = contents.changed = now;
  file->second.contents = std::move(contents);
}

bool Tree::rename(const std::string& from, const std::string& to) {
  auto file = paths_.extract(from);
  if (file.empty()) return false;
  remove(to);
  change(from);
  change(to);
  file.key() = to;
  paths_.insert(std::move(file));
  return true;
}

void Tree::remove(const std::string& path) {
  const auto file = paths_.extract(path);
  if (file.empty()) return;
  files_.erase(file.mapped());
  change(path);
}

void Tree::make_directory(const std::string& path) {
  versions_.try_emplace(path);
  change(path);
}

std::optional<Tree::Attributes> Tree::find(const std::string& path) const {
  const auto file = paths_.find(path);
  if (file == paths_.end()) return {};
  return files_.at(file->second).attributes;
}

const SharedFiles::Contents* Tree::contents(SharedFiles::FileNumber number) const {
  const auto file = files_.find(number);
  return file == files_.end() ? nullptr : &file->second.contents;
}

std::vector<SharedFiles::Entry> Tree::list(const std::string& directory) const {
  std::vector<SharedFiles::Entry> entries;
  const std::string below = directory.empty() ? "" : directory + "/";
  for (auto file = paths_.lower_bound(below); file != paths_.end() && file->first.starts_with(below); ++file)
    if (directory_of(file->first) == directory) entries.push_back({name_of(file->first), file->second});
  return entries;
}

std::uint64_t Tree::version(const std::string& directory) const {
  const auto found = versions_.find(directory);
  return found == versions_.end() ? 0 : found->second;
}

} // namespace hypermon::nfs
