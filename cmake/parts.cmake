# SPDX-License-Identifier: BSD-3-Clause
# The parts of the simulator: platforms, monitors, workloads. The CMakeLists.txt of a part's folder says here what it
# brings; nothing else names it, so that a folder that is not there is not missed. Not objects that register
# themselves: a linker drops those from archives.
#
#   hypermon_part(software
#     ORDER 210                          # among all: parameters are shown in this order
#     DESCRIPTION software_part.cpp      # defines Part software_part(): into hypermon::base
#     MONITOR hypermon_software          # a library that defines MonitorKind software_monitor(): into hypermon-sim
#     WORKLOAD library                   # or one that defines WorkloadKind ..._workload()
#     BINDINGS python/bindings/...       # from the top; define void bind_software(pybind11::module_&): into _core,
#     BINDINGS_LINK libraries)           # with what they need
#
# MONITOR is for monitors, WORKLOAD for workloads whose programs want more than to be run; BINDINGS are for few.
function(hypermon_part name)
  cmake_parse_arguments(PARSE_ARGV 1 part "" "ORDER;MONITOR;WORKLOAD" "DESCRIPTION;BINDINGS;BINDINGS_LINK")
  set_property(GLOBAL APPEND PROPERTY HYPERMON_PARTS ${part_ORDER}:${name})
  list(TRANSFORM part_DESCRIPTION PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  target_sources(hypermon_parts PRIVATE ${part_DESCRIPTION})
  list(TRANSFORM part_BINDINGS PREPEND ${PROJECT_SOURCE_DIR}/)
  foreach(what IN ITEMS MONITOR WORKLOAD BINDINGS BINDINGS_LINK)
    set_property(GLOBAL PROPERTY HYPERMON_${what}_${name} "${part_${what}}")
  endforeach()
endfunction()

# A library whose symbols hypermon-sim exports to plug-ins (cmake/plugins.cmake). Position-independent for the Python
# module, which exports none of them: its calls need no table.
function(hypermon_plugins_use library)
  target_compile_options(${library} PRIVATE -fno-semantic-interposition)
  set_target_properties(${library} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

# The subfolders that there are, each with a CMakeLists.txt.
macro(hypermon_add_folders)
  file(GLOB folders LIST_DIRECTORIES false CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt)
  foreach(file IN LISTS folders)
    cmake_path(GET file PARENT_PATH folder)
    add_subdirectory(${folder})
  endforeach()
endmacro()

# The names of all parts that bring `what`, in their order.
function(hypermon_parts_with what result)
  get_property(parts GLOBAL PROPERTY HYPERMON_PARTS)
  list(SORT parts COMPARE NATURAL)
  list(TRANSFORM parts REPLACE "^[0-9]+:" "")
  set(found)
  foreach(part IN LISTS parts)
    get_property(brings GLOBAL PROPERTY HYPERMON_${what}_${part})
    if(what STREQUAL "DESCRIPTION" OR brings)
      list(APPEND found ${part})
    endif()
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# Writes `file`, whose function `name` lists what the parts' functions <part>_<suffix>() return.
function(hypermon_write_list file parts type suffix name header)
  set(declarations)
  set(calls)
  foreach(part IN LISTS parts)
    string(APPEND declarations "${type} ${part}_${suffix}();\n")
    string(APPEND calls "${part}_${suffix}(), ")
  endforeach()
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT [[
#include "@header@"

#include <vector>

namespace hypermon {

@declarations@
std::vector<@type@> @name@();
std::vector<@type@> @name@() { return {@calls@}; }

} // namespace hypermon
]])
endfunction()

# A list of `target`, an object of its own: tests/python/test_removal.py puts others in its place.
function(hypermon_add_list target file)
  target_sources(${target} PRIVATE ${file})
  set_source_files_properties(${file} TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# After all folders: the lists of what they bring.
function(hypermon_register_parts)
  set(folder ${PROJECT_BINARY_DIR}/parts)
  hypermon_parts_with(DESCRIPTION parts)
  hypermon_write_list(${folder}/parts.cpp "${parts}" Part part built_in_parts base/parts.hpp)
  hypermon_add_list(hypermon_parts ${folder}/parts.cpp)
  foreach(kind IN ITEMS monitor workload)
    string(TOUPPER ${kind} what)
    string(SUBSTRING ${what} 0 1 first)
    string(SUBSTRING ${kind} 1 -1 rest)
    hypermon_parts_with(${what} parts)
    hypermon_write_list(${folder}/${kind}_kinds.cpp "${parts}" ${first}${rest}Kind ${kind} built_in_${kind}s
      sw/${kind}s/${kind}_kind.hpp)
    hypermon_add_list(hypermon-sim ${folder}/${kind}_kinds.cpp)
    foreach(part IN LISTS parts)
      get_property(library GLOBAL PROPERTY HYPERMON_${what}_${part})
      target_link_libraries(hypermon_${kind}s INTERFACE ${library})
    endforeach()
  endforeach()
  if(TARGET hypermon_python)
    hypermon_bind_parts(hypermon_python)
  endif()
endfunction()

# What parts bring to the Python module.
function(hypermon_bind_parts module)
  hypermon_parts_with(BINDINGS parts)
  set(declarations)
  set(calls)
  foreach(part IN LISTS parts)
    string(APPEND declarations "void bind_${part}(pybind11::module_& m);\n")
    string(APPEND calls "  bind_${part}(m);\n")
    get_property(sources GLOBAL PROPERTY HYPERMON_BINDINGS_${part})
    get_property(libraries GLOBAL PROPERTY HYPERMON_BINDINGS_LINK_${part})
    target_sources(${module} PRIVATE ${sources})
    target_link_libraries(${module} PRIVATE ${libraries})
  endforeach()
  set(file ${PROJECT_BINARY_DIR}/parts/bindings.cpp)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT [=[
#include <pybind11/pybind11.h>

namespace hypermon {

@declarations@
void bind_parts(pybind11::module_& m);
void bind_parts([[maybe_unused]] pybind11::module_& m) {
@calls@}

} // namespace hypermon
]=])
  target_sources(${module} PRIVATE ${file})
endfunction()
