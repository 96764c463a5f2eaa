// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/machine.hpp"
#include "base/file_parameter.hpp"
#include "base/parts.hpp"
#include "hw/cosim/simgrid_compat.hpp"
#include "hw/cosim/simgrid_date.hpp"
#include "hw/machine/computers.hpp"
#include "hw/machine/neighbour_params.hpp"
#include "hw/machine/params.hpp"
#include "hw/machine/platform_file.hpp"
#include "hw/machine/topology.hpp"

#include <xbt/config.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace hypermon {
namespace sg4 = simgrid::s4u;

namespace {

/// The options that smpirun itself passes to SimGrid, and the requested costs. SimGrid accepts either factors
/// (`own_factors`) or an option, not both.
std::vector<std::string> smpi_options(const SmpiParams& smpi, bool own_factors) {
  std::vector<std::string> options{"network/model:SMPI", "smpi/simulate-computation:no"};
  const std::pair<const char*, std::string> given[] = {
      {"smpi/os", smpi.send_cost},
      {"smpi/ois", smpi.isend_cost},
      {"smpi/or", smpi.receive_cost},
      {"smpi/lat-factor", own_factors ? std::string() : smpi.latency_factor},
      {"smpi/bw-factor", own_factors ? std::string() : smpi.bandwidth_factor},
      {"smpi/async-small-thresh", smpi.async_small_thresh},
      {"smpi/send-is-detached-thresh", smpi.send_is_detached_thresh},
      {"smpi/wtime", smpi.clock_cost}};
  for (const auto& [name, value] : given)
    if (!value.empty()) options.push_back(std::string(name) + ":" + value);
  return options;
}

/// Actions that end within the precision of each other end together. The coarse one is smpirun's. With back-pressure it
/// would let messages depend on the instants at which SimGrid waits for SystemC, which differ between levels of detail.
std::string precision(const Spec& spec) {
  const auto applies_back_pressure = monitor_of(spec).monitor.applies_back_pressure;
  const bool as_smpirun = spec.get<MachineParams>().messages == Messages::smpi &&
                          (applies_back_pressure == nullptr || !applies_back_pressure(spec));
  return std::string(simgrid_compat::precision_option) + (as_smpirun ? ":1e-9" : ":1e-12");
}

/// Whether transfers other than the program's may exist: networks beside it, or a monitor's connections on its network.
/// Calling factors costs time in SimGrid (2 % of a message). They are not possible on an XML platform, whose file has
/// factors too.
bool smpi_needs_factors(const Spec& spec) {
  if (spec.get<MachineParams>().topology == Topology::xml) return false;
  return spec.get<LanSection>().count > 0 || spec.monitor != "none";
}

std::vector<std::string> nx2_options(const NetworkParams& network) {
  const std::string eager = std::to_string(network.short_limit_bytes.number + 1);
  return {"network/model:SMPI", "smpi/simulate-computation:no", "network/TCP-gamma:0", "network/weight-S:0",
          "network/crosstraffic:no",
          // up to the limit a message leaves at once and is buffered at the receiver, beyond it the send blocks
          "smpi/send-is-detached-thresh:" + eager, "smpi/async-small-thresh:" + eager,
          // costs of calls are charged by sw/nx2, on the node that makes them
          "smpi/os:0:0:0", "smpi/ois:0:0:0", "smpi/or:0:0:0", "smpi/iprobe:0", "smpi/test:0", "smpi/init:0"};
}

/// Parses an SMPI option from:factor;..., ordered by size.
std::map<double, double> smpi_pieces(const std::string& text) {
  std::map<double, double> pieces;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ';');)
    pieces[std::stod(word)] = std::stod(word.substr(word.find(':') + 1));
  return pieces;
}

/// SMPI's rule: the factor of the last piece that begins below the size; 1 below all pieces.
double factor_of(const std::map<double, double>& pieces, double size) {
  const auto after = pieces.lower_bound(size);
  return after == pieces.begin() ? 1.0 : std::prev(after)->second;
}

/// Latency factor. With 0 SimGrid would share links as if the transfer's latency were 1 s.
constexpr double almost_none = 1e-9;

double whole_bandwidth(double, const sg4::Host*, const sg4::Host*, const std::vector<sg4::Link*>&) { return 1.0; }

class Guard {
public:
  explicit Guard(std::function<void()> at_end) : at_end_(std::move(at_end)) {}
  ~Guard() { at_end_(); }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

private:
  std::function<void()> at_end_;
};

} // namespace

std::vector<std::string> engine_options(const Spec& spec) {
  const Messages messages = spec.get<MachineParams>().messages;
  auto options = messages == Messages::smpi ? smpi_options(spec.get<SmpiParams>(), smpi_needs_factors(spec))
                                            : nx2_options(spec.get<NetworkParams>());
  options.push_back(precision(spec));
  if (messages == Messages::nx2) options.emplace_back("smpi/wtime:0"); // reading a clock is charged by sw/nx2 as well
  // SimGrid charges acknowledgements to the way back, which a message would then hold as well.
  if (spec.get<MachineParams>().links == Links::exclusive) options.emplace_back("network/crosstraffic:no");
#ifdef __SANITIZE_ADDRESS__
  options.emplace_back("contexts/factory:thread"); // AddressSanitizer does not know SimGrid's own stacks
#endif
  return options;
}

Machine::Machine(const Spec& spec, const std::vector<NodeId>& io_nodes, const std::string& checked_platform)
    : network_(spec.get<NetworkParams>()), seeds_(node_seeds(spec)) {
  if (spec.get<MachineParams>().topology == Topology::xml)
    load(spec, checked_platform);
  else
    build(spec, io_nodes);
  if (spec.get<MachineParams>().messages == Messages::nx2)
    use_nx2_message_times();
  else if (spec.get<MachineParams>().messages == Messages::packets)
    use_plain_message_times();
  else if (smpi_needs_factors(spec))
    use_smpi_message_times(spec.get<SmpiParams>());
}

void Machine::load(const Spec& spec, const std::string& checked_platform) {
  const std::string file = file_parameter(spec.get<MachineParams>().xml)->path;
  load_platform_file(file, checked_platform);
  // computers in the order of the file: nodes, these, host
  std::vector<std::string> others = computers_on_network(spec);
  std::erase_if(others, [&](const std::string& name) { return name.starts_with("node"); });
  const auto nodes = static_cast<std::size_t>(spec.nodes);
  const auto hosts = xml_hosts(spec.get<MachineParams>(), nodes + 1 + others.size(), !others.empty());
  has_speeds_ = true;
  nodes_.assign(hosts.begin(), hosts.begin() + spec.nodes);
  host_ = hosts.back();
  const auto& neighbours = spec.get<NeighbourSection>();
  auto next = hosts.begin() + spec.nodes;
  for (std::size_t p = 0; p < static_cast<std::size_t>(neighbours.count); ++p, next += neighbours.instance(p - 1).nodes)
    neighbours_.emplace_back(next, next + neighbours.instance(p).nodes);
  beside_.assign(next, hosts.end() - 1);
}

void Machine::build(const Spec& spec, const std::vector<NodeId>& io_nodes) {
  auto* root = simgrid_compat::add_full_zone("machine");
  auto* network = add_nodes(root, spec);
  connect_host(root, network, spec.get<HostParams>());
  attach_io_nodes(root, io_nodes);
  add_beside(root, spec);
  root->seal();
  for (std::int64_t n = 0; n < spec.nodes; ++n) nodes_.push_back(sg4::Host::by_name(node_name(n)));
  const auto& neighbours = spec.get<NeighbourSection>();
  for (std::size_t p = 0; p < static_cast<std::size_t>(neighbours.count); ++p) {
    auto& own = neighbours_.emplace_back();
    for (std::int64_t n = 0; n < neighbours.instance(p).nodes; ++n)
      own.push_back(sg4::Host::by_name(neighbour_name(p, n)));
  }
}

void Machine::add_beside(sg4::NetZone* root, const Spec& spec) {
  const auto& machine = spec.get<MachineParams>();
  for (std::int64_t b = 0; b < machine.beside; ++b) {
    if (!machine.beside_on_network) {
      auto* zone = simgrid_compat::add_full_zone(beside_name(b) + "_zone", root);
      simgrid_compat::add_host(zone, beside_name(b), 1e9)->seal();
      zone->seal();
    }
    beside_.push_back(sg4::Host::by_name(beside_name(b)));
  }
  const auto& lans = spec.get<LanSection>();
  for (std::size_t l = 0; l < static_cast<std::size_t>(lans.count); ++l)
    lans_.emplace_back(root, "lan" + std::to_string(l), lans.instance(l), Places(spec).count());
}

void Machine::use_nx2_message_times() {
  has_factors_ = true;
  simgrid_compat::set_transfer_factors(
      [this](double size, const sg4::Host* from, const sg4::Host* to, const std::vector<sg4::Link*>& links) {
        if (begins_bare_) return almost_none;
        transfer_begins(size, from, to, links); // SimGrid calls the factor once, when a transfer begins
        return latency_factor(size);
      },
      whole_bandwidth);
}

/// The program's messages do not use this; SMPI's internal operations do (creating communicators, one-sided calls).
void Machine::use_plain_message_times() {
  has_factors_ = true;
  simgrid_compat::set_transfer_factors(
      [this](double, const sg4::Host*, const sg4::Host*, const std::vector<sg4::Link*>&) {
        return begins_bare_ ? almost_none : 1.0;
      },
      whole_bandwidth);
}

// SMPI multiplies every transfer's latency and bandwidth, including those of monitors and of networks beside the
// program's. Here the factors apply to the program's network alone.
void Machine::use_smpi_message_times(const SmpiParams& smpi) {
  has_factors_ = true;
  std::unordered_set<const sg4::Host*> beside;
  for (const Lan& lan : lans_)
    for (std::size_t c = 0; c < lan.computers(); ++c) beside.insert(lan.interface(c));
  const auto factor = [this, beside](const std::string& given, const char* option, double bare) {
    return [this, beside, bare,
            pieces = smpi_pieces(given.empty() ? simgrid::config::get_value<std::string>(option) : given)](
               double size, const sg4::Host* from, const sg4::Host*, const std::vector<sg4::Link*>&) {
      if (begins_bare_) return bare;
      return !beside.empty() && beside.contains(from) ? 1.0 : factor_of(pieces, size);
    };
  };
  simgrid_compat::set_transfer_factors(factor(smpi.latency_factor, "smpi/lat-factor", almost_none),
                                       factor(smpi.bandwidth_factor, "smpi/bw-factor", 1.0));
}

void Machine::connect_host(sg4::NetZone* root, sg4::NetZone* network, const HostParams& params) {
  auto* front_end = simgrid_compat::add_full_zone("front_end", root); // a route of zones needs a zone at both ends
  host_ = simgrid_compat::add_host(front_end, "host", 1e9);
  host_->seal();
  front_end->seal();
  auto* channel =
      simgrid_compat::add_link(root, "host_channel", params.bandwidth_kb_per_s * 1e3, network_.short_hop_us.seconds());
  using simgrid_compat::end_at;
  simgrid_compat::add_route(root, end_at(network, sg4::Host::by_name("node0")), end_at(front_end, host_),
                            {sg4::LinkInRoute(channel)});
}

void Machine::attach_io_nodes(sg4::NetZone* root, const std::vector<NodeId>& at) {
  for (const NodeId node : at) {
    const std::string name = "io" + std::to_string(io_nodes_.size());
    auto* zone = simgrid_compat::add_full_zone(name + "_zone", root);
    auto* io_node = simgrid_compat::add_host(zone, name, 1e9);
    io_node->seal();
    zone->seal();
    io_nodes_.push_back(io_node);
    auto* own = simgrid_compat::add_link(root, name + "_link", network_.bandwidth_mb_per_s * 1e6,
                                         network_.short_hop_us.seconds());
    std::vector<sg4::Link*> network_and_channel;
    sg4::Host::by_name("node" + std::to_string(index(node)))->route_to(host_, network_and_channel, nullptr);
    std::vector<sg4::LinkInRoute> route{sg4::LinkInRoute(own)};
    for (const sg4::Link* link : network_and_channel) route.emplace_back(link);
    // Both directions: if SMPI's messages have cross traffic, SimGrid also looks up the way back.
    using simgrid_compat::end_at;
    simgrid_compat::add_route(root, end_at(zone, io_node), end_at(host_->get_englobing_zone(), host_), route);
  }
}

Time Machine::message_overhead(std::int64_t bytes) const {
  const double us_per_wire_byte = 1 / network_.bandwidth_mb_per_s;
  const Microseconds header = smpi_header_bytes * us_per_wire_byte;
  const auto b = static_cast<double>(bytes);
  const Microseconds slope = b * (network_.short_us_per_byte - us_per_wire_byte);
  const Microseconds overhead = is_short(bytes) ? (network_.short_base_us - network_.short_hop_us - header + slope) / 2
                                                : (network_.long_base_us - network_.long_hop_us - header) / 4;
  return std::max(overhead, Microseconds{});
}

Time Machine::control_flight(sg4::Host* from, sg4::Host* to) const {
  std::vector<sg4::Link*> links;
  double latency = 0;
  from->route_to(to, links, &latency);
  return Time::from_seconds_rounded(latency * long_latency_factor());
}

double Machine::latency_factor(double size) const {
  const bool is_short_message = size <= static_cast<double>(network_.short_limit_bytes.number) + smpi_header_bytes;
  return is_short_message ? 1.0 : long_latency_factor();
}

double Machine::long_latency_factor() const {
  return network_.short_hop_us > 0 ? network_.long_hop_us / 3 / network_.short_hop_us : 1.0;
}

void Machine::watch_transfers(TransferHandler begins, TransferHandler ends) {
  begins_ = std::move(begins);
  ends_ = std::move(ends);
  simgrid_compat::on_transfer_end(
      [this](double size, double start, const auto* activity) { transfer_ends(size, start, activity); });
}

void Machine::transfer(sg4::Host* from, sg4::Host* to, std::int64_t bytes, const std::function<void(Carrier)>& begun) {
  const auto transfer = sg4::Comm::sendto_init(from, to);
  transfer->set_payload_size(static_cast<std::uint64_t>(bytes));
  simgrid_compat::in_maestro([&] { // transfer_begins() is called within start() and cannot see whose transfer it is
    begins_own_ = true;
    transfer->start();
    begins_own_ = false;
    own_.insert(transfer->get_impl());
    if (begun) begun(transfer->get_impl());
  });
  const Guard forget([this, own = transfer->get_impl()] { own_.erase(own); }); // also if the actor is killed meanwhile
  transfer->wait();
}

Machine::Carrier Machine::start_transfer(sg4::Host* from, sg4::Host* to, std::int64_t bytes,
                                         std::function<void()> left) {
  watch_started();
  const auto transfer = sg4::Comm::sendto_init(from, to);
  transfer->set_payload_size(static_cast<std::uint64_t>(bytes));
  begins_own_ = begins_bare_ = true;
  transfer->detach();
  begins_own_ = begins_bare_ = false;
  const auto* activity = transfer->get_impl();
  own_.insert(activity);
  started_.emplace(activity, Started{transfer, std::move(left)});
  return activity;
}

void Machine::watch_started() {
  if (std::exchange(watches_started_, true)) return;
  simgrid_compat::on_transfer_end([this](double, double, const auto* activity) {
    if (!started_.contains(activity)) return;
    set_timer(simgrid_now(), [this, activity] { // SimGrid is processing its transfers now, when none may begin
      own_.erase(activity);
      started_.extract(activity).mapped().left();
    });
  });
}

Machine::Way Machine::way(sg4::Host* from, sg4::Host* to) const {
  std::vector<sg4::Link*> links;
  double latency = 0;
  from->route_to(to, links, &latency);
  double bytes_per_s = HUGE_VAL;
  for (const sg4::Link* link : links) bytes_per_s = std::min(bytes_per_s, link->get_bandwidth());
  return {has_factors_ ? Time::from_seconds_rounded(latency) : Time{}, bytes_per_s};
}

void Machine::transfer_begins(double size, const sg4::Host* from, const sg4::Host* to,
                              const std::vector<sg4::Link*>& links) {
  if (!begins_ || begins_own_) return;
  double latency = 0;
  double bandwidth = HUGE_VAL;
  for (const sg4::Link* link : links) {
    latency += link->get_latency();
    bandwidth = std::min(bandwidth, link->get_bandwidth());
  }
  const double start = sg4::Engine::get_clock();
  const Transfer transfer{from, to, size, start, start + latency * latency_factor(size) + size / bandwidth};
  on_wire_.emplace(std::pair{start, size}, transfer);
  begins_(transfer);
}

void Machine::for_transfers_under_way(const std::function<void(const Transfer&, double moved)>& f) const {
  std::map<std::pair<double, double>, decltype(on_wire_.begin())> next; // by start and size, in order
  simgrid_compat::for_transfers_under_way([&](double size, double start, const auto* activity, double moved) {
    if (is_own(activity)) return;
    const std::pair key{start, size};
    auto& transfer = next.try_emplace(key, on_wire_.lower_bound(key)).first->second;
    if (transfer != on_wire_.end() && transfer->first == key) f((transfer++)->second, moved);
  });
}

void Machine::transfer_ends(double size, double start, const simgrid::kernel::activity::ActivityImpl* activity) {
  if (is_own(activity)) return;
  // SimGrid's signal names neither source nor destination. Start and size identify the transfer, unless transfers of
  // one size began at the same instant. Among these, the one with the nearest expected end has ended (equal ones end
  // together).
  const double now = sg4::Engine::get_clock();
  const auto [first, last] = on_wire_.equal_range({start, size});
  if (first == last) return; // the transfer began before watch_transfers()
  const auto best = std::min_element(first, last, [now](const auto& a, const auto& b) {
    return std::abs(a.second.expected - now) < std::abs(b.second.expected - now);
  });
  const Transfer transfer = best->second;
  on_wire_.erase(best);
  ends_(transfer);
}

} // namespace hypermon
