// SPDX-License-Identifier: Apache-2.0
// This file tests the table of a kernel's code, and constructors that run once.
#include "device/host/code_table.h"

#include <CL/cl.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace clarity::test {
namespace {

using compiler::Shape;
using device::NDRange;
using device::Result;
using device::host::CodeTable;
using device::host::Constructors;

using Table = CodeTable<const std::string>;

std::shared_ptr<const std::string> text(const char* content) { return std::make_shared<const std::string>(content); }

/// Shapes that differ from the plain one in one field each: every field of Shape is among them (compiler_fields.cpp
/// has those that this list lacks compared).
std::vector<Shape> differentShapes() {
  std::vector<Shape> all(16);
  all[1].local = {64, 1, 1};
  all[2].wideIds = true;
  all[3].nonTemporal = true;
  all[4].interchange = false;
  all[5].privateReductions = true;
  all[6].itemsPerThread = 4;
  all[7].partialBlocks = true;
  all[8].distinctBuffers = true;
  all[9].instrumentation = compiler::Instrumentation::Check;
  all[10].quick = true;
  all[11].images.resize(1);
  all[12].part = true;
  all[13].panels = true;
  all[14].constants.resize(1);
  all[15].uneven = true;
  return all;
}

TEST(DeviceCodeTable, everyFieldOfAShapeCounts) {
  Table table;
  const std::vector<Shape> shapes = differentShapes();
  EXPECT_EQ(std::tuple_size_v<decltype(Shape::fields())> + 1, shapes.size()) << "a field is not among them";
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    EXPECT_EQ(table.find(shapes[i]), nullptr) << i;
    table.add(shapes[i], text(std::to_string(i).c_str()));
  }
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    ASSERT_NE(table.find(shapes[i]), nullptr) << i;
    EXPECT_EQ(*table.find(shapes[i])->code, std::to_string(i));
  }
}

TEST(DeviceCodeTable, codeForExactlyOneSizeIsCounted) {
  Table table;
  Shape any, exact, quick;
  exact.local = quick.local = {8, 4, 1};
  quick.quick = true;
  for (const Shape& shape : {any, exact, quick}) table.add(shape, text("code"));
  EXPECT_EQ(table.exact(false), 1U);
  EXPECT_EQ(table.exact(true), 1U);
  table.add(exact, text("better code"));
  EXPECT_EQ(table.exact(false), 1U) << "it replaces the other one";
  EXPECT_EQ(*table.find(exact)->code, "better code");
}

TEST(DeviceCodeTable, whatWasFoundStays) {
  Table table;
  table.add({}, text("first"));
  const Table::Entry* const found = table.find({});
  table.add({}, text("second"));
  for (std::uint32_t i = 1; i < 100; ++i) table.add({.local = {i, 1, 1}}, nullptr);
  EXPECT_EQ(*found->code, "first");
  EXPECT_EQ(*table.find({})->code, "second");
  EXPECT_EQ(table.find({.local = {1, 1, 1}})->code, nullptr) << "it could not be made, which is known";
}

TEST(DeviceCodeTable, codeIsMadeOnce) {
  Table table;
  std::atomic<int> made{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&] {
        Result result;
        const std::string* const code = table.findOrMake({}, result, [&](Result&) {
          ++made;
          return text("made");
        });
        EXPECT_EQ(*code, "made");
      });
  }
  EXPECT_EQ(made, 1);
}

TEST(DeviceCodeTable, whatCouldNotBeMadeIsTriedAgain) {
  Table table;
  Result result;
  EXPECT_EQ(table.findOrMake({}, result,
                             [](Result& why) -> std::shared_ptr<const std::string> {
                               why = {CL_OUT_OF_RESOURCES, "not now"};
                               return nullptr;
                             }),
            nullptr);
  EXPECT_EQ(result.text, "not now");
  EXPECT_EQ(table.find({}), nullptr);
  EXPECT_NE(table.findOrMake({}, result, [](Result&) { return text("now"); }), nullptr);
}

TEST(DeviceCodeTable, whichCodeALaunchNeeds) {
  const auto range = [](std::size_t global, std::size_t local) {
    return NDRange{.dims = 1, .global = {global, 1, 1}, .local = {local, 1, 1}};
  };
  EXPECT_TRUE(device::host::hasFullGroups(range(64, 16)));
  EXPECT_FALSE(device::host::hasSmallerGroups(range(64, 16)));
  EXPECT_TRUE(device::host::hasFullGroups(range(70, 16)) && device::host::hasSmallerGroups(range(70, 16)));
  EXPECT_FALSE(device::host::hasFullGroups(range(7, 16)));
  Shape kind;
  kind.itemsPerThread = 4;
  EXPECT_FALSE(device::host::isExact(kind));
  const Shape exact = device::host::exactShape(range(64, 16), kind);
  EXPECT_TRUE(device::host::isExact(exact));
  EXPECT_EQ(exact, (Shape{.local = {16, 1, 1}, .itemsPerThread = 4}));
}

TEST(DeviceCodeTable, constructorsRunOnce) {
  compiler::CompiledProgram program;
  Constructors none(program);
  EXPECT_FALSE(none.arePending());
  int runs = 0;
  const auto run = [&](const compiler::KernelInfo& info) {
    EXPECT_EQ(&info, &*program.scope.constructors);
    ++runs;
    return Result{};
  };
  EXPECT_TRUE(none.runOnce(run));
  EXPECT_EQ(runs, 0);
  program.scope.constructors.emplace();
  Constructors some(program);
  EXPECT_TRUE(some.arePending());
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(some.runOnce(run));
  EXPECT_EQ(runs, 1);
  EXPECT_FALSE(some.arePending());
  Constructors failing(program);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(failing
                  .runOnce([&](const compiler::KernelInfo&) {
                    ++runs;
                    return Result{CL_OUT_OF_RESOURCES, "no"};
                  })
                  .text,
              "no")
        << "every launch has the error";
  EXPECT_EQ(runs, 2);
}

}  // namespace
}  // namespace clarity::test
