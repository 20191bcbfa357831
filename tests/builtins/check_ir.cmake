# SPDX-License-Identifier: Apache-2.0
# Compiles one kernel file as a program is, links what it needs of the builtin library, inlines and simplifies, and
# hands the result to FileCheck, which reads the expectations from the kernel file's comments.
list(TRANSFORM FLAGS REPLACE "^-Werror$" "-w")
macro(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${KERNEL}: ${ARGV0} failed: ${status}")
  endif()
endmacro()
run(${CLANG} ${FLAGS} -emit-llvm -c -o ${OUTPUT}.bc ${KERNEL})
run(${LINK} -o ${OUTPUT}.linked.bc ${OUTPUT}.bc --only-needed --internalize ${LIBRARY})
run(${OPT} -S "-passes=always-inline,globaldce,function(sroa,instcombine,simplifycfg,instcombine)"
    -o ${OUTPUT}.ll ${OUTPUT}.linked.bc)
run(${FILECHECK} --input-file=${OUTPUT}.ll ${KERNEL})
