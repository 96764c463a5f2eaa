# SPDX-License-Identifier: BSD-3-Clause
# What there is on the machine, or beside it, during a run: libraries of many folders whose files are compiled together,
# as each unit begins with the same headers (docs/design/speed.md, "Rebuilds"). What one of them may use is what all of
# them may. Those that tests/python/test_removal.py leaves out of what is compiled are archives of their own.
add_library(hypermon_on_machine STATIC)
hypermon_runs_seldom(hypermon_on_machine)

# The library `name` is a part of such a one, this or another. What it links of the same one goes without saying.
#   hypermon_joined_library(NAME INTO ONE SOURCES FILE... [LINK LIBRARY...])
function(hypermon_joined_library name)
  cmake_parse_arguments(PARSE_ARGV 1 library "" "INTO" "SOURCES;LINK")
  list(TRANSFORM library_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  target_sources(${library_INTO} PRIVATE ${library_SOURCES})
  target_link_libraries(${library_INTO} PUBLIC ${library_LINK})
  add_library(${name} ALIAS ${library_INTO})
endfunction()
