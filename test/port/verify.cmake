# Runs `neuronify verify` on FILE and checks the exit code and the results in RESULT.
file(REMOVE ${RESULT})
execute_process(
  COMMAND ${NEURONIFY} verify --json ${RESULT} ${OPTIONS} ${FILE}
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status STREQUAL 0)
  message(FATAL_ERROR "neuronify verify ${OPTIONS} ${FILE} ended with ${status}:\n${output}")
endif()
if(NOT EXISTS ${RESULT})
  message(FATAL_ERROR "neuronify verify left no results in ${RESULT}:\n${output}")
endif()
