// SPDX-License-Identifier: Apache-2.0
// This file lets the kernels of this folder be compiled as C++: every work-item of a group has a stack of its own and
// runs until it is at a barrier or returns, then the next one does. Groups run one after another. Work-items that
// return leave the barrier, as on a GPU.
#pragma once

#include <ucontext.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "fiber_switch.h"

namespace reference {

struct Place {
  std::array<std::size_t, 3> global{}, local{}, group{}, globalSize{1, 1, 1}, localSize{1, 1, 1};
};

/// The work-items of one group after another.
class Group {
public:
  static Group& instance() {
    static Group group;
    return group;
  }
  const Place& place() const { return running_->place; }

  /// Runs body() to its end for each work-item.
  template <class Body>
  void run(const std::vector<Place>& places, Body& body) {
    body_ = &body;
    call_ = [](void* its) { (*static_cast<Body*>(its))(); };
    while (items_.size() < places.size()) items_.push_back(std::make_unique<Item>());
    for (std::size_t i = 0; i < places.size(); ++i) items_[i]->begin(places[i]);
    for (bool all = false; !all;) {
      all = true;
      for (std::size_t i = 0; i < places.size(); ++i) {
        if (items_[i]->done) continue;
        running_ = items_[i].get();
        here_.leaveFor(running_->its);
        all &= running_->done;
      }
    }
  }
  void barrier() { running_->its.leaveFor(here_); }

private:
  struct Item {
    static constexpr std::size_t stackBytes = 256u << 10;

    void begin(const Place& at) {
      place = at;
      done = false;
      its.begin(stack.get(), stackBytes, &Group::execute);
    }

    Place place;
    bool done = false;
    std::unique_ptr<std::byte[]> stack = std::make_unique_for_overwrite<std::byte[]>(stackBytes);
    Fiber its;
  };

  static void execute() {
    Group& group = instance();
    group.running_->its.arrived();
    group.call_(group.body_);
    group.running_->done = true;
    group.running_->its.leaveForEver(group.here_);
  }

  std::vector<std::unique_ptr<Item>> items_;
  Item* running_ = nullptr;
  Fiber here_;  ///< the thread's own stack
  void* body_ = nullptr;
  void (*call_)(void*) = nullptr;
};

/// Runs body() once for every work-item of the NDRange.
template <class Body>
void run(std::array<std::size_t, 3> global, std::array<std::size_t, 3> local, Body body) {
  std::vector<Place> places;
  for (std::size_t gz = 0; gz < global[2] / local[2]; ++gz)
    for (std::size_t gy = 0; gy < global[1] / local[1]; ++gy)
      for (std::size_t gx = 0; gx < global[0] / local[0]; ++gx) {
        places.clear();
        for (std::size_t z = 0; z < local[2]; ++z)
          for (std::size_t y = 0; y < local[1]; ++y)
            for (std::size_t x = 0; x < local[0]; ++x)
              places.push_back({{gx * local[0] + x, gy * local[1] + y, gz * local[2] + z},
                                {x, y, z},
                                {gx, gy, gz},
                                global,
                                local});
        Group::instance().run(places, body);
      }
}

inline const Place& place() { return Group::instance().place(); }
using uint = std::uint32_t;
using uchar = std::uint8_t;
using ushort = std::uint16_t;
using ulong = std::uint64_t;
inline std::size_t get_global_id(uint d) { return d < 3 ? place().global[d] : 0; }
inline std::size_t get_local_id(uint d) { return d < 3 ? place().local[d] : 0; }
inline std::size_t get_group_id(uint d) { return d < 3 ? place().group[d] : 0; }
inline std::size_t get_global_size(uint d) { return d < 3 ? place().globalSize[d] : 1; }
inline std::size_t get_local_size(uint d) { return d < 3 ? place().localSize[d] : 1; }
inline std::size_t get_num_groups(uint d) { return d < 3 ? place().globalSize[d] / place().localSize[d] : 1; }
inline int min(int a, int b) { return b < a ? b : a; }
inline int max(int a, int b) { return a < b ? b : a; }
inline int clamp(int x, int least, int most) {
  return min(max(x, least), most);
}  // as OpenCL has it where least > most
template <class T, class Next>
T atomic_update(T* place, Next next) {
  std::atomic_ref<T> at(*place);
  T old = at.load();
  while (!at.compare_exchange_weak(old, next(old))) {
  }
  return old;
}
template <class T>
T atomic_add(T* p, T v) {
  return atomic_update(p, [=](T old) { return old + v; });
}
template <class T>
T atomic_sub(T* p, T v) {
  return atomic_update(p, [=](T old) { return old - v; });
}
template <class T>
T atomic_inc(T* p) {
  return atomic_add(p, T(1));
}
template <class T>
T atomic_dec(T* p) {
  return atomic_sub(p, T(1));
}
template <class T>
T atomic_min(T* p, T v) {
  return atomic_update(p, [=](T old) { return std::min(old, v); });
}
template <class T>
T atomic_max(T* p, T v) {
  return atomic_update(p, [=](T old) { return std::max(old, v); });
}
template <class T>
T atomic_and(T* p, T v) {
  return atomic_update(p, [=](T old) { return old & v; });
}
template <class T>
T atomic_or(T* p, T v) {
  return atomic_update(p, [=](T old) { return old | v; });
}
template <class T>
T atomic_xor(T* p, T v) {
  return atomic_update(p, [=](T old) { return old ^ v; });
}
template <class T>
T atomic_cmpxchg(T* p, T expected, T v) {
  return atomic_update(p, [=](T old) { return old == expected ? v : old; });
}
inline void barrier(int) { Group::instance().barrier(); }

#define __kernel
#define __global
#define __local
#define __constant static const
#define __private
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
// A variable of the work-group: groups run one after another, so one place serves all.
#define LOCAL_ARRAY(type, name, size) static type name[size]
#define LOCAL_VARIABLE(type, name) static type name
// Places in all dimensions at once.
#define GLOBAL_ID ((get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0))
#define LOCAL_ID ((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0))
#define GLOBAL_COUNT (get_global_size(0) * get_global_size(1) * get_global_size(2))
#define LOCAL_COUNT (get_local_size(0) * get_local_size(1) * get_local_size(2))

}  // namespace reference
