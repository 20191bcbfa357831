// SPDX-License-Identifier: Apache-2.0
// This file is what compiled code calls to enqueue kernels.
#include "support/enqueue_hooks.h"

#include "device/cpu/child_command.h"

namespace {

using clarity::device::cpu::ChildKernels;

ChildKernels::Command& command(void* parent) { return *static_cast<ChildKernels::Command*>(parent); }
ChildKernels& family(void* parent) { return command(parent).family; }

}  // namespace

extern "C" {

std::int32_t __clarity_enqueue_kernel(void* parent, const EnqueueRequest* request) {
  return family(parent).enqueue(command(parent), *request);
}

std::int32_t __clarity_enqueue_marker(void* parent, std::uint64_t queue, std::uint32_t count,
                                      const std::uint64_t* waits, std::uint64_t* event) {
  return family(parent).enqueueMarker(command(parent), queue, count, waits, event);
}

std::uint64_t __clarity_default_queue(void* parent) { return family(parent).defaultQueue(); }
std::uint64_t __clarity_create_event(void* parent) { return family(parent).createEvent(); }
void __clarity_retain_event(void* parent, std::uint64_t event) { family(parent).retainEvent(event); }
void __clarity_release_event(void* parent, std::uint64_t event) { family(parent).releaseEvent(event); }
std::uint32_t __clarity_is_event(void* parent, std::uint64_t event) { return family(parent).isEvent(event); }

void __clarity_set_event(void* parent, std::uint64_t event, std::int32_t status) {
  family(parent).setEvent(event, status);
}

void __clarity_profile_event(void* parent, std::uint64_t event, std::int32_t name, std::uint64_t* value) {
  family(parent).profileEvent(event, name, value);
}

std::uint32_t __clarity_block_fact(void* parent, std::uint32_t block, BlockFact what, const EnqueueRange* range) {
  return family(parent).factOf(block, what, range);
}

}  // extern "C"
