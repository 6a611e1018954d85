# Installs the runtime to a fresh folder, builds a project with find_package(neuronify), runs it.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN} failed:\n${text}")
  endif()
endfunction()

file(REMOVE_RECURSE ${FOLDER})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/prefix --component runtime)
foreach(package ${FOLDER}/prefix ${BUILD})
  file(REMOVE_RECURSE ${FOLDER}/build)
  run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE} -B ${FOLDER}/build -DCMAKE_PREFIX_PATH=${package}
    -Dneuronify_ROOT=${package} -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}")
  run(${CMAKE_COMMAND} --build ${FOLDER}/build)
  run(${FOLDER}/build/ported)
endforeach()
file(REMOVE_RECURSE ${FOLDER})
