// SPDX-License-Identifier: Apache-2.0
// This file checks builds, compilations and links of programs, and answers what came of them for each device.
#include "core/program.h"

#include "compiler/ir/source_name.h"
#include "core/build_options.h"
#include "core/debug_sources.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/program_job.h"

#include <algorithm>
#include <utility>

namespace clarity::core {

using compiler::BinaryType;
using compiler::Outcome;
using compiler::Status;

namespace {

std::vector<Ref<Device>> copyOf(std::span<const Ref<Device>> devices) { return {devices.begin(), devices.end()}; }

/// SPIR-V is no text: what clCreateProgramWithSource was given lacks the zeros at its end.
Outcome refuseSpirvAsSource() {
  return {.status = Status::CompileFailure,
          .log = "error: the source is a module of SPIR-V, which is for clCreateProgramWithIL\n",
          .compiled = nullptr,
          .fromCache = false};
}

}  // namespace

Program::Program(Context& context, std::vector<Ref<Device>> devices, Origin origin)
    : context_(context), devices_(std::move(devices)), origin_(origin), states_(devices_.size()) {}

Program::Program(Context& context, std::string source) : Program(context, copyOf(context.devices()), Origin::Source) {
  source_ = std::make_shared<const std::string>(std::move(source));
}

Program::Program(Context& context, std::string il, compiler::SpirvFacts facts)
    : Program(context, copyOf(context.devices()), Origin::IL) {
  source_ = std::make_shared<const std::string>(std::move(il));
  constants_ = std::move(facts.constants);
}

Program::Program(Context& context, std::span<const Ref<Device>> devices, std::vector<SharedCompiledProgram> programs)
    : Program(context, copyOf(devices), Origin::Binary) {
  inputs_ = std::move(programs);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    states_[i].compiled = inputs_[i];
    states_[i].type = binaryType(inputs_[i]);
    if (inputs_[i]) states_[i].options = inputs_[i]->options;
  }
}

Program::Program(Context& context, std::span<const Ref<Device>> devices, Modules modules)
    : Program(context, copyOf(devices), Origin::Intermediate) {
  modules_ = std::move(modules.each);
  for (BuildState& state : states_) state.type = CL_PROGRAM_BINARY_TYPE_INTERMEDIATE;
}

bool Program::has(const Device& device) const noexcept {
  return std::ranges::any_of(devices_, [&](const Ref<Device>& each) { return &each.get() == &device; });
}

device::SourceText Program::textFor(std::string_view options) const {
  device::SourceText text;
  if (origin_ == Origin::Source && compiler::kindOfSource(*source_) == compiler::Source::Kind::OpenCLC)
    text.add(compiler::sourceName(options), source_);
  return text;
}

std::string Program::sourceOptions(std::string_view options) const {
  const bool isText = origin_ == Origin::Source && compiler::kindOfSource(*source_) == compiler::Source::Kind::OpenCLC;
  return isText ? debugSourceOptions(*source_, options) : std::string();
}

bool Program::hasArgInfo(std::string_view options) const {
  // Kernel argument information is only available if the program object is created with clCreateProgramWithBinary (-x
  // spir) or clCreateProgramWithSource.
  return origin_ == Origin::Source || origin_ == Origin::Intermediate || compiler::describesArguments(options);
}

std::size_t Program::indexOf(const Device& device) const {
  for (std::size_t i = 0; i < devices_.size(); ++i)
    if (&devices_[i].get() == &device) return i;
  fail(CL_INVALID_DEVICE, "device {} is not one of the program's", static_cast<const void*>(&device));
}

compiler::Source Program::input(const Device& device, std::span<const compiler::SpecializationValue> values) const {
  if (origin_ == Origin::Intermediate) return {compiler::Source::Kind::PortableIR, modules_[indexOf(device)]};
  if (origin_ == Origin::IL) return {compiler::Source::Kind::Spirv, *source_, values};
  return {compiler::kindOfSource(*source_), *source_};
}

void Program::specialize(std::uint32_t id, std::span<const std::byte> value) {
  // CL_INVALID_PROGRAM if program is not created from an intermediate language.
  failIf(origin_ != Origin::IL, CL_INVALID_PROGRAM, "the program was not created from an intermediate language");
  // CL_INVALID_SPEC_ID if spec_id is not a valid specialization constant identifier.
  const auto constant = std::ranges::lower_bound(constants_, id, {}, &compiler::SpecializationConstant::id);
  failIf(constant == constants_.end() || constant->id != id, CL_INVALID_SPEC_ID,
         "the module has {} specialization constants, none of them with the SpecId {}", constants_.size(), id);
  // CL_INVALID_VALUE if spec_size does not match the size of the specialization constant in the module.
  failIf(value.size() != constant->bytes, CL_INVALID_VALUE,
         "spec_size is {}, the specialization constant {} has {} bytes", value.size(), id, constant->bytes);
  compiler::SpecializationValue made{id, std::string(reinterpret_cast<const char*>(value.data()), value.size())};
  const std::lock_guard lock(mutex_);
  const auto at = std::ranges::lower_bound(specialization_, id, {}, &compiler::SpecializationValue::id);
  if (at != specialization_.end() && at->id == id)
    *at = std::move(made);
  else
    specialization_.insert(at, std::move(made));
}

std::vector<compiler::SpecializationValue> Program::specialization() const {
  const std::lock_guard lock(mutex_);
  return specialization_;
}

void Program::build(std::vector<Ref<Device>> devices, std::string options, Completion completion) {
  // CL_INVALID_OPERATION if program was not created from source, IL or binary.
  failIf(origin_ == Origin::Linked, CL_INVALID_OPERATION, "a program of clLinkProgram cannot be built again");
  failIf(origin_ == Origin::BuiltIn, CL_INVALID_OPERATION, "a program of built-in kernels is built already");
  // CL_INVALID_BINARY if program is created with clCreateProgramWithBinary and devices listed in device_list do not
  // have a valid program binary loaded. It must be that of an executable.
  if (origin_ == Origin::Binary)
    for (const Ref<Device>& device : devices) {
      const SharedCompiledProgram& given = inputs_[indexOf(device)];
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
  if (hasSource()) job.text = textFor(job.options);
  job.argInfo = hasArgInfo(job.options);
  job.make = [this, options = job.options, values = specialization()](const Device& device) {
    if (hasSource()) {
      const compiler::Source source = input(device, values);
      if (source.isSpirv() && origin_ == Origin::Source) return refuseSpirvAsSource();
      return compiler::build(source, compilerOptions(context_, options) + sourceOptions(options), device.target());
    }
    // The binary of an executable needs no compiler.
    return Outcome{.status = Status::Ok, .log = {}, .compiled = inputs_[indexOf(device)], .fromCache = false};
  };
  begin(job);
  start(std::move(job), completion);
}

void Program::compile(std::vector<Ref<Device>> devices, std::string options, std::vector<compiler::Header> headers,
                      Completion completion) {
  // CL_INVALID_OPERATION if program has no source or IL available.
  failIf(!hasSource(), CL_INVALID_OPERATION, "the program has no source or IL to compile");
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
  job.argInfo = hasArgInfo(job.options);
  job.make = [this, options = job.options, headers = std::move(headers),
              values = specialization()](const Device& device) {
    const compiler::Source source = input(device, values);
    if (source.isSpirv() && origin_ == Origin::Source) return refuseSpirvAsSource();
    return compiler::compile(source, headers, compilerOptions(context_, options) + sourceOptions(options),
                             device.target());
  };
  begin(job);
  start(std::move(job), completion);
}

Ref<Program> Program::link(Context& context, std::vector<Ref<Device>> devices, std::string options,
                           std::vector<Ref<Program>> inputs, Completion completion, cl_int& code) {
  // The inputs of each device's link are taken now: they may be compiled again afterwards.
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
  const Ref<Program> program(*new Program(context, std::move(devices), Origin::Linked));
  try {
    program->begin(job);
    program->handOut();
    code = program->start(std::move(job), completion);
  } catch (...) {
    program->release();
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
  if (origin_ == Origin::BuiltIn) return {};
  const SharedCompiledProgram compiled = state(device).compiled;
  if (!compiled && origin_ == Origin::Intermediate) return modules_[indexOf(device)];
  return compiled ? compiler::serialise(*compiled, device.target()) : std::string();
}

std::vector<std::string> Program::kernelNames() const {
  if (origin_ == Origin::BuiltIn) return namesOfBuiltIns();
  for (const Ref<Device>& device : devices_) {
    const BuiltProgram program = built(device);
    if (!program.compiled) continue;
    std::vector<std::string> names;
    for (const compiler::KernelInfo& kernel : program.compiled->kernels)
      if (!kernel.isBlock) names.push_back(kernel.name);
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
