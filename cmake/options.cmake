# SPDX-License-Identifier: BSD-3-Clause
# What everything is built with. SystemC ships pkg-config files only, and a bare machine has no pkg-config.
find_path(SYSTEMC_INCLUDE_DIR systemc REQUIRED)
find_library(SYSTEMC_LIBRARY systemc REQUIRED)
add_library(SystemC::SystemC UNKNOWN IMPORTED GLOBAL)
set_target_properties(SystemC::SystemC PROPERTIES
  IMPORTED_LOCATION ${SYSTEMC_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${SYSTEMC_INCLUDE_DIR}
  INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${SYSTEMC_INCLUDE_DIR}
  # Debian builds SystemC as C++17; its headers check that the program does too.
  INTERFACE_COMPILE_DEFINITIONS SC_CPLUSPLUS=201703L)
set(HYPERMON_SYSTEMC)
foreach(part IN ITEMS MAJOR MINOR PATCH)
  file(STRINGS ${SYSTEMC_INCLUDE_DIR}/sysc/kernel/sc_ver.h line REGEX "define SC_VERSION_${part} ")
  string(REGEX MATCH "[0-9]+$" number "${line}")
  list(APPEND HYPERMON_SYSTEMC ${number})
endforeach()
list(JOIN HYPERMON_SYSTEMC "." HYPERMON_SYSTEMC) # version, such as 2.3.4

add_library(hypermon_options INTERFACE)
target_compile_features(hypermon_options INTERFACE cxx_std_20)
target_compile_options(hypermon_options INTERFACE -Wall -Wextra -Wpedantic)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CXX_CLANG_TIDY)
  # Garbage is collected from 400 MB on, not from 128 at most: 4 to 10 % of the compiler's time.
  target_compile_options(hypermon_options INTERFACE "SHELL:--param ggc-min-heapsize=400000")
endif()
if(CMAKE_UNITY_BUILD)
  # Several files are compiled as one, which has no header of its own: what one of them says is in "a header".
  target_compile_options(hypermon_options INTERFACE -Wno-subobject-linkage)
endif()
# For a target's own code that runs seldom and is much to compile: a fifth of the compiler's time less.
function(hypermon_runs_seldom target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
target_include_directories(hypermon_options INTERFACE ${CMAKE_CURRENT_LIST_DIR}/..)
if(HYPERMON_TESTS)
  # Every test links what it tests: gold takes half of GNU ld's time.
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=gold HYPERMON_HAS_GOLD)
  if(HYPERMON_HAS_GOLD)
    add_link_options(-fuse-ld=gold)
  endif()
endif()
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  # Any processor since 2009; counts bits in one instruction. (v3 would fuse multiplications and change results.)
  target_compile_options(hypermon_options INTERFACE -march=x86-64-v2)
endif()
