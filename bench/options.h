// SPDX-License-Identifier: Apache-2.0
// This file declares the options of kernel_bench.
#pragma once

#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

struct Options {
  bool small = false, list = false, help = false, host = true, own = true;
  unsigned repetitions = 9;
  std::regex filter{"."};
  unsigned builds = 0;               // 0: times of kernels, otherwise of building, so often
  std::string json;                  // a file, or nothing
  std::string programs;              // a folder of further programs, or nothing
  std::string turns;                 // a file that processes lock while they measure, or nothing
  std::vector<std::string> without;  // each: passes of the compiler to leave out, with commas between them, or "none"
  std::string buildOptions = "-cl-std=CL1.2";
};

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws UsageError for an unknown option.
Options parseOptions(int argc, char** argv);
extern const char usage[];

}  // namespace bench
