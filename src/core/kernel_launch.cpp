// SPDX-License-Identifier: Apache-2.0
// This file copies the arguments of a kernel for a launch.
#include "core/error.h"
#include "core/image_support.h"
#include "core/kernel.h"
#include "support/checked.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace clarity::core {

using compiler::ArgKind;
using compiler::KernelArg;
using compiler::KernelInfo;

namespace {

/// Sizes are what the application says: sums that do not fit become the largest number, which no device has.
/// Local memory for an argument begins at a multiple of its type's alignment, and where it is large enough at a cache
/// line of its own.
std::uint64_t alignedFor(std::uint64_t offset, const KernelArg& arg, std::uint64_t size) {
  const std::uint64_t natural = std::bit_ceil(std::max<std::uint64_t>(arg.align, 1));
  const std::uint64_t alignment = std::max(natural, std::bit_ceil(std::min<std::uint64_t>(64, size)));
  return support::limitedRoundUp(offset, alignment);
}

/// The memory from the address of an argument on. The place is one in shared memory or in a buffer.
template <class Place>
void addPointer(device::Launch& launch, std::vector<Ref<Memory>>& used, cl_uint index, const KernelArg& arg,
                const Place& place) {
  launch.buffers.push_back({.argument = index,
                            .readOnly = cannotWrite(arg),
                            .writeOnly = false,
                            .isInside = place.offset != 0,
                            .memory = place.memory->at(place.offset),
                            .bytes = place.memory->size() - place.offset});
  used.push_back(place.memory);
}

}  // namespace

std::uint64_t Kernel::localBytes(const Device& device) const {
  const KernelInfo& kernel = info(device);
  std::uint64_t bytes = kernel.localBytes;
  for (std::size_t i = 0; i < args_.size(); ++i)
    if (kernel.args[i].kind == ArgKind::Local)
      bytes = support::limitedSum(alignedFor(bytes, kernel.args[i], args_[i].localSize), args_[i].localSize);
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
  if (info.enqueues) [[unlikely]]
    launch.queues = freezeQueues(device);
  if (ready_ && variant == &variants_.front()) [[likely]] {
    freezeReady(launch, memory);
    return freezeReached(device, memory);
  }
  std::vector<Ref<Memory>> used;  // by launch.buffers
  for (cl_uint i = 0; i < args_.size(); ++i) {
    const ArgState& state = args_[i];
    switch (state.kind) {
      // CL_INVALID_KERNEL_ARGS if the kernel argument values have not been specified.
      case ArgState::Kind::Unset: fail(CL_INVALID_KERNEL_ARGS, "{} is not set", describe(i));
      case ArgState::Kind::Value: break;
      case ArgState::Kind::Memory: freezeMemory(device, i, info.args[i], launch, used); break;
      case ArgState::Kind::Pointer: freezePointer(device, i, info.args[i], launch, used); break;
      case ArgState::Kind::Local: {
        // An argument without memory begins where the others end.
        const std::uint64_t offset = alignedFor(launch.localBytes, info.args[i], state.localSize);
        std::memcpy(launch.args.data() + info.args[i].offset, &offset, sizeof offset);
        launch.localBytes = support::limitedSum(offset, state.localSize);
        launch.locals.emplace_back(i, state.localSize);
        break;
      }
    }
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    memory.emplace_back(used[i], 0U, used[i]->extent(), launch.buffers[i].readOnly ? Access::Read : Access::ReadWrite);
  freezeReached(device, memory);
}

std::shared_ptr<const device::LaunchQueues> Kernel::freezeQueues(const Device& device) const {
  OnDeviceQueues& all = context().onDeviceQueues();
  auto queues = std::make_shared<device::LaunchQueues>();
  queues->device = &device.properties();
  queues->standard = all.find(all.defaultOf(device));
  for (const auto& [index, queue] : queues_) queues->arguments.push_back(queue);
  return queues;
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
  // Apart from the above: counting a reference waits until all that was written before is in the cache. Elements are
  // made in place, as a copy would wait for the members that were just written.
  for (std::size_t i = 0; i < count; ++i)
    memory.emplace_back(meantBy(meant[i].memory, meant[i].serial, buffers[i].argument), 0U, buffers[i].bytes,
                        buffers[i].readOnly ? Access::Read : Access::ReadWrite);
}

Ref<Memory> Kernel::meantBy(Memory* memory, std::uint64_t serial, cl_uint index) const {
  RefPtr<Memory> object = Memory::fromFormer(memory);
  // A kernel holds no reference to its arguments (section 5.9.2); use of one that is gone is an error.
  if (!object || object->serial() != serial)
    fail(CL_INVALID_KERNEL_ARGS, "{}: its memory object has been released", describe(index));
  return Ref<Memory>(std::move(object));
}

void Kernel::freezeMemory(Device& device, cl_uint index, const KernelArg& arg, device::Launch& launch,
                          std::vector<Ref<Memory>>& used) const {
  const ArgState& state = args_[index];
  used.push_back(meantBy(state.memory, state.serial, index));
  if (arg.kind == ArgKind::Image) {
    const ImageDescription& image = *used.back()->image();
    requireSupport(device, image);
    const compiler::ImageDescriptor descriptor = image.descriptor();
    std::memcpy(launch.args.data() + arg.offset, &descriptor, sizeof descriptor);
  }
  launch.buffers.push_back(state.buffer);
  launch.buffers.back().readOnly |= cannotWrite(arg);
}

void Kernel::freezePointer(Device& device, cl_uint index, const KernelArg& arg, device::Launch& launch,
                           std::vector<Ref<Memory>>& used) const {
  // CL_INVALID_OPERATION if SVM pointers are passed as arguments to a kernel and the device does not support SVM.
  if (!device.properties().svmCapabilities)
    fail(CL_INVALID_OPERATION, "{} is an address, and device '{}' does not share memory with the host by address",
         describe(index), device.properties().name);
  const auto place = context().sharedMemory().find(args_[index].pointer);
  if (!place) return freezeAddress(device, index, arg, launch, used);
  if (!place->isFor(device))
    fail(CL_INVALID_KERNEL_ARGS, "{} is memory of device '{}', which device '{}' cannot access", describe(index),
         place->allocation.device->properties().name, device.properties().name);
  addPointer(launch, used, index, arg, *place);
}

void Kernel::freezeAddress(const Device& device, cl_uint index, const KernelArg& arg, device::Launch& launch,
                           std::vector<Ref<Memory>>& used) const {
  const auto address = reinterpret_cast<std::uintptr_t>(args_[index].pointer);
  const auto place =
      context().sharesOneMemory() ? std::nullopt : context().deviceAddresses().find(context().placeOf(device), address);
  if (!place) {  // memory of the application
    launch.hasOtherPointers |= address != 0;
    return;
  }
  addPointer(launch, used, index, arg, *place);
}

}  // namespace clarity::core
