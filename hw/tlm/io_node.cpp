#include "hw/tlm/io_node.hpp"
#include "hw/tlm/pbx_bus.hpp"
#include <vector>

namespace hypermon {

namespace {
std::uint64_t address(PbxRegister which) { return PbxBus::ecb_base + static_cast<std::uint64_t>(which); }
} // namespace

IoNode::IoNode(const sc_core::sc_module_name& name, const FrameFormat& format, const ReaderParams& reader,
               DrainedBy drained_by)
    : sc_module(name), pbx_initiator("pbx_initiator"), format_(format), reader_(reader.kind == "ideal" ? ReaderParams{} : reader) {
  require_picoseconds();
  SC_HAS_PROCESS(IoNode);
  if (drained_by == DrainedBy::bus_master) SC_THREAD(drain_by_words);
}

void IoNode::drain_to(Time horizon) {
  tlm::tlm_generic_payload& block = block_.payload();
  block.set_command(tlm::TLM_IGNORE_COMMAND);
  block.set_address(address(PbxRegister::frame_fifo));
  block.set_dmi_allowed(false);
  block.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = annotation(horizon);
  pbx_initiator->b_transport(block, delay);
  if (block.is_response_error()) SC_REPORT_ERROR("io_node", block.get_response_string().c_str());
}

// --- register level: the prototype's program (spec sec. 3), with the costs of ReaderParams ---

void IoNode::drain_by_words() {
  for (;;) {
    sc_core::sc_time no_delay;
    if ((read(PbxRegister::status, no_delay) & status_bits::frame_available) != 0)
      read_group();
    else
      wait(to_sc_time(clock_period));
  }
}

void IoNode::read_group() {
  sc_core::sc_time no_delay;
  const std::uint32_t count = read(PbxRegister::frame_count, no_delay);
  std::vector<DeliveredFrame> group;
  wait_to_edge(Time::from_ns(reader_.group_ns));
  for (std::uint32_t i = 0; i < count; ++i) {
    group.push_back(read_frame());
    wait_to_edge(Time::from_ns(reader_.frame_ns));
  }
  since_stall_ += count;
  if (reader_.stall_every_frames > 0 && since_stall_ >= reader_.stall_every_frames) {
    wait_to_edge(Time::from_ns(reader_.stall_ns));
    since_stall_ = 0;
  }
  if (FrameSink* sink = block_.extension().sink) sink->frames(group);
}

DeliveredFrame IoNode::read_frame() {
  std::array<std::uint32_t, FrameFormat::max_words> words{};
  std::size_t n = 0;
  const auto read_words = [&](std::size_t until) {
    while (n < until) { // not ahead of the nodes: each word at its own time
      sc_core::sc_time delay;
      words[n++] = read(PbxRegister::frame_fifo, delay);
      wait(delay);
    }
  };
  read_words(format_.words(false)); // the vector word says whether a timestamp follows
  if (format_.is_stamped(words[n - 1])) read_words(format_.words(true));
  wait_to_edge(0_ps);
  return {format_.unpack({words.data(), n}), to_time(sc_core::sc_time_stamp())};
}

std::uint32_t IoNode::read(PbxRegister which, sc_core::sc_time& delay) {
  std::uint32_t value = 0;
  tlm::tlm_generic_payload& word = pool_.acquire();
  word.set_command(tlm::TLM_READ_COMMAND);
  word.set_address(address(which));
  word.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
  word.set_data_length(sizeof value);
  word.set_streaming_width(sizeof value);
  word.set_dmi_allowed(false);
  word.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  pbx_initiator->b_transport(word, delay);
  if (word.is_response_error()) SC_REPORT_ERROR("io_node", word.get_response_string().c_str());
  word.release();
  return value;
}

// Waits `t`, and on to the next clock edge.
void IoNode::wait_to_edge(Time t) {
  const Time now = to_time(sc_core::sc_time_stamp());
  const Time pause = edge_at_or_after(now + t) - now;
  if (pause > 0_ps) wait(to_sc_time(pause));
}

} // namespace hypermon
