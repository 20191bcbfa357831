// SPDX-License-Identifier: Apache-2.0
// This file runs programs on an OpenCL device and compares what they wrote.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program.h"

namespace clarity::fuzz {

/// The content of a buffer after a launch.
struct Buffer {
  std::string name;
  Base base = Base::Int;
  std::size_t launch = 0;
  std::vector<std::uint8_t> bytes;
};

struct Outcome {
  std::string error;  ///< empty if everything went well, otherwise what did not
  std::vector<Buffer> buffers;
};

class Runner {
public:
  /// The first device of the first platform whose name contains the text; throws std::runtime_error if there is none.
  explicit Runner(const std::string& platform);
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// Builds the program with the options and runs all its launches, each with fresh buffers.
  Outcome run(const Program::Text& text, const std::vector<Launch>& launches, const std::string& options);
  /// Whether a trivial program builds with the options.
  bool accepts(const std::string& options);
  std::string platformName() const { return platformName_; }

private:
  class Arguments;
  cl_program build(const std::string& source, const std::string& options, std::string& error);
  std::string launch(cl_kernel kernel, const Launch& launch, Arguments& arguments);

  cl_context context_ = nullptr;
  cl_device_id device_ = nullptr;
  cl_command_queue queue_ = nullptr;
  std::string platformName_;
  std::string notified_;  ///< messages to the context's callback during the launch
};

/// Where two outcomes of one program differ first, in words; nothing if every element is the same. NaNs are the same.
std::optional<std::string> difference(const Outcome& expected, const Outcome& actual,
                                      const std::vector<Launch>& launches);

}  // namespace clarity::fuzz
