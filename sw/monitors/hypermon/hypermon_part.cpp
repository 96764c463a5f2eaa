// SPDX-License-Identifier: BSD-3-Clause
// Parameters and results of HYPERMON, and the conditions between its parameters.
#include "base/json.hpp"
#include "base/user_error.hpp"
#include "hw/hypermon/core/drain_program.hpp"
#include "hw/hypermon/core/faults.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/core/second_master.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/machine/machine_params.hpp"
#include "sw/monitors/hypermon/loss_places.hpp"
#include "sw/monitors/hypermon/result_keys.hpp"

namespace hypermon {
namespace {

/// Bit 31 of a frame's vector word says whether the frame has a timestamp, so no input can use that bit. An empty frame
/// carries no flagged datum and would have no timestamp (spec sec. 6).
void check_timestamps(const std::string& path, const EcbParams& ecb) {
  if (ecb.timestamp_policy != TimestampPolicy::on_request) return;
  const std::string policy = " with " + path + ".timestamp_policy = \"on_request\"";
  if (ecb.inputs > 31) throw UserError("ecb.inputs = " + std::to_string(ecb.inputs) + ": must be 1 to 31" + policy);
  if (ecb.wrap_frames) throw UserError(path + ".wrap_frames = true: must be false" + policy);
}

/// `wanted`: the allowed levels.
[[noreturn]] void refuse_level(const Spec& spec, const char* wanted, const std::string& setting) {
  throw UserError("ecb.level = " + std::string(word(spec.get<EcbSection>().level)) + ": must be " + wanted + setting);
}

/// Levels that exist together (docs/design/tlm.md).
void check_levels(const Spec& spec) {
  if (by_strobes(spec) && stalls(spec))
    throw UserError("backplane.level = transactions: must be functional with ecb.node_fifo_full = stall, because a "
                    "stalled strobe delays the rest of its burst");
  if (boards_follow_systemc(spec) && !by_words(spec))
    throw UserError("pbx.level = functional: must be transactions with ecb.level = " +
                    std::string(word(spec.get<EcbSection>().level)) + ", whose board answers each access by itself");
}

/// A stream of events uses only the hardware: there is no machine, and nothing is decoded.
void check_stream(const Spec& spec) {
  if (!workload_of(spec).workload.is_stream || !is_hypermon(spec)) return;
  const std::string setting = " with workload = " + spec.workload;
  if (stalls(spec))
    throw UserError("ecb.node_fifo_full = stall: must be drop" + setting + ", which no node can wait for");
  if (spec.get<DrainParams>().destination == Destination::host)
    throw UserError("drain.destination = host: must be another" + setting + ", which has no machine with links");
  if (boards_follow_systemc(spec)) refuse_level(spec, "functional", setting + ", which is simulated without a bus");
  for (const auto& [path, is_set] : {std::pair("backplane", by_strobes(spec)), std::pair("pbx", by_words(spec))})
    if (is_set) throw UserError(std::string(path) + ".level = transactions: must be functional" + setting);
  if (spec.get<DrainParams>().reduction == Reduction::statistics)
    throw UserError("drain.reduction = statistics: must be none or streams" + setting + ", whose events have no types");
  if (spec.get<FaultParams>().garbage_frames != 0)
    throw UserError("faults.garbage_frames = " + std::to_string(spec.get<FaultParams>().garbage_frames) +
                    ": must be 0" + setting + ": only a decoder would tell them from data");
}

/// A message is kept in memory until it is complete, and then leaves. An XML platform has no host as its destination.
void check_destination(const Spec& spec) {
  const auto& drain = spec.get<DrainParams>();
  if (is_hypermon(spec) && drain.destination == Destination::host && drain.host_message_bytes > drain.memory_bytes)
    throw UserError("drain.host_message_bytes = " + std::to_string(drain.host_message_bytes.number) +
                    ": must be at most drain.memory_bytes = " + std::to_string(drain.memory_bytes.number) +
                    " with drain.destination = host");
  if (spec.get<MachineParams>().topology != Topology::xml || !is_hypermon(spec) ||
      spec.get<DrainParams>().destination != Destination::host)
    return;
  throw UserError(
      "drain.destination = \"host\": must be another one with machine.topology = \"xml\", which has no host "
      "for it");
}

/// Two masters share the bus only by transactions. The drain program must get the bus at some time, or the run never
/// ends. A reset that waits for the bus comes at a time that is not known when a node writes.
void check_pbx(const Spec& spec) {
  if (is_hypermon(spec) && !spec.get<PbxParams>().module.empty() && !by_words(spec))
    throw UserError("pbx.level = functional: must be transactions with a pbx.module");
  const auto& second = spec.get<SecondMasterParams>();
  if (!is_hypermon(spec) || second.words == 0) return;
  const std::string setting = " with dma.words = " + std::to_string(second.words);
  if (!boards_follow_systemc(spec)) refuse_level(spec, "transactions or rtl", setting);
  if (spec.get<FaultParams>().reset_at_us > 0)
    throw UserError("faults.reset_at_us = " + to_json(spec)["faults"]["reset_at_us"].dump() + ": must be 0" + setting +
                    ", which may delay the reset");
  const auto& pbx = spec.get<PbxParams>();
  if (pbx.register_read_ns > 0)
    throw UserError("pbx.register_read_ns = " + std::to_string(pbx.register_read_ns.number) + ": must be 0" + setting +
                    ", which would wait for polls that find no frame");
  const WholeNanoseconds burst = second.words * pbx.word_ns + pbx.burst_start_ns;
  if (second.arbitration == PbxArbitration::second_first && second.period_ns <= burst)
    throw UserError("dma.period_ns = " + std::to_string(second.period_ns.number) + ": must be more than " +
                    std::to_string(burst.number) +
                    " (words * pbx.word_ns + pbx.burst_start_ns) with dma.arbitration = second_first" +
                    ", or the drain program never has the bus");
}

/// Other masters on the bus delay the reads of the board's drain program, but not those of the model's.
void check_lockstep(const Spec& spec) {
  const auto& ecb = spec.get<EcbSection>();
  if (ecb.lockstep == Lockstep::none) {
    if (!ecb.lockstep_times) throw UserError("ecb.lockstep_times = false: must be true without an ecb.lockstep");
    return;
  }
  if (!own_boards(spec))
    throw UserError("ecb.lockstep = " + std::string(word(ecb.lockstep)) +
                    ": must be none without an ecb.module or ecb.rtl, which it compares with hypermon's model");
  if (spec.get<DrainParams>().destination == Destination::host)
    throw UserError("ecb.lockstep = " + std::string(word(ecb.lockstep)) +
                    ": must be none with drain.destination = host, because the model's drain program would wait for "
                    "messages that it does not send");
  if (contends(spec) && ecb.lockstep_times)
    throw UserError("ecb.lockstep_times = true: must be false with dma.words or pbx.module, which delay the drain "
                    "program of the board, but not that of the model");
}

/// Settings that only a user's board has.
void check_no_board_settings(const EcbParams& ecb) {
  const auto must_be_empty = [](const char* name, const std::string& value, const char* without) {
    if (!value.empty())
      throw UserError(std::string("ecb.") + name + " = " + value + ": must be empty without an " + without);
  };
  if (ecb.module.empty()) must_be_empty("module_options", ecb.module_options, "ecb.module");
  if (!ecb.rtl.empty()) return;
  must_be_empty("rtl_top", ecb.rtl_top, "ecb.rtl");
  must_be_empty("rtl_parameters", ecb.rtl_parameters, "ecb.rtl");
}

/// A user's board is simulated access by access, so that hypermon cannot change its internal state as it does with its
/// own boards. Python has replaced the sources of ecb.rtl by a shared object with a board.
void check_own_boards(const Spec& spec) {
  const auto& ecb = spec.get<EcbSection>();
  if (is_hypermon(spec)) {
    check_no_board_settings(ecb);
    check_lockstep(spec);
  }
  if (!own_boards(spec)) {
    if (is_hypermon(spec) && ecb.level == DetailLevel::rtl)
      refuse_level(spec, "functional or transactions", " without an ecb.rtl");
    return;
  }
  if (!ecb.module.empty() && !ecb.rtl.empty())
    throw UserError("ecb.rtl = " + ecb.rtl + ": must be empty with an ecb.module");
  if (ecb.rtl.empty() && ecb.level != DetailLevel::transactions)
    refuse_level(spec, "transactions", " with an ecb.module");
  if (!ecb.rtl.empty() && ecb.level != DetailLevel::rtl) refuse_level(spec, "rtl", " with an ecb.rtl");
  const std::string setting = ecb.rtl.empty() ? " with an ecb.module" : " with ecb.level = rtl";
  if (!ecb.rtl.empty() && !ecb.differing.empty())
    throw UserError("ecb[" + std::to_string(ecb.differing.begin()->first) + "]: all boards must be alike" + setting);
  if (!ecb.rtl.empty() && ecb.wrap_frames)
    throw UserError("ecb.wrap_frames = true: must be false" + setting + ", whose pins have no empty frames");
  const Json json = to_json(spec);
  const auto must_be_0 = [&](const char* section, const char* name) {
    const Json& value = json[section][name];
    if (value.get<double>() != 0)
      throw UserError(std::string(section) + "." + name + " = " + value.dump() + ": must be 0" + setting);
  };
  must_be_0("ecb", "reset_skew_ns");
  must_be_0("faults", "garbage_frames");
  must_be_0("faults", "reset_at_us");
}

/// The ERB decides about a strobe when the node writes it. A full node FIFO that stalls changes the time of later
/// strobes.
void check_erb(const Spec& spec) {
  const auto& erb = spec.get<ErbParams>();
  if (!is_hypermon(spec) || !stalls(spec) || erb.pulse_ns == 0) return;
  throw UserError("erb.pulse_ns = " + std::to_string(erb.pulse_ns.number) +
                  ": must be 0 with ecb.node_fifo_full = stall, which delays strobes");
}

void check_hypermon(const Spec& spec) {
  check_erb(spec);
  check_pbx(spec);
  check_levels(spec);
  check_own_boards(spec);
  for (std::size_t board = 0; board < boards_of(spec); ++board) {
    const std::string own = "ecb[" + std::to_string(board) + "]";
    check_timestamps(spec.get<EcbSection>().differing.contains(board) ? own : "ecb", ecb_of(spec, board));
  }
  check_stream(spec);
  check_destination(spec);
}

std::string no_such_board(const Spec& spec, std::size_t board) {
  if (board < boards_of(spec)) return "";
  return "nodes = " + std::to_string(spec.nodes) +
         " with ecb.inputs = " + std::to_string(spec.get<EcbSection>().inputs) + " need boards 0 to " +
         std::to_string(boards_of(spec) - 1);
}

MonitorTraits::Place listed(const LossPlace& place, const std::string& remark = "") {
  return {std::string(place.stage), std::string(place.cause), remark};
}

std::vector<MonitorTraits::Place> losses() {
  std::vector<MonitorTraits::Place> all{
      listed(resync_place, "all nibbles arrived, but the decoder could not place them")};
  for (const LossPlace& place : loss_places) all.push_back(listed(place));
  for (const LossPlace& place : fault_places) all.push_back(listed(place));
  all.push_back(listed(incomplete_word_place));
  all.push_back(listed(lost_in_board_place, "a user's board neither delivered nor reported it"));
  return all;
}

} // namespace

Part hypermon_part() {
  Part part{
      .kind = Part::Kind::monitor,
      .name = "hypermon",
      .sections = {section<PortParams>("port", "Performance port of a node."),
                   section<BackplaneParams>("backplane", "Backplane of the cabinet, with the ports before it."),
                   section<ErbParams>("erb", "Event regeneration board."),
                   section<Several<EcbParams>>("ecb", "Event capture boards, one for every ecb.inputs nodes."),
                   section<PbxParams>("pbx", "PBX bus between capture board and I/O node."),
                   section<SecondMasterParams>("dma", "Second master of the PBX bus: the DMA engine of a card."),
                   section<ReaderParams>("reader", "Loop of the I/O node's drain program that reads frames."),
                   section<DrainParams>("drain", "Processing of the frames in the I/O node's drain program."),
                   section<FaultParams>("faults", "Injected faults of strobes, data lines, bus and drain program.")},
      .check = check_hypermon,
      .results = keys_of(hypermon_keys),
      .is_default = true,
      .monitor = {.ledger_unit = "nibbles",
                  .losses = losses(),
                  .records = true,
                  .has_waves = true,
                  .takes_streams = true,
                  .applies_back_pressure = applies_back_pressure,
                  .description = "the HYPERMON monitor with its capture boards"}};
  for (SectionKind& kind : part.sections) {
    kind.is_behind_ports = kind.name != "port";
    if (kind.name == "ecb") kind.no_such = no_such_board, kind.each = "board";
  }
  return part;
}

} // namespace hypermon
