// SPDX-License-Identifier: Apache-2.0
// This file declares one kernel launch of `clarity exec`: program, kernel, arguments, range, and its repetitions.
#pragma once

#include "argument.h"
#include "cl_api.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clarity::tools {

struct LaunchTimes {
  std::vector<double> kernelSeconds;  ///< from profiling events, one for each run
};

struct Messages;

class Launch {
  std::shared_ptr<Messages> messages_;  // first: it is destroyed after the objects that write to it

public:
  cl::Device device;
  cl::Program program;
  cl::Kernel kernel;
  std::vector<size_t> global, local, offset;  ///< local and offset may be empty
  std::vector<ArgumentValue> values;          ///< one for each argument
  double buildSeconds = 0;

  /// Builds for `device`, with argument information. Warnings go to standard error, after a call of `beforeLog`. Throws
  /// Failure with the log.
  void build(const std::string& source, const std::string& options, const std::string& fileName,
             const std::function<void()>& beforeLog);
  /// False when the program has no kernel of this name.
  bool create(const std::string& kernelName);
  /// Creates the buffers and sets every argument. Errors name the argument.
  void setArguments(const std::vector<Argument>& arguments);
  /// Runs the kernel `repeat` times, each time on the initial content of the buffers, after a call of `beforeRun` with
  /// the number of the run, from 1.
  LaunchTimes run(size_t repeat, const std::function<void(size_t)>& beforeRun);
  /// The current content of the buffer; nothing for a null buffer.
  std::optional<Array> read(cl_uint argument);

private:
  void createOnDeviceQueue();
  void restoreBuffers();
  /// `what` and `code` with the messages of the context's callback.
  [[noreturn]] void fail(const std::string& what, cl_int code) const;

  cl::Context context_;
  cl::CommandQueue queue_, onDevice_;
  std::vector<cl::Buffer> buffers_;  // by argument; an empty handle if it is not a buffer
};

}  // namespace clarity::tools
