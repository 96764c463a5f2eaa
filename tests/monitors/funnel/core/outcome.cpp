// SPDX-License-Identifier: BSD-3-Clause
#include "tests/monitors/funnel/core/outcome.hpp"

#include "hw/funnel/core/trace_funnel.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>

namespace hypermon::testing {
namespace {

class Runner {
public:
  explicit Runner(const TraceFunnelDesign& design, bool stream = true) : funnel_(design) {
    funnel_.on_loss([this](const LostTrace& loss) { outcome_.losses.push_back(loss); });
    if (!stream) return;
    funnel_.on_stream([this](std::span<const std::uint8_t> bytes, bool gap, Time time) {
      outcome_.stream.push_back({{bytes.begin(), bytes.end()}, gap, time});
    });
  }
  void write(const TraceWrite& w) { funnel_.write(w.source, w.time, w.payload); }
  void stop(Time at) { funnel_.stop(at); }
  void advance(Time horizon) {
    funnel_.advance(horizon);
    TraceSnapshot shot{funnel_.counts(), {}, {}};
    for (std::uint32_t i = 0; i < funnel_.sources(); ++i) {
      shot.sources.push_back(funnel_.counts(i));
      shot.resumed_at.push_back(funnel_.resumed_at(i));
      const TraceVolume& held = shot.sources.back().held;
      if (held.messages > 0) // the last of the waiting messages
        promises_[{i, shot.sources.back().written.messages - 1}] = funnel_.earliest_resume(i);
    }
    outcome_.snapshots.push_back(shot);
  }
  TraceOutcome finish() {
    advance(Time::never());
    outcome_.delivered.assign(funnel_.delivered().begin(), funnel_.delivered().end());
    std::sort(outcome_.losses.begin(), outcome_.losses.end(), [](const LostTrace& a, const LostTrace& b) {
      return std::tie(a.time, a.source, a.sequence) < std::tie(b.time, b.source, b.sequence);
    });
    return outcome_;
  }
  /// Messages that entered before they could, as earliest_resume() said.
  std::string broken_promise() const {
    for (const DeliveredTrace& d : funnel_.delivered())
      if (const auto found = promises_.find({d.source, d.sequence});
          found != promises_.end() && d.entered < found->second)
        return "message " + std::to_string(d.sequence) + " of source " + std::to_string(d.source) + " entered early";
    return "";
  }

private:
  TraceFunnel funnel_;
  TraceOutcome outcome_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, Time> promises_;
};

std::string volume(const char* name, const TraceVolume& a, const TraceVolume& b) {
  if (a == b) return "";
  std::ostringstream text;
  text << name << " " << a.messages << " (" << a.bytes << " B) / " << b.messages << " (" << b.bytes << " B); ";
  return text.str();
}
template <class T> std::string value(const char* name, const T& a, const T& b) {
  if (a == b) return "";
  std::ostringstream text;
  text << name << " " << a << " / " << b << "; ";
  return text.str();
}
std::string value(const char* name, Time a, Time b) { return value(name, a.ps(), b.ps()); }

std::string difference(const TraceFunnelCounts& a, const TraceFunnelCounts& b) {
  std::string text =
      volume("written", a.written, b.written) + volume("held", a.held, b.held) + volume("inside", a.inside, b.inside) +
      volume("in_sink", a.in_sink, b.in_sink) + volume("delivered", a.delivered, b.delivered) +
      value("encoded", a.encoded_bytes, b.encoded_bytes) + value("stream", a.stream_bytes, b.stream_bytes) +
      value("ids", a.id_bytes, b.id_bytes) + value("frame bits", a.frame_bits_bytes, b.frame_bits_bytes) +
      value("padding", a.padding_bytes, b.padding_bytes) + value("full syncs", a.full_sync_bytes, b.full_sync_bytes) +
      value("delivered bytes", a.delivered_bytes, b.delivered_bytes) +
      value("in sink bytes", a.in_sink_bytes, b.in_sink_bytes) + value("bursts", a.bursts, b.bursts) +
      value("flushes", a.flushes, b.flushes) + value("peak funnel", a.peak_funnel_words, b.peak_funnel_words) +
      value("peak sink", a.peak_sink_bytes, b.peak_sink_bytes) + value("stalled", a.stalled, b.stalled) +
      value("end", a.end, b.end);
  for (std::size_t i = 0; i < trace_loss_causes; ++i)
    text += volume(trace_loss_names[i].data(), a.lost[i], b.lost[i]) +
            value("lost bytes", a.lost_stream_bytes[i], b.lost_stream_bytes[i]);
  return text;
}

template <class T> std::string first_difference(const char* name, const std::vector<T>& a, const std::vector<T>& b) {
  if (a == b) return "";
  const auto [i, j] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  std::ostringstream text;
  text << name << ": " << a.size() << " / " << b.size() << ", equal up to " << i - a.begin() << "; ";
  return text.str();
}

} // namespace

TraceOutcome core_outcome(const DrawnTrace& drawn, std::string& broken_promise) {
  Runner runner(drawn.design);
  std::size_t written = 0;
  bool stopped = false;
  for (const Time horizon : drawn.horizons) {
    for (; written < drawn.writes.size() && drawn.writes[written].time < horizon; ++written)
      runner.write(drawn.writes[written]);
    if (drawn.stop && *drawn.stop < horizon && !stopped) runner.stop(*drawn.stop), stopped = true;
    runner.advance(horizon);
  }
  for (; written < drawn.writes.size(); ++written) runner.write(drawn.writes[written]);
  if (drawn.stop && !stopped) runner.stop(*drawn.stop);
  const TraceOutcome outcome = runner.finish();
  broken_promise = runner.broken_promise();
  return outcome;
}

TraceOutcome core_outcome_at_once(const DrawnTrace& drawn) {
  Runner runner(drawn.design, false);
  if (drawn.stop) runner.stop(*drawn.stop);
  for (const TraceWrite& w : drawn.writes) runner.write(w);
  return runner.finish();
}

std::string difference(const TraceOutcome& expected, const TraceOutcome& got) {
  if (expected == got) return "";
  std::string text = first_difference("delivered", expected.delivered, got.delivered) +
                     first_difference("losses", expected.losses, got.losses) +
                     first_difference("stream", expected.stream, got.stream) +
                     first_difference("snapshots", expected.snapshots, got.snapshots);
  for (std::size_t i = 0; i < std::min(expected.snapshots.size(), got.snapshots.size()); ++i) {
    const TraceSnapshot &a = expected.snapshots[i], &b = got.snapshots[i];
    if (a == b) continue;
    text += "snapshot " + std::to_string(i) + ": " + difference(a.counts, b.counts) +
            first_difference("sources", a.sources, b.sources) + first_difference("went on", a.resumed_at, b.resumed_at);
    break;
  }
  return text;
}

std::string broken_law(const TraceFunnelDesign& design, const TraceOutcome& outcome) {
  std::string text;
  for (const TraceSnapshot& shot : outcome.snapshots) {
    const TraceFunnelCounts& c = shot.counts;
    TraceVolume all = c.held;
    for (const TraceVolume& lost : c.lost) all += lost;
    all += c.inside;
    all += c.in_sink;
    all += c.delivered;
    text += volume("messages", c.written, all);
    std::uint64_t bytes = c.delivered_bytes + c.in_sink_bytes;
    for (const std::uint64_t lost : c.lost_stream_bytes) bytes += lost;
    text += value("stream bytes", c.stream_bytes, bytes);
    for (std::size_t i = 0; i < shot.sources.size(); ++i) {
      const TraceSourceCounts& s = shot.sources[i];
      TraceVolume own = s.dropped;
      own += s.held;
      own += s.inside;
      own += s.formatted;
      text += volume("source", s.written, own);
      if (s.peak_fifo_bytes > static_cast<std::uint64_t>(design.sources[i].fifo_bytes.number))
        text += "a FIFO overflows; ";
      if (s.peak_link_words > static_cast<std::uint64_t>(design.sources[i].link_words)) text += "a link overflows; ";
    }
    if (c.peak_sink_bytes > static_cast<std::uint64_t>(design.sink.buffer_bytes.number))
      text += "the buffer overflows; ";
    if (c.peak_funnel_words > static_cast<std::uint64_t>(design.link.fifo_words)) text += "a funnel overflows; ";
  }
  const TraceFunnelCounts& end = outcome.snapshots.back().counts;
  if (end.held.messages + end.inside.messages + end.in_sink.messages + end.in_sink_bytes != 0)
    text += "something is left; ";
  text += value("encoded bytes", end.encoded_bytes,
                end.stream_bytes - end.id_bytes - end.frame_bits_bytes - end.padding_bytes - end.full_sync_bytes);
  return text;
}

} // namespace hypermon::testing
