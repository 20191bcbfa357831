// SPDX-License-Identifier: Apache-2.0
// This file is the kernel: a function of a program with its arguments, and a frozen copy of both for a launch.
#pragma once

#include "compiler/driver/compiler.h"
#include "core/memory.h"
#include "core/object.h"
#include "core/program.h"
#include "core/ref.h"
#include "support/inline_vector.h"

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace clarity::built_in {
struct Argument;
struct Kernel;
struct Pass;
}  // namespace clarity::built_in

namespace clarity::core {

/// OpenCL 3.0, section 5.9. Not thread-safe for clSetKernelArg, as the specification allows; all else is.
class Kernel final : public ApiObject<Kernel, _cl_kernel> {
public:
  /// CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_NAME, CL_INVALID_KERNEL_DEFINITION.
  Kernel(Program& program, const std::string& name);
  /// clCloneKernel: the same function with a copy of the arguments that are set.
  explicit Kernel(const Kernel& source);
  ~Kernel() override = default;

  Program& program() const { return program_; }
  Context& context() const { return program_->context(); }
  const std::string& name() const { return name_; }
  /// Arguments and attributes. The same for every device, but for sizes that clGetKernelWorkGroupInfo reports.
  const compiler::KernelInfo& info() const { return *variants_.front().info; }
  /// The same for one device. CL_INVALID_PROGRAM_EXECUTABLE if the program was not built for it.
  const compiler::KernelInfo& info(const Device&) const;
  /// True if the program had an executable for the device when the kernel was created.
  bool hasExecutable(const Device&) const noexcept;
  /// Whether clGetKernelArgInfo may answer: not of SPIR-V or a binary.
  bool hasArgInfo() const { return variants_.front().built.argInfo; }
  /// The devices with an executable.
  std::vector<Ref<Device>> devices() const;

  /// clSetKernelArg. CL_INVALID_ARG_INDEX, CL_INVALID_ARG_VALUE, CL_INVALID_ARG_SIZE, CL_INVALID_MEM_OBJECT,
  /// CL_INVALID_SAMPLER, CL_INVALID_DEVICE_QUEUE, CL_INVALID_CONTEXT.
  void setArg(cl_uint index, std::size_t size, const void* value);

  /// clSetKernelArgSVMPointer and the like: the argument is this address, which may be any. CL_INVALID_ARG_INDEX, and
  /// CL_INVALID_ARG_VALUE if the argument is no pointer to global or constant memory.
  void setPointer(cl_uint index, const void* pointer);

  /// Addresses of buffers that the kernel uses beside its arguments (CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT), instead of
  /// those that were given before. They may be any.
  void setReached(std::vector<std::uintptr_t> addresses) { reached_ = std::move(addresses); }

  /// The built-in kernel that it is; null for others. info() describes its arguments; its launches are those of a plan.
  const built_in::Kernel* builtIn() const { return builtIn_; }
  /// The arguments of a built-in kernel for its plan. CL_INVALID_KERNEL_ARGS. `kept` gets the memory objects.
  std::vector<built_in::Argument> argumentsOfPlan(std::vector<Ref<Memory>>& kept) const;
  /// Calls with the kernel of a pass of this built-in kernel, all of whose arguments are set until `use` returns. The
  /// application sees no reference of it.
  void withPass(const built_in::Pass& pass, std::span<const Ref<Memory>> scratch,
                const std::function<void(Kernel&)>& use);

  /// Scratch memory of a plan, which goes back to the program when nothing has it any more.
  using ScratchLeases = std::vector<std::shared_ptr<const Ref<Memory>>>;
  /// Such memory. Commands of one in-order command-queue, `inOrder`, share it; null: it is for one command alone.
  std::shared_ptr<const ScratchLeases> scratch(std::span<const std::uint64_t> bytes, const void* inOrder);

  /// Whether every argument has a value.
  bool hasAllArgs() const;

  /// Local memory that a launch with the present arguments needs (CL_KERNEL_LOCAL_MEM_SIZE); the largest number if that
  /// does not fit in 64 bits.
  std::uint64_t localBytes(const Device&) const;

  /// A launch on this device with the arguments as they are now, but for its NDRange. `memory` gets a use for each of
  /// launch.buffers, in the same order, and for what the kernel reaches beside them. The launch is valid as long as the
  /// kernel. CL_INVALID_KERNEL_ARGS naming the argument that is not set or whose memory object was released,
  /// CL_INVALID_PROGRAM_EXECUTABLE; of images CL_INVALID_IMAGE_SIZE and CL_IMAGE_FORMAT_NOT_SUPPORTED, of addresses
  /// CL_INVALID_OPERATION.
  void freeze(Device& device, device::Launch& launch, MemoryUses& memory);

private:
  friend class ApiObject<Kernel, _cl_kernel>;
  void onLastRelease() noexcept { program_->detachKernel(); }
  void onRetainedAgain() noexcept { program_->attachKernel(); }

  /// The function as built for one device.
  struct Variant {
    Ref<Device> device;
    BuiltProgram built;
    const compiler::KernelInfo* info;
  };
  /// The value of one argument, ready for launches: most are launched more often than they are set. A kernel owns no
  /// memory objects (section 5.9.2), so it remembers which one was meant by its serial number.
  struct ArgState {
    enum class Kind : std::uint8_t {
      Unset,
      Value,    ///< in the argument block: also a sampler, and NULL for a buffer
      Memory,   ///< a memory object
      Pointer,  ///< from setPointer(); the argument block has it too
      Local,    ///< local memory
    };
    Kind kind = Kind::Unset;
    std::uint32_t place = 0;  ///< a memory object's place in `ready_`, if there is one
    Memory* memory = nullptr;
    std::uint64_t serial = 0;
    device::BufferArgument buffer;  ///< the buffer of a memory object; `readOnly` says what it was created as
    std::uint64_t localSize = 0;
    const void* pointer = nullptr;
  };

  /// The memory objects of launches on the first device, in the usual case: all arguments have values, and those that
  /// are not values are buffers. Kept up to date when arguments are set, so that launches of several threads only read.
  struct Ready {
    support::InlineVector<device::BufferArgument, 8> buffers;
    struct Meant {
      Memory* memory;
      std::uint64_t serial;
    };
    std::vector<Meant> meant;  ///< by `buffers`
  };

  struct IsPass {};
  Kernel(Program& program, const std::string& function, IsPass);
  /// Sets all arguments of a pass of the built-in kernel `whole`.
  void setArgsOfPass(const built_in::Pass& pass, const Kernel& whole, std::span<const Ref<Memory>> scratch);
  void attach();
  void findVariants();
  void findBuiltIn();
  const Variant* variantOf(const Device&) const noexcept;
  void setValue(cl_uint index, std::size_t size, const void* value);
  void setBuffer(cl_uint index, std::size_t size, const void* value);
  void setImage(cl_uint index, std::size_t size, const void* value);
  void setPipe(cl_uint index, std::size_t size, const void* value);
  void setSampler(cl_uint index, std::size_t size, const void* value);
  void setQueue(cl_uint index, std::size_t size, const void* value);
  void setLocal(cl_uint index, std::size_t size, const void* value);
  /// The argument is this memory object, which was checked.
  void setMemory(cl_uint index, Memory& memory);
  /// Sets the kind of an argument; its value is set already.
  void setKind(cl_uint index, ArgState::Kind kind);
  /// Makes `ready_` anew.
  void makeReady();
  /// The memory object that arg_value points at; null if it is NULL or points at NULL. CL_INVALID_ARG_SIZE,
  /// CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT.
  RefPtr<Memory> memoryFrom(cl_uint index, std::size_t size, const void* value) const;
  /// freeze() where there is `ready_`.
  void freezeReady(device::Launch&, MemoryUses& memory) const;
  /// The memory object that an argument was set to. CL_INVALID_KERNEL_ARGS if it was released.
  Ref<Memory> meantBy(Memory* memory, std::uint64_t serial, cl_uint index) const;
  /// Parts of freeze(): an argument that is a memory object, or an address. The memory goes to `used`.
  void freezeMemory(Device&, cl_uint index, const compiler::KernelArg&, device::Launch&,
                    std::vector<Ref<Memory>>& used) const;
  void freezePointer(Device&, cl_uint index, const compiler::KernelArg&, device::Launch&,
                     std::vector<Ref<Memory>>& used) const;
  /// The same of an address that is not in shared memory.
  void freezeAddress(const Device&, cl_uint index, const compiler::KernelArg&, device::Launch&,
                     std::vector<Ref<Memory>>& used) const;
  /// The on-device command-queues that a launch may enqueue to.
  std::shared_ptr<const device::LaunchQueues> freezeQueues(const Device&) const;
  /// The buffers that setReached() has named.
  void freezeReached(const Device&, MemoryUses& memory) const;
  std::string describe(cl_uint index) const;
  [[noreturn]] void failIndex(cl_uint index) const;

  Ref<Program> program_;
  std::string name_;
  const built_in::Kernel* builtIn_ = nullptr;
  std::mutex passesMutex_;
  std::vector<RefPtr<Kernel>> passes_;  ///< kernels of a built-in kernel that were launched; guarded by passesMutex_
  /// The in-order command-queue that scratch() was called for last, with sizes and memory; guarded by passesMutex_.
  std::tuple<const void*, std::vector<std::uint64_t>, std::shared_ptr<const ScratchLeases>> lastScratch_;
  std::vector<Variant> variants_;
  std::vector<ArgState> args_;
  std::optional<Ready> ready_;
  std::vector<std::uintptr_t> reached_;
  std::vector<std::pair<cl_uint, std::shared_ptr<device::DeviceQueue>>> queues_;  ///< by argument
  device::ArgBlock values_;  ///< the packed argument block, but for buffers, images and local memory
};

/// Whether the argument is a pointer to const or to constant memory, or an image to read.
bool cannotWrite(const compiler::KernelArg&);

}  // namespace clarity::core
