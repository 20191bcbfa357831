// SPDX-License-Identifier: Apache-2.0
// This file is the program: source or binaries, and what was built of them for each device.
#pragma once

#include "compiler/driver/compiler.h"
#include "core/context.h"
#include "core/device.h"
#include "core/object.h"
#include "core/ref.h"
#include "device/executable.h"

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::built_in {
struct Kernel;
}

namespace clarity::core {

/// A program that can run on a device. Kernels keep it, so a program may be built again under their feet.
struct BuiltProgram {
  std::shared_ptr<const compiler::CompiledProgram> compiled;
  std::shared_ptr<device::Executable> executable;
  bool argInfo = false;  ///< clGetKernelArgInfo may answer
};

/// The state of a program for one device at some moment (clGetProgramBuildInfo).
struct BuildState {
  cl_build_status status = CL_BUILD_NONE;
  cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
  std::string options, log;
  device::SourceText text;                                    ///< that it was compiled from
  std::shared_ptr<const compiler::CompiledProgram> compiled;  ///< null if there is no binary
  std::shared_ptr<device::Executable> executable;
  bool argInfo = false;   ///< not of SPIR-V or a binary; -cl-kernel-arg-info makes no difference
  bool ofParent = false;  ///< the sub-device has what was built for its parent, as nothing was built for it
};

/// OpenCL 3.0, section 5.8. Thread-safe: builds of different programs and for different devices run side by side.
class Program final : public ApiObject<Program, _cl_program> {
public:
  using Notify = void(CL_CALLBACK*)(cl_program, void* userData);
  /// A callback for the end of a build. With a function the build runs on a thread of ours.
  struct Completion {
    Notify notify = nullptr;
    void* userData = nullptr;
  };
  /// The origin of a program. Intermediate is LLVM IR given as a binary (cl_khr_spir).
  enum class Origin { Source, IL, Intermediate, Binary, Linked, BuiltIn };

  Program(Context& context, std::string source);
  /// A program of a module of SPIR-V (clCreateProgramWithIL) that inspectSpirv() has found these facts of.
  Program(Context& context, std::string il, compiler::SpirvFacts facts);
  /// A program of binaries, one for each device; a compiled program may be null where the binary was refused.
  Program(Context& context, std::span<const Ref<Device>> devices,
          std::vector<std::shared_ptr<const compiler::CompiledProgram>> programs);
  /// Modules of LLVM IR (cl_khr_spir), one for each device.
  struct Modules {
    std::vector<std::string> each;
  };
  Program(Context& context, std::span<const Ref<Device>> devices, Modules modules);
  /// A program of built-in kernels, which is built: CL_BUILD_PROGRAM_FAILURE.
  Program(Context& context, std::span<const Ref<Device>> devices, std::vector<const built_in::Kernel*> kernels);
  ~Program() override;

  /// clBuildProgram. Throws CL_INVALID_OPERATION, CL_INVALID_BINARY, CL_INVALID_BUILD_OPTIONS,
  /// CL_BUILD_PROGRAM_FAILURE; the last two only when nothing waits for a completion.
  void build(std::vector<Ref<Device>> devices, std::string options, Completion);
  /// clCompileProgram; the same with CL_INVALID_COMPILER_OPTIONS and CL_COMPILE_PROGRAM_FAILURE.
  void compile(std::vector<Ref<Device>> devices, std::string options, std::vector<compiler::Header> headers,
               Completion);
  /// clLinkProgram: a new program, the application's, which its completion may release. Throws CL_INVALID_OPERATION and
  /// CL_INVALID_LINKER_OPTIONS. `code` becomes CL_LINK_PROGRAM_FAILURE if linking failed and nothing waits for a
  /// completion: the specification wants the program even so, for its log.
  static Ref<Program> link(Context&, std::vector<Ref<Device>> devices, std::string options,
                           std::vector<Ref<Program>> inputs, Completion, cl_int& code);

  Context& context() const { return context_; }
  std::span<const Ref<Device>> devices() const { return devices_; }
  bool has(const Device&) const noexcept;
  Origin origin() const { return origin_; }
  /// CL_PROGRAM_SOURCE; empty if the program was not created from source.
  std::string_view source() const {
    return origin_ == Origin::Source ? std::string_view(*source_) : std::string_view();
  }
  /// CL_PROGRAM_IL; empty if the program was not created from an intermediate language.
  std::string_view il() const { return origin_ == Origin::IL ? std::string_view(*source_) : std::string_view(); }
  /// Gives a specialisation constant of the IL a value for later builds; those in progress keep theirs. Throws
  /// CL_INVALID_PROGRAM, CL_INVALID_SPEC_ID and CL_INVALID_VALUE.
  void specialize(std::uint32_t id, std::span<const std::byte> value);
  /// True if clCreateProgramWithBinary was given a binary for the device.
  bool isFromBinary(const Device& device) const {
    return origin_ == Origin::Binary && inputs_[indexOf(device)] != nullptr;
  }

  /// A copy of what there is for a device now. The device is one of devices().
  BuildState state(const Device&) const;
  /// The code of a kernel's launches on this device; members are null if there is no executable.
  BuiltProgram built(const Device&) const;
  /// The program as launched on a device, or null. Valid until the program is built again.
  device::Executable* executable(const Device& device) const { return built(device).executable.get(); }
  /// CL_PROGRAM_BINARIES of one device; empty if there is none.
  std::string binary(const Device&) const;
  /// The kernels of the first device that has an executable. CL_INVALID_PROGRAM_EXECUTABLE if none has.
  std::vector<std::string> kernelNames() const;
  /// Whether objects at program scope have constructors that run ahead of the first kernel, on any device.
  bool hasConstructors() const;

  /// The built-in kernel of the name if the program was created with it; null otherwise.
  const built_in::Kernel* builtIn(std::string_view name) const noexcept;
  /// Memory for passes of built-in kernels, which goes back when the pointer does: `bytes` or more.
  std::shared_ptr<const Ref<class Memory>> scratch(std::size_t bytes);

  // Kernels of this program that the application holds: with one of them a program cannot be built again.
  void attachKernel();
  void detachKernel() noexcept;

private:
  /// The work of a build for each device, and the error codes of its kind.
  struct Job;

  Program(Context& context, std::vector<Ref<Device>> devices, Origin origin);
  std::size_t indexOf(const Device&) const;
  bool hasArgInfo(std::string_view options) const;
  std::vector<std::string> namesOfBuiltIns() const;
  /// Whether there is a source or IL, which can be compiled.
  bool hasSource() const {
    return origin_ != Origin::Binary && origin_ != Origin::Linked && origin_ != Origin::BuiltIn;
  }
  /// The values for a build that begins now.
  std::vector<compiler::SpecializationValue> specialization() const;
  /// The source or IL for the compiler. Refers to the values.
  compiler::Source input(const Device&, std::span<const compiler::SpecializationValue> values) const;
  /// The source under the name that it is compiled with; nothing if it is no text in OpenCL's languages.
  device::SourceText textFor(std::string_view options) const;
  /// Options for debuggers that a build with these adds (debug_sources.h), behind a space.
  std::string sourceOptions(std::string_view options) const;
  /// Marks the job's devices as being built. CL_INVALID_OPERATION if one of them is already, or kernels are attached.
  void begin(const Job&);
  /// Does the job after begin(): here, or on a thread of ours if there is a completion to call. Returns the error code.
  cl_int start(Job, Completion);
  /// Tells the context's notify callback why a build in the background failed.
  void tell(cl_int code, const std::string& reason) noexcept;
  /// After begin(), where there is no memory to start: nothing is being built any more.
  void giveUp(const Job&);
  cl_int run(const Job&, std::string& text) noexcept;
  cl_int store(const Job&, const Device&, compiler::Outcome, std::string& text);
  /// The build for a device serves its sub-devices too, as long as nothing is built for these (section 5.8.10).
  void shareWithSubDevices(const Device&);

  Ref<Context> context_;
  std::vector<Ref<Device>> devices_;
  Origin origin_;
  std::shared_ptr<const std::string> source_ = std::make_shared<const std::string>();  ///< or IL
  std::vector<compiler::SpecializationConstant> constants_;                            ///< constants of the IL
  std::vector<std::shared_ptr<const compiler::CompiledProgram>> inputs_;  ///< inputs of clCreateProgramWithBinary
  std::vector<const built_in::Kernel*> builtIns_;                         ///< by name
  std::vector<std::string> modules_;  ///< modules of Origin::Intermediate, by device

  mutable std::mutex mutex_;  ///< guards what follows
  std::vector<BuildState> states_;
  std::vector<compiler::SpecializationValue> specialization_;  ///< for the next build, in ascending order of ids
  std::size_t attachedKernels_ = 0;
  std::vector<Ref<class Memory>> spareScratch_;
};

}  // namespace clarity::core
