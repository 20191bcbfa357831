// SPDX-License-Identifier: Apache-2.0
// This file executes builds, compilations and links, at once or in the background, and keeps what came of them.
#include "core/program_job.h"
#include "core/error.h"
#include "core/messages.h"
#include "support/background.h"
#include "support/process_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

namespace clarity::core {

using compiler::BinaryType;
using compiler::Outcome;
using compiler::Status;

namespace {

/// Says on the terminal what the log of a build that succeeded says of `__local* p`, where a type was forgotten: clang
/// takes it for a pointer to int.
void showForgottenType(std::string_view log) {
  const std::size_t at = log.find("type specifier missing, defaults to 'int'");
  if (at == log.npos) return;
  const std::size_t begin = log.rfind('\n', at) + 1;  // npos + 1 is the beginning
  showMessage(fmt::format("{}\nWrite the type: without one it is int, as in '__local* p', which is '__local int* p'.\n",
                          log.substr(begin, log.find('\n', at) - begin)));
}

}  // namespace

void Program::begin(const Job& job) {
  const std::lock_guard lock(mutex_);
  // CL_INVALID_OPERATION if there are kernel objects attached to program.
  failIf(attachedKernels_ != 0, CL_INVALID_OPERATION, "cannot {} a program that {} kernel objects are attached to",
         job.verb, attachedKernels_);
  // CL_INVALID_OPERATION if a previous build for any of the devices in device_list has not completed.
  for (const Ref<Device>& device : job.devices)
    failIf(states_[indexOf(device)].status == CL_BUILD_IN_PROGRESS, CL_INVALID_OPERATION,
           "cannot {} a program whose last build for device '{}' has not completed", job.verb,
           device->properties().name);
  for (const Ref<Device>& device : job.devices)
    states_[indexOf(device)] = {.status = CL_BUILD_IN_PROGRESS,
                                .type = CL_PROGRAM_BINARY_TYPE_NONE,
                                .options = job.options,
                                .log = {},
                                .text = {},
                                .compiled = nullptr,
                                .executable = nullptr,
                                .argInfo = false,
                                .ofParent = false};
}

cl_int Program::store(const Job& job, const Device& device, Outcome outcome, std::string& text) {
  BuildState state{.status = CL_BUILD_ERROR,
                   .type = CL_PROGRAM_BINARY_TYPE_NONE,
                   .options = job.options,
                   .log = std::move(outcome.log),
                   .text = job.text,
                   .compiled = nullptr,
                   .executable = nullptr,
                   .argInfo = job.argInfo,
                   .ofParent = false};
  cl_int code = CL_SUCCESS;
  switch (outcome.status) {
    case Status::Ok: break;
    case Status::InvalidOptions: code = job.badOptions; break;
    case Status::InvalidBinary: code = CL_INVALID_BINARY; break;
    case Status::OutOfMemory: code = CL_OUT_OF_HOST_MEMORY; break;
    case Status::CompileFailure:
    case Status::LinkFailure:
    case Status::Internal: code = job.failure; break;
  }
  if (code == CL_SUCCESS) {
    const std::uint64_t largest = outcome.compiled->scope.variables.largest;
    if (const std::uint64_t most = device.properties().maxGlobalVariableBytes; largest > most) {
      state.log += fmt::format("error: a variable of {} bytes is larger than device '{}' has them, {} bytes\n", largest,
                               device.properties().name, most);
      code = job.failure;
    }
  }
  if (code == CL_SUCCESS) {
    showForgottenType(state.log);
    state.compiled = std::move(outcome.compiled);
    state.type = binaryType(state.compiled);
    if (state.compiled->kind == BinaryType::Executable) {
      state.executable = device.backend().load(state.compiled);
      state.executable->setSource(state.text);
    }
    state.status = CL_BUILD_SUCCESS;
  } else {
    text += fmt::format("could not {} the program for device '{}' with options '{}':\n{}", job.verb,
                        device.properties().name, job.options, state.log);
  }
  {
    const std::lock_guard lock(mutex_);
    states_[indexOf(device)] = std::move(state);
  }
  shareWithSubDevices(device);
  return code;
}

void Program::shareWithSubDevices(const Device& device) {
  const std::lock_guard lock(mutex_);
  const BuildState& built = states_[indexOf(device)];
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    const Device* ancestor = devices_[i]->parent();
    while (ancestor && ancestor != &device) ancestor = ancestor->parent();
    BuildState& state = states_[i];
    if (!ancestor || (state.status != CL_BUILD_NONE && !state.ofParent) || (state.compiled && !state.ofParent))
      continue;
    state = built.status == CL_BUILD_SUCCESS ? built : BuildState{};
    state.ofParent = built.status == CL_BUILD_SUCCESS;
    // It runs on the sub-device's compute units and has variables of its own.
    if (!state.executable) continue;
    state.executable = devices_[i]->backend().load(state.compiled);
    state.executable->setSource(state.text);
  }
}

cl_int Program::run(const Job& job, std::string& text) noexcept {
  cl_int result = CL_SUCCESS;
  // Devices that the same code serves are built for once: a device and its sub-devices.
  std::vector<std::pair<const Device*, Outcome>> made;
  for (const Ref<Device>& device : job.devices) {
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    try {
      try {
        auto same =
            std::ranges::find_if(made, [&](const auto& each) { return each.first->target() == device->target(); });
        if (same == made.end()) same = made.insert(made.end(), {&device.get(), job.make(device)});
        code = store(job, device, same->second, text);
      } catch (const Error& error) {
        code = error.code();
        text += error.text();
      } catch (const std::bad_alloc&) {
      } catch (const std::exception& error) {
        code = job.failure;
        text += error.what();
      }
    } catch (...) {
      // No memory for the sentence: the code alone must do.
    }
    if (code == CL_SUCCESS) continue;
    if (result == CL_SUCCESS) result = code;
    const std::lock_guard lock(mutex_);
    BuildState& state = states_[indexOf(device)];
    state.status = CL_BUILD_ERROR;
    try {
      if (state.log.empty()) state.log = text;
    } catch (...) {
      // Nor for the log.
    }
  }
  return result;
}

cl_int Program::start(Job job, Completion completion) {
  if (!completion.notify) {
    std::string text;
    const cl_int code = run(job, text);
    // The caller throws or returns the code; the sentence goes the way of all errors.
    if (code != CL_SUCCESS && code != CL_LINK_PROGRAM_FAILURE) throw Error(code, text);
    if (code == CL_SUCCESS) return code;
    text = fmt::format("clLinkProgram: {}: {}", errorName(code), text);
    setLastError(text);
    context_->notify(text);
    return code;
  }
  std::shared_ptr<const Job> kept;
  try {
    kept = std::make_shared<const Job>(std::move(job));
    support::runInBackground([self = Ref<Program>(*this), kept, completion] {
      std::string text;
      const cl_int code = self->run(*kept, text);
      if (support::processEnds()) return;
      if (code != CL_SUCCESS) self->tell(code, text);
      completion.notify(self->handle(), completion.userData);
    });
  } catch (...) {
    giveUp(kept ? *kept : job);  // job is whole as long as there is no memory for a copy
    throw;
  }
  return CL_SUCCESS;
}

void Program::tell(cl_int code, const std::string& reason) noexcept {
  try {
    const std::string text = fmt::format("{}: {}", errorName(code), reason);
    if (isTraced()) traceLine(std::chrono::steady_clock::now(), text);
    context_->notify(text);
  } catch (const std::exception&) {
    // No memory for the sentence: the status of the build must do.
  }
}

void Program::giveUp(const Job& job) {
  const std::lock_guard lock(mutex_);
  for (const Ref<Device>& device : job.devices) states_[indexOf(device)].status = CL_BUILD_ERROR;
}

}  // namespace clarity::core
