// SPDX-License-Identifier: Apache-2.0
// This file declares what bounds a kernel, and what the run.
#pragma once

#include "profile_record.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace clarity::tools {

struct Verdict {
  /// "memory", "arithmetic", "latency", "few work-groups", "imbalance", "launches", or a cache: "L1"; "nothing": no
  /// limit is near.
  std::string bound;
  std::string reason;  ///< where `bound` does not say all; may be empty
  unsigned line = 0;   ///< the line of the source; 0: none
  /// "transfers" or "compiles", where these take longer than the launches do; empty: neither does.
  std::string beyond;
  std::uint64_t beyondTime = 0;
};
/// The verdict in a word or two, for a table: "memory", "compiles (its launches: memory)"; empty: not known.
std::string shortText(const Verdict& verdict);
/// "bound by L1, line 4: ..."; empty: not known.
std::string longText(const Verdict& verdict, std::uint64_t launches);

Verdict verdictOn(const ProfiledProcess& process, const ProfileSummary& summary, const KernelSummary& kernel);

/// The parts of the run, the longest first: "kernels", "transfers", "compiles", "launches" (the host enqueues or waits,
/// and nothing runs), "host"; last what is the profile's own, "counting": counted code is compiled or executed. Each
/// moment counts for one of them.
std::vector<std::pair<std::string, double>> partsOfRun(const ProfiledProcess& process);

}  // namespace clarity::tools
