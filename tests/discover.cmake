# SPDX-License-Identifier: Apache-2.0
# clarity_discover_tests(TARGET PREFIX): one CTest test for each GoogleTest test, in a process of its own, with the
# environment in CLARITY_TEST_ENV. (gtest_discover_tests flattens lists inside PROPERTIES, so the environment is set by
# a script that runs after it.) Tests with a parameter are listed under the names that the suite gives them, not under
# the printed parameter. Left out is what another test runs in a process of its own: SuiteChild.DISABLED_name.
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
