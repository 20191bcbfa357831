# SPDX-License-Identifier: Apache-2.0
# This file runs a program and checks its exit status and what it prints:
# cmake -D PROGRAM=file -D "ARGUMENTS=a|b" -D STATUS=2 -D "OUTPUT=regular expression" -P expect.cmake
string(REPLACE "|" ";" ARGUMENTS "${ARGUMENTS}")
execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status STREQUAL STATUS)
  message(FATAL_ERROR "exit status ${status}, expected ${STATUS}; it printed:\n${output}")
endif()
if(NOT output MATCHES "${OUTPUT}")
  message(FATAL_ERROR "the output does not match '${OUTPUT}':\n${output}")
endif()
