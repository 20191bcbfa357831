// SPDX-License-Identifier: Apache-2.0
// This file tests the embedded library: that every chapter and the base header are there, and that the index finds the
// chapters of a function.
#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "builtins/builtins.h"

namespace builtins = clarity::builtins;

namespace {

std::set<std::string_view> chapterNames(std::string_view function) {
  std::set<std::string_view> names;
  for (std::uint64_t mask = builtins::chaptersOf(function); mask != 0; mask &= mask - 1) {
    names.insert(builtins::chapters()[std::countr_zero(mask)].name);
  }
  return names;
}

using Names = std::set<std::string_view>;

}  // namespace

TEST(Chapters, AreBitcode) {
  ASSERT_GT(builtins::chapters().size(), 30u);
  for (const auto& chapter : builtins::chapters()) {
    EXPECT_TRUE(chapter.bitcode.starts_with("BC\xc0\xde")) << chapter.name;
  }
  EXPECT_NE(builtins::baseHeader().find("typedef float float4"), std::string_view::npos);
}

TEST(Chapters, AreFoundByFunction) {
  EXPECT_EQ(chapterNames("_Z13get_global_idj"), Names{"work_item"});
  EXPECT_EQ(chapterNames("_Z3sinDv4_f"), Names{"trigonometric"});
  EXPECT_EQ(chapterNames("_Z19convert_int4_sat_rtDv4_f"), Names{});
  EXPECT_EQ(chapterNames("_Z16convert_int4_satDv4_f"), Names{"convert_int_plain"});
  EXPECT_EQ(chapterNames("_Z20convert_int4_sat_rteDv4_f"), Names{"convert_int_rounded"});
  EXPECT_EQ(chapterNames("_Z3maxDv4_fS_"), (Names{"common", "min_max"}));
  EXPECT_EQ(chapterNames("__to_global"), Names{"address_space"});
}

TEST(Chapters, ForeignNamesHaveNone) {
  for (std::string_view name : {"", "_Z", "_Z3", "_Z3ma", "_Z99max", "_Z99999999999999999999999max", "_Zmax", "max_",
                                "_ZN3fooE", "__clarity_barrier"}) {
    EXPECT_EQ(builtins::chaptersOf(name), 0u) << name;
  }
}
