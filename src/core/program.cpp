// SPDX-License-Identifier: Apache-2.0
// This file builds, compiles and links programs with the compiler and keeps what came of it for each device.
#include "core/program.h"

#include "compiler/source_name.h"
#include "core/build_options.h"
#include "core/error.h"
#include "core/messages.h"
#include "support/background.h"
#include "support/process_end.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <new>
#include <utility>

namespace clarity::core {

using compiler::BinaryType;
using compiler::Outcome;
using compiler::Status;
using SharedCompiledProgram = std::shared_ptr<const compiler::CompiledProgram>;

struct Program::Job {
  const char* verb;  ///< for texts: "build", "compile", "link"
  cl_int failure;    ///< CL_BUILD_PROGRAM_FAILURE and the like
  cl_int badOptions;
  std::vector<Ref<Device>> devices;
  std::string options;
  bool argInfo = false;  ///< what is built keeps the names of arguments for the application
  std::function<Outcome(const Device&)> make;
  device::SourceText text;
};

namespace {

constexpr std::string_view argInfoOption = "-cl-kernel-arg-info";

std::vector<Ref<Device>> copyOf(std::span<const Ref<Device>> devices) { return {devices.begin(), devices.end()}; }

cl_program_binary_type binaryType(const SharedCompiledProgram& compiled) {
  return compiled ? static_cast<cl_program_binary_type>(compiled->kind) : CL_PROGRAM_BINARY_TYPE_NONE;
}

}  // namespace

Program::Program(Context& context, std::vector<Ref<Device>> devices, Origin origin)
    : context_(context), devices_(std::move(devices)), origin_(origin), states_(devices_.size()) {}

Program::Program(Context& context, std::string source) : Program(context, copyOf(context.devices()), Origin::Source) {
  source_ = std::make_shared<const std::string>(std::move(source));
}

Program::Program(Context& context, std::span<const Ref<Device>> devices, std::vector<SharedCompiledProgram> programs)
    : Program(context, copyOf(devices), Origin::Binary) {
  given_ = std::move(programs);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    states_[i].compiled = given_[i];
    states_[i].type = binaryType(given_[i]);
    if (given_[i]) states_[i].options = given_[i]->options;
  }
}

bool Program::has(const Device& device) const noexcept {
  return std::ranges::any_of(devices_, [&](const Ref<Device>& each) { return &each.get() == &device; });
}

device::SourceText Program::textFor(std::string_view options) const {
  device::SourceText text;
  if (compiler::kindOfSource(*source_) != compiler::Source::Kind::PortableIR)
    text.add(compiler::sourceName(options), source_);
  return text;
}

std::size_t Program::indexOf(const Device& device) const {
  for (std::size_t i = 0; i < devices_.size(); ++i)
    if (&devices_[i].get() == &device) return i;
  fail(CL_INVALID_DEVICE, "device {} is not one of the program's", static_cast<const void*>(&device));
}

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

void Program::build(std::vector<Ref<Device>> devices, std::string options, Completion completion) {
  // CL_INVALID_OPERATION if program was not created from source, IL or binary.
  failIf(origin_ == Origin::Linked, CL_INVALID_OPERATION, "a program of clLinkProgram cannot be built again");
  // CL_INVALID_BINARY if program is created with clCreateProgramWithBinary and devices listed in device_list do not
  // have a valid program binary loaded. It must be that of an executable.
  if (origin_ == Origin::Binary)
    for (const Ref<Device>& device : devices) {
      const SharedCompiledProgram& given = given_[indexOf(device)];
      failIf(!given, CL_INVALID_BINARY, "no binary was loaded for device '{}'", device->properties().name);
      failIf(given->kind != BinaryType::Executable, CL_INVALID_BINARY,
             "the binary for device '{}' is a compiled object or library, which is for clLinkProgram",
             device->properties().name);
      requireInitialization(context_, *given);
    }
  Job job{.verb = "build",
          .failure = CL_BUILD_PROGRAM_FAILURE,
          .badOptions = CL_INVALID_BUILD_OPTIONS,
          .devices = std::move(devices),
          .options = std::move(options),
          .argInfo = false,
          .make = {},
          .text = {}};
  if (origin_ == Origin::Source) job.text = textFor(job.options);
  job.argInfo = origin_ == Origin::Source && hasOption(job.options, argInfoOption);
  job.make = [this, options = job.options](const Device& device) {
    if (origin_ == Origin::Source)
      return compiler::build({compiler::kindOfSource(*source_), *source_}, compilerOptions(context_, options),
                             device.target());
    // The binary of an executable needs no compiler.
    return Outcome{.status = Status::Ok, .log = {}, .compiled = given_[indexOf(device)], .fromCache = false};
  };
  begin(job);
  start(std::move(job), completion);
}

void Program::compile(std::vector<Ref<Device>> devices, std::string options, std::vector<compiler::Header> headers,
                      Completion completion) {
  // CL_INVALID_OPERATION if program has no source or IL available.
  failIf(origin_ != Origin::Source, CL_INVALID_OPERATION, "the program has no source to compile");
  Job job{.verb = "compile",
          .failure = CL_COMPILE_PROGRAM_FAILURE,
          .badOptions = CL_INVALID_COMPILER_OPTIONS,
          .devices = std::move(devices),
          .options = std::move(options),
          .argInfo = false,
          .make = {},
          .text = {}};
  job.text = textFor(job.options);
  for (const compiler::Header& header : headers)
    job.text.add(header.name, std::make_shared<const std::string>(header.text));
  job.argInfo = hasOption(job.options, argInfoOption);
  job.make = [this, options = job.options, headers = std::move(headers)](const Device& device) {
    return compiler::compile({compiler::kindOfSource(*source_), *source_}, headers, compilerOptions(context_, options),
                             device.target());
  };
  begin(job);
  start(std::move(job), completion);
}

Program& Program::link(Context& context, std::vector<Ref<Device>> devices, std::string options,
                       std::vector<Ref<Program>> inputs, Completion completion, cl_int& code) {
  // What goes into the link of each device is taken now: the inputs may be compiled again afterwards.
  std::vector<std::pair<const Device*, std::vector<SharedCompiledProgram>>> programs;
  std::vector<Ref<Device>> linkedFor;
  bool argInfo = false;
  device::SourceText text;
  for (const Ref<Device>& device : devices) {
    std::vector<SharedCompiledProgram> found;
    for (const Ref<Program>& input : inputs) {
      if (!input->has(device)) continue;
      BuildState state = input->state(device);
      // CL_INVALID_OPERATION if a previous compilation or build of an input for a device has not completed.
      failIf(state.status == CL_BUILD_IN_PROGRESS, CL_INVALID_OPERATION,
             "an input program's compilation for device '{}' has not completed", device->properties().name);
      if (!state.compiled || state.compiled->kind == BinaryType::Executable) continue;
      argInfo |= state.argInfo;
      text.add(state.text);
      found.push_back(std::move(state.compiled));
    }
    // CL_INVALID_OPERATION if only some of the inputs have a compiled binary or library for a device.
    failIf(!found.empty() && found.size() != inputs.size(), CL_INVALID_OPERATION,
           "{} of {} input programs have a compiled binary or library for device '{}'", found.size(), inputs.size(),
           device->properties().name);
    if (found.empty()) continue;
    programs.emplace_back(&device.get(), std::move(found));
    linkedFor.push_back(device);
  }
  // With no compiled input for any device there is nothing that could be linked.
  failIf(programs.empty(), CL_INVALID_OPERATION, "none of the {} input programs has a compiled binary or library",
         inputs.size());

  Job job{.verb = "link",
          .failure = CL_LINK_PROGRAM_FAILURE,
          .badOptions = CL_INVALID_LINKER_OPTIONS,
          .devices = std::move(linkedFor),
          .options = std::move(options),
          .argInfo = argInfo,
          .make = {},
          .text = std::move(text)};
  job.make = [programs = std::move(programs), options = compilerOptions(context, job.options)](const Device& device) {
    const auto found =
        std::ranges::find(programs, &device, &std::pair<const Device*, std::vector<SharedCompiledProgram>>::first);
    return compiler::link(found->second, options, device.target());
  };
  Program& program = *new Program(context, std::move(devices), Origin::Linked);
  try {
    program.begin(job);
    code = program.start(std::move(job), completion);
  } catch (...) {
    program.release();
    throw;
  }
  return program;
}

BuildState Program::state(const Device& device) const {
  const std::size_t index = indexOf(device);
  const std::lock_guard lock(mutex_);
  return states_[index];
}

BuiltProgram Program::built(const Device& device) const {
  const std::size_t index = indexOf(device);
  const std::lock_guard lock(mutex_);
  const BuildState& state = states_[index];
  if (!state.executable) return {};
  return {state.compiled, state.executable, state.argInfo};
}

std::string Program::binary(const Device& device) const {
  const SharedCompiledProgram compiled = state(device).compiled;
  return compiled ? compiler::serialise(*compiled, device.target()) : std::string();
}

std::vector<std::string> Program::kernelNames() const {
  for (const Ref<Device>& device : devices_) {
    const BuiltProgram program = built(device);
    if (!program.compiled) continue;
    std::vector<std::string> names;
    for (const compiler::KernelInfo& kernel : program.compiled->kernels) names.push_back(kernel.name);
    return names;
  }
  // CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built program executable for any device.
  fail(CL_INVALID_PROGRAM_EXECUTABLE, "the program has no executable for any of its {} devices", devices_.size());
}

bool Program::hasConstructors() const {
  return std::ranges::any_of(devices_, [&](const Ref<Device>& device) {
    const BuiltProgram program = built(device);
    return program.compiled && program.compiled->scope.constructors;
  });
}

void Program::attachKernel() {
  const std::lock_guard lock(mutex_);
  ++attachedKernels_;
}

void Program::detachKernel() noexcept {
  const std::lock_guard lock(mutex_);
  --attachedKernels_;
}

}  // namespace clarity::core
