// SPDX-License-Identifier: Apache-2.0
// This file runs measured kernels on the first device of the first OpenCL platform, and the host's functions.
#pragma once

#include <CL/cl.h>

#include <map>
#include <string>
#include <vector>

#include "options.h"
#include "problem.h"

namespace bench {

// The kernel without some passes of the compiler.
struct Variant {
  std::string without;  // as the option --without says
  double deviceMilliseconds = 0;
  double buildMilliseconds = 0;  // what the first launch took longer than others
  std::string error;             // what is wrong, or nothing
};

struct Outcome {
  double deviceMilliseconds = 0, hostMilliseconds = 0;  // medians; 0: not measured
  double buildMilliseconds = 0;                         // as in Variant
  std::vector<Variant> variants;                        // one for each --without
  double amount = 0;                                    // as in Problem
  Unit unit = Unit::Steps;
  std::string error;  // what is wrong, or nothing
};

// One clBuildProgram.
struct ProgramBuild {
  std::string file, without;  // without: empty for the program with all passes
  double milliseconds = 0;
};

class Runner {
public:
  // Throws std::runtime_error if there is no device.
  explicit Runner(const Options& options);
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  Outcome run(const Case& measured);
  std::string platformName() const;
  std::string deviceName() const;
  bool has(const std::string& extension) const;
  const std::vector<ProgramBuild>& builds() const { return builds_; }

private:
  cl_program program(const std::string& file, const std::string& without);
  cl_program build(const std::string& name, const std::string& source, const std::string& options);
  Outcome measure(const Case& measured, Problem& problem);
  void measureVariants(const Case& measured, class Launch& launch, Outcome& outcome);
  void warmUp();

  const Options& options_;
  cl_platform_id platform_ = nullptr;
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  std::map<std::pair<std::string, std::string>, cl_program>
      programs_;  // by file and --without; null: does not build, as already said
  std::vector<ProgramBuild> builds_;
};

}  // namespace bench
