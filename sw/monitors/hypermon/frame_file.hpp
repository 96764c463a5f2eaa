// SPDX-License-Identifier: BSD-3-Clause
// Frame files (.hmf): a board's frames, stored word for word as they were read from the PBX bus (chosen).
//
// One line of text says what is needed to read and decode them:
//   hypermon-frames 1 {"inputs":16,...} crc32 xxxxxxxx
// (checksum of all before " crc32"). Then blocks of up to block_frames frames, all numbers 32 bits, least significant
// byte first:
//   number of frames, number of words, CRC-32 of the words, CRC-32 of the three numbers before; the words
// and a last block without words, which has the number of all frames (modulo 2^32) in place of the words' CRC. CRC-32
// is zlib's.
//
// A reader gives frames up to the first problem, then that frame's number and the reason. Of a block whose checksum is
// wrong no frame is given, as it is not known which is falsified. Of a block that was cut off the frames that are whole
// are given; they are checked for sense only, as their checksum cannot be.
#pragma once
#include "hw/hypermon/core/frame.hpp"
#include "sw/monitors/hypermon/node_decoder.hpp"
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace hypermon {

/// What a frame file says about the board and the nodes on it. Defaults are the prototype.
struct FrameFileInfo {
  std::int64_t inputs = 16;
  std::int64_t width_bits = 4;      ///< of the nodes' ports
  std::int64_t accumulate_bits = 0; ///< 32: data are collected to words
  std::int64_t timestamp_bits = 32;
  bool on_request = false;
  bool wrap_frames = false;
  std::int64_t window_ns = 800;
  double pitch_ns = 26140; ///< between two data of an event
  std::int64_t clock_resolution_ns = 1000;
  std::int64_t board = 0;
  std::int64_t first_node = 0;   ///< at the board's input 0
  std::string catalogue = "nx2"; ///< of the nodes' events (catalogue_json.hpp); a header without it is of nx2

  FrameFormat format() const;
  /// Of words. `held`: see StreamTiming.
  StreamTiming timing(bool held = false) const;
  bool operator==(const FrameFileInfo&) const = default;
};

/// From where on a file cannot be read, and why.
struct FrameFileProblem {
  std::uint64_t frame = 0; ///< number of the first frame that is not given, from 0
  std::string reason;
};

/// Not a frame file at all, or no such file.
class FrameFileError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class FrameFileWriter {
public:
  static constexpr std::size_t block_frames = 256;

  /// Writes to a file beside `path` that close() renames; without close() nothing is left. Whatever cannot be written
  /// is a std::runtime_error.
  FrameFileWriter(std::filesystem::path path, const FrameFileInfo& info);
  ~FrameFileWriter();
  FrameFileWriter(const FrameFileWriter&) = delete;
  FrameFileWriter& operator=(const FrameFileWriter&) = delete;

  void write(const EventFrame& frame);
  void close();

private:
  void write_block(std::uint32_t frames, std::uint32_t third);
  void require_written() const;

  std::filesystem::path path_;
  std::filesystem::path part_;
  FrameFormat format_;
  std::ofstream out_;
  std::vector<std::uint32_t> words_; // of the block
  std::uint32_t frames_ = 0;         // in the block
  std::uint32_t written_ = 0;        // modulo 2^32
};

class FrameFileReader {
public:
  /// Throws FrameFileError.
  explicit FrameFileReader(const std::filesystem::path& path);

  const FrameFileInfo& info() const { return info_; }
  /// The next frames; none at the end, or at a problem.
  std::vector<EventFrame> read();
  const std::optional<FrameFileProblem>& problem() const { return problem_; }

private:
  void fail(std::string reason) { problem_ = {frames_, std::move(reason)}; }
  void finish(std::uint32_t frames);
  std::vector<EventFrame> unpack(std::span<const std::uint32_t> words, std::uint32_t frames, bool cut_off);
  std::string check(const EventFrame& frame, std::span<const std::uint32_t> words);

  std::ifstream in_;
  FrameFileInfo info_;
  FrameFormat format_;
  bool ended_ = false;
  std::uint64_t frames_ = 0; // given
  std::optional<std::uint64_t> last_timestamp_;
  std::optional<FrameFileProblem> problem_;
};

} // namespace hypermon
