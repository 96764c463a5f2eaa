// SPDX-License-Identifier: BSD-3-Clause
// Frame files (.hmf): a board's frames, word for word as they were read from the PBX bus (chosen).
//
// One line of text has the data that are needed to read and decode the frames:
//   hypermon-frames 1 {"inputs":16,...} crc32 xxxxxxxx
// (checksum of everything before " crc32"). Blocks of up to block_frames frames follow. All numbers have 32 bits, least
// significant byte first:
//   number of frames, number of words, CRC-32 of the words, CRC-32 of the three numbers before; the words
// The last block has no words, and has the number of all frames (modulo 2^32) in place of the words' CRC. CRC-32 is
// that of zlib.
//
// A reader returns all frames before the first problem, then the number of the next frame and the reason. It returns no
// frame of a block with a wrong checksum, because any of them may be falsified. It returns the complete frames of a
// block that was cut off; without a checksum they are only checked for plausibility.
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

/// Properties of the board and its nodes in a frame file. Defaults are those of the prototype.
struct FrameFileInfo {
  std::int64_t inputs = 16;
  std::int64_t width_bits = 4;      ///< width of the nodes' ports
  std::int64_t accumulate_bits = 0; ///< 32: data are collected into words
  std::int64_t timestamp_bits = 32;
  bool on_request = false;
  bool wrap_frames = false;
  std::int64_t window_ns = 800;
  double pitch_ns = 26140; ///< between two data of an event
  std::int64_t clock_resolution_ns = 1000;
  std::int64_t board = 0;
  std::int64_t first_node = 0;   ///< node at the board's input 0
  std::string catalogue = "nx2"; ///< catalogue of the nodes' events (catalogue_json.hpp); nx2 if the header names none

  FrameFormat format() const;
  /// Timing of words. `held`: see StreamTiming.
  StreamTiming timing(bool held = false) const;
  bool operator==(const FrameFileInfo&) const = default;
};

/// The first position that cannot be read, and the reason.
struct FrameFileProblem {
  std::uint64_t frame = 0; ///< number of the first frame that is not returned, from 0
  std::string reason;
};

/// The file is missing or is not a frame file.
class FrameFileError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class FrameFileWriter {
public:
  static constexpr std::size_t block_frames = 256;

  /// Writes to a temporary file beside `path`, which close() renames. Without close() no file remains. Throws
  /// std::runtime_error if it cannot write.
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
  std::vector<std::uint32_t> words_; // words of the current block
  std::uint32_t frames_ = 0;         // in the current block
  std::uint32_t written_ = 0;        // modulo 2^32
};

class FrameFileReader {
public:
  /// Throws FrameFileError.
  explicit FrameFileReader(const std::filesystem::path& path);

  const FrameFileInfo& info() const { return info_; }
  /// The next frames; empty at the end or at a problem.
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
  std::uint64_t frames_ = 0; // returned so far
  std::optional<std::uint64_t> last_timestamp_;
  std::optional<FrameFileProblem> problem_;
};

} // namespace hypermon
