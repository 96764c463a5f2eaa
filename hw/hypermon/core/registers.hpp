// SPDX-License-Identifier: BSD-3-Clause
// The only table of the ECB's registers on the PBX (spec sec. 3). The SystemC modules decode and reject accesses by it,
// the board and the drain program use its names, and `hypermon.registers` and docs/reference/registers.md show it.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace hypermon {

/// The values are the offsets.
enum class PbxRegister : std::uint32_t { control = 0x0, status = 0x4, frame_count = 0x8, frame_fifo = 0xC };

namespace control_bits {
inline constexpr std::uint32_t reset = 1u << 0;
}
namespace status_bits {
inline constexpr std::uint32_t frame_overrun = 1u << 0;
inline constexpr std::uint32_t node_overrun = 1u << 1;
inline constexpr std::uint32_t vector_overrun = 1u << 2;
inline constexpr std::uint32_t frame_available = 1u << 3;
} // namespace status_bits

/// Accesses that a register allows to a master.
enum class Access : std::uint8_t { read_only, write_only, read_write };
constexpr bool can_read(Access a) { return a != Access::write_only; }
constexpr bool can_write(Access a) { return a != Access::read_only; }

/// Bits of a register with a meaning of their own.
struct RegisterField {
  std::string_view name;
  std::uint32_t mask;
  std::string_view description;
};

struct RegisterInfo {
  PbxRegister offset;
  std::string_view name;
  unsigned bits; ///< higher bits read as 0 and are ignored when written
  Access access;
  std::uint32_t reset; ///< value after a reset
  bool side_effects;   ///< whether a read has some
  std::string_view description;
  std::span<const RegisterField> fields{};
};

/// Address of the registers in the I/O node's PBX space (chosen), and the number of bytes that they occupy.
inline constexpr std::uint64_t pbx_register_base = 0x1000;
inline constexpr std::uint64_t pbx_register_bytes = 0x10;
/// Size of every access; its offset must be in the table.
inline constexpr unsigned pbx_access_bytes = 4;

inline constexpr std::array<RegisterField, 1> control_fields{{
    {"reset", control_bits::reset, "Resets the board: it is empty, and windows and timestamps start again."},
}};
inline constexpr std::array<RegisterField, 4> status_fields{{
    {"frame_overrun", status_bits::frame_overrun, "A frame found the frame FIFO full since the last reset."},
    {"node_overrun", status_bits::node_overrun, "A datum found its node FIFO full since the last reset."},
    {"vector_overrun", status_bits::vector_overrun, "A window found the strobe-vector FIFO full since the last reset."},
    {"frame_available", status_bits::frame_available, "Frames wait in the frame FIFO."},
}};
inline constexpr std::array<RegisterInfo, 4> pbx_registers{{
    {PbxRegister::control, "control", 8, Access::write_only, 0, false, "Commands to the board.", control_fields},
    {PbxRegister::status, "status", 4, Access::read_only, 0, false,
     "State of the board and overruns since the last reset.", status_fields},
    {PbxRegister::frame_count, "frame_count", 12, Access::read_only, 0, false,
     "Number of frames that wait in the frame FIFO, at most 4095."},
    {PbxRegister::frame_fifo, "frame_fifo", 32, Access::read_only, 0, true,
     "Next word of the oldest frame, which leaves the FIFO with its last word. 0 if no frame waits."},
}};

constexpr const RegisterInfo* find_register(std::uint64_t offset) {
  for (const auto& r : pbx_registers)
    if (static_cast<std::uint64_t>(r.offset) == offset) return &r;
  return nullptr;
}
/// Like find_register(), for a register of the list. mask() gives its bits.
constexpr const RegisterInfo& info(PbxRegister which) { return *find_register(static_cast<std::uint64_t>(which)); }
constexpr std::uint32_t mask(const RegisterInfo& r) {
  return static_cast<std::uint32_t>((std::uint64_t{1} << r.bits) - 1);
}

} // namespace hypermon
