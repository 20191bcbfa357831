// SPDX-License-Identifier: Apache-2.0
// This file tests the embedded library: that every module and the base header are there, and that the index finds the
// module of every function that the library defines.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "builtins/builtins.h"

namespace builtins = clarity::builtins;

namespace {

std::string sourceOf(std::string_view function) {
  auto number = builtins::moduleOf(function);
  return number ? std::string(builtins::libraryModule(*number).source) : "none";
}

}  // namespace

TEST(LibraryModules, AreBitcode) {
  ASSERT_GT(builtins::moduleCount(), 100u);
  for (std::size_t i = 0; i < builtins::moduleCount(); ++i) {
    EXPECT_TRUE(builtins::libraryModule(i).bitcode.starts_with("BC\xc0\xde"))
        << i << " of " << builtins::libraryModule(i).source;
    EXPECT_GT(builtins::libraryModule(i).bitcode.size(), 1000u) << i << " of " << builtins::libraryModule(i).source;
  }
  EXPECT_NE(builtins::baseHeader().find("typedef float float4"), std::string_view::npos);
}

TEST(LibraryModules, AreFoundByFunction) {
  EXPECT_EQ(sourceOf("_Z13get_global_idj"), "work_item");
  EXPECT_EQ(sourceOf("_Z3sinf"), "trigonometric");
  EXPECT_EQ(sourceOf("_Z3sinDv4_f"), "trigonometric");
  EXPECT_EQ(sourceOf("_Z20convert_int4_sat_rteDv4_f"), "convert_int_rounded");
  EXPECT_EQ(sourceOf("_Z16convert_int4_satDv4_f"), "convert_int_plain");
  EXPECT_EQ(sourceOf("_Z3maxDv4_fS_"), "common");
  EXPECT_EQ(sourceOf("_Z3maxDv4_iS_"), "min_max");
  EXPECT_EQ(sourceOf("_Z6vload3mPU3AS1KDh"), "vload");
  EXPECT_EQ(sourceOf("_Z11atomic_xchgPU3AS1Vff"), "legacy");
  EXPECT_EQ(sourceOf("_Z25atomic_fetch_add_explicitPU3AS4VU7_Atomicff12memory_order12memory_scope"), "modify");
  EXPECT_EQ(sourceOf("__to_global"), "address_space");
}

TEST(LibraryModules, EveryDefinedFunctionIsFoundByItsModule) {
  // One line for each function: its name and its source.
  std::ifstream list(BUILTINS_FUNCTION_LIST);
  std::string function, source;
  int count = 0;
  while (list >> function >> source) {
    ASSERT_EQ(sourceOf(function), source) << function;
    ++count;
  }
  EXPECT_GT(count, 12000);
}

TEST(LibraryModules, ForeignNamesHaveNone) {
  for (std::string_view name :
       {"", "_Z", "_Z3", "_Z3ma", "_Z99max", "_Z99999999999999999999999max", "_Zmax", "max_",
        "_Z19convert_int4_sat_rtDv4_f", "_ZN3fooE", "__clarity_barrier", "_Z4maxxP", "_Z3barDv"}) {
    EXPECT_EQ(sourceOf(name), "none") << name;
  }
  // A kind that no overload of the name has, and parameters that end too early.
  EXPECT_EQ(sourceOf("_Z3sini"), "none");
  for (std::string_view name : {"_Z3max", "_Z3maxP", "_Z3maxPU3AS", "_Z3maxDv", "_Z3maxDv4"}) {
    EXPECT_NO_FATAL_FAILURE(sourceOf(name)) << name;
  }
}

TEST(Forms, AreFoundForProcessorsWithAvx512) {
  EXPECT_EQ(builtins::formOf("_Z3logf", false, true), "_Z20__clarity_avx512_logf");
  EXPECT_EQ(builtins::formOf("_Z3logDv4_d", false, true), "_Z27__clarity_avx512_double_logDv4_d");
  EXPECT_EQ(builtins::formOf("_Z3logf", true, true), "_Z28__clarity_avx512_relaxed_logf");
  EXPECT_EQ(builtins::formOf("_Z3logd", true, true), "_Z27__clarity_avx512_double_logd");
  EXPECT_EQ(builtins::formOf("_Z3logf", true, false), "_Z21__clarity_relaxed_logf");
  for (const char* none : {"_Z3logf", "_Z3logd", "_Z3logDh"})
    EXPECT_EQ(builtins::formOf(none, false, false), "") << none;
  // The form of double is not one of float.
  EXPECT_EQ(builtins::formOf("_Z3expf", false, true), "");
  EXPECT_EQ(builtins::formOf("_Z3expd", false, true), "_Z27__clarity_avx512_double_expd");
  EXPECT_EQ(builtins::formOf("_Z3expf", true, true), "_Z21__clarity_relaxed_expf");
}

TEST(Forms, AreFoundForRelaxedMath) {
  EXPECT_EQ(builtins::formOf("_Z3sinf", true, false), "_Z21__clarity_relaxed_sinf");
  EXPECT_EQ(builtins::formOf("_Z3powDv4_fS_", true, false), "_Z21__clarity_relaxed_powDv4_fS_");
  EXPECT_EQ(builtins::formOf("_Z6sincosDv8_fPU3AS1S_", true, false), "_Z24__clarity_relaxed_sincosDv8_fPU3AS1S_");
  for (const char* none :
       {"_Z3sind", "_Z3sinDh", "_Z3sinDv2_d", "_Z4fabsf", "_Z3sini", "sinf", "_Z", "", "_Z21__clarity_relaxed_sinf"}) {
    EXPECT_EQ(builtins::formOf(none, true, false), "") << none;
  }
}
