# SPDX-License-Identifier: Apache-2.0
# CTest reads this for each call of clarity_discover_suites: a test for each suite that PROGRAM has listed in NAMES.
if(NOT EXISTS ${names})
  add_test(${prefix}.notBuilt ${program})  # fails, and names the program
  return()
endif()
file(STRINGS ${names} lines)
foreach(line IN LISTS lines)
  if(line MATCHES "^([^ ]+)\\.( .*)?$")
    set(suite ${CMAKE_MATCH_1})
    set(is_added FALSE)
  elseif(line MATCHES "^  " AND NOT line MATCHES "^  DISABLED_" AND NOT is_added)
    set(is_added TRUE)
    add_test(${prefix}.${suite} ${program} "--gtest_filter=${suite}.*")
    set_tests_properties(${prefix}.${suite} PROPERTIES TIMEOUT ${timeout} LABELS ${prefix} ENVIRONMENT "${environment}"
                         FAIL_REGULAR_EXPRESSION "Running 0 tests")
  endif()
endforeach()
