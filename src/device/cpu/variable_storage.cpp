// SPDX-License-Identifier: Apache-2.0
// This file allocates and fills the storage of a program's variables.
#include "device/cpu/variable_storage.h"

#include <cstdint>
#include <cstring>
#include <functional>
#include <new>
#include <utility>

namespace clarity::device::cpu {

VariableStorage::VariableStorage(std::shared_ptr<Allocator> allocator, const compiler::GlobalVariables& variables)
    : variables_(variables), allocator_(std::move(allocator)) {
  if (variables.bytes == 0) return;
  const std::uint64_t alignment = variables.alignment;
  room_ = variables.bytes + (alignment > Allocator::alignment ? alignment : 0);
  memory_ = allocator_->allocateZeroed(room_);
  if (!memory_) throw std::bad_alloc();
  base_ = memory_ + (-reinterpret_cast<std::uintptr_t>(memory_) & (alignment - 1));
  for (const auto& content : variables.contents)
    std::memcpy(base_ + content.offset, content.bytes.data(), content.bytes.size());
  for (const auto& pointer : variables.pointers) {
    const auto target = reinterpret_cast<std::uintptr_t>(base_) + pointer.target;
    std::memcpy(base_ + pointer.offset, &target, sizeof target);
  }
}

VariableStorage::~VariableStorage() {
  if (memory_) allocator_->free(memory_, room_);
}

std::optional<VariableStorage::Near> VariableStorage::near(const void* address) const {
  std::optional<Near> found;
  if (!base_ || std::less<>()(address, base_)) return found;
  const std::uint64_t distance = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(base_);
  for (const auto& variable : variables_.variables)
    if (variable.offset <= distance && (!found || distance - variable.offset < found->distance))
      found = {&variable, distance - variable.offset};
  return found;
}

}  // namespace clarity::device::cpu
