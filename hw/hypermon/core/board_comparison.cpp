// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/board_comparison.hpp"
#include <bit>
#include <charconv>
#include <cstdlib>

namespace hypermon {

namespace {

std::string hexadecimal(std::uint64_t value) {
  std::array<char, 16> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr};
}

std::string microseconds(Time time) {
  const std::int64_t ps = time.ps();
  std::string rest = std::to_string(1'000'000 + ps % 1'000'000).substr(1);
  while (rest.size() > 1 && rest.back() == '0') rest.pop_back();
  return std::to_string(ps / 1'000'000) + "." + rest + " us";
}

std::string text_of(const std::optional<LossCause>& cause) {
  return cause ? "lost (" + std::string(loss_cause_names[static_cast<std::size_t>(*cause)]) + ")" : "lost";
}

/// The first input that has a datum in one frame only, or different data.
std::optional<std::uint32_t> differing_input(const EventFrame& a, const EventFrame& b) {
  for (std::uint32_t i = 0; i < max_inputs; ++i)
    if (a.has(i) != b.has(i) || (a.has(i) && a.data[i] != b.data[i])) return i;
  return std::nullopt;
}

std::optional<std::uint32_t> first_input(const EventFrame& frame) {
  if (frame.vector == 0) return std::nullopt;
  return static_cast<std::uint32_t>(std::countr_zero(frame.vector));
}

} // namespace

BoardComparison::BoardComparison(const PortParams& port, const EcbParams& ecb, bool times)
    : window_(ecb.window_ns), times_(times),
      timestamp_bits_(static_cast<unsigned>(FrameFormat(port, ecb).timestamp_bits())),
      windows_(static_cast<std::size_t>(ecb.inputs)), strobes_(static_cast<std::size_t>(ecb.inputs)) {}

void BoardComparison::strobe(std::uint32_t input, Time at) {
  auto& ring = windows_[input];
  const auto window = static_cast<std::uint64_t>(at / window_);
  const std::uint64_t number = strobes_[input]++;
  if (ring.size() < most_strobes)
    ring.push_back(window);
  else
    ring[number % most_strobes] = window;
}

void BoardComparison::expected_frame(const DeliveredFrame& frame) {
  std::optional<std::uint64_t> window;
  if (frame.captured < Time::never()) window = static_cast<std::uint64_t>(frame.captured / window_);
  expected_.push_back({frame.frame, frame.read_end, window});
  if (expected_.size() > most_ahead) miss_expected();
}

void BoardComparison::actual_frame(const EventFrame& frame, Time read_end) {
  actual_.push_back({frame, read_end, std::nullopt});
  if (actual_.size() > most_ahead) find_extra();
}

void BoardComparison::expected_loss(std::uint32_t input, std::uint64_t sequence, LossCause cause, Time at) {
  lose({input, sequence}, {cause, at}, true);
}

void BoardComparison::actual_loss(std::uint32_t input, std::uint64_t sequence, std::optional<LossCause> cause,
                                  Time at) {
  lose({input, sequence}, {cause, at}, false);
}

// A loss confirms that of the other side, or waits for it.
void BoardComparison::lose(const WordKey& word, const Loss& loss, bool expected) {
  Losses& own = expected ? expected_losses_ : actual_losses_;
  Losses& others = expected ? actual_losses_ : expected_losses_;
  if (const auto other = others.find(word); other != others.end()) {
    const Loss& of_model = expected ? loss : other->second;
    const Loss& of_board = expected ? other->second : loss;
    if (of_board.cause && of_board.cause != of_model.cause)
      differ({window_of(word, loss.at), word.first, loss.at, text_of(of_model.cause), text_of(of_board.cause)});
    others.erase(other);
    return;
  }
  own.emplace(word, loss);
  if (own.size() <= most_ahead) return;
  unconfirmed(own.begin()->first, own.begin()->second, expected);
  own.erase(own.begin());
}

void BoardComparison::advance(Time horizon) { compare(horizon); }

void BoardComparison::compare(Time horizon) {
  compare_frames(horizon);
  late_losses(actual_losses_, horizon, false);
  if (horizon == Time::never()) late_losses(expected_losses_, horizon, true);
}

// A frame waits for its counterpart: until `patience` with times, otherwise until the end.
void BoardComparison::compare_frames(Time horizon) {
  const bool ends = horizon == Time::never();
  const auto is_late = [&](const Frame& frame) { return ends || (times_ && frame.end + patience < horizon); };
  for (;;) {
    if (!expected_.empty() && !actual_.empty()) {
      // Frames read at or after the horizon may follow others that are not known yet, so their times are not compared.
      if (times_ && !ends && std::max(expected_.front().end, actual_.front().end) >= horizon) return;
      compare_heads();
    } else if (!expected_.empty() && is_late(expected_.front())) {
      miss_expected();
    } else if (!actual_.empty() && is_late(actual_.front())) {
      find_extra();
    } else {
      return;
    }
  }
}

// Windows that the board's timestamp is ahead of the model's; 0 if one of them has none.
std::int64_t BoardComparison::distance(const Frame& expected, const Frame& actual) const {
  if (!expected.frame.stamped || !actual.frame.stamped) return 0;
  const unsigned above = 64 - timestamp_bits_;
  return static_cast<std::int64_t>((actual.frame.timestamp - expected.frame.timestamp) << above) >> above;
}

void BoardComparison::compare_heads() {
  const Frame& expected = expected_.front();
  const Frame& actual = actual_.front();
  const std::int64_t ahead = distance(expected, actual);
  const auto input = differing_input(expected.frame, actual.frame);
  const bool later_fits = (expected_.size() > 1 && expected_[1].frame == actual.frame) ||
                          (actual_.size() > 1 && actual_[1].frame == expected.frame);
  if (ahead != 0 && (input || later_fits)) return ahead > 0 ? miss_expected() : find_extra();
  if (expected.window) last_window_ = *expected.window;
  if (expected.frame == actual.frame && (!times_ || expected.end == actual.end))
    ++equal_frames_;
  else
    differ({last_window_, input, actual.end, text(expected), text(actual)});
  expected_.pop_front();
  actual_.pop_front();
}

// The board has not delivered the model's oldest frame.
void BoardComparison::miss_expected() {
  const Frame expected = expected_.front();
  expected_.pop_front();
  if (expected.window) last_window_ = *expected.window;
  const std::string instead = actual_.empty() ? "no frame" : text(actual_.front());
  differ({last_window_, first_input(expected.frame), expected.end, text(expected), instead});
}

// The model has not delivered the board's oldest frame.
void BoardComparison::find_extra() {
  const Frame actual = actual_.front();
  actual_.pop_front();
  const std::string instead = expected_.empty() ? "no frame" : text(expected_.front());
  differ({window_of(actual), first_input(actual.frame), actual.end, instead, text(actual)});
}

// A board may find a loss that it does not report only when it delivers a later frame. So the model's losses wait for
// the end.
void BoardComparison::late_losses(Losses& losses, Time horizon, bool expected) {
  const bool ends = horizon == Time::never();
  if (!ends && !times_) return;
  for (auto loss = losses.begin(); loss != losses.end();) {
    if (!ends && loss->second.at + patience >= horizon) {
      ++loss;
      continue;
    }
    unconfirmed(loss->first, loss->second, expected);
    loss = losses.erase(loss);
  }
}

// The model delivers the word of a loss that was not reported, so a frame has shown that difference.
void BoardComparison::unconfirmed(const WordKey& word, const Loss& loss, bool expected) {
  if (!loss.cause) return;
  const std::string text = text_of(loss.cause);
  differ({window_of(word, loss.at), word.first, loss.at, expected ? text : "no loss", expected ? "no loss" : text});
}

// The window that the timestamp means: the nearest one to the model's last frame.
std::uint64_t BoardComparison::window_of(const Frame& actual) const {
  if (!actual.frame.stamped) return last_window_;
  const unsigned above = 64 - timestamp_bits_;
  const std::int64_t ahead = static_cast<std::int64_t>((actual.frame.timestamp - last_window_) << above) >> above;
  return ahead < 0 && last_window_ < static_cast<std::uint64_t>(-ahead)
             ? actual.frame.timestamp
             : last_window_ + static_cast<std::uint64_t>(ahead);
}

// The window of a strobe that is no longer kept is taken to be that of its loss.
std::uint64_t BoardComparison::window_of(const WordKey& word, Time loss) const {
  const auto& [input, sequence] = word;
  if (sequence < strobes_[input] && strobes_[input] - sequence <= windows_[input].size())
    return windows_[input][sequence % most_strobes];
  return static_cast<std::uint64_t>(loss / window_);
}

std::string BoardComparison::text(const Frame& frame) const {
  std::string text = "frame with";
  if (frame.frame.vector == 0) text += " no data";
  for (std::uint32_t left = frame.frame.vector; left != 0; left &= left - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
    text += (left == frame.frame.vector ? " " : ", ") + std::to_string(i) + "=" + hexadecimal(frame.frame.data[i]);
  }
  if (frame.frame.stamped) text += ", timestamp " + std::to_string(frame.frame.timestamp);
  return text + ", read at " + microseconds(frame.end);
}

void BoardComparison::differ(BoardDifference difference) {
  ++differences_;
  if (!first_) first_ = difference;
  sink_(difference);
}

} // namespace hypermon
