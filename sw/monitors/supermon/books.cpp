#include "sw/monitors/supermon/books.hpp"
#include "sw/model/site.hpp"
#include "sw/monitors/instances.hpp"

#include <array>
#include <stdexcept>

namespace hypermon::supermon {
namespace {

constexpr std::array causes{"late", "died"}; // by Loss; supermon_part.cpp names them

} // namespace

Books::Books(Site& site, const std::string& counters) : site_(site) {
  for (const CounterId counter : site.counters().want_all(counters, "supermon.counters"))
    counters_.emplace(site.counters().info(counter).name, counter);
}

void Books::sample(NodeId node, const Query& query, Time now, SexprWriter& out) {
  const Time stamp = site_.clock(node).read(now);
  Carried carried;
  out.open("sample").number(hypermon::index(node)).number(++serials_).integer(stamp.ps());
  if (!query.counters.empty()) {
    out.open("kernel");
    for (const std::string& name : query.counters) {
      const CounterId counter = counters_.at(name);
      out.open(name);
      each_instance(site_.counters(), counter, node, [&](CounterInstance of) {
        carried.samples.push_back(site_.samples().take(node, of, counter, now, stamp));
        out.integer(carried.samples.back().value);
      });
      out.close();
    }
    out.close();
  }
  out.close();
  under_way_.emplace(serials_, std::move(carried));
}

void Books::put(NodeId, const std::string&, Text, Time) {}

void Books::mon_died(NodeId, Time) {}

Books::Carried Books::settle(std::uint64_t serial) {
  auto found = under_way_.extract(serial);
  if (!found) throw std::logic_error("internal error: a node's answer came to its end twice");
  return std::move(found.mapped());
}

void Books::arrive(std::uint32_t, const Sexpr& sample, Time now) {
  const Carried carried = settle(sample[2].number());
  auto next = carried.samples.begin();
  if (!carried.samples.empty())
    for (const Sexpr counter : sample.named("kernel")) {
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

void Books::lose(std::uint64_t serial, Loss why) {
  for (const Sample& sample : settle(serial).samples)
    site_.samples().lose(sample, "tree", causes.at(static_cast<std::size_t>(why)));
}

void Books::close() {
  for (const auto& [serial, carried] : under_way_) // counted: in any order
    for (const Sample& sample : carried.samples) site_.samples().lose(sample, "tree", "unfinished");
  under_way_.clear();
}

std::optional<Time> Books::buried_after(Peer daemon, Time begin) const {
  for (const auto& [who, date] : burials_)
    if (who == daemon && date >= begin) return date;
  return {};
}

} // namespace hypermon::supermon
