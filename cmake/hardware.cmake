# SPDX-License-Identifier: BSD-3-Clause
# The capture hardware, hypermon::core and hypermon::tlm: what a project needs that binds its own modules to it
# (examples/own_module).
if(NOT TARGET hypermon_options)
  include(${CMAKE_CURRENT_LIST_DIR}/options.cmake)
endif()
add_subdirectory(${CMAKE_CURRENT_LIST_DIR}/../hw/hypermon ${PROJECT_BINARY_DIR}/hw/hypermon)
