// SPDX-License-Identifier: Apache-2.0
// This file copies the arguments of a kernel for a launch.
#include "core/error.h"
#include "core/image_support.h"
#include "core/kernel.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace clarity::core {

using compiler::ArgKind;
using compiler::KernelArg;
using compiler::KernelInfo;

namespace {

/// Local memory for an argument begins at a multiple of its type's alignment, and where it is large enough at a cache
/// line of its own.
std::uint64_t alignedFor(std::uint64_t offset, const KernelArg& arg, std::uint64_t size) {
  const std::uint64_t natural = std::max<std::uint64_t>(arg.align, 1);
  const std::uint64_t alignment = std::max(natural, std::min<std::uint64_t>(64, std::bit_ceil(size)));
  return (offset + alignment - 1) / alignment * alignment;
}

/// Of an argument that is an address: the memory from there on. The place is one in shared memory or in a buffer.
template <class Place>
void addPointer(device::Launch& launch, std::vector<Ref<Memory>>& shared, cl_uint index, const KernelArg& arg,
                const Place& place) {
  launch.buffers.push_back({.argument = index,
                            .readOnly = cannotWrite(arg),
                            .writeOnly = false,
                            .isInside = place.offset != 0,
                            .memory = place.memory->at(place.offset),
                            .bytes = place.memory->size() - place.offset});
  shared.push_back(place.memory);
}

}  // namespace

std::uint64_t Kernel::localBytes(const Device& device) const {
  const KernelInfo& kernel = info(device);
  std::uint64_t bytes = kernel.localBytes;
  for (std::size_t i = 0; i < args_.size(); ++i)
    if (kernel.args[i].kind == ArgKind::Local)
      bytes = alignedFor(bytes, kernel.args[i], args_[i].localSize) + args_[i].localSize;
  return bytes;
}

void Kernel::freeze(Device& device, device::Launch& launch, MemoryUses& memory) {
  const Variant* const variant = variantOf(device);
  // CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built executable for the device.
  if (!variant)
    fail(CL_INVALID_PROGRAM_EXECUTABLE, "kernel '{}': the program has no executable for device '{}'", name_,
         device.properties().name);
  const KernelInfo& info = *variant->info;
  launch.executable = variant->built.executable.get();
  launch.info = &info;
  launch.args = values_;
  launch.localBytes = info.localBytes;
  if (context().isTerminable()) launch.ended = &context().termination();
  if (ready_ && variant == &variants_.front()) [[likely]] {
    freezeReady(launch, memory);
    return freezeReached(device, memory);
  }
  std::vector<Ref<Memory>> shared;  // what arguments that are addresses point at, in their order
  for (cl_uint i = 0; i < args_.size(); ++i) {
    const ArgState& state = args_[i];
    switch (state.kind) {
      // CL_INVALID_KERNEL_ARGS if the kernel argument values have not been specified.
      case ArgState::Kind::Unset: fail(CL_INVALID_KERNEL_ARGS, "{} is not set", describe(i));
      case ArgState::Kind::Value: break;
      case ArgState::Kind::Memory: freezeMemory(device, i, info.args[i], launch); break;
      case ArgState::Kind::Pointer: freezePointer(device, i, info.args[i], launch, shared); break;
      case ArgState::Kind::Local: {
        // Of an argument without memory: where the others end.
        const std::uint64_t offset = alignedFor(launch.localBytes, info.args[i], state.localSize);
        std::memcpy(launch.args.data() + info.args[i].offset, &offset, sizeof offset);
        launch.localBytes = offset + state.localSize;
        launch.locals.emplace_back(i, state.localSize);
        break;
      }
    }
  }
  // Apart from the above: counting a reference waits until all that was written before is in the cache. Elements are
  // made in place, as a copy would wait for the members that were just written.
  auto nextShared = shared.begin();
  for (const device::BufferArgument& buffer : launch.buffers) {
    const ArgState& state = args_[buffer.argument];
    Memory& object = state.kind == ArgState::Kind::Memory ? *state.memory : nextShared++->get();
    memory.emplace_back(object, 0U, object.extent(), buffer.readOnly ? Access::Read : Access::ReadWrite);
  }
  freezeReached(device, memory);
}

void Kernel::freezeReached(const Device& device, MemoryUses& memory) const {
  for (const std::uintptr_t address : reached_)
    if (const auto place = context().deviceAddresses().find(context().placeOf(device), address))
      memory.emplace_back(place->memory, 0U, place->memory->extent(), Access::ReadWrite);
}

void Kernel::freezeReady(device::Launch& launch, MemoryUses& memory) const {
  launch.buffers = ready_->buffers;
  const Ready::Meant* const meant = ready_->meant.data();
  const std::size_t count = ready_->meant.size();
  const device::BufferArgument* const buffers = ready_->buffers.data();
  for (std::size_t i = 0; i < count; ++i)
    if (!Memory::isLive(meant[i].memory) || meant[i].memory->serial() != meant[i].serial)
      failReleased(buffers[i].argument);
  for (std::size_t i = 0; i < count; ++i)
    memory.emplace_back(*meant[i].memory, 0U, buffers[i].bytes, buffers[i].readOnly ? Access::Read : Access::ReadWrite);
}

void Kernel::failReleased(cl_uint index) const {
  // A kernel holds no reference to its arguments (section 5.9.2); use of one that is gone is an error.
  fail(CL_INVALID_KERNEL_ARGS, "{}: its memory object has been released", describe(index));
}

void Kernel::freezeMemory(Device& device, cl_uint index, const KernelArg& arg, device::Launch& launch) const {
  const ArgState& state = args_[index];
  if (!Memory::isLive(state.memory) || state.memory->serial() != state.serial) failReleased(index);
  if (arg.kind == ArgKind::Image) {
    const ImageDescription& image = *state.memory->image();
    requireSupport(device, image);
    const compiler::ImageDescriptor descriptor = image.descriptor();
    std::memcpy(launch.args.data() + arg.offset, &descriptor, sizeof descriptor);
  }
  launch.buffers.push_back(state.buffer);
  launch.buffers.back().readOnly |= cannotWrite(arg);
}

void Kernel::freezePointer(Device& device, cl_uint index, const KernelArg& arg, device::Launch& launch,
                           std::vector<Ref<Memory>>& shared) const {
  // CL_INVALID_OPERATION if SVM pointers are passed as arguments to a kernel and the device does not support SVM.
  if (!device.properties().svmCapabilities)
    fail(CL_INVALID_OPERATION, "{} is an address, and device '{}' does not share memory with the host by address",
         describe(index), device.properties().name);
  const auto place = context().sharedMemory().find(args_[index].pointer);
  if (!place) return freezeAddress(device, index, arg, launch, shared);
  if (!place->isFor(device))
    fail(CL_INVALID_KERNEL_ARGS, "{} is memory of device '{}', which device '{}' cannot access", describe(index),
         place->allocation.device->properties().name, device.properties().name);
  addPointer(launch, shared, index, arg, *place);
}

void Kernel::freezeAddress(const Device& device, cl_uint index, const KernelArg& arg, device::Launch& launch,
                           std::vector<Ref<Memory>>& shared) const {
  const auto address = reinterpret_cast<std::uintptr_t>(args_[index].pointer);
  const auto place =
      context().sharesOneMemory() ? std::nullopt : context().deviceAddresses().find(context().placeOf(device), address);
  if (!place) {  // memory of the application
    launch.hasOtherPointers |= address != 0;
    return;
  }
  addPointer(launch, shared, index, arg, *place);
}

}  // namespace clarity::core
