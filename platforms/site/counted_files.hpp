// SPDX-License-Identifier: BSD-3-Clause
// The shared file system as monitors use it. It adds their writes to the monitor's footprint.
#pragma once
#include "hw/nfs/core/shared_files.hpp"
#include "sw/monitors/footprint.hpp"

namespace hypermon {

class CountedFiles final : public SharedFiles {
public:
  CountedFiles(SharedFiles& files, Footprint& footprint) : files_(files), footprint_(footprint) {}

  Time call_time(std::int64_t bytes) const override { return files_.call_time(bytes); }
  void make_directory(const Place& from, const std::string& path) override { files_.make_directory(from, path); }
  FileNumber open(const Place& from, const std::string& path) override { return files_.open(from, path); }
  void write(const Place& from, const std::string& path, std::int64_t bytes, const std::string& text) override {
    footprint_.store(bytes);
    files_.write(from, path, bytes, text);
  }
  void close(const Place& from, const std::string& path) override { files_.close(from, path); }
  void rename(const Place& from, const std::string& old_path, const std::string& to) override {
    files_.rename(from, old_path, to);
  }
  void remove(const Place& from, const std::string& path) override { files_.remove(from, path); }
  std::vector<Entry> list(const Place& from, const std::string& directory) override {
    return files_.list(from, directory);
  }
  std::optional<Attributes> attributes(const Place& from, const std::string& path) override {
    return files_.attributes(from, path);
  }
  std::optional<Contents> read(const Place& from, const std::string& path) override { return files_.read(from, path); }

private:
  SharedFiles& files_;
  Footprint& footprint_;
};

} // namespace hypermon
