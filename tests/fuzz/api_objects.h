// SPDX-License-Identifier: Apache-2.0
// This file is what a thread of the fuzzer of calls owns: objects of every class with as many references as it has, and
// handles that are valid no more.
#pragma once

#include "random.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace clarity::fuzz {

/// The classes of handles; anything else is at index `classes`.
template <class T>
constexpr std::size_t classOf() {
  std::size_t index = 0;
  const auto is = [&]<class Handle>() { return std::is_same_v<T, Handle> || (++index, false); };
  (void)(is.template operator()<cl_platform_id>() || is.template operator()<cl_device_id>() ||
         is.template operator()<cl_context>() || is.template operator()<cl_command_queue>() ||
         is.template operator()<cl_mem>() || is.template operator()<cl_program>() ||
         is.template operator()<cl_kernel>() || is.template operator()<cl_event>() ||
         is.template operator()<cl_sampler>() || is.template operator()<cl_command_buffer_khr>() ||
         is.template operator()<cl_mutable_command_khr>() || is.template operator()<cl_semaphore_khr>());
  return index;
}
constexpr std::size_t classes = 12;
template <class T>
constexpr bool isHandle = classOf<T>() < classes;

class Objects {
public:
  /// Without `staleAllowed` no handle is picked whose object is gone: another thread may have one in its place.
  explicit Objects(bool staleAllowed) : staleAllowed_(staleAllowed) {}

  /// A reference of this thread's.
  void add(std::size_t of, void* handle) {
    if (handle) owned_[of].push_back(handle);
  }
  /// An object that others own, which outlives this: never released here.
  void lend(std::size_t of, void* handle) { lent_[of].push_back(handle); }
  /// A reference of this thread's is gone. False if it had none.
  bool remove(std::size_t of, void* handle) {
    const auto found = std::ranges::find(owned_[of], handle);
    if (found == owned_[of].end()) return false;
    owned_[of].erase(found);
    if (std::ranges::find(owned_[of], handle) == owned_[of].end()) stale_.push_back(handle);
    if (stale_.size() > 64) stale_.erase(stale_.begin());
    return true;
  }
  const std::vector<void*>& owned(std::size_t of) const { return owned_[of]; }
  bool isLive(std::size_t of, const void* handle) const {
    return std::ranges::find(owned_[of], handle) != owned_[of].end() ||
           std::ranges::find(lent_[of], handle) != lent_[of].end();
  }
  std::size_t count() const {
    std::size_t all = 0;
    for (const auto& each : owned_) all += each.size();
    return all;
  }

  /// A handle for a parameter of the class: mostly a live object, if there is one. With `own` none that is lent.
  void* pick(std::size_t of, bool own, Random& random) {
    const int kind = random.below(100);
    if (kind < 3) return nullptr;
    if (kind < 6) return wrong(of, random);
    if (kind < 10 && staleAllowed_ && !stale_.empty()) return random.pick(stale_);
    const bool lend = !own && !lent_[of].empty() && (owned_[of].empty() || random.chance(50));
    const std::vector<void*>& from = lend ? lent_[of] : owned_[of];
    return from.empty() ? nullptr : random.pick(from);
  }

private:
  /// A live object of another class.
  void* wrong(std::size_t of, Random& random) {
    const auto other = static_cast<std::size_t>(random.below(classes));
    return other == of || owned_[other].empty() ? nullptr : random.pick(owned_[other]);
  }

  bool staleAllowed_;
  std::array<std::vector<void*>, classes> owned_, lent_;
  std::vector<void*> stale_;
};

}  // namespace clarity::fuzz
