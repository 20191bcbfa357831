// SPDX-License-Identifier: Apache-2.0
// This file declares what the parts of the hidden `clarity measure` share.
#pragma once

#include "device_choice.h"

#include <string>
#include <utility>

#include <nlohmann/json.hpp>

namespace clarity::tools {

/// A device with a context and a command-queue.
struct MeasureSession {
  explicit MeasureSession(cl::Device chosen, cl_command_queue_properties properties = 0)
      : device(std::move(chosen)), queue(context, device, properties) {}
  cl::Device device;
  cl::Context context{device};
  cl::CommandQueue queue;
};

cl::Program buildProgram(const MeasureSession& session, const std::string& source);

/// The time of a command, which it waits for.
double secondsOf(const cl::Event& event);

/// The limits of a device that is not the CPU: `stream`, bytes/s of its memory, read and written; `fma`, `doubles`,
/// `halves` and `integers`, operations/s; `caches`, with the bytes/s of loads from each; `threads`, compute units.
nlohmann::ordered_json deviceLimits(const cl::Device& device);

}  // namespace clarity::tools
