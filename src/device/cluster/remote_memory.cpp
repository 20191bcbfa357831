// SPDX-License-Identifier: Apache-2.0
// This file makes, fills and frees the memory of a device on another node.
#include "device/cluster/remote_memory.h"

#include "device/cluster/protocol.h"

#include <new>

namespace clarity::device::cluster {
namespace {

/// Waits for the end of a transfer that belongs to no command.
class Awaited final : public Submission {
public:
  explicit Awaited(Operation& its) {
    operation = &its;
    timed = false;
  }
  void started() noexcept override {}
  void complete(Result result, const Times&) noexcept override {
    result_ = std::move(result);
    ended_.store(true, std::memory_order_release);
  }
  bool ended() const noexcept override { return ended_.load(std::memory_order_acquire); }
  Result take() { return std::move(result_); }

private:
  Result result_;
  std::atomic<bool> ended_{false};
};

}  // namespace

std::unique_ptr<Allocation> RemotePool::allocate(std::size_t bytes) {
  if (used_.fetch_add(bytes) + bytes > most_) {
    release(bytes);
    return nullptr;
  }
  try {
    const std::uint32_t number = node_->newNumber();
    auto made = std::make_unique<RemoteAllocation>(shared_from_this(), number, bytes);
    node_->post([&](Writer& to) { to.put(ToNode::Allocate).put(number).put(device_).put<std::uint64_t>(bytes); });
    return made;
  } catch (const std::bad_alloc&) {
    release(bytes);
    return nullptr;
  }
}

Result RemotePool::initialise(Allocation& to, const std::byte* from, std::size_t bytes) {
  Operation copy = Copy{.to = {.allocation = &to}, .from = Location::inHost(from), .bytes = bytes};
  Awaited awaited(copy);
  node_->submit(0, false, awaited, Start::AtOnce, {});
  node_->waitFor([&] { return awaited.ended(); });
  return awaited.take();
}

RemoteAllocation::~RemoteAllocation() {
  node().post([&](Writer& to) { to.put(ToNode::Free).put(number_); });
  pool_->release(bytes());
}

}  // namespace clarity::device::cluster
