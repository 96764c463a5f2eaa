// The ECB's registers on the PBX (spec sec. 3): offset, width, access, reset value and description, once.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace hypermon {

enum class PbxRegister : std::uint32_t { control = 0x0, status = 0x4, frame_count = 0x8, frame_fifo = 0xC };
enum class Access : std::uint8_t { read, write };

struct RegisterInfo {
  PbxRegister offset;
  std::string_view name;
  unsigned bits;
  Access access;
  std::uint32_t reset;
  std::string_view description;
};

inline constexpr std::array<RegisterInfo, 4> pbx_registers{{
    {PbxRegister::control, "control", 8, Access::write, 0, "Bit 0: reset the board."},
    {PbxRegister::status, "status", 4, Access::read, 0,
     "Overruns since the last reset: bit 0 frame FIFO, bit 1 a node FIFO, bit 2 strobe-vector FIFO. Bit 3: a frame "
     "waits."},
    {PbxRegister::frame_count, "frame_count", 12, Access::read, 0, "Frames that wait, at most 4095."},
    {PbxRegister::frame_fifo, "frame_fifo", 32, Access::read, 0, "Next word of the oldest frame; 0 if there is none."},
}};
/// Bytes of the PBX address space that the registers take.
inline constexpr std::uint64_t pbx_register_bytes = 0x10;

constexpr const RegisterInfo* find_register(std::uint64_t offset) {
  for (const auto& r : pbx_registers)
    if (static_cast<std::uint64_t>(r.offset) == offset) return &r;
  return nullptr;
}

namespace control_bits {
inline constexpr std::uint32_t reset = 1u << 0;
}
namespace status_bits {
inline constexpr std::uint32_t frame_overrun = 1u << 0;
inline constexpr std::uint32_t node_overrun = 1u << 1;
inline constexpr std::uint32_t vector_overrun = 1u << 2;
inline constexpr std::uint32_t frame_available = 1u << 3;
} // namespace status_bits

} // namespace hypermon
