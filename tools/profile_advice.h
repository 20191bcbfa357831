// SPDX-License-Identifier: Apache-2.0
// This file declares the advice of a profile.
#pragma once

#include "profile_record.h"

#include <cstdint>
#include <string>
#include <vector>

namespace clarity::tools {

/// A finding: what costs time, how that is known, and what helps.
struct Advice {
  std::string title, evidence, cure;
  std::string place;       ///< the place in the source, if it is known
  std::uint64_t gain = 0;  ///< nanoseconds that may be gained, at most
  std::string kernel{};    ///< that has the place; empty: it is the application's
  std::string source{};    ///< the line at the place; empty: not known
  unsigned line = 0;
};
/// At most five, the one with the most to gain first.
std::vector<Advice> adviceFor(const ProfiledProcess& process, const ProfileSummary& summary);
/// Those about the code of kernels alone, in any order (profile_kernel_advice.h).
std::vector<Advice> kernelAdviceFor(const ProfiledProcess& process, const ProfileSummary& summary);
/// Asks the compiler about the kernels that take a part of the run and whose source is known.
void addKernelCode(ProfiledProcess& process);

}  // namespace clarity::tools
