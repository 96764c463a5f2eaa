// SPDX-License-Identifier: BSD-3-Clause
// Self-checking test bench of `board`. It plays the strobes of strobes.hex, reads frames over the register bus as the
// I/O node's program does, and compares words, times and losses with what hypermon's functional model says (words.hex,
// ends.hex, excerpt.vh). It prints PASS, or FAIL with the first difference, which ends the simulation with $fatal.
//
//   +every_cycle  simulates every clock cycle, also those in which the board is idle
//   +waves        writes bench.vcd
`include "design.vh"
`include "excerpt.vh"
`timescale 1ns / 1ns

module bench;
  localparam INPUTS = `BOARD_INPUTS;
  localparam WIDTH = `BOARD_WIDTH;
  localparam [63:0] CLOCK_PS = 50000;
  localparam [63:0] NEVER = 64'hffff_ffff_ffff_ffff;
  localparam DATA_WORDS = `BOARD_DATA_WORDS;
  localparam STAMP_WORDS = `BOARD_STAMP_WORDS;

  // --- The board

  reg clock;
  reg reset;
  reg [INPUTS-1:0] strobe;
  reg [INPUTS*WIDTH-1:0] data;
  reg [INPUTS-1:0] flag;
  reg bus_begin;
  reg bus_end;
  reg skip;
  reg [31:0] skip_cycle;
  reg [63:0] skip_window;
  wire [INPUTS-1:0] hold;
  wire [31:0] bus_read;
  wire idle;
  wire [INPUTS-1:0] aliased;
  wire [INPUTS-1:0] node_overrun;
  wire window_lost;
  wire [INPUTS-1:0] window_lost_of;
  wire frame_built;
  wire [INPUTS-1:0] frame_built_of;
  wire frame_lost;
  wire [31:0] frames_waiting;

  board dut (
      .clock(clock),
      .reset(reset),
      .strobe(strobe),
      .data(data),
      .flag(flag),
      .hold(hold),
      .bus_begin(bus_begin),
      .bus_end(bus_end),
      .bus_write(1'b0),
      .bus_address(4'hC),
      .bus_written(32'b0),
      .bus_read(bus_read),
      .idle(idle),
      .skip(skip),
      .skip_cycle(skip_cycle),
      .skip_window(skip_window),
      .aliased(aliased),
      .node_overrun(node_overrun),
      .window_lost(window_lost),
      .window_lost_of(window_lost_of),
      .frame_built(frame_built),
      .frame_built_of(frame_built_of),
      .frame_lost(frame_lost),
      .frames_waiting(frames_waiting)
  );

  // --- The excerpt and the expected frames

  // A strobe: whether its time counts from the strobe before it, its flag, its datum, its time in ps. The strobes of
  // input 0 come first; starts.hex has the index of each input's first strobe, and the number of all at the end.
  reg [103:0] strobes[0:`BENCH_STROBES_OR_1-1];
  reg [31:0] starts[0:INPUTS];
  reg [31:0] words[0:`BENCH_WORDS_OR_1-1];
  reg [63:0] ends[0:`BENCH_FRAMES_OR_1-1];  // edge at which the last word of each frame ends

  // --- Nodes: one strobe of an input after the other

  reg [31:0] at[0:INPUTS-1];   // index of the next strobe
  reg [63:0] due[0:INPUTS-1]; // time of its strobe in ps
  reg [63:0] next_strobe;
  integer i;

  task find_due; // Sets due[i] of input i from its last strobe.
    reg [103:0] next;
    begin
      if (at[i] == starts[i+1]) due[i] = NEVER;
      else begin
        next = strobes[at[i]];
        if (next[103:100] != 0) due[i] = due[i] + next[63:0];
        else if (due[i] < next[63:0]) due[i] = next[63:0];
      end
    end
  endtask

  task find_next_strobe;
    begin
      next_strobe = NEVER;
      for (i = 0; i < INPUTS; i = i + 1) if (due[i] < next_strobe) next_strobe = due[i];
    end
  endtask

  // --- The program in the I/O node. It decides about an edge in the clock period before.

  reg reading;
  reg [63:0] began;
  reg [63:0] word_index;
  reg [63:0] left_in_group;
  reg [63:0] frames_since_stall;
  reg [63:0] next_action;

  function [63:0] edges;
    input [63:0] ns;
    edges = (ns + 49) / 50;
  endfunction

  function [63:0] word_end;
    input [63:0] from;
    input [63:0] index;
    word_end = from + edges((index + 1) * `BENCH_WORD_NS);
  endfunction

  task end_frame;
    begin
      reading = 0;
      left_in_group = left_in_group - 1;
      frames_since_stall = frames_since_stall + 1;
      next_action = coming + edges(`BENCH_FRAME_NS);
      if (left_in_group == 0 && `BENCH_STALL_EVERY != 0 && frames_since_stall >= `BENCH_STALL_EVERY) begin
        next_action = next_action + edges(`BENCH_STALL_NS);
        frames_since_stall = 0;
      end
    end
  endtask

  task begin_frame;
    input [63:0] waiting;
    begin
      if (coming >= next_action && left_in_group == 0 && waiting != 0) begin
        left_in_group = waiting > 4095 ? 4095 : waiting;
        next_action = coming + edges(`BENCH_GROUP_NS);
      end
      if (coming >= next_action && left_in_group != 0) begin
        bus_begin = 1;
        reading = 1;
        began = coming;
        word_index = 0;
      end
    end
  endtask

  task access_bus;
    reg frame_leaves;
    begin
      frame_leaves = 0;
      if (reading && coming == word_end(began, word_index)) begin
        bus_end = 1;
        compare_word;
        if (word_index == DATA_WORDS) stamped = !`BOARD_STAMP_ON_REQUEST || bus_read[31];
        frame_leaves = word_index >= DATA_WORDS && word_index == DATA_WORDS + (stamped ? STAMP_WORDS : 0);
        word_index = word_index + 1;
        if (frame_leaves) begin
          compare_end;
          end_frame;
        end else bus_begin = 1;
      end
      if (!reading) begin_frame({32'b0, frames_waiting} - {63'b0, frame_leaves});
    end
  endtask

  // --- Comparison

  reg stamped;
  reg [63:0] words_read;
  reg [63:0] frames_read;
  reg differs;
  reg [63:0] aliasing_count;
  reg [63:0] node_overrun_count;
  reg [63:0] window_lost_count;
  reg [63:0] discarded_count;
  reg [63:0] frame_built_count;
  reg [63:0] merged_count;
  reg [63:0] frame_lost_count;

  task fail;  // the message is on the line before
    begin
      $display("FAIL at edge %0d, in window %0d", coming, coming / `BOARD_WINDOW_CYCLES);
      $fatal(1, "the board differs from the functional model");
    end
  endtask

  task compare_word;
    begin
      if (words_read >= `BENCH_WORDS) begin
        $display("frame %0d, word %0d: the functional model reads %0d frames only", frames_read, word_index, `BENCH_FRAMES);
        fail;
      end else if (bus_read !== words[words_read]) begin
        $display("frame %0d, word %0d (%0s): expected %h, read %h", frames_read, word_index,
                 word_index < DATA_WORDS ? "data" : word_index == DATA_WORDS ? "vector" : "timestamp",
                 words[words_read], bus_read);
        fail;
      end
      words_read = words_read + 1;
    end
  endtask

  task compare_end;
    begin
      if (coming !== ends[frames_read]) begin
        $display("frame %0d: expected its last word at edge %0d, read it at edge %0d", frames_read, ends[frames_read],
                 coming);
        fail;
      end
      frames_read = frames_read + 1;
    end
  endtask

  task compare_count;
    input [8*20-1:0] name;
    input [63:0] expected;
    input [63:0] actual;
    if (actual !== expected) begin
      $display("%0s: expected %0d, counted %0d", name, expected, actual);
      differs = 1;
    end
  endtask

  task compare_counts;
    begin
      differs = 0;
      compare_count("frames read", `BENCH_FRAMES, frames_read);
      compare_count("frames built", `BENCH_FRAMES_BUILT, frame_built_count);
      compare_count("frames lost", `BENCH_FRAMES_LOST, frame_lost_count);
      compare_count("aliasing", `BENCH_ALIASING, aliasing_count);
      compare_count("node overruns", `BENCH_NODE_OVERRUNS, node_overrun_count);
      compare_count("windows lost", `BENCH_WINDOWS_LOST, window_lost_count);
      compare_count("words discarded", `BENCH_DISCARDED, discarded_count);
      compare_count("words merged", `BENCH_MERGED, merged_count);
      if (differs) fail;
    end
  endtask

  function [63:0] ones;
    input [INPUTS-1:0] pins;
    integer k;
    begin
      ones = 0;
      for (k = 0; k < INPUTS; k = k + 1) ones = ones + {63'b0, pins[k]};
    end
  endfunction

  task count;
    begin
      aliasing_count = aliasing_count + ones(aliased);
      node_overrun_count = node_overrun_count + ones(node_overrun);
      window_lost_count = window_lost_count + {63'b0, window_lost};
      discarded_count = discarded_count + ones(window_lost_of);
      frame_built_count = frame_built_count + {63'b0, frame_built};
      if (frame_built) merged_count = merged_count + ones(frame_built_of) - 1;
      frame_lost_count = frame_lost_count + {63'b0, frame_lost};
    end
  endtask

  // --- Clock periods

  reg [63:0] period;  // the one after edge `period`
  reg [63:0] coming;  // the edge that ends it
  reg [63:0] target;
  reg skips;

  task clear_pins;
    begin
      strobe = 0;
      data = 0;
      flag = 0;
      bus_begin = 0;
      bus_end = 0;
      skip = 0;
    end
  endtask

  task edge_comes;
    begin
      #10 clock = 1;
      #25 clock = 0;
      #5;
    end
  endtask

  task one_cycle;
    begin
      clear_pins;
      coming = period + 1;
      for (i = 0; i < INPUTS; i = i + 1)
        if (due[i] < coming * CLOCK_PS) begin
          strobe[i] = 1;
          flag[i] = strobes[at[i]][96];
          data[i*WIDTH+:WIDTH] = strobes[at[i]][64+:WIDTH];
        end
      #5 access_bus;
      #5 count;
      for (i = 0; i < INPUTS; i = i + 1)
        if (strobe[i]) begin
          if (hold[i]) due[i] = coming * CLOCK_PS;
          else begin
            at[i] = at[i] + 1;
            find_due;
          end
        end
      if (strobe != 0) find_next_strobe;
      edge_comes;
      period = coming;
    end
  endtask

  task find_until;  // the period before which nothing happens on any pin
    begin
      target = next_strobe == NEVER ? NEVER : next_strobe / CLOCK_PS;
      if (reading) begin
        if (word_end(began, word_index) - 1 < target) target = word_end(began, word_index) - 1;
      end else if (frames_waiting != 0 || left_in_group != 0) begin
        if (next_action <= period + 1) target = period;
        else if (next_action - 1 < target) target = next_action - 1;
      end
    end
  endtask

  task skip_idle_cycles;
    begin
      clear_pins;
      skip = 1;
      skip_cycle = target % `BOARD_WINDOW_CYCLES;
      skip_window = target / `BOARD_WINDOW_CYCLES;
      #10 edge_comes;
      skip = 0;
      period = target;
    end
  endtask

  initial begin
    $readmemh("strobes.hex", strobes);
    $readmemh("starts.hex", starts);
    $readmemh("words.hex", words);
    $readmemh("ends.hex", ends);
    skips = !$test$plusargs("every_cycle");
    if ($test$plusargs("waves")) begin
      $dumpfile("bench.vcd");
      $dumpvars(0, bench);
    end
    {clock, reading, stamped, differs} = 0;
    {period, coming, target, began, word_index, left_in_group, frames_since_stall, next_action} = 0;
    {words_read, frames_read, skip_cycle, skip_window} = 0;
    {aliasing_count, node_overrun_count, window_lost_count, discarded_count} = 0;
    {frame_built_count, merged_count, frame_lost_count} = 0;
    for (i = 0; i < INPUTS; i = i + 1) begin
      at[i] = starts[i];
      due[i] = 0;
      find_due;
    end
    find_next_strobe;
    clear_pins;
    reset = 1;
    #10 edge_comes;  // edge 0
    reset = 0;
    while (next_strobe != NEVER || idle !== 1'b1 || frames_waiting != 0) begin
      if (period > `BENCH_LAST_EDGE) begin
        $display("the board is not empty at edge %0d; the functional model is since edge %0d", period,
                 `BENCH_LAST_EDGE - `BENCH_PATIENCE);
        compare_counts;
        fail;
      end
      target = 0;
      if (skips && idle === 1'b1) find_until;
      if (target != NEVER && target > period + 1) skip_idle_cycles;
      else one_cycle;
    end
    compare_counts;
    $display("PASS: %0d strobes, %0d frames, %0d words", `BENCH_STROBES, frames_read, words_read);
    $finish;
  end
endmodule
