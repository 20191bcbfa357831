// SPDX-License-Identifier: Apache-2.0
// This file declares the report on a kernel (-cl-clarity-report): optimisation remarks as text, or as JSON.
#pragma once

#include "compiler/ir/remarks.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::compiler {

/// One region.
struct RegionReport {
  std::string form;     ///< how its work-items run
  bool missed = false;  ///< one by one
  std::map<unsigned, std::vector<Remark>>
      lines;  ///< by source line; 0: unknown. Lines without remarks say where the region is
};

/// The report of the pass `packets`, region by region.
struct PacketReport {
  std::string_view source;  ///< the source of the kernel, for quoting; may be empty
  std::vector<RegionReport> regions;
};

struct KernelReport {
  std::string name;
  Place place;
  std::string workGroups;       ///< for which work-groups the code is, and what is spilled across barriers
  std::string budget;           ///< sentences of the build log on what was given up; may be empty
  std::vector<Remark> remarks;  ///< remarks of passes that work on the whole kernel
  PacketReport packets;
};

/// One line for each remark, regions in the order of the source; neighbouring ones with the same remarks are joined.
std::string textOf(const KernelReport& report);

/// One JSON object for each remark, each on its own line. docs/reports.md describes the fields.
std::string jsonOf(const KernelReport& report);

}  // namespace clarity::compiler
