// SPDX-License-Identifier: Apache-2.0
// This file tests the list of the builtin library's functions that the reader of SPIR-V asks
// (compiler/spirv/builtin_names.h).
#include "compiler/spirv/builtin_names.h"

#include <gtest/gtest.h>

#include <barrier>
#include <set>
#include <string_view>
#include <thread>
#include <vector>

namespace clarity::compiler::spirv {
namespace {

TEST(BuiltinNames, typesAreThoseOfTheLibrary) {
  EXPECT_EQ(typeOfBuiltin("_Z3sinf"), "float (float)");
  EXPECT_EQ(typeOfBuiltin("_Z5fractfPU3AS1f"), "float (float, ptr addrspace(1))");
  EXPECT_EQ(typeOfBuiltin("_Z3sini"), "");
  EXPECT_EQ(typeOfBuiltin("sin"), "");
}

/// Threads that need a module of the library first, at the same time: they all see one list in the end.
TEST(BuiltinNames, threadsAskAtTheSameTime) {
  constexpr const char* names[] = {"_Z3cosf", "_Z13get_global_idj", "_Z10atomic_addPU3AS1Vii", "_Z5clampiii"};
  constexpr unsigned count = 8;
  std::barrier start(count);
  std::vector<std::vector<std::string_view>> answers(count);
  std::vector<std::jthread> threads;
  for (std::vector<std::string_view>& own : answers)
    threads.emplace_back([&] {
      start.arrive_and_wait();
      for (const char* name : names) own.push_back(typeOfBuiltin(name));
    });
  threads.clear();
  for (std::size_t i = 0; i < std::size(names); ++i) {
    std::set<const char*> places;
    for (const auto& own : answers) places.insert(own[i].data());
    EXPECT_EQ(places.size(), 1U) << names[i];
    EXPECT_FALSE(answers[0][i].empty()) << names[i];
  }
}

}  // namespace
}  // namespace clarity::compiler::spirv
