# What a ported project needs: headers, static libraries and a package file, so that
# `find_package(neuronify)` finds them installed or in this build folder.
include(CMakePackageConfigHelpers)

set_target_properties(neuronify_chip PROPERTIES EXPORT_NAME chip)
set_target_properties(neuronify_lanes PROPERTIES EXPORT_NAME lanes)
set_target_properties(neuronify_host PROPERTIES EXPORT_NAME runtime)
set_target_properties(neuronify_options PROPERTIES EXPORT_NAME options)
install(TARGETS neuronify_options neuronify_chip neuronify_lanes neuronify_host EXPORT neuronify
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime)

set(runtime_folder ${CMAKE_CURRENT_LIST_DIR})
file(GLOB facades CONFIGURE_DEPENDS ${runtime_folder}/neuronify*.h) # what ported code includes
install(FILES ${facades} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/neuronify COMPONENT runtime)
install(FILES
  ${runtime_folder}/host/array_types.h ${runtime_folder}/host/cuda_keywords.h
  ${runtime_folder}/host/device.h
  ${runtime_folder}/host/error.h ${runtime_folder}/host/half_scalar.h
  ${runtime_folder}/host/host_math.h
  ${runtime_folder}/host/kernel_call.h ${runtime_folder}/host/kernel_key.h
  ${runtime_folder}/host/kernel_stub.h ${runtime_folder}/host/launch.h
  ${runtime_folder}/host/memory.h ${runtime_folder}/host/registry.h ${runtime_folder}/host/stream.h
  ${runtime_folder}/host/symbol.h
  ${runtime_folder}/host/texture.h ${runtime_folder}/host/types.h
  ${runtime_folder}/host/vector_types.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/neuronify/host COMPONENT runtime)
install(DIRECTORY ${runtime_folder}/host/narrow ${runtime_folder}/host/random
  ${runtime_folder}/host/complex
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/neuronify/host COMPONENT runtime)
install(DIRECTORY ${runtime_folder}/lanes ${runtime_folder}/nki ${runtime_folder}/chip
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/neuronify COMPONENT runtime FILES_MATCHING PATTERN "*.h")

set(package ${CMAKE_BINARY_DIR}/lib/cmake/neuronify)
set(package_install ${CMAKE_INSTALL_LIBDIR}/cmake/neuronify)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/neuronifyConfig.cmake.in
  ${package}/neuronifyConfig.cmake INSTALL_DESTINATION ${package_install})
write_basic_package_version_file(${package}/neuronifyConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${package}/neuronifyConfig.cmake ${package}/neuronifyConfigVersion.cmake
  DESTINATION ${package_install} COMPONENT runtime)
install(EXPORT neuronify NAMESPACE neuronify:: FILE neuronifyTargets.cmake
  DESTINATION ${package_install} COMPONENT runtime)
export(EXPORT neuronify NAMESPACE neuronify:: FILE ${package}/neuronifyTargets.cmake)
