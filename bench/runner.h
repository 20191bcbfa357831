// SPDX-License-Identifier: Apache-2.0
// This file runs measured kernels on the first device of the first OpenCL platform, and the host's functions.
#pragma once

#include <CL/cl.h>

#include <map>
#include <string>

#include "problem.h"

namespace bench {

struct Outcome {
  double deviceMilliseconds = 0, hostMilliseconds = 0;  // medians; 0: not measured
  double amount = 0;                                    // as in Problem
  Unit unit = Unit::Steps;
  std::string error;  // what is wrong, or nothing
};

class Runner {
public:
  // Throws std::runtime_error if there is no device.
  Runner(bool small, unsigned repetitions, bool measureHost, std::string buildOptions);
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  Outcome run(const Case& measured);
  std::string platformName() const;
  std::string deviceName() const;
  bool has(const std::string& extension) const;

private:
  cl_program program(const std::string& file);
  Outcome measure(const Case& measured, Problem& problem);

  bool small_, measureHost_;
  unsigned repetitions_;
  std::string buildOptions_;
  cl_platform_id platform_ = nullptr;
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  std::map<std::string, cl_program> programs_;  // null: does not build, as already reported
};

}  // namespace bench
