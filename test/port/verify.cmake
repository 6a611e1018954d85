# Runs `neuronify verify` on FILE and checks the exit code and the results in RESULT.
file(REMOVE ${RESULT})
execute_process(
  COMMAND ${NEURONIFY} verify --json ${RESULT} ${OPTIONS} ${FILE}
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status STREQUAL 0)
  message(FATAL_ERROR "neuronify verify ${OPTIONS} ${FILE} ended with ${status}:\n${output}")
endif()
# Where every kernel has to have an NKI form, every launch has one.
if(ALL_IN_NKI)
  string(REGEX MATCH "([0-9]+) of [0-9]+ launches? match[^;]*; the NKI form of ([0-9]+)" found "${output}")
  if(NOT found OR NOT CMAKE_MATCH_1 EQUAL CMAKE_MATCH_2)
    message(FATAL_ERROR "a kernel of ${FILE} has no NKI form:\n${output}")
  endif()
endif()
if(NOT EXISTS ${RESULT})
  message(FATAL_ERROR "neuronify verify left no results in ${RESULT}:\n${output}")
endif()
