# SPDX-License-Identifier: BSD-3-Clause
# Headers and CMake package for shared objects of users: `cmake --install BUILD --component dev` installs them.
# hypermon::monitor is for monitors (hypermon-sim --plugin), hypermon::modules for boards and modules in SystemC
# (ecb.module, pbx.module). Neither links a library: an object finds its symbols in hypermon-sim when it is loaded.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(headers)
foreach(folder IN ITEMS base hw/core hw/cosim hw/machine hw/nfs/core hw/packets/core sw/instrumentation sw/os sw/monitors)
  file(GLOB found CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
    ${PROJECT_SOURCE_DIR}/${folder}/*.hpp ${PROJECT_SOURCE_DIR}/${folder}/*.inc)
  list(FILTER found EXCLUDE REGEX "_fields\\.hpp$") # descriptions: nobody's but their part's
  list(APPEND headers ${found})
endforeach()

set(build_id ${PROJECT_BINARY_DIR}/include/hypermon_build.hpp)
list(JOIN headers ":" joined)
list(TRANSFORM headers PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE header_files)
add_custom_command(OUTPUT ${build_id}
  COMMAND ${CMAKE_COMMAND} -DMACRO=HYPERMON_BUILD -DVERSION=${PROJECT_VERSION} -DROOT=${PROJECT_SOURCE_DIR}
    -DHEADERS=${joined} -DOUT=${build_id} -P ${PROJECT_SOURCE_DIR}/cmake/build_id.cmake
  DEPENDS ${header_files} ${PROJECT_SOURCE_DIR}/cmake/build_id.cmake
  COMMENT "What plug-ins are built against"
  VERBATIM)
add_custom_target(hypermon_build_id DEPENDS ${build_id})
add_dependencies(hypermon-sim hypermon_build_id)
target_include_directories(hypermon-sim PRIVATE ${PROJECT_BINARY_DIR}/include)

add_library(hypermon_monitor INTERFACE)
set_target_properties(hypermon_monitor PROPERTIES EXPORT_NAME monitor)
target_compile_features(hypermon_monitor INTERFACE cxx_std_20)
target_include_directories(hypermon_monitor INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/hypermon>)

# The config file adds the folder of SystemC's headers.
add_library(hypermon_modules INTERFACE)
add_library(hypermon::modules ALIAS hypermon_modules)
set_target_properties(hypermon_modules PROPERTIES EXPORT_NAME modules)
target_compile_features(hypermon_modules INTERFACE cxx_std_20)
target_compile_definitions(hypermon_modules INTERFACE SC_CPLUSPLUS=201703L)
target_include_directories(hypermon_modules INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/hypermon>
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>)
target_include_directories(hypermon_modules SYSTEM INTERFACE $<BUILD_INTERFACE:${SYSTEMC_INCLUDE_DIR}>)
add_dependencies(hypermon_modules hypermon_modules_build)

install(TARGETS hypermon_monitor hypermon_modules EXPORT hypermon-targets COMPONENT dev)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/hypermon)
install(EXPORT hypermon-targets NAMESPACE hypermon:: DESTINATION ${package} COMPONENT dev)
list(APPEND headers ${HYPERMON_MODULES_HEADERS})
list(REMOVE_DUPLICATES headers)
foreach(header IN LISTS headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hypermon/${folder} COMPONENT dev)
endforeach()
install(FILES ${build_id} ${HYPERMON_MODULES_BUILD} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hypermon COMPONENT dev)
install(DIRECTORY examples/own_board examples/own_monitor examples/own_probe examples/own_rtl
  DESTINATION ${CMAKE_INSTALL_DATADIR}/hypermon/examples COMPONENT dev)
configure_file(${PROJECT_SOURCE_DIR}/cmake/hypermon-config.cmake.in ${PROJECT_BINARY_DIR}/hypermon-config.cmake @ONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hypermon-config-version.cmake COMPATIBILITY ExactVersion)
install(FILES ${PROJECT_BINARY_DIR}/hypermon-config.cmake ${PROJECT_BINARY_DIR}/hypermon-config-version.cmake
  DESTINATION ${package} COMPONENT dev)
