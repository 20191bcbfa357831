// SPDX-License-Identifier: Apache-2.0
// This file finds buffers and images that were created over the same memory of the host (CL_MEM_USE_HOST_PTR), and
// commands that use both: what they read of each other is undefined (OpenCL 3.0 API, "Creating Buffer Objects").
#include "check/host/host_checks.h"
#include "check/host/host_uses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace clarity::check {
namespace {

class SharedMemoryCheck final : public HostCheck {
public:
  explicit SharedMemoryCheck(HostScene& scene) : scene_(scene), uses_(scene) {}

  void after(const HostCall& call) override {
    if (call.error != CL_SUCCESS) return;
    uses_.ended(call);
    if (call.info.begins("clCreate") && (call.at("flags") & CL_MEM_USE_HOST_PTR) && call.at("host_ptr"))
      add(call.result.bits);
    else if (call.is("clReleaseMemObject"))
      released(call.at("memobj"));
  }

  void enqueued(const CommandRef& command, const HostCall& call) override {
    if (pairs_.empty()) return;
    for (const MemoryUse& use : uses_.objectsOf(call)) {
      const HostObject* const object = scene_.objects.find(use.memory);
      const std::uint64_t handle = object && object->parent ? object->parent : use.memory;
      for (Pair& pair : pairs_) {
        if (pair.isReported || (pair.first.handle != handle && pair.second.handle != handle)) continue;
        Side& side = pair.first.handle == handle ? pair.first : pair.second;
        side.isUsed = true;
        // Memory that is mapped may be written.
        side.isWritten |= use.writes;
        if (pair.first.isUsed && pair.second.isUsed && (pair.first.isWritten || pair.second.isWritten))
          report(pair, command->site);
      }
    }
  }

private:
  struct Range {
    std::uint64_t begin = 0, end = 0;
  };
  struct Side {
    std::uint64_t handle = 0;
    bool isUsed = false, isWritten = false;
  };
  struct Pair {
    Side first, second;
    bool isReported = false;
  };

  void add(std::uint64_t handle) {
    const HostObject* const object = scene_.objects.find(handle);
    if (!object) return;
    const std::uint64_t bytes = scene_.services.bytesOf(Value{.bits = handle}.as<cl_mem>());
    const Range range{object->hostPointer, object->hostPointer + bytes};
    for (const auto& [other, its] : ranges_)
      if (its.begin < range.end && range.begin < its.end) pairs_.push_back({{other}, {handle}});
    ranges_[handle] = range;
  }

  void released(std::uint64_t handle) {
    const HostObject* const object = scene_.objects.find(handle);
    if (object && !object->isDead()) return;
    ranges_.erase(handle);
    std::erase_if(pairs_,
                  [&](const Pair& pair) { return pair.first.handle == handle || pair.second.handle == handle; });
  }

  void report(Pair& pair, const CallSite& site) const {
    pair.isReported = true;
    const HostObject* const first = scene_.objects.find(pair.first.handle);
    const HostObject* const second = scene_.objects.find(pair.second.handle);
    if (!first || !second) return;
    scene_.report(
        Kind::SharedHostMemory, site,
        fmt::format("{} and {} have the same memory of the host, and commands use both", first->name, second->name),
        "each may have a copy of its own on the device, and need not see what is written to the other",
        {{first->created, fmt::format("{} was created here", first->name)},
         {second->created, fmt::format("{} was created here", second->name)}});
  }

  HostScene& scene_;
  HostUses uses_;
  std::map<std::uint64_t, Range> ranges_;  ///< by buffer
  std::vector<Pair> pairs_;                ///< pairs of buffers that overlap
};

}  // namespace

HostCheckRef sharedMemoryCheck(HostScene& scene) { return std::make_unique<SharedMemoryCheck>(scene); }

}  // namespace clarity::check
