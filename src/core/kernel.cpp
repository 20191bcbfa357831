// SPDX-License-Identifier: Apache-2.0
// This file makes kernels, and checks and stores their arguments.
#include "core/kernel.h"

#include "built_in/catalogue.h"
#include "core/constant_names.h"
#include "core/error.h"
#include "core/image_support.h"
#include "core/sampler.h"
#include "support/fault_guard.h"
#include "support/nearest.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

namespace clarity::core {

using compiler::ArgKind;
using compiler::ImageArgType;
using compiler::KernelArg;
using compiler::KernelInfo;

namespace {

/// Copies what the application gives as arg_value, which may be no address: CL_INVALID_ARG_VALUE.
template <class Describe>
void read(const Describe& describe, void* to, const void* value, std::size_t size) {
  // Programs that pass the value itself give small numbers.
  constexpr std::uintptr_t leastAddress = 65536;
  support::Fault fault;
  const bool isRead = reinterpret_cast<std::uintptr_t>(value) >= leastAddress &&
                      support::FaultGuard::run([&] { std::memcpy(to, value, size); }, fault);
  if (!isRead)
    fail(CL_INVALID_ARG_VALUE, "{}: arg_value is {}, where nothing can be read: it is to be the address of {} bytes",
         describe(), value, size);
}

/// CL_INVALID_KERNEL_DEFINITION compares what matters to a caller: number, kind, type and size of the arguments.
bool sameDefinition(const KernelInfo& a, const KernelInfo& b) {
  return std::ranges::equal(a.args, b.args, [](const KernelArg& x, const KernelArg& y) {
    return x.kind == y.kind && x.typeName == y.typeName && x.size == y.size && x.address == y.address;
  });
}

/// Whether an image of this description may be an argument that is declared so.
bool isOfType(const ImageDescription& image, ImageArgType type) {
  switch (type) {
    case ImageArgType::Image1D: return image.type == CL_MEM_OBJECT_IMAGE1D;
    case ImageArgType::Image1DBuffer: return image.type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    case ImageArgType::Image1DArray: return image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    case ImageArgType::Image2D: return image.type == CL_MEM_OBJECT_IMAGE2D && !image.format->isDepth();
    case ImageArgType::Image2DArray: return image.type == CL_MEM_OBJECT_IMAGE2D_ARRAY && !image.format->isDepth();
    case ImageArgType::Image3D: return image.type == CL_MEM_OBJECT_IMAGE3D;
    case ImageArgType::Image2DDepth: return image.type == CL_MEM_OBJECT_IMAGE2D && image.format->isDepth();
    case ImageArgType::Image2DArrayDepth: return image.type == CL_MEM_OBJECT_IMAGE2D_ARRAY && image.format->isDepth();
    case ImageArgType::None:
    case ImageArgType::Other: break;
  }
  return false;
}

/// A text about a kernel that a program does not have: the nearest of those that it has, and at most ten of them.
std::string absentKernelText(const std::string& name, const std::vector<std::string>& names) {
  constexpr std::size_t most = 10;
  std::string text = fmt::format("the program has no kernel '{}'", name);
  if (names.empty()) return text + "; it has none";
  const std::span<const std::string> listed = std::span(names).first(std::min(names.size(), most));
  text += fmt::format("{}; it has {}", support::didYouMean(name, names), fmt::join(listed, ", "));
  return names.size() > most ? fmt::format("{} and {} more", text, names.size() - most) : text;
}

/// The largest alignment of a value in the argument block.
std::size_t blockAlignment(const KernelInfo& kernel) {
  std::size_t alignment = alignof(std::uint64_t);
  for (const KernelArg& arg : kernel.args)
    if (arg.kind == ArgKind::Value) alignment = std::max<std::size_t>(alignment, std::bit_ceil(arg.align));
  return alignment;
}

void put64(std::byte* block, std::uint32_t offset, std::uint64_t value) {
  std::memcpy(block + offset, &value, sizeof value);
}

}  // namespace

bool cannotWrite(const KernelArg& arg) {
  if (arg.kind == ArgKind::Image) return arg.access == CL_KERNEL_ARG_ACCESS_READ_ONLY;
  return arg.address == compiler::AddressQualifier::Constant || arg.typeQualifiers & CL_KERNEL_ARG_TYPE_CONST;
}

Kernel::Kernel(Program& program, const std::string& name) : program_(program), name_(name) { attach(); }

void Kernel::findVariants() {
  bool anyExecutable = false;
  for (const Ref<Device>& device : program_->devices()) {
    BuiltProgram built = program_->built(device);
    if (!built.executable) continue;
    anyExecutable = true;
    if (const KernelInfo* const info = built.compiled->find(name_); info && !info->isBlock)
      variants_.push_back({device, std::move(built), info});
  }
  // CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built executable for program.
  failIf(!anyExecutable, CL_INVALID_PROGRAM_EXECUTABLE, "kernel '{}': the program has no executable", name_);
  // CL_INVALID_KERNEL_NAME if kernel_name is not found in program.
  if (variants_.empty()) fail(CL_INVALID_KERNEL_NAME, "{}", absentKernelText(name_, program_->kernelNames()));
}

void Kernel::findBuiltIn() {
  builtIn_ = program_->builtIn(name_);
  // CL_INVALID_KERNEL_NAME if kernel_name is not found in program.
  if (!builtIn_) fail(CL_INVALID_KERNEL_NAME, "{}", absentKernelText(name_, program_->kernelNames()));
  for (const Ref<Device>& device : program_->devices())
    if (device->hasBuiltIn(*builtIn_)) variants_.push_back({device, program_->built(device), &builtIn_->info});
}

void Kernel::attach() {
  Program& program = program_;
  const std::string& name = name_;
  // Attached before the executables are looked at: from here on the program cannot be built again.
  program.attachKernel();
  try {
    if (program.origin() == Program::Origin::BuiltIn)
      findBuiltIn();
    else
      findVariants();
    // CL_INVALID_KERNEL_DEFINITION if the definition is not the same for all devices.
    for (const Variant& variant : variants_)
      failIf(!sameDefinition(*variant.info, info()), CL_INVALID_KERNEL_DEFINITION,
             "kernel '{}' has other arguments on device '{}' than on device '{}'", name,
             variant.device->properties().name, variants_.front().device->properties().name);
    args_.resize(info().args.size());
    makeReady();
    values_ = device::ArgBlock(info().argBlockBytes, blockAlignment(info()));
    for (const Variant& variant : variants_) variant.built.executable->prepareKernel(*variant.info);
  } catch (...) {
    program.detachKernel();
    throw;
  }
}

Kernel::Kernel(const Kernel& source)
    : ApiObject(),
      program_(source.program_),
      name_(source.name_),
      builtIn_(source.builtIn_),
      variants_(source.variants_),
      args_(source.args_),
      ready_(source.ready_),
      reached_(source.reached_),
      queues_(source.queues_),
      values_(source.values_) {
  program_->attachKernel();
}

const Kernel::Variant* Kernel::variantOf(const Device& device) const noexcept {
  for (const Variant& variant : variants_)
    if (&variant.device.get() == &device) return &variant;
  return nullptr;
}

const KernelInfo& Kernel::info(const Device& device) const {
  const Variant* const variant = variantOf(device);
  if (!variant)
    fail(CL_INVALID_PROGRAM_EXECUTABLE, "kernel '{}': the program has no executable for device '{}'", name_,
         device.properties().name);
  return *variant->info;
}

bool Kernel::hasExecutable(const Device& device) const noexcept { return variantOf(device) != nullptr; }

std::vector<Ref<Device>> Kernel::devices() const {
  std::vector<Ref<Device>> devices;
  for (const Variant& variant : variants_) devices.push_back(variant.device);
  return devices;
}

std::string Kernel::describe(cl_uint index) const {
  const KernelArg& arg = info().args[index];
  return fmt::format("kernel '{}', argument {} ({}{}{}{})", name_, index, arg.kind == ArgKind::Pipe ? "pipe " : "",
                     arg.typeName, arg.name.empty() ? "" : " ", arg.name);
}

void Kernel::failIndex(cl_uint index) const {
  std::vector<std::string> names;
  for (const KernelArg& arg : info().args) names.push_back(arg.name.empty() ? arg.typeName : arg.name);
  fail(CL_INVALID_ARG_INDEX, "kernel '{}' has {} argument{}, there is no argument {}{}{}", name_, args_.size(),
       args_.size() == 1 ? "" : "s", index, names.empty() ? "" : "; they are, from 0: ", fmt::join(names, ", "));
}

void Kernel::setArg(cl_uint index, std::size_t size, const void* value) {
  // CL_INVALID_ARG_INDEX if arg_index is not a valid argument index.
  if (index >= args_.size()) failIndex(index);
  switch (info().args[index].kind) {
    case ArgKind::Value: return setValue(index, size, value);
    case ArgKind::Buffer: return setBuffer(index, size, value);
    case ArgKind::Local: return setLocal(index, size, value);
    case ArgKind::Image: return setImage(index, size, value);
    case ArgKind::Sampler: return setSampler(index, size, value);
    case ArgKind::Pipe: return setPipe(index, size, value);
    case ArgKind::Queue: return setQueue(index, size, value);
  }
}

void Kernel::setValue(cl_uint index, std::size_t size, const void* value) {
  const KernelArg& arg = info().args[index];
  // CL_INVALID_ARG_SIZE if arg_size does not match the size of the data type.
  if (size != arg.size) fail(CL_INVALID_ARG_SIZE, "{}: size is {}, expected {}", describe(index), size, arg.size);
  // CL_INVALID_ARG_VALUE if arg_value specified is not a valid value.
  if (!value) fail(CL_INVALID_ARG_VALUE, "{}: arg_value is null", describe(index));
  read([&] { return describe(index); }, values_.data() + arg.offset, value, size);
  setKind(index, ArgState::Kind::Value);
}

RefPtr<Memory> Kernel::memoryFrom(cl_uint index, std::size_t size, const void* value) const {
  // CL_INVALID_ARG_SIZE if the argument is a memory object and arg_size is not sizeof(cl_mem).
  if (size != sizeof(cl_mem))
    fail(CL_INVALID_ARG_SIZE, "{}: size is {}, expected {}, the size of a cl_mem", describe(index), size,
         sizeof(cl_mem));
  cl_mem handle = nullptr;
  if (value) read([&] { return describe(index); }, &handle, value, sizeof handle);
  if (!handle) return nullptr;
  RefPtr<Memory> memory = Memory::fromHandle(handle);
  // CL_INVALID_MEM_OBJECT for an argument declared to be a memory object when arg_value is not a valid one.
  if (!memory)
    fail(CL_INVALID_MEM_OBJECT, "{}: {} is not a memory object", describe(index), static_cast<const void*>(handle));
  // CL_INVALID_CONTEXT if the context of the memory object and of the kernel are not the same.
  if (&memory->context() != &context())
    fail(CL_INVALID_CONTEXT, "{}: memory object {} is of another context than the kernel", describe(index),
         static_cast<const void*>(handle));
  return memory;
}

void Kernel::setBuffer(cl_uint index, std::size_t size, const void* value) {
  const RefPtr<Memory> memory = memoryFrom(index, size, value);
  // CL_INVALID_MEM_OBJECT if the memory object is not valid for the kernel argument.
  if (memory && !memory->isBuffer())
    fail(CL_INVALID_MEM_OBJECT, "{}: {} is {}, expected a buffer", describe(index),
         static_cast<const void*>(memory->handle()), nameOfType(memory->type()));
  // CL_INVALID_ARG_VALUE if the argument is a pointer through which a kernel may write, and the buffer was created with
  // CL_MEM_IMMUTABLE_EXT (as Khronos' tests of cl_ext_immutable_memory_objects ask; the text names images only).
  if (memory && memory->isImmutable() && !cannotWrite(info().args[index]))
    fail(CL_INVALID_ARG_VALUE,
         "{}: the buffer was created with CL_MEM_IMMUTABLE_EXT, and the argument is neither constant nor const",
         describe(index));
  put64(values_.data(), info().args[index].offset, 0);
  if (memory)
    setMemory(index, *memory);
  else
    setKind(index, ArgState::Kind::Value);
}

void Kernel::setMemory(cl_uint index, Memory& memory) {
  ArgState& state = args_[index];
  state.memory = &memory;
  state.serial = memory.serial();
  state.buffer = {.argument = index,
                  .readOnly = memory.isReadOnly(),
                  .writeOnly = (memory.flags() & CL_MEM_WRITE_ONLY) != 0,
                  .isInside = false,
                  .memory = memory.at(0),
                  .bytes = memory.extent()};
  if (state.kind != ArgState::Kind::Memory || !ready_) return setKind(index, ArgState::Kind::Memory);
  device::BufferArgument& buffer = ready_->buffers[state.place];
  buffer = state.buffer;
  buffer.readOnly |= cannotWrite(info().args[index]);
  ready_->meant[state.place] = {state.memory, state.serial};
}

void Kernel::setKind(cl_uint index, ArgState::Kind kind) {
  if (args_[index].kind == kind) return;
  args_[index].kind = kind;
  makeReady();
}

void Kernel::makeReady() {
  ready_.reset();
  for (cl_uint i = 0; i < args_.size(); ++i) {
    const ArgState::Kind kind = args_[i].kind;
    const bool isBuffer = kind == ArgState::Kind::Memory && info().args[i].kind != ArgKind::Image;
    if (kind != ArgState::Kind::Value && !isBuffer) return;
  }
  Ready ready;
  for (cl_uint i = 0; i < args_.size(); ++i) {
    ArgState& state = args_[i];
    if (state.kind != ArgState::Kind::Memory) continue;
    state.place = static_cast<std::uint32_t>(ready.buffers.size());
    ready.buffers.push_back(state.buffer);
    ready.buffers.back().readOnly |= cannotWrite(info().args[i]);
    ready.meant.push_back({state.memory, state.serial});
  }
  ready_ = std::move(ready);
}

void Kernel::setPointer(cl_uint index, const void* pointer) {
  // CL_INVALID_ARG_INDEX if arg_index is not a valid argument index.
  if (index >= args_.size()) failIndex(index);
  const KernelArg& arg = info().args[index];
  // CL_INVALID_ARG_VALUE: only for arguments that are declared to be a pointer to global or constant memory.
  if (arg.kind != ArgKind::Buffer)
    fail(CL_INVALID_ARG_VALUE, "{} is no pointer to global or constant memory", describe(index));
  args_[index].pointer = pointer;
  setKind(index, pointer ? ArgState::Kind::Pointer : ArgState::Kind::Value);
  put64(values_.data(), arg.offset, reinterpret_cast<std::uintptr_t>(pointer));
}

void Kernel::setImage(cl_uint index, std::size_t size, const void* value) {
  const KernelArg& arg = info().args[index];
  const RefPtr<Memory> memory = memoryFrom(index, size, value);
  // CL_INVALID_MEM_OBJECT if arg_value is NULL or points to NULL and must point to a valid memory object, or if the
  // memory object is not valid for the kernel argument.
  if (!memory) fail(CL_INVALID_MEM_OBJECT, "{}: no image is given", describe(index));
  const auto* const handle = static_cast<const void*>(memory->handle());
  if (!memory->image())
    fail(CL_INVALID_MEM_OBJECT, "{}: {} is {}, expected an image", describe(index), handle, nameOfType(memory->type()));
  if (!isOfType(*memory->image(), arg.image))
    fail(CL_INVALID_MEM_OBJECT, "{}: {} is {} of channel order {}, which is not what the argument is declared as",
         describe(index), handle, nameOfType(memory->type()),
         ConstantName{memory->image()->format->format.image_channel_order});
  // CL_INVALID_ARG_VALUE if the argument is an image declared with the read_only qualifier and arg_value points to an
  // image created with CL_MEM_WRITE_ONLY, or with the write_only qualifier and one created with CL_MEM_READ_ONLY.
  const bool reads = arg.access != CL_KERNEL_ARG_ACCESS_WRITE_ONLY, writes = !cannotWrite(arg);
  if ((reads && memory->flags() & CL_MEM_WRITE_ONLY) || (writes && memory->isReadOnly()))
    fail(CL_INVALID_ARG_VALUE, "{}: a {} image was created with flags {}", describe(index),
         !writes  ? "read_only"
         : !reads ? "write_only"
                  : "read_write",
         MemoryFlagNames{memory->flags()});
  setMemory(index, *memory);
}

void Kernel::setPipe(cl_uint index, std::size_t size, const void* value) {
  const RefPtr<Memory> memory = memoryFrom(index, size, value);
  // CL_INVALID_MEM_OBJECT if arg_value does not point to a valid pipe object.
  if (!memory) fail(CL_INVALID_MEM_OBJECT, "{}: no pipe is given", describe(index));
  if (!memory->pipe())
    fail(CL_INVALID_MEM_OBJECT, "{}: {} is {}, expected a pipe", describe(index),
         static_cast<const void*>(memory->handle()), nameOfType(memory->type()));
  // CL_INVALID_ARG_VALUE if arg_value is not a valid value: packets of another size would be read and written.
  const std::uint64_t packetBytes = info().args[index].elementBytes;
  if (packetBytes != 0 && packetBytes != memory->pipe()->packetBytes)
    fail(CL_INVALID_ARG_VALUE, "{}: packets of the kernel have {} bytes, and those of pipe {} have {}", describe(index),
         packetBytes, static_cast<const void*>(memory->handle()), memory->pipe()->packetBytes);
  setMemory(index, *memory);
}

void Kernel::setSampler(cl_uint index, std::size_t size, const void* value) {
  // CL_INVALID_ARG_SIZE if the argument is a sampler and arg_size is not sizeof(cl_sampler).
  if (size != sizeof(cl_sampler))
    fail(CL_INVALID_ARG_SIZE, "{}: size is {}, expected {}, the size of a cl_sampler", describe(index), size,
         sizeof(cl_sampler));
  cl_sampler handle = nullptr;
  if (value) read([&] { return describe(index); }, &handle, value, sizeof handle);
  const RefPtr<Sampler> sampler = Sampler::fromHandle(handle);
  // CL_INVALID_SAMPLER if arg_value does not point to a valid sampler object.
  if (!sampler) fail(CL_INVALID_SAMPLER, "{}: {} is not a sampler", describe(index), static_cast<const void*>(handle));
  // CL_INVALID_CONTEXT if the context of the sampler and of the kernel are not the same.
  if (&sampler->context() != &context())
    fail(CL_INVALID_CONTEXT, "{}: sampler {} is of another context than the kernel", describe(index),
         static_cast<const void*>(handle));
  // A sampler is a value: nothing of the object is needed any more.
  put64(values_.data(), info().args[index].offset, sampler->bits());
  setKind(index, ArgState::Kind::Value);
}

void Kernel::setQueue(cl_uint index, std::size_t size, const void* value) {
  // CL_INVALID_ARG_SIZE if the argument is an on-device queue and arg_size is not sizeof(cl_command_queue).
  if (size != sizeof(cl_command_queue))
    fail(CL_INVALID_ARG_SIZE, "{}: size is {}, expected {}, the size of a cl_command_queue", describe(index), size,
         sizeof(cl_command_queue));
  cl_command_queue handle = nullptr;
  if (value) read([&] { return describe(index); }, &handle, value, sizeof handle);
  std::shared_ptr<device::DeviceQueue> queue = context().onDeviceQueues().find(handle);
  // CL_INVALID_DEVICE_QUEUE for an argument declared to be of type queue_t when arg_value is not a valid device queue.
  if (!queue)
    fail(CL_INVALID_DEVICE_QUEUE, "{}: {} is not an on-device command-queue of the kernel's context", describe(index),
         static_cast<const void*>(handle));
  put64(values_.data(), info().args[index].offset, device::LaunchQueues::nameOf(queue.get()));
  std::erase_if(queues_, [&](const auto& each) { return each.first == index; });
  queues_.emplace_back(index, std::move(queue));
  setKind(index, ArgState::Kind::Value);
}

void Kernel::setLocal(cl_uint index, std::size_t size, const void* value) {
  // CL_INVALID_ARG_VALUE if the argument is declared with the local qualifier and arg_value is not NULL.
  if (value)
    fail(CL_INVALID_ARG_VALUE, "{}: arg_value of a __local argument is {}, expected null", describe(index), value);
  // A size of 0 is valid from OpenCL 3.1 on: the kernel needs no local memory for the argument.
  args_[index].localSize = size;
  setKind(index, ArgState::Kind::Local);
}

bool Kernel::hasAllArgs() const {
  return std::ranges::none_of(args_, [](const ArgState& state) { return state.kind == ArgState::Kind::Unset; });
}

}  // namespace clarity::core
