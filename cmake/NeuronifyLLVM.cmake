# LLVM and Clang 22 as two interface targets: the shared libraries, their headers as system headers.
find_package(Clang CONFIG REQUIRED HINTS /usr/lib/llvm-22/lib/cmake/clang)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "neuronify needs Clang and LLVM 22, found ${LLVM_PACKAGE_VERSION}; set Clang_DIR")
endif()

add_library(neuronify_llvm INTERFACE)
target_include_directories(neuronify_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_libraries(neuronify_llvm INTERFACE LLVM)

add_library(neuronify_clang INTERFACE)
target_include_directories(neuronify_clang SYSTEM INTERFACE ${CLANG_INCLUDE_DIRS})
target_link_libraries(neuronify_clang INTERFACE neuronify_llvm clang-cpp)
