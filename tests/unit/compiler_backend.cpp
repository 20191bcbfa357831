// SPDX-License-Identifier: Apache-2.0
// This file tests the list of back ends and what is said where a target names none of them.
#include "compiler/driver/compiler.h"
#include "compiler/driver/generate_native.h"
#include "compiler/driver/inspect.h"
#include "compiler/ir/backend.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace clarity::compiler {
namespace {

constexpr const char* simplestSource = "kernel void k(global int* a) { a[get_global_id(0)] = 1; }";

Target nowhere() {
  Target target = hostTarget();
  target.backEnd = "nowhere";
  return target;
}

TEST(BackEnds, areFoundByTheirNames) {
  std::set<std::string_view> names;
  for (const BackEnd* each : backEnds()) {
    EXPECT_TRUE(names.insert(each->name()).second) << each->name();
    EXPECT_EQ(findBackEnd(each->name()), each);
  }
  EXPECT_TRUE(names.contains(hostBackEndName));
  EXPECT_EQ(hostTarget().backEnd, hostBackEndName);
  EXPECT_EQ(findBackEnd("nowhere"), nullptr);
  EXPECT_EQ(findBackEnd(""), nullptr);
}

TEST(BackEnds, aTargetWithoutOneIsRefused) {
  constexpr const char* text = "error: there is no back end 'nowhere'\n";
  const Outcome built = build(simplestSource, "", nowhere()), compiled = compile(simplestSource, {}, "", nowhere());
  EXPECT_EQ(built.status, Status::CompileFailure);
  EXPECT_EQ(built.log, text);
  EXPECT_EQ(compiled.status, Status::CompileFailure);
  EXPECT_EQ(compiled.log, text);
  const std::vector programs{compile(simplestSource, {}, "", hostTarget()).compiled};
  const Outcome linked = link(programs, "", nowhere());
  EXPECT_EQ(linked.status, Status::LinkFailure);
  EXPECT_EQ(linked.log, text);
  const Outcome good = build(simplestSource, "", hostTarget());
  ASSERT_TRUE(good.compiled) << good.log;
  const CodeOutcome code = generate(*good.compiled, "k", Shape{}, nowhere());
  EXPECT_EQ(code.status, Status::Internal);
  EXPECT_EQ(code.log, "there is no back end 'nowhere'");
  EXPECT_EQ(generateNative(*good.compiled, "k", Shape{}, nowhere(), nullptr).status, Status::Internal);
}

TEST(BackEnds, codeSaysWhoseItIs) {
  const Outcome good = build(simplestSource, "", hostTarget());
  ASSERT_TRUE(good.compiled) << good.log;
  const CodeOutcome outcome = generate(*good.compiled, "k", Shape{}, hostTarget());
  ASSERT_TRUE(outcome.code) << outcome.log;
  EXPECT_EQ(outcome.code->backEnd(), hostBackEndName);
  EXPECT_TRUE(static_cast<const HostCode&>(*outcome.code)
                  .object.starts_with("\x7f"
                                      "ELF"));
}

}  // namespace
}  // namespace clarity::compiler
