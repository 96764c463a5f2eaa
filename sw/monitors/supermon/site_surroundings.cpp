// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/supermon/site_surroundings.hpp"
#include "base/csv_text.hpp"
#include "base/plain_number.hpp"
#include "base/text_file.hpp"
#include "hw/machine/site.hpp"
#include "sw/monitors/footprint.hpp"
#include "sw/monitors/instances.hpp"
#include "sw/monitors/supermon/core/compose.hpp"

#include <array>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace hypermon::supermon {
namespace {

constexpr std::array causes{"late", "died", "combined"}; // by Loss; supermon_part.cpp names them

} // namespace

SiteSurroundings::SiteSurroundings(Site& site, const std::string& counters, const BufferSetting& monhole,
                                   std::uint32_t sinks, Writer* writer)
    : site_(site), writer_(writer), monholes_(static_cast<std::size_t>(site.nodes()), MonholeBuffer(monhole, sinks)),
      written_(monholes_.size()) {
  for (const CounterId counter : site.counters().want_all(counters, "supermon.counters"))
    counters_.emplace(site.counters().info(counter).name, counter);
}

void SiteSurroundings::sample(NodeId node, const Query& query, Time now, SexprWriter& out) {
  const Time stamp = site_.clock(node).read(now);
  Carried carried{.node = node};
  out.open("sample").number(hypermon::index(node)).number(++serials_).integer(stamp.ps());
  if (!query.counters.empty()) {
    out.open("kernel");
    for (const std::string& name : query.counters) {
      const CounterId counter = counters_.at(name);
      out.open(name);
      each_instance(site_.counters(), counter, node, [&](CounterInstance instance) {
        carried.samples.push_back(site_.samples().take(node, instance, counter, now, stamp));
        out.integer(carried.samples.back().value);
      });
      out.close();
    }
    out.close();
  }
  if (query.monhole && writer_ != nullptr) {
    carried.entries = monholes_[hypermon::index(node)].read(now, query.sink);
    out.open("monhole");
    for (const auto& entry : carried.entries) {
      out.open("entry").atom(entry->source).number(entry->number);
      out.integer(site_.clock(node).read(entry->written).ps()).as_it_is(entry->text).close();
    }
    out.close();
  }
  out.close();
  under_way_.emplace(serials_, std::move(carried));
}

void SiteSurroundings::put(NodeId node, const std::string& source, Text text, Time now) {
  const bool is_kept = monholes_[hypermon::index(node)].write(now, source, *text);
  writer_->put(node, ++written_[hypermon::index(node)], is_kept);
}

void SiteSurroundings::command(NodeId node, std::string_view expression, Time now) {
  if (writer_ != nullptr) writer_->command(node, expression, now);
}

std::string SiteSurroundings::command_of(std::uint32_t sink, Time now) {
  return writer_ == nullptr ? std::string() : writer_->command_of(sink, now);
}

std::vector<Row> SiteSurroundings::rows_of(const Sexpr& text) {
  return writer_ == nullptr ? std::vector<Row>() : writer_->rows_of(text);
}

void SiteSurroundings::arrive_combined(const Query& query, const Sexpr& combined, Time now) {
  Combined all(query.combine);
  all.add_combined(combined);
  const std::string head = plain_number(now.seconds()) + "," + std::to_string(query.sink) + "," +
                           std::string(word(query.combine)) + "," + std::to_string(all.nodes()) + ",";
  const auto add = [&](const std::map<std::string, Combined::Value>& values) {
    for (const auto& [name, value] : values) {
      combined_ += head + "\"" + csv_text(name) + "\"," + std::to_string(value.count) + ",";
      for (std::size_t i = 0; i < value.numbers.size(); ++i)
        combined_ += (i == 0 ? "" : " ") + plain_number(all.shown(value, i));
      combined_ += "\n";
    }
  };
  add(all.counters());
  add(all.rows());
}

void SiteSurroundings::mon_died(NodeId node, Time) {
  MonholeBuffer& monhole = monholes_[hypermon::index(node)];
  for (const auto& entry : monhole.kept()) writer_->die(node, *entry);
  monhole.die();
}

SiteSurroundings::Carried SiteSurroundings::settle(std::uint64_t serial) {
  auto found = under_way_.extract(serial);
  if (!found) throw std::logic_error("internal error: a node's answer came to its end twice");
  return std::move(found.mapped());
}

void SiteSurroundings::arrive(std::uint32_t sink, const Sexpr& sample, Time now) {
  const Carried carried = settle(serial_of(sample));
  if (!carried.samples.empty()) arrive_samples(carried, sample.named("kernel"), now);
  if (!carried.entries.empty()) arrive_entries(carried, sample.named("monhole"), sink, now);
}

/// The parsed values only identify the samples; SampleLog has their data.
void SiteSurroundings::arrive_samples(const Carried& carried, const Sexpr& kernel, Time now) {
  auto next = carried.samples.begin();
  for (const Sexpr counter : kernel) {
    if (!counter.is_list()) continue; // the list's name
    bool is_name = true;
    for (const Sexpr value : counter) {
      if (std::exchange(is_name, false)) continue;
      if (next == carried.samples.end() || value.integer() != next->value)
        throw std::logic_error("internal error: a sample arrived as another than was taken");
      site_.samples().arrive(*next++, now);
    }
  }
  if (next != carried.samples.end()) throw std::logic_error("internal error: an answer arrived cut");
}

void SiteSurroundings::arrive_entries(const Carried& carried, const Sexpr& monhole, std::uint32_t sink, Time now) {
  auto next = carried.entries.begin();
  for (const Sexpr entry : monhole) {
    if (!entry.is_list()) continue; // the list's name
    if (next == carried.entries.end() || entry[2].number() != (*next)->number)
      throw std::logic_error("internal error: an entry arrived as another than was read");
    writer_->arrive(carried.node, **next++, entry[4], sink, now);
  }
  if (next != carried.entries.end()) throw std::logic_error("internal error: a monhole arrived cut");
}

void SiteSurroundings::lose(std::uint64_t serial, Loss why) {
  lose(settle(serial), causes.at(static_cast<std::size_t>(why)));
}

void SiteSurroundings::lose(const Carried& carried, const char* cause) {
  for (const Sample& sample : carried.samples) site_.samples().lose(sample, "tree", cause);
  for (const auto& entry : carried.entries) writer_->miss(carried.node, *entry, cause);
}

void SiteSurroundings::log(std::uint32_t sink) {
  const std::filesystem::path folder = std::filesystem::path(site_.folder()) / "answers";
  std::filesystem::create_directories(folder);
  logs_.emplace(sink, std::make_unique<GrowingText>(folder / ("client" + std::to_string(sink) + ".sexp")));
}

void SiteSurroundings::received(std::uint32_t sink, const std::string& answer, Time now) {
  if (const auto log = logs_.find(sink); log != logs_.end()) log->second->add("(at ", now.ps(), ' ', answer, ")\n");
}

void SiteSurroundings::close() {
  for (const auto& [sink, log] : logs_) log->close();
  if (!combined_.empty())
    write_text(std::filesystem::path(site_.folder()) / "combined.csv", [&](std::ostream& file) {
      file << "arrival_s,client,how,nodes,name,values,numbers\n" << combined_;
    });
  for (const auto& [serial, carried] : under_way_) lose(carried, "unfinished");
  under_way_.clear();
  for (std::uint32_t n = 0; n < monholes_.size(); ++n) {
    site_.footprint().keep(Place::node(NodeId{n}), static_cast<std::int64_t>(monholes_[n].peak().bytes));
    for (const auto& entry : monholes_[n].kept()) writer_->stay(NodeId{n}, *entry);
  }
}

std::optional<Time> SiteSurroundings::buried_after(Peer daemon, Time begin) const {
  for (const auto& [who, date] : burials_)
    if (who == daemon && date >= begin) return date;
  return {};
}

} // namespace hypermon::supermon
