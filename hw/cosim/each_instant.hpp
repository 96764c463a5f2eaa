// SPDX-License-Identifier: BSD-3-Clause
// Calls a function at the end of each instant of SystemC. SystemC 2.3 offers this to trace files alone.
#pragma once
#include <functional>
#include <systemc>

namespace hypermon {

#if IEEE_1666_SYSTEMC >= 202301L // SystemC 3, whose registry of trace files is closed

/// The function may be called several times at an instant; the last call is after all delta cycles.
class EachInstant : private sc_core::sc_stage_callback_if {
public:
  explicit EachInstant(std::function<void()> f) : f_(std::move(f)) { sc_core::sc_register_stage_callback(*this, ends); }
  ~EachInstant() override { sc_core::sc_unregister_stage_callback(*this, ends); }
  EachInstant(const EachInstant&) = delete;
  EachInstant& operator=(const EachInstant&) = delete;

private:
  static constexpr unsigned ends = sc_core::SC_PRE_TIMESTEP | sc_core::SC_PRE_PAUSE | sc_core::SC_PRE_STOP;

  void stage_callback(const sc_core::sc_stage&) override { f_(); }

  std::function<void()> f_;
};

#else

/// The function may be called several times at an instant; the last call is after all delta cycles.
class EachInstant : private sc_core::sc_trace_file {
public:
  explicit EachInstant(std::function<void()> f) : f_(std::move(f)) {
    sc_core::sc_get_curr_simcontext()->add_trace_file(this);
  }
  ~EachInstant() override { sc_core::sc_get_curr_simcontext()->remove_trace_file(this); }
  EachInstant(const EachInstant&) = delete;
  EachInstant& operator=(const EachInstant&) = delete;

private:
  void cycle(bool delta_cycle) override {
    if (!delta_cycle) f_();
  }

  // Nothing is traced.
#define HYPERMON_NOT_TRACED(type)                                                                                      \
  void trace(const type&, const std::string&) override {}
#define HYPERMON_NOT_TRACED_OF_WIDTH(type)                                                                             \
  void trace(const type&, const std::string&, int) override {}
  HYPERMON_NOT_TRACED(sc_core::sc_event)
  HYPERMON_NOT_TRACED(sc_core::sc_time)
  HYPERMON_NOT_TRACED(bool)
  HYPERMON_NOT_TRACED(sc_dt::sc_bit)
  HYPERMON_NOT_TRACED(sc_dt::sc_logic)
  HYPERMON_NOT_TRACED_OF_WIDTH(unsigned char)
  HYPERMON_NOT_TRACED_OF_WIDTH(unsigned short)
  HYPERMON_NOT_TRACED_OF_WIDTH(unsigned int)
  HYPERMON_NOT_TRACED_OF_WIDTH(unsigned long)
  HYPERMON_NOT_TRACED_OF_WIDTH(char)
  HYPERMON_NOT_TRACED_OF_WIDTH(short)
  HYPERMON_NOT_TRACED_OF_WIDTH(int)
  HYPERMON_NOT_TRACED_OF_WIDTH(long)
  HYPERMON_NOT_TRACED_OF_WIDTH(sc_dt::int64)
  HYPERMON_NOT_TRACED_OF_WIDTH(sc_dt::uint64)
  HYPERMON_NOT_TRACED(float)
  HYPERMON_NOT_TRACED(double)
  HYPERMON_NOT_TRACED(sc_dt::sc_int_base)
  HYPERMON_NOT_TRACED(sc_dt::sc_uint_base)
  HYPERMON_NOT_TRACED(sc_dt::sc_signed)
  HYPERMON_NOT_TRACED(sc_dt::sc_unsigned)
  HYPERMON_NOT_TRACED(sc_dt::sc_fxval)
  HYPERMON_NOT_TRACED(sc_dt::sc_fxval_fast)
  HYPERMON_NOT_TRACED(sc_dt::sc_fxnum)
  HYPERMON_NOT_TRACED(sc_dt::sc_fxnum_fast)
  HYPERMON_NOT_TRACED(sc_dt::sc_bv_base)
  HYPERMON_NOT_TRACED(sc_dt::sc_lv_base)
#undef HYPERMON_NOT_TRACED
#undef HYPERMON_NOT_TRACED_OF_WIDTH
  void trace(const unsigned int&, const std::string&, const char**) override {}
  void write_comment(const std::string&) override {}
  void set_time_unit(double, sc_core::sc_time_unit) override {}

  std::function<void()> f_;
};

#endif

} // namespace hypermon
