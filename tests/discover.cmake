# SPDX-License-Identifier: Apache-2.0
# CTest tests from GoogleTest programs, with the environment in CLARITY_TEST_ENV.
#   clarity_discover_tests(TARGET PREFIX)   a CTest test for each test, in a process of its own
#   clarity_discover_suites(TARGET PREFIX)  a CTest test for each suite: starting a process, which loads the driver,
#                                           takes longer than most tests of entry points and classes
# (gtest_discover_tests flattens lists inside PROPERTIES, so the environment is set by a script that runs after it.)
# Tests with a parameter are listed under the names that the suite gives them, not under the printed parameter. Left out
# is what another test runs in a process of its own: SuiteChild.DISABLED_name.
include(GoogleTest)
function(clarity_discover_tests target prefix)
  gtest_discover_tests(${target} TEST_PREFIX ${prefix}. TEST_LIST ${prefix}_test_names NO_PRETTY_VALUES
    TEST_FILTER "-*Child.DISABLED_*"
    PROPERTIES TIMEOUT 240 LABELS ${prefix} DISCOVERY_TIMEOUT 60)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${prefix}_test_environment.cmake)
  file(GENERATE OUTPUT ${script} CONTENT
       "set_tests_properties(\${${prefix}_test_names} PROPERTIES ENVIRONMENT [==[${CLARITY_TEST_ENV}]==])\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script})
endfunction()

function(clarity_discover_suites target prefix)
  set(names ${CMAKE_CURRENT_BINARY_DIR}/${prefix}_suites.txt)
  add_custom_command(TARGET ${target} POST_BUILD COMMAND ${target} --gtest_list_tests > ${names} VERBATIM)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${prefix}_suites.cmake)
  file(GENERATE OUTPUT ${script} CONTENT "set(program $<TARGET_FILE:${target}>)
set(names ${names})
set(prefix ${prefix})
set(timeout $<IF:$<BOOL:${CLARITY_SANITIZER}>,3000,600>)
set(environment [==[${CLARITY_TEST_ENV}]==])
include(${CMAKE_SOURCE_DIR}/tests/suites.cmake)
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script})
endfunction()
