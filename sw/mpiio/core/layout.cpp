// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpiio/core/layout.hpp"

#include <algorithm>
#include <cstdlib>

namespace hypermon::mpiio {

LayoutPointer Layout::bytes(std::int64_t bytes) {
  auto made = std::make_shared<Layout>();
  made->size_ = made->extent_ = made->end_ = made->back_ = bytes;
  made->pieces_ = bytes > 0 ? 1 : 0;
  return made;
}

LayoutPointer Layout::repeated(std::int64_t count, std::int64_t stride, const LayoutPointer& element) {
  if (count == 1) return element;
  const Layout& e = *element;
  const std::int64_t last = (count - 1) * stride; // position of the last copy
  auto made = std::make_shared<Layout>();
  if (count > 0) {
    made->lower_ = std::min<std::int64_t>(last, 0) + e.lower_;
    made->extent_ = std::abs(last) + e.extent_;
  }
  if (count <= 0 || e.size_ == 0) return made;
  made->size_ = count * e.size_;
  made->begin_ = std::min<std::int64_t>(last, 0) + e.begin_;
  made->end_ = std::max<std::int64_t>(last, 0) + e.end_;
  made->front_ = e.front_;
  made->back_ = last + e.back_;
  const bool touches = stride + e.front_ == e.back_;
  made->pieces_ = count * e.pieces_ - (touches ? count - 1 : 0);
  made->is_ascending_ = e.is_ascending_ && stride >= e.end_ - e.begin_;
  made->is_nondecreasing_ = e.is_nondecreasing_ && stride + e.front_ >= e.last_;
  made->last_ = last + e.last_;
  if (made->pieces_ == 1) return made; // contiguous bytes
  made->kind_ = Kind::repeated;
  if (e.kind_ == Kind::repeated && stride == e.count_ * e.stride_) { // continues the pattern of the element
    made->count_ = count * e.count_;
    made->stride_ = e.stride_;
    made->element_ = e.element_;
  } else {
    made->count_ = count;
    made->stride_ = stride;
    made->element_ = element;
  }
  return made;
}

LayoutPointer Layout::joined(const std::vector<Part>& parts) {
  auto made = std::make_shared<Layout>();
  made->kind_ = Kind::joined;
  bool is_first = true;
  std::int64_t upper = 0;
  for (const Part& part : parts) {
    const Layout& l = *part.layout;
    made->lower_ = is_first ? part.offset + l.lower_ : std::min(made->lower_, part.offset + l.lower_);
    upper = is_first ? part.offset + l.lower_ + l.extent_ : std::max(upper, part.offset + l.lower_ + l.extent_);
    is_first = false;
    if (l.size_ == 0) continue;
    auto& own = made->parts_;
    const bool goes_on = own.empty() || part.offset + l.front_ >= made->last_;
    made->is_nondecreasing_ = made->is_nondecreasing_ && goes_on && l.is_nondecreasing_;
    made->last_ = part.offset + l.last_;
    if (!own.empty() && l.pieces_ == 1 && own.back().layout->pieces_ == 1 &&
        own.back().offset + own.back().layout->back_ == part.offset + l.front_) {
      own.back() = {own.back().offset + own.back().layout->front_, bytes(own.back().layout->size_ + l.size_)};
    } else {
      own.push_back(part);
    }
  }
  made->extent_ = upper - made->lower_;
  made->measure_joined();
  return made;
}

void Layout::measure_joined() {
  if (parts_.empty()) kind_ = Kind::bytes;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto& [offset, layout] = parts_[i];
    size_ += layout->size_;
    data_end_.push_back(size_);
    pieces_ += layout->pieces_;
    if (i == 0) {
      begin_ = offset + layout->begin_;
      end_ = offset + layout->end_;
      front_ = offset + layout->front_;
    } else {
      if (back_ == offset + layout->front_) --pieces_;
      is_ascending_ = is_ascending_ && end_ <= offset + layout->begin_;
      begin_ = std::min(begin_, offset + layout->begin_);
      end_ = std::max(end_, offset + layout->end_);
    }
    is_ascending_ = is_ascending_ && layout->is_ascending_;
    back_ = offset + layout->back_;
    runs_end_.push_back(pieces_);
  }
  if (pieces_ == 1) {
    kind_ = Kind::bytes;
    parts_.clear();
    data_end_.clear();
    runs_end_.clear();
  }
}

LayoutPointer Layout::resized(std::int64_t lower, std::int64_t extent, const LayoutPointer& layout) {
  auto made = std::make_shared<Layout>(*layout);
  made->lower_ = lower;
  made->extent_ = extent;
  return made;
}

Run Layout::at(std::int64_t byte) const {
  if (kind_ == Kind::bytes) return {begin_ + byte, size_ - byte};
  if (kind_ == Kind::repeated) {
    const std::int64_t k = byte / element_->size_;
    const Run run = element_->at(byte - k * element_->size_);
    return {run.offset + k * stride_, run.bytes};
  }
  const auto part =
      static_cast<std::size_t>(std::upper_bound(data_end_.begin(), data_end_.end(), byte) - data_end_.begin());
  const Run run = parts_[part].layout->at(byte - (part == 0 ? 0 : data_end_[part - 1]));
  return {run.offset + parts_[part].offset, run.bytes};
}

std::int64_t Layout::below(std::int64_t offset) const {
  if (offset <= begin_ || size_ == 0) return 0;
  if (offset >= end_) return size_;
  if (kind_ == Kind::bytes) return offset - begin_;
  if (kind_ == Kind::repeated) { // the elements before the k-th are completely below it
    const std::int64_t k = std::min((offset - begin_) / stride_, count_ - 1);
    return k * element_->size_ + element_->below(offset - k * stride_);
  }
  const auto after = std::partition_point(parts_.begin(), parts_.end(),
                                          [&](const Part& part) { return part.offset + part.layout->begin_ < offset; });
  const auto part = static_cast<std::size_t>(after - parts_.begin()) - 1; // its first byte is below the offset
  return (part == 0 ? 0 : data_end_[part - 1]) + parts_[part].layout->below(offset - parts_[part].offset);
}

std::int64_t Layout::pieces_until(std::int64_t byte) const {
  if (byte <= 0) return 0;
  if (byte >= size_) return pieces_;
  if (kind_ == Kind::bytes) return 1;
  if (kind_ == Kind::repeated) {
    const bool touches = stride_ + element_->front_ == element_->back_;
    const std::int64_t k = byte / element_->size_;
    const std::int64_t rest = byte - k * element_->size_;
    const std::int64_t whole = k * element_->pieces_ - (touches && k > 0 ? k - 1 : 0);
    return whole + element_->pieces_until(rest) - (touches && k > 0 && rest > 0 ? 1 : 0);
  }
  const auto part =
      static_cast<std::size_t>(std::upper_bound(data_end_.begin(), data_end_.end(), byte) - data_end_.begin());
  if (part == 0) return parts_[0].layout->pieces_until(byte);
  const std::int64_t rest = byte - data_end_[part - 1];
  const auto& [before, after] = std::pair<const Part&, const Part&>(parts_[part - 1], parts_[part]);
  const bool touches = before.offset + before.layout->back_ == after.offset + after.layout->front_;
  return runs_end_[part - 1] + after.layout->pieces_until(rest) - (touches && rest > 0 ? 1 : 0);
}

void Layout::append_runs(std::int64_t offset, std::vector<Runs>& all) const {
  if (size_ == 0) return;
  if (kind_ == Kind::bytes) {
    all.push_back({offset + begin_, size_, 0, 1});
  } else if (kind_ == Kind::joined) {
    for (const Part& part : parts_) part.layout->append_runs(offset + part.offset, all);
  } else if (element_->kind_ == Kind::bytes) {
    all.push_back({offset + element_->begin_, element_->size_, stride_, count_});
  } else {
    for (std::int64_t k = 0; k < count_; ++k) element_->append_runs(offset + k * stride_, all);
  }
}

std::vector<Runs> Layout::runs() const {
  std::vector<Runs> all;
  append_runs(0, all);
  return all;
}

std::string Layout::text() const {
  if (kind_ == Kind::bytes)
    return std::to_string(size_) + " B" + (begin_ != 0 ? " at " + std::to_string(begin_) : std::string());
  if (kind_ == Kind::repeated)
    return std::to_string(count_) + " x (" + element_->text() + " every " + std::to_string(stride_) + " B)";
  constexpr std::size_t most = 4; // (chosen) to remain readable
  std::string text;
  for (std::size_t i = 0; i < std::min(most, parts_.size()); ++i)
    text += (i == 0 ? "" : ", ") + parts_[i].layout->text() + " at " + std::to_string(parts_[i].offset);
  if (parts_.size() > most) text += ", " + std::to_string(parts_.size() - most) + " more";
  return "(" + text + ")";
}

} // namespace hypermon::mpiio
