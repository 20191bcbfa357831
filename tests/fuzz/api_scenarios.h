// SPDX-License-Identifier: Apache-2.0
// This file declares the scenarios of the fuzzer of calls: sequences of valid calls that calls with arguments of chance
// hardly ever become, ended by releases in a random order.
#pragma once

#include "random.h"

#include <CL/cl.h>

#include <functional>
#include <string>

namespace clarity::fuzz {

/// Objects that scenarios use and do not own. The program has the kernel `fill` of `api_fuzz.cpp`.
struct Stage {
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_program program;
  Random& random;
  std::function<void(const std::string&)> violation;
};

/// Runs one, of those that take little time mostly. All that it makes is released, and its callbacks have come.
void playScenario(const Stage& stage);
/// The same, of all of them.
void playAnyScenario(const Stage& stage);

// Those of memory, in api_memory_scenarios.cpp.
void shareMemory(const Stage& stage);
void importMemory(const Stage& stage);
void sendPackets(const Stage& stage);
void mapMemory(const Stage& stage);
void destroyMemory(const Stage& stage);

// Those of launches, in api_launch_scenarios.cpp.
void divideLaunches(const Stage& stage);
void enqueueChildren(const Stage& stage);
void releaseWhileItRuns(const Stage& stage);

}  // namespace clarity::fuzz
