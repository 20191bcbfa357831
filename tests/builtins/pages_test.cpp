// SPDX-License-Identifier: Apache-2.0
// This file tests the embedded library: that every page and the base header are there, and that the index finds the
// page of every function that the library defines.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "builtins/builtins.h"

namespace builtins = clarity::builtins;

namespace {

std::string chapterOf(std::string_view function) {
  auto number = builtins::pageOf(function);
  return number ? std::string(builtins::page(*number).chapter) : "none";
}

}  // namespace

TEST(Pages, AreBitcode) {
  ASSERT_GT(builtins::pageCount(), 100u);
  for (std::size_t i = 0; i < builtins::pageCount(); ++i) {
    EXPECT_TRUE(builtins::page(i).bitcode.starts_with("BC\xc0\xde")) << i << " of " << builtins::page(i).chapter;
    EXPECT_GT(builtins::page(i).bitcode.size(), 1000u) << i << " of " << builtins::page(i).chapter;
  }
  EXPECT_NE(builtins::baseHeader().find("typedef float float4"), std::string_view::npos);
}

TEST(Pages, AreFoundByFunction) {
  EXPECT_EQ(chapterOf("_Z13get_global_idj"), "work_item");
  EXPECT_EQ(chapterOf("_Z3sinf"), "trigonometric");
  EXPECT_EQ(chapterOf("_Z3sinDv4_f"), "trigonometric");
  EXPECT_EQ(chapterOf("_Z20convert_int4_sat_rteDv4_f"), "convert_int_rounded");
  EXPECT_EQ(chapterOf("_Z16convert_int4_satDv4_f"), "convert_int_plain");
  EXPECT_EQ(chapterOf("_Z3maxDv4_fS_"), "common");
  EXPECT_EQ(chapterOf("_Z3maxDv4_iS_"), "min_max");
  EXPECT_EQ(chapterOf("_Z6vload3mPU3AS1KDh"), "vload");
  EXPECT_EQ(chapterOf("_Z11atomic_xchgPU3AS1Vff"), "legacy");
  EXPECT_EQ(chapterOf("_Z25atomic_fetch_add_explicitPU3AS4VU7_Atomicff12memory_order12memory_scope"), "modify");
  EXPECT_EQ(chapterOf("__to_global"), "address_space");
}

TEST(Pages, EveryDefinedFunctionIsFoundByItsPage) {
  // One line for each function: its name and its chapter.
  std::ifstream list(BUILTINS_FUNCTION_LIST);
  std::string function, chapter;
  int count = 0;
  while (list >> function >> chapter) {
    ASSERT_EQ(chapterOf(function), chapter) << function;
    ++count;
  }
  EXPECT_GT(count, 12000);
}

TEST(Pages, ForeignNamesHaveNone) {
  for (std::string_view name :
       {"", "_Z", "_Z3", "_Z3ma", "_Z99max", "_Z99999999999999999999999max", "_Zmax", "max_",
        "_Z19convert_int4_sat_rtDv4_f", "_ZN3fooE", "__clarity_barrier", "_Z4maxxP", "_Z3barDv"}) {
    EXPECT_EQ(chapterOf(name), "none") << name;
  }
  // A kind that no overload of the name has, and parameters that end too early.
  EXPECT_EQ(chapterOf("_Z3sini"), "none");
  for (std::string_view name : {"_Z3max", "_Z3maxP", "_Z3maxPU3AS", "_Z3maxDv", "_Z3maxDv4"}) {
    EXPECT_NO_FATAL_FAILURE(chapterOf(name)) << name;
  }
}

TEST(Relaxed, FormsAreFoundForWhatHasThem) {
  EXPECT_EQ(builtins::relaxedForm("_Z3sinf"), "_Z21__clarity_relaxed_sinf");
  EXPECT_EQ(builtins::relaxedForm("_Z3powDv4_fS_"), "_Z21__clarity_relaxed_powDv4_fS_");
  EXPECT_EQ(builtins::relaxedForm("_Z6sincosDv8_fPU3AS1S_"), "_Z24__clarity_relaxed_sincosDv8_fPU3AS1S_");
  for (const char* none :
       {"_Z3sind", "_Z3sinDh", "_Z3sinDv2_d", "_Z4fabsf", "_Z3sini", "sinf", "_Z", "", "_Z21__clarity_relaxed_sinf"}) {
    EXPECT_EQ(builtins::relaxedForm(none), "") << none;
  }
}
