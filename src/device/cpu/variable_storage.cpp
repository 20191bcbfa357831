// SPDX-License-Identifier: Apache-2.0
// This file allocates and fills the storage of a program's variables.
#include "device/cpu/variable_storage.h"

#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace clarity::device::cpu {

VariableStorage::VariableStorage(std::shared_ptr<Allocator> allocator, const compiler::GlobalVariables& variables)
    : variables_(variables), allocator_(std::move(allocator)) {
  if (variables.bytes == 0) return;
  const std::uint64_t alignment = variables.alignment;
  const std::uint64_t room = variables.bytes + (alignment > Allocator::alignment ? alignment : 0);
  block_ = allocator_->allocateZeroed(room);
  if (!block_) throw std::bad_alloc();
  // As late as possible, because what is behind the block faults.
  std::byte* const last = block_.memory + (room - variables.bytes);
  base_ = last - (reinterpret_cast<std::uintptr_t>(last) & (alignment - 1));
  for (const auto& content : variables.contents)
    std::memcpy(base_ + content.offset, content.bytes.data(), content.bytes.size());
  for (const auto& pointer : variables.pointers) {
    const auto target = reinterpret_cast<std::uintptr_t>(base_) + pointer.target;
    std::memcpy(base_ + pointer.offset, &target, sizeof target);
  }
}

VariableStorage::~VariableStorage() { allocator_->free(block_); }

}  // namespace clarity::device::cpu
