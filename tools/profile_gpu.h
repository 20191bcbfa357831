// SPDX-License-Identifier: Apache-2.0
// This file declares what a profile says of launches on GPUs.
#pragma once

#include "profile_advice.h"

#include <string>
#include <vector>

namespace clarity::tools {

/// The facts about a kernel's launches with its sizes; null: they ran on no GPU.
const ProfiledGpuLaunch* gpuLaunchOf(const ProfiledProcess& process, const KernelSummary& kernel);

/// "64 registers, ...": resources, occupancy, waves.
std::string textOf(const ProfiledGpuLaunch& launch);

/// Registers, blocks and memory that leave a GPU without work.
std::vector<Advice> gpuAdviceFor(const ProfiledProcess& process, const ProfileSummary& summary);

}  // namespace clarity::tools
