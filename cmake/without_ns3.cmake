# SPDX-License-Identifier: BSD-3-Clause
# Debian's SimGrid is linked with ns-3, which hypermon never asks it for, and whose libraries take three quarters of
# hypermon-sim's start. In the folder HYPERMON_WITHOUT_NS3 one library has all of ns-3's names that SimGrid needs to be
# loaded, and stands in for them wherever what is built here looks first. Without ns-3 in SimGrid there is no such folder.
# docs/design/wheel.md says what follows from that.
set(HYPERMON_WITHOUT_NS3)
file(REAL_PATH ${SIMGRID_LIBRARY} library)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${library})
execute_process(COMMAND ${CMAKE_READELF} --dynamic --wide ${library}
  OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "libns3[^]]*" libraries "${dynamic}")
cmake_path(GET library PARENT_PATH folder)
foreach(name IN LISTS libraries)
  if(NOT EXISTS ${folder}/${name})
    return() # what its names are, functions or data, cannot be told
  endif()
endforeach()
if(NOT libraries)
  return()
endif()

set(HYPERMON_WITHOUT_NS3 ${PROJECT_BINARY_DIR}/without-ns3)
file(MAKE_DIRECTORY ${HYPERMON_WITHOUT_NS3})
file(SHA256 ${library} library_sum)
if(NOT library_sum STREQUAL HYPERMON_NS3_NAMES_OF OR NOT EXISTS ${HYPERMON_WITHOUT_NS3}/names.c)
  execute_process(COMMAND ${CMAKE_NM} --dynamic --undefined-only ${library}
    OUTPUT_VARIABLE undefined COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "_Z[A-Za-z0-9_]*3ns3[A-Za-z0-9_]*" names "${undefined}")
  list(JOIN names "\n" lines)
  file(WRITE ${HYPERMON_WITHOUT_NS3}/names "${lines}\n")
  execute_process(COMMAND ${CMAKE_NM} --dynamic --defined-only ${libraries} # of which there are 34 000
    COMMAND grep --fixed-strings --file ${HYPERMON_WITHOUT_NS3}/names
    WORKING_DIRECTORY ${folder} OUTPUT_VARIABLE defined COMMAND_ERROR_IS_FATAL ANY)
  set(code "/* Nobody calls these but what SimGrid's own library does when it is loaded and unloaded. */\n")
  foreach(name IN LISTS names)
    string(FIND "${defined}" " T ${name}\n" function)
    string(FIND "${defined}" " W ${name}\n" weak_function)
    if(function GREATER -1 OR weak_function GREATER -1)
      string(APPEND code "long ${name}(void) { return 0; }\n")
    else()
      string(APPEND code "char ${name}[64];\n") # tables of virtual functions, types
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${HYPERMON_WITHOUT_NS3}/names.c CONTENT "${code}")
  set(HYPERMON_NS3_NAMES_OF ${library_sum} CACHE INTERNAL "SimGrid's library whose names stand in names.c")
endif()

add_library(hypermon_without_ns3 SHARED ${HYPERMON_WITHOUT_NS3}/names.c)
set_target_properties(hypermon_without_ns3 PROPERTIES
  OUTPUT_NAME without_ns3 LIBRARY_OUTPUT_DIRECTORY ${HYPERMON_WITHOUT_NS3} NO_SONAME ON)
foreach(name IN LISTS libraries)
  file(CREATE_LINK libwithout_ns3.so ${HYPERMON_WITHOUT_NS3}/${name} SYMBOLIC)
endforeach()
add_dependencies(SimGrid::SimGrid hypermon_without_ns3)
# Not DT_RUNPATH, which is for a program's own libraries, not for those that these need.
set_property(TARGET SimGrid::SimGrid APPEND PROPERTY INTERFACE_LINK_OPTIONS LINKER:--disable-new-dtags)
set(CMAKE_INSTALL_RPATH ${HYPERMON_WITHOUT_NS3}) # of what stays in the build tree: cmake/wheel.cmake has the others
