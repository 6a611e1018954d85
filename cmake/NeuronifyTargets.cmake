# What every target of the project shares: language level, warnings, sanitizers, and where things go.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

add_library(neuronify_options INTERFACE)
target_compile_options(neuronify_options INTERFACE -Wall -Wextra -ffp-contract=off)
if(NEURONIFY_WERROR)
  target_compile_options(neuronify_options INTERFACE -Werror)
endif()
if(NEURONIFY_SANITIZE)
  target_compile_options(neuronify_options INTERFACE -fsanitize=${NEURONIFY_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(neuronify_options INTERFACE -fsanitize=${NEURONIFY_SANITIZE})
endif()

# neuronify_test(NAME SOURCES... LIBS...): one GoogleTest program whose tests CTest lists one by one,
# labelled "unit"; the target unit_tests builds all of them.
function(neuronify_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE neuronify_options ${ARG_LIBS} GTest::gtest_main)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES LABELS unit)
  set_property(GLOBAL APPEND PROPERTY NEURONIFY_UNIT_TESTS ${name})
endfunction()
