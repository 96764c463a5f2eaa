// SPDX-License-Identifier: BSD-3-Clause
// Frame files: what was written comes back; of a damaged one everything before the damage, and where and what it is.
#include "base/crc32.hpp"
#include "sw/monitors/hypermon/frame_file.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include <random>
#include <unistd.h>

using namespace hypermon;

namespace {
namespace fs = std::filesystem;
using Octets = std::vector<char>;

/// A folder of this test's own, gone with it.
struct Folder {
  fs::path path = testing::scratch_path("frame_file");
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path file() const { return path / "frames.hmf"; }
};

Octets bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void put(const fs::path& path, const Octets& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::vector<EventFrame> random_frames(const FrameFileInfo& info, std::size_t n, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  const FrameFormat format = info.format();
  std::vector<EventFrame> frames;
  std::uint64_t k = 0;
  for (std::size_t i = 0; i < n; ++i) {
    EventFrame frame;
    frame.vector = static_cast<std::uint32_t>(rng()) & format.vector_mask() & ~(info.on_request ? 1U << 31 : 0U);
    frame.stamped = !info.on_request || rng() % 3 == 0;
    k += 1 + rng() % 100;
    if (frame.stamped) frame.timestamp = k & format.timestamp_mask();
    for (std::uint32_t input = 0; input < format.inputs(); ++input)
      if (frame.has(input)) frame.data[input] = static_cast<std::uint32_t>(rng()) >> (32 - format.data_bits());
    frames.push_back(frame);
  }
  return frames;
}

void write(const fs::path& path, const FrameFileInfo& info, const std::vector<EventFrame>& frames) {
  FrameFileWriter writer(path, info);
  for (const EventFrame& frame : frames) writer.write(frame);
  writer.close();
}

struct Contents {
  FrameFileInfo info;
  std::vector<EventFrame> frames;
  std::optional<FrameFileProblem> problem;
};
Contents read(const fs::path& path) {
  FrameFileReader reader(path);
  Contents contents{reader.info(), {}, {}};
  for (auto block = reader.read(); !block.empty(); block = reader.read())
    contents.frames.insert(contents.frames.end(), block.begin(), block.end());
  contents.problem = reader.problem();
  return contents;
}

std::size_t header_bytes(const Octets& bytes) {
  return static_cast<std::size_t>(std::find(bytes.begin(), bytes.end(), '\n') - bytes.begin()) + 1;
}

FrameFileInfo small() {
  FrameFileInfo info;
  info.inputs = 9;
  info.on_request = true;
  return info;
}

std::uint32_t& word(Octets& bytes, std::size_t at) { return *reinterpret_cast<std::uint32_t*>(&bytes[at]); }

/// A file with one frame of the prototype, whose words are changed and all checksums mended.
Contents with_words(const Folder& folder, std::size_t frame, std::size_t i, std::uint32_t value) {
  const FrameFileInfo info;
  write(folder.file(), info, random_frames(info, 3, 1));
  Octets bytes = bytes_of(folder.file());
  const std::size_t block = header_bytes(bytes);
  word(bytes, block + 16 + 4 * (4 * frame + i)) = value;
  word(bytes, block + 8) = crc32(std::as_bytes(std::span(bytes).subspan(block + 16, 3 * 16)));
  word(bytes, block + 12) = crc32(std::as_bytes(std::span(bytes).subspan(block, 12)));
  put(folder.file(), bytes);
  return read(folder.file());
}
} // namespace

TEST_CASE("the checksum is zlib's") {
  const std::string_view text = "123456789"; // the usual check value
  CHECK(crc32(std::as_bytes(std::span(text))) == 0xCBF43926);
}

TEST_CASE("frames of every format come back from a file, over several blocks, with what the file says of them") {
  const Folder folder;
  for (const std::int64_t inputs : {1, 16, 31})
    for (const std::int64_t width : {4, 8, 16, 32})
      for (const std::int64_t timestamp : {1, 12, 32, 33, 64})
        for (const bool on_request : {false, true}) {
          FrameFileInfo info;
          info.inputs = inputs;
          info.width_bits = width;
          info.accumulate_bits = width == 8 ? 32 : 0;
          info.timestamp_bits = timestamp;
          info.on_request = on_request;
          info.pitch_ns = 26140.25;
          info.first_node = 32;
          info.board = 2;
          const auto frames = random_frames(info, 2 * FrameFileWriter::block_frames + 3, 7);
          write(folder.file(), info, frames);
          const Contents contents = read(folder.file());
          REQUIRE(contents.info == info);
          REQUIRE_FALSE(contents.problem);
          REQUIRE(contents.frames == frames);
        }
}

TEST_CASE("a file without frames is a file, without close() there is none") {
  const Folder folder;
  { FrameFileWriter unfinished(folder.file(), {}); }
  CHECK(fs::is_empty(folder.path));
  write(folder.file(), {}, {});
  const Contents contents = read(folder.file());
  CHECK(contents.frames.empty());
  CHECK_FALSE(contents.problem);
}

TEST_CASE("words are stored as they were read, the least significant byte first") {
  const Folder folder;
  EventFrame frame;
  frame.vector = 1;
  frame.data[0] = 5;
  frame.timestamp = 0x01020304;
  write(folder.file(), {}, {frame});
  const Octets bytes = bytes_of(folder.file());
  const Octets expected{0, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 4, 3, 2, 1};
  const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(header_bytes(bytes) + 16);
  CHECK(Octets(at, at + 16) == expected);
}

TEST_CASE("cut off at any byte, a file gives every frame that is whole, then that it is truncated there") {
  const Folder folder;
  const auto frames = random_frames(small(), 5, 3);
  write(folder.file(), small(), frames);
  const Octets bytes = bytes_of(folder.file());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    put(folder.file(), Octets(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)));
    if (size < header_bytes(bytes)) {
      REQUIRE_THROWS_AS(read(folder.file()), FrameFileError);
      continue;
    }
    std::size_t whole = 0;
    for (std::size_t end = header_bytes(bytes) + 16; whole < frames.size(); ++whole) {
      end += 4 * small().format().words(frames[whole].stamped);
      if (end > size) break;
    }
    const Contents contents = read(folder.file());
    REQUIRE(contents.problem);
    REQUIRE(contents.problem->reason == "the file is truncated");
    REQUIRE(contents.problem->frame == whole);
    REQUIRE(contents.frames == std::vector(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(whole)));
  }
}

TEST_CASE("a flipped bit anywhere is noticed, the blocks before it are given") {
  const Folder folder;
  const std::size_t n = FrameFileWriter::block_frames + 2;
  FrameFileInfo info = small();
  info.inputs = 2;
  const auto frames = random_frames(info, n, 3);
  write(folder.file(), info, frames);
  const Octets bytes = bytes_of(folder.file());
  std::size_t second_block = header_bytes(bytes) + 16;
  for (std::size_t i = 0; i < FrameFileWriter::block_frames; ++i)
    second_block += 4 * info.format().words(frames[i].stamped);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    // Damages the whole header, the last blocks, and the beginning of the first.
    const std::size_t byte = bit / 8;
    if (byte > header_bytes(bytes) + 40 && byte < second_block) continue;
    CAPTURE(bit);
    Octets damaged = bytes;
    damaged[byte] = static_cast<char>(damaged[byte] ^ 1 << bit % 8);
    put(folder.file(), damaged);
    if (byte < header_bytes(bytes)) {
      REQUIRE_THROWS_AS(read(folder.file()), FrameFileError);
      continue;
    }
    const Contents contents = read(folder.file());
    REQUIRE(contents.problem);
    REQUIRE(contents.problem->reason.find("checksum") != std::string::npos);
    const std::size_t given = byte < second_block ? 0 : byte < bytes.size() - 16 ? FrameFileWriter::block_frames : n;
    REQUIRE(contents.problem->frame == given);
    REQUIRE(contents.frames == std::vector(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(given)));
  }
}

TEST_CASE("what no frame can say is named with its frame, though all checksums are right") {
  const Folder folder;
  const auto frames = random_frames({}, 3, 1);
  const auto check = [&](const Contents& contents, const std::string& reason) {
    REQUIRE(contents.problem);
    CHECK(contents.problem->frame == 1);
    CHECK(contents.problem->reason == reason);
    CHECK(contents.frames == std::vector(frames.begin(), frames.begin() + 1));
  };
  check(with_words(folder, 1, 2, 1U << 16), "the vector has inputs that the board has not");
  check(with_words(folder, 1, 2, 0), "data of an input that is not in the vector");
  check(with_words(folder, 1, 3, static_cast<std::uint32_t>(frames[0].timestamp)), "the timestamp does not increase");
  check(with_words(folder, 1, 3, static_cast<std::uint32_t>(frames[0].timestamp - 1)),
        "the timestamp does not increase");
  // A step over the wrap is one forward.
  CHECK_FALSE(with_words(folder, 0, 3, 0xFFFFFFFF).problem);
}

TEST_CASE("a timestamp with more bits than the format has is named") {
  const Folder folder;
  FrameFileInfo info;
  info.timestamp_bits = 12;
  EventFrame frame;
  frame.timestamp = 1 << 12; // the writer packs any value
  write(folder.file(), info, {frame});
  const Contents contents = read(folder.file());
  REQUIRE(contents.problem);
  CHECK(contents.problem->reason == "the timestamp has more bits than it can have");
}

TEST_CASE("bytes after the end are noticed, and no file is an error") {
  const Folder folder;
  CHECK_THROWS_AS(read(folder.file()), FrameFileError);
  const auto frames = random_frames({}, 2, 5);
  write(folder.file(), {}, frames);
  Octets bytes = bytes_of(folder.file());
  bytes.push_back(0);
  put(folder.file(), bytes);
  const Contents contents = read(folder.file());
  REQUIRE(contents.problem);
  CHECK(contents.problem->frame == 2);
  CHECK(contents.frames == frames);
}
