// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hypermon/frame_file.hpp"
#include "base/crc32.hpp"
#include "base/json_value.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace hypermon {

namespace {

constexpr std::string_view magic = "hypermon-frames 1 ";
constexpr std::string_view checksum_mark = " crc32 ";
constexpr std::size_t longest_header = 1 << 18;
constexpr std::uint32_t most_block_words = FrameFileWriter::block_frames * FrameFormat::max_words;

// Calls f(name, member) for each entry of the header.
template <class Info, class F> void for_each_member(Info& info, F&& f) {
  f("inputs", info.inputs);
  f("width_bits", info.width_bits);
  f("accumulate_bits", info.accumulate_bits);
  f("timestamp_bits", info.timestamp_bits);
  f("on_request", info.on_request);
  f("wrap_frames", info.wrap_frames);
  f("window_ns", info.window_ns);
  f("pitch_ns", info.pitch_ns);
  f("clock_resolution_ns", info.clock_resolution_ns);
  f("board", info.board);
  f("first_node", info.first_node);
}

std::string header(const FrameFileInfo& info) {
  Json json;
  for_each_member(info, [&](const char* name, const auto& value) { json[name] = value; });
  if (info.catalogue != FrameFileInfo{}.catalogue) json["catalogue"] = info.catalogue;
  const std::string text = std::string(magic) + json.dump();
  return text + std::string(checksum_mark) + crc32_text(text) + '\n';
}

FrameFileInfo read_header(std::istream& in, const std::filesystem::path& path) {
  std::string line(magic.size(), '\0');
  in.read(line.data(), static_cast<std::streamsize>(line.size()));
  if (!in || line != magic) throw FrameFileError(path.string() + ": not a frame file");
  for (char c = 0; line.size() < longest_header && in.get(c) && c != '\n';) line += c;
  const std::size_t mark = line.rfind(checksum_mark);
  if (!in || mark == std::string::npos || line.substr(mark + checksum_mark.size()) != crc32_text(line.substr(0, mark)))
    throw FrameFileError(path.string() + ": the frame file's header is damaged");
  try {
    const auto json = Json::parse(line.substr(magic.size(), mark - magic.size()));
    FrameFileInfo info;
    for_each_member(info, [&](const char* name, auto& value) {
      value = json.at(name).get<std::remove_reference_t<decltype(value)>>();
    });
    info.catalogue = json.value("catalogue", info.catalogue);
    read_catalogue(info.catalogue);
    info.format(); // throws if there is no such format
    if (info.window_ns <= 0 || !(info.pitch_ns > 0)) throw std::invalid_argument("window and pitch must be above 0");
    return info;
  } catch (const std::exception& e) {
    throw FrameFileError(path.string() + ": the frame file's header makes no sense: " + e.what());
  }
}

} // namespace

FrameFormat FrameFileInfo::format() const {
  return {inputs, bits_per_word(width_bits, accumulate_bits), timestamp_bits, on_request};
}

StreamTiming FrameFileInfo::timing(bool held) const {
  return {window_ns, pitch_ns * static_cast<double>(data_per_word(width_bits, accumulate_bits)), clock_resolution_ns,
          held};
}

// --- writing ---

FrameFileWriter::FrameFileWriter(std::filesystem::path path, const FrameFileInfo& info)
    : path_(std::move(path)), part_(path_.string() + ".part"), format_(info.format()) {
  errno = 0;
  out_.open(part_, std::ios::binary);
  const std::string text = header(info);
  out_.write(text.data(), static_cast<std::streamsize>(text.size()));
  require_written();
}

FrameFileWriter::~FrameFileWriter() {
  if (!out_.is_open()) return;
  out_.close();
  std::error_code ignored;
  std::filesystem::remove(part_, ignored);
}

void FrameFileWriter::write(const EventFrame& frame) {
  std::array<std::uint32_t, FrameFormat::max_words> words{};
  const std::size_t n = format_.pack(frame, words);
  words_.insert(words_.end(), words.begin(), words.begin() + static_cast<std::ptrdiff_t>(n));
  if (++frames_ == block_frames) write_block(frames_, crc32(std::as_bytes(std::span(words_))));
}

void FrameFileWriter::write_block(std::uint32_t frames, std::uint32_t third) {
  std::array<std::uint32_t, 4> head{frames, static_cast<std::uint32_t>(words_.size()), third, 0};
  head[3] = crc32(std::as_bytes(std::span(head).first(3)));
  out_.write(reinterpret_cast<const char*>(head.data()), sizeof head);
  out_.write(reinterpret_cast<const char*>(words_.data()), static_cast<std::streamsize>(4 * words_.size()));
  require_written();
  written_ += frames;
  frames_ = 0;
  words_.clear();
}

void FrameFileWriter::require_written() const {
  if (out_) return;
  const std::string why = errno != 0 ? std::string(": ") + std::strerror(errno) : std::string();
  throw std::runtime_error(path_.string() + ": cannot be written" + why);
}

void FrameFileWriter::close() {
  if (frames_ != 0) write_block(frames_, crc32(std::as_bytes(std::span(words_))));
  write_block(0, written_);
  out_.close();
  require_written();
  std::filesystem::rename(part_, path_);
}

// --- reading ---

FrameFileReader::FrameFileReader(const std::filesystem::path& path)
    : in_(path, std::ios::binary), format_(1, 4, 1, false) {
  if (!in_) throw FrameFileError(path.string() + ": cannot be read");
  info_ = read_header(in_, path);
  format_ = info_.format();
}

std::vector<EventFrame> FrameFileReader::read() {
  if (problem_ || ended_) return {};
  std::array<std::uint32_t, 4> head{};
  in_.read(reinterpret_cast<char*>(head.data()), sizeof head);
  if (!in_) {
    fail("the file is truncated");
    return {};
  }
  const auto [frames, n, checksum, head_checksum] = head;
  if (crc32(std::as_bytes(std::span(head).first(3))) != head_checksum) {
    fail("wrong checksum of a block's head");
    return {};
  }
  if (frames == 0) {
    finish(checksum);
    return {};
  }
  if (frames > FrameFileWriter::block_frames || n > most_block_words) {
    fail("a block is larger than any");
    return {};
  }
  std::vector<std::uint32_t> words(n);
  in_.read(reinterpret_cast<char*>(words.data()), std::streamsize{4} * n);
  const bool cut_off = !in_;
  if (cut_off) {
    words.resize(static_cast<std::size_t>(in_.gcount()) / 4);
  } else if (crc32(std::as_bytes(std::span(words))) != checksum) {
    fail("wrong checksum of the block of " + std::to_string(frames) + " frames that begins here");
    return {};
  }
  return unpack(words, frames, cut_off);
}

void FrameFileReader::finish(std::uint32_t frames) {
  ended_ = true;
  if (static_cast<std::uint32_t>(frames_) != frames)
    fail("the file says that it has " + std::to_string(frames) + " frames");
  else if (in_.peek() != std::ifstream::traits_type::eof())
    fail("the file goes on after its end");
}

std::vector<EventFrame> FrameFileReader::unpack(std::span<const std::uint32_t> words, std::uint32_t frames,
                                                bool cut_off) {
  std::vector<EventFrame> result;
  for (; result.size() < frames; ++frames_) {
    const std::size_t vector_at = format_.data_words();
    const std::size_t n = words.size() > vector_at ? format_.words(format_.is_stamped(words[vector_at])) : 0;
    if (n == 0 || words.size() < n) {
      fail(cut_off ? "the file is truncated" : "a frame reaches beyond its block");
      return result;
    }
    const EventFrame frame = format_.unpack(words);
    if (std::string reason = check(frame, words.first(n)); !reason.empty()) {
      fail(std::move(reason));
      return result;
    }
    result.push_back(frame);
    words = words.subspan(n);
  }
  if (cut_off || !words.empty()) fail(cut_off ? "the file is truncated" : "a block has more words than frames");
  return result;
}

// Reason why the frame is impossible (spec secs. 2 and 6); empty if it is valid.
std::string FrameFileReader::check(const EventFrame& frame, std::span<const std::uint32_t> words) {
  if ((words[format_.data_words()] & ~format_.vector_mask()) != 0)
    return "the vector has inputs that the board has not";
  std::array<std::uint32_t, FrameFormat::max_words> again{};
  format_.pack(frame, again);
  const auto data = static_cast<std::ptrdiff_t>(format_.data_words());
  if (!std::equal(words.begin(), words.begin() + data, again.begin()))
    return "data of an input that is not in the vector";
  if (!frame.stamped) return {};
  if (!std::equal(words.begin() + data, words.end(), again.begin() + data))
    return "the timestamp has more bits than it can have";
  // (chosen) With at least 32 bits no silence lasts half the range, so a backward step is not a forward step over a
  // wrap.
  const std::uint64_t half = format_.timestamp_mask() / 2;
  if (last_timestamp_ && format_.timestamp_bits() >= 32 &&
      ((frame.timestamp - *last_timestamp_ - 1) & format_.timestamp_mask()) >= half)
    return "the timestamp does not increase";
  last_timestamp_ = frame.timestamp;
  return {};
}

} // namespace hypermon
