#include "hw/hypermon/tlm/io_node.hpp"
#include "hw/hypermon/tlm/pbx_bus.hpp"
#include <vector>

namespace hypermon {

namespace {
std::uint64_t address(PbxRegister which) { return PbxBus::ecb_base + static_cast<std::uint64_t>(which); }
} // namespace

IoNode::IoNode(const sc_core::sc_module_name& name, const FrameFormat& format, const ReaderParams& reader,
               DrainedBy drained_by)
    : sc_module(name), pbx_initiator("pbx_initiator"), format_(format),
      reader_(reader.kind == "ideal" ? ReaderParams{} : reader) {
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
    if ((look(PbxRegister::status) & status_bits::frame_available) != 0)
      read_group();
    else
      wait(to_sc_time(clock_period));
  }
}

void IoNode::read_group() {
  const std::uint32_t count = look(PbxRegister::frame_count);
  wait_to_edge(Time::from_ns(reader_.group_ns));
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto frame = read_frame();
    if (FrameSink* sink = block_.extension().sink; frame && sink != nullptr) sink->frames({&*frame, 1});
    wait_to_edge(Time::from_ns(reader_.frame_ns));
  }
  since_stall_ += count;
  if (reader_.stall_every_frames > 0 && since_stall_ >= reader_.stall_every_frames) {
    wait_to_edge(Time::from_ns(reader_.stall_ns));
    since_stall_ = 0;
  }
}

std::optional<DeliveredFrame> IoNode::read_frame() {
  std::array<std::uint32_t, FrameFormat::max_words> words{};
  std::size_t n = 0;
  bool failed = false;
  const auto read_words = [&](std::size_t until) {
    for (; n < until; ++n) { // each at its own time: reading has side effects
      sc_core::sc_time delay;
      failed |= read(PbxRegister::frame_fifo, words[n], delay) == tlm::TLM_GENERIC_ERROR_RESPONSE;
      wait(delay);
    }
  };
  read_words(format_.words(false)); // the vector word says whether a timestamp follows
  if (format_.is_stamped(words[n - 1])) read_words(format_.words(true));
  wait_to_edge(0_ps);
  const Time read_end = to_time(sc_core::sc_time_stamp());
  const std::uint64_t number = frames_read_++;
  if (!failed) return DeliveredFrame{format_.unpack({words.data(), n}), read_end};
  if (given_up_) given_up_(number, read_end);
  return std::nullopt;
}

std::uint32_t IoNode::look(PbxRegister which) {
  std::uint32_t value = 0;
  sc_core::sc_time delay;
  read(which, value, delay);
  return value;
}

// Of errors, only a failed word of the bus is expected.
tlm::tlm_response_status IoNode::read(PbxRegister which, std::uint32_t& value, sc_core::sc_time& delay) {
  tlm::tlm_generic_payload& word = pool_.acquire();
  word.set_command(tlm::TLM_READ_COMMAND);
  word.set_address(address(which));
  word.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
  word.set_data_length(sizeof value);
  word.set_streaming_width(sizeof value);
  word.set_dmi_allowed(false);
  word.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  pbx_initiator->b_transport(word, delay);
  const tlm::tlm_response_status status = word.get_response_status();
  if (status != tlm::TLM_OK_RESPONSE && status != tlm::TLM_GENERIC_ERROR_RESPONSE)
    SC_REPORT_ERROR("io_node", word.get_response_string().c_str());
  word.release();
  return status;
}

// Waits `t`, and on to the next clock edge.
void IoNode::wait_to_edge(Time t) {
  const Time now = to_time(sc_core::sc_time_stamp());
  const Time pause = edge_at_or_after(now + t) - now;
  if (pause > 0_ps) wait(to_sc_time(pause));
}

} // namespace hypermon
