// SPDX-License-Identifier: BSD-3-Clause
// Comparison of a user's board with hypermon's functional model, frame by frame and loss by loss.
#pragma once
#include "base/losses.hpp"
#include "hw/hypermon/core/frame.hpp"
#include "hw/hypermon/core/params.hpp"
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hypermon {

/// First disagreement about one frame or one lost word.
struct BoardDifference {
  std::uint64_t window;               ///< number of the window of the frame or of the word
  std::optional<std::uint32_t> input; ///< first input that differs; none: only timestamp or time differ
  Time time;                          ///< end of the frame's read, or time of the loss
  std::string expected;               ///< frame or loss of the functional model
  std::string actual;                 ///< frame or loss of the board
};

/// Takes the frames and losses of both sides, each in the order of one board.
///
/// Frames are compared in order: inputs, data, timestamp and, if `times`, the end of the read. After a difference the
/// comparison continues with the next frames whose timestamps agree. A loss is compared by input, number of the strobe
/// and cause. A loss that the board has not reported has no cause. It confirms the model's loss of the same word,
/// whatever the cause, and is no difference of its own: if the model delivers the word, the frames differ.
///
/// Kept: frames and losses that the other side has not confirmed, at most `most_ahead` of each side, and the windows of
/// the last `most_strobes` strobes of each input.
class BoardComparison {
public:
  BoardComparison(const PortParams& port, const EcbParams& ecb, bool times);

  /// Called for each difference, in the order in which they are found.
  void on_difference(std::function<void(const BoardDifference&)> sink) { sink_ = std::move(sink); }

  /// A strobe of an input, which both boards receive.
  void strobe(std::uint32_t input, Time at);
  void expected_frame(const DeliveredFrame& frame);
  void actual_frame(const EventFrame& frame, Time read_end);
  /// `sequence`: number of the word's last strobe on the input.
  void expected_loss(std::uint32_t input, std::uint64_t sequence, LossCause cause, Time at);
  /// No cause: the board has not reported the loss.
  void actual_loss(std::uint32_t input, std::uint64_t sequence, std::optional<LossCause> cause, Time at);
  /// Both sides have reported everything before `horizon`.
  void advance(Time horizon);
  /// Both sides have reported everything.
  void finish() { compare(Time::never()); }

  std::uint64_t differences() const { return differences_; }
  /// Number of the model's frames that the board has delivered as expected.
  std::uint64_t equal_frames() const { return equal_frames_; }
  const std::optional<BoardDifference>& first() const { return first_; }
  /// A frame of one side waits for that of the other.
  bool waits() const { return !expected_.empty() || !actual_.empty(); }
  /// Begin of the window of the model's last frame that has been compared.
  Time compared_until() const { return window_ * static_cast<std::int64_t>(last_window_); }
  Time window() const { return window_; }

  static constexpr std::size_t most_ahead = 1 << 16;   // (chosen)
  static constexpr std::size_t most_strobes = 1 << 14; // (chosen)
  /// With `times`, a side that is later than the other by this much has lost the frame or the word.
  static constexpr Time patience = 1_ms; // (chosen)

private:
  struct Frame {
    EventFrame frame;
    Time end;
    std::optional<std::uint64_t> window; // window, as the model knows it
  };
  using WordKey = std::pair<std::uint32_t, std::uint64_t>; // input and number of the last strobe
  struct Loss {
    std::optional<LossCause> cause;
    Time at;
  };
  using Losses = std::map<WordKey, Loss>;

  void compare(Time horizon);
  void compare_frames(Time horizon);
  void compare_heads();
  void miss_expected();
  void find_extra();
  void lose(const WordKey& word, const Loss& loss, bool expected);
  void late_losses(Losses& losses, Time horizon, bool expected);
  void unconfirmed(const WordKey& word, const Loss& loss, bool expected);
  std::int64_t distance(const Frame& expected, const Frame& actual) const;
  std::uint64_t window_of(const Frame& actual) const;
  std::uint64_t window_of(const WordKey& word, Time loss) const;
  std::string text(const Frame& frame) const;
  void differ(BoardDifference difference);

  Time window_;
  bool times_;
  unsigned timestamp_bits_;
  std::vector<std::vector<std::uint64_t>> windows_; // by input: windows of the last strobes, a ring
  std::vector<std::uint64_t> strobes_;              // by input
  std::deque<Frame> expected_;
  std::deque<Frame> actual_;
  Losses expected_losses_;
  Losses actual_losses_;
  std::uint64_t last_window_ = 0; // window of the model's last frame
  std::uint64_t equal_frames_ = 0;
  std::uint64_t differences_ = 0;
  std::optional<BoardDifference> first_;
  std::function<void(const BoardDifference&)> sink_ = [](const BoardDifference&) {};
};

} // namespace hypermon
