// SPDX-License-Identifier: Apache-2.0
// This file declares how kernel_bench sees whether two forms of a kernel have the same code.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace bench {

// A folder for Clarity's disk cache, empty at first; the process uses it if this object is made before the platform is
// opened. Other drivers leave it empty. Goes with the object.
class CodeFolder {
public:
  CodeFolder();
  ~CodeFolder();
  CodeFolder(const CodeFolder&) = delete;
  CodeFolder& operator=(const CodeFolder&) = delete;

  // The code that has been generated since the last call: equal texts mean equal code. Empty if there is none, or the
  // driver does not tell.
  std::string takeNew();

private:
  std::filesystem::path folder_;
  std::set<std::filesystem::path> seen_;
};

}  // namespace bench
