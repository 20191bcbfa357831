// SPDX-License-Identifier: Apache-2.0
// This file tests how sub-groups that wait for each other take turns on a thread.
#include "device/cpu/sub_groups.h"
#include "support/fault_guard.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace clarity::device::cpu {
namespace {

/// The arguments of a body: they are copied for each.
struct Frame {
  int id;
  int turns;  ///< that it waits
  std::vector<std::string>* log;
};

/// As a loop that waits: the others go on at some of its turns, so each of these is many.
void waitAWhile() {
  for (int i = 0; i < 16; ++i) SubGroups::mine().pause();
}

void logTurns(const void* values) {
  const auto frame = *static_cast<const Frame*>(values);
  frame.log->push_back(std::to_string(frame.id) + " begins");
  for (int turn = 0; turn < frame.turns; ++turn) {
    waitAWhile();
    frame.log->push_back(std::to_string(frame.id) + " looks");
  }
}

void run(const Frame& frame) { SubGroups::mine().run(logTurns, &frame, sizeof frame, 64); }

TEST(SubGroupsOfAThread, takeTurns) {
  std::vector<std::string> log;
  Frame frame{0, 2, &log};
  run(frame);
  frame = {1, 0, &log};
  run(frame);
  frame = {2, 1, &log};
  run(frame);
  frame = {99, 99, nullptr};  // they have copies
  EXPECT_EQ(log, (std::vector<std::string>{"0 begins", "1 begins", "2 begins"}));
  SubGroups::mine().finish();
  EXPECT_EQ(log, (std::vector<std::string>{"0 begins", "1 begins", "2 begins", "0 looks", "2 looks", "0 looks"}));
  SubGroups::mine().finish();
  EXPECT_EQ(log.size(), 6u);
}

TEST(SubGroupsOfAThread, pausingElsewhereIsNothing) { waitAWhile(); }

TEST(SubGroupsOfAThread, manyAtATimeAndAgain) {
  for (int round = 0; round < 3; ++round) {
    std::vector<std::string> log;
    for (int id = 0; id < 500; ++id) run({id, 3, &log});
    SubGroups::mine().finish();
    EXPECT_EQ(log.size(), 2000u);
  }
}

/// Variables of a megabyte, and frames that want the alignment of vectors.
TEST(SubGroupsOfAThread, haveRoomForTheirVariables) {
  struct alignas(64) Wide {
    std::array<float, 16> values;
    bool* right;
  };
  static constexpr std::size_t large = 1 << 20;
  const auto body = [](const void* values) {
    const auto& wide = *static_cast<const Wide*>(values);
    volatile char variables[large];
    for (std::size_t i = 0; i < large; i += 512) variables[i] = static_cast<char>(i >> 9);
    waitAWhile();
    bool right = reinterpret_cast<std::uintptr_t>(&wide) % 64 == 0 && wide.values[15] == 15;
    for (std::size_t i = 0; i < large; i += 512) right = right && variables[i] == static_cast<char>(i >> 9);
    *wide.right = right;
  };
  std::array<bool, 4> right{};
  for (bool& each : right) {
    Wide wide{{}, &each};
    wide.values[15] = 15;
    SubGroups::mine().run(body, &wide, sizeof wide, large);
  }
  SubGroups::mine().finish();
  EXPECT_EQ(right, (std::array<bool, 4>{true, true, true, true}));
}

TEST(SubGroupsOfAThread, areForgottenAfterAFault) {
  std::vector<std::string> log;
  support::Fault fault;
  const auto leaves = [](const void*) {
    waitAWhile();
    support::FaultGuard::abandon("was left");
  };
  EXPECT_FALSE(support::FaultGuard::run(
      [&] {
        run({0, 1000, &log});
        SubGroups::mine().run(leaves, nullptr, 0, 0);
        SubGroups::mine().finish();
      },
      fault));
  EXPECT_EQ(fault.describe(), "was left");
  SubGroups::mine().abandon();
  log.clear();
  run({5, 1, &log});
  SubGroups::mine().finish();
  EXPECT_EQ(log, (std::vector<std::string>{"5 begins", "5 looks"}));
}

/// Not the optimiser's to turn into a loop. A frame is smaller than the page below the stack, also with a sanitizer's
/// zones.
int deeper(int depth) {
  volatile char room[1024];
  room[0] = static_cast<char>(depth);
  return depth == 0 ? 0 : deeper(depth - 1) + room[0];
}

TEST(SubGroupsOfAThread, overflowsAreTold) {
  support::Fault fault;
  EXPECT_FALSE(support::FaultGuard::run(
      [] { SubGroups::mine().run([](const void*) { deeper(1 << 20); }, nullptr, 0, 0); }, fault));
  SubGroups::mine().abandon();
  EXPECT_TRUE(fault.stackOverflow) << fault.describe();
  EXPECT_EQ(fault.describe(), "needs more private memory than the stack of a thread has, or wrote below it");
}

}  // namespace
}  // namespace clarity::device::cpu
