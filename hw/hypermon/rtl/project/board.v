// SPDX-License-Identifier: BSD-3-Clause
// The capture board of one design: `capture_board` with the parameters of design.vh. This is the top module for synthesis.
`include "design.vh"
`default_nettype none

module board (
    input wire clock,
    input wire reset,
    input wire [`BOARD_INPUTS-1:0] strobe,
    input wire [`BOARD_INPUTS*`BOARD_WIDTH-1:0] data,
    input wire [`BOARD_INPUTS-1:0] flag,
    output wire [`BOARD_INPUTS-1:0] hold,
    input wire bus_begin,
    input wire bus_end,
    input wire bus_write,
    input wire [3:0] bus_address,
    input wire [31:0] bus_written,
    output wire [31:0] bus_read
`ifdef BENCH  // pins of simulations; synthesis removes what drives them
    ,
    output wire idle,
    input wire skip,
    input wire [31:0] skip_cycle,
    input wire [63:0] skip_window,
    output wire [`BOARD_INPUTS-1:0] aliased,
    output wire [`BOARD_INPUTS-1:0] node_overrun,
    output wire window_lost,
    output wire [`BOARD_INPUTS-1:0] window_lost_of,
    output wire frame_built,
    output wire [`BOARD_INPUTS-1:0] frame_built_of,
    output wire frame_lost,
    output wire [31:0] frames_waiting
`endif
);
  capture_board #(`BOARD_PARAMETERS) capture (
      .clock(clock),
      .reset(reset),
      .strobe(strobe),
      .data(data),
      .flag(flag),
      .hold(hold),
      .bus_begin(bus_begin),
      .bus_end(bus_end),
      .bus_write(bus_write),
      .bus_address(bus_address),
      .bus_written(bus_written),
      .bus_read(bus_read),
`ifdef BENCH
      .idle(idle),
      .skip(skip),
      .skip_cycle(skip_cycle),
      .skip_window(skip_window),
      .aliased(aliased),
      .node_overrun(node_overrun),
      .window_lost(window_lost),
      .window_lost_of(window_lost_of),
      .window_lost_at(),
      .frame_built(frame_built),
      .frame_built_of(frame_built_of),
      .frame_lost(frame_lost),
      .frame_lost_of(),
      .frame_lost_at(),
      .frames_waiting(frames_waiting)
`else
      .skip(1'b0),
      .skip_cycle(32'b0),
      .skip_window(64'b0)
`endif
  );
endmodule

`default_nettype wire
