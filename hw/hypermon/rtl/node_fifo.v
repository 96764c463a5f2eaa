// SPDX-License-Identifier: BSD-3-Clause
// FIFO of one input. It holds the words of this input until the frame builder takes them, or their window is lost.
//
// A word enters at the edge at which `push` is sampled. `discard_newest` and `discard_oldest` remove a word whose window
// is lost; the newest one can be the word that is pushed at the same edge. `taken` is the word that the last `pop`
// removed.
`default_nettype none

module node_fifo #(
    parameter ENTRIES = 64,
    parameter BITS = 4
) (
    input wire clock,
    input wire reset,
    input wire push,
    input wire [BITS-1:0] word,
    input wire pop,
    input wire discard_newest,
    input wire discard_oldest,
    output wire full,
    output reg [BITS-1:0] taken
);
  localparam POINTER = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
  localparam LEVEL = $clog2(ENTRIES + 1);
  localparam [POINTER-1:0] LAST = ENTRIES - 1;

  reg [BITS-1:0] words[0:ENTRIES-1];
  reg [POINTER-1:0] tail; // place of the next word
  reg [POINTER-1:0] head;  // the oldest word
  reg [LEVEL-1:0] level;

  function [POINTER-1:0] after;
    input [POINTER-1:0] pointer;
    after = pointer == LAST ? {POINTER{1'b0}} : pointer + 1'b1;
  endfunction

  function [POINTER-1:0] previous;
    input [POINTER-1:0] pointer;
    previous = pointer == {POINTER{1'b0}} ? LAST : pointer - 1'b1;
  endfunction

  wire [POINTER-1:0] head_after_pop = pop ? after(head) : head;

  assign full = level == ENTRIES;

  always @(posedge clock) begin
    if (push) words[tail] <= word;
    if (pop) taken <= words[head];
    if (reset) begin
      tail <= 0;
      head <= 0;
      level <= 0;
    end else begin
      case ({push, discard_newest})
        2'b10: tail <= after(tail);
        2'b01: tail <= previous(tail);
        default: ;
      endcase
      head <= discard_oldest ? after(head_after_pop) : head_after_pop;
      level <= level + push - pop - discard_newest - discard_oldest;
    end
  end
endmodule

`default_nettype wire
