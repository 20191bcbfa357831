// SPDX-License-Identifier: Apache-2.0
// This file runs measured kernels on the first device of the first OpenCL platform, and the host's functions.
#pragma once

#include <CL/cl.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "code_folder.h"
#include "options.h"
#include "problem.h"

namespace bench {

// Among passes to leave out: none of them.
inline constexpr const char* nothing = "none";

// The kernel without some passes of the compiler.
struct Variant {
  std::string without;  // as the option --without says
  double deviceMilliseconds = 0;
  double ratio = 0;   // the median, over rounds, of its time by the time with all passes; 0: not measured
  bool same = false;  // the code is that with all passes; it is not measured then
  std::string error;  // what is wrong, or nothing
};

struct Outcome {
  double deviceMilliseconds = 0, hostMilliseconds = 0;  // medians; 0: not measured
  std::vector<Variant> variants;                        // one for each --without
  double amount = 0;                                    // as in Problem
  Unit unit = Unit::Steps;
  std::string error;  // what is wrong, or nothing
};

// Costs of one program: medians of the time of all processors.
struct ProgramBuild {
  std::string file, without;                            // without: empty for the program with all passes
  double frontMilliseconds = 0, wholeMilliseconds = 0;  // of clBuildProgram; with the code of all kernels
  double ratio = 0;                                     // the median, over rounds, of whole / whole with all passes
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
  // Builds the program of `cases`, and code for the shapes that their launches have, in each form in turn.
  std::vector<ProgramBuild> measureBuilds(const std::vector<const Case*>& cases);

private:
  cl_program program(const Case& measured, const std::string& without);
  cl_program build(const Case& measured, const std::string& without, unsigned repetition);
  cl_program build(const std::string& name, const std::string& source, const std::string& options);
  Outcome measure(const Case& measured, Problem& problem);
  void measureVariants(const Case& measured, Problem& problem, class Launch& launch, Outcome& outcome);
  void warmUp();

  const Options& options_;
  std::optional<CodeFolder> codes_;  // where forms of kernels are compared
  std::map<std::pair<std::string, std::string>, std::string>
      codeOfForms_;  // by program and kernel, and --without: all code that was generated
  cl_platform_id platform_ = nullptr;
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  std::map<std::pair<std::string, std::string>, cl_program>
      programs_;         // by Case::program and --without; null: does not build, as already said
  unsigned builds_ = 0;  // those of measureBuilds so far
};

}  // namespace bench
