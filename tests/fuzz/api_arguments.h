// SPDX-License-Identifier: Apache-2.0
// This file makes arguments of entry points from their types: handles, lists, sizes, flags, texts, memory, callbacks.
#pragma once

#include "api_objects.h"
#include "random.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

namespace clarity::fuzz {

/// A callback that was registered.
struct Promise {
  std::string_view function;  ///< that it was registered with
  std::atomic<int> calls{0};
  cl_event event = nullptr;  ///< a reference that it releases
  bool isKept = false;       ///< the call that registers it has succeeded
  bool isSure = false;       ///< it must have come when all is released
};

/// Makes the arguments of one call after another. Host memory is large enough for every size that a call can get past
/// its checks; what is written there is never read as an argument.
class Arguments {
public:
  static constexpr std::size_t hostBytes = 1 << 20;

  Arguments(Objects& objects, Random& random) : objects_(objects), random_(random), host_(hostBytes) {}

  void begin(std::string_view function) {
    function_ = function;
    lists_.clear();
    promise_ = nullptr;
    outputs_.fill(nullptr);
  }
  std::deque<Promise>& promises() { return promises_; }
  Promise* promise() { return promise_; }
  const std::array<void*, 64>& outputs() const { return outputs_; }
  /// Addresses of shared memory, and those where memory objects are mapped, for the functions that are given such.
  std::vector<void*> shared, mapped;

  template <class T>
  T make() {
    if constexpr (isHandle<T>)
      return static_cast<T>(objects_.pick(classOf<T>(), false, random_));
    else if constexpr (std::is_pointer_v<T>)
      return pointer<std::remove_pointer_t<T>>();
    else if constexpr (std::is_same_v<T, std::size_t> || std::is_same_v<T, std::uint64_t>)
      return static_cast<T>(random_.chance(50) ? size() : flags());
    else if constexpr (std::is_same_v<T, cl_uint>)
      return number();
    else
      return static_cast<T>(random_.between(-3, 3));
  }

  std::size_t size() {
    constexpr std::size_t sizes[] = {0, 1, 4, 8, 8, 8, 16, 24, 64, 128, 256, 1024, 4096, 65536};
    constexpr std::size_t huge[] = {SIZE_MAX, SIZE_MAX - 3, SIZE_MAX - 63};
    return random_.chance(4) ? random_.pick(huge) : random_.pick(sizes);
  }

private:
  cl_uint number() {
    // param_name of queries, and names of formats and types elsewhere.
    constexpr std::array<cl_uint, 2> ranges[] = {{0x0900, 0x0907}, {0x1000, 0x1110}, {0x1150, 0x1164},
                                                 {0x1180, 0x11d6}, {0x11e0, 0x1220}, {0x1280, 0x1296},
                                                 {0x2030, 0x2045}, {0x4190, 0x41a5}};
    if (random_.chance(function_.starts_with("clGet") ? 75 : 10)) {
      const auto& [low, high] = random_.pick(ranges);
      return static_cast<cl_uint>(random_.between(static_cast<int>(low), static_cast<int>(high)));
    }
    constexpr cl_uint counts[] = {0, 0, 0, 1, 1, 1, 2, 3, 8};
    return random_.pick(counts);
  }

  cl_ulong flags() {
    constexpr cl_ulong all[] = {0, 0, 1, 2, 4, 8, 16, 32, 1 | 32, 4 | 32, 1 | 8, 3, 64, 128, 1 << 10, 1 << 11};
    return random_.chance(3) ? random_.next() : random_.pick(all);
  }

  /// Memory for a list of so many 8-byte elements, which lives until the next call.
  void* room(std::size_t words) { return lists_.emplace_back(std::make_unique<std::uint64_t[]>(words)).get(); }

  /// Host memory, or an address that a call has returned. Only functions that know how large that is are given one.
  void* memory() {
    if (random_.chance(10)) return nullptr;
    const bool takesShared =
        function_.find("SVM") != function_.npos || function_.ends_with("INTEL") || function_ == "clSetKernelExecInfo";
    const std::vector<void*>& known = function_ == "clEnqueueUnmapMemObject" ? mapped : shared;
    const bool takesKnown = function_ == "clEnqueueUnmapMemObject" || (takesShared && !function_.starts_with("clGet"));
    if (takesKnown && !known.empty() && random_.chance(70)) return random_.pick(known);
    return host_.data() + 64 * static_cast<std::size_t>(random_.below(1024));
  }

  template <class T>
  T* pointer() {
    using Element = std::remove_const_t<T>;
    if constexpr (std::is_function_v<T>) {
      return random_.chance(10) ? nullptr : function(static_cast<T*>(nullptr));
    } else if constexpr (std::is_void_v<Element>) {
      return argumentOrMemory(std::is_const_v<T>);
    } else if constexpr (std::is_same_v<Element, char>) {
      return text(static_cast<T*>(nullptr));
    } else {
      if (random_.chance(30)) return nullptr;
      if constexpr (isHandle<Element>) return handles<T>();
      if constexpr (std::is_same_v<T, const cl_image_desc>) return description();
      if constexpr (std::is_pointer_v<Element> && !isHandle<Element>) {
        auto* const result = static_cast<Element*>(room(16));
        for (int i = 0; i < 8; ++i) result[i] = pointer<std::remove_pointer_t<Element>>();
        return result;
      } else if constexpr (std::is_const_v<T> && std::is_integral_v<Element>) {
        return numbers<Element>();
      } else {
        auto* const words = static_cast<std::uint64_t*>(room(8192));
        if (std::is_const_v<T>)
          for (int i = 0; i < 8; ++i) words[i] = number() | std::uint64_t{number()} << 32;
        return reinterpret_cast<T*>(words);
      }
    }
  }

  /// Sizes, origins, sync-points; of properties a list that ends with 0.
  template <class Element>
  Element* numbers() {
    auto* const result = static_cast<Element*>(room(32));
    constexpr Element few[] = {0, 0, 1, 1, 2, 4, 8, 16, 64};
    for (int i = 0; i < 8; ++i) result[i] = random_.pick(few);
    if (random_.chance(5)) result[random_.below(3)] = static_cast<Element>(size());
    return result;
  }

  template <class T>
  T* handles() {
    using Handle = std::remove_const_t<T>;
    auto* const result = static_cast<Handle*>(room(64));
    const bool isInput = std::is_const_v<T> || function_ == "clEnqueueCommandBufferKHR";
    if (isInput && (std::is_const_v<T> || std::is_same_v<Handle, cl_command_queue>))
      for (int i = 0; i < 8; ++i) result[i] = make<Handle>();
    else
      outputs_[classOf<Handle>()] = result;
    return result;
  }

  const cl_image_desc* description() {
    auto* const desc = static_cast<cl_image_desc*>(room(sizeof(cl_image_desc)));
    desc->image_type = static_cast<cl_mem_object_type>(random_.between(0x10f0, 0x10f7));
    desc->image_width = size();
    desc->image_height = static_cast<std::size_t>(random_.between(0, 9));
    desc->image_depth = static_cast<std::size_t>(random_.between(0, 3));
    desc->image_array_size = static_cast<std::size_t>(random_.between(0, 3));
    desc->image_row_pitch = random_.chance(70) ? 0 : size();
    desc->image_slice_pitch = random_.chance(80) ? 0 : size();
    desc->num_mip_levels = static_cast<cl_uint>(random_.chance(80) ? 0 : random_.between(0, 4));
    desc->mem_object = random_.chance(70) ? nullptr : make<cl_mem>();
    return desc;
  }

  /// Of clSetKernelArg: sometimes the address of a handle.
  void* argumentOrMemory(bool isInput) {
    if (!isInput || function_ != "clSetKernelArg" || random_.chance(20)) return memory();
    auto* const place = static_cast<void**>(room(64));
    *place = random_.chance(80) ? make<cl_mem>() : static_cast<void*>(make<cl_sampler>());
    return place;
  }

  const char* text(const char*) {
    constexpr const char* texts[] = {"", "fill", "add", "tile", "wrong", "-cl-std=CL3.0", "-cl-opt-disable"};
    return random_.chance(5) ? nullptr : random_.pick(texts);
  }
  char* text(char*) { return static_cast<char*>(memory()); }

  void promised(bool isSure) {
    promise_ = &promises_.emplace_back();
    promise_->function = function_;
    promise_->isSure = isSure;
  }

  // Callbacks. The parameter for user_data is made apart: callers put promise() in its place.
  using OfEvent = void(cl_event, cl_int, void*);
  OfEvent* function(OfEvent*) {
    promised(false);
    return [](cl_event event, cl_int, void* data) {
      auto* const promise = static_cast<Promise*>(data);
      promise->calls.fetch_add(1);
      if (promise->event == event) clReleaseEvent(event);
    };
  }
  template <class Handle>
  using OfObject = void(Handle, void*);
  template <class Handle>
  OfObject<Handle>* function(OfObject<Handle>*) {
    promised(!std::is_same_v<Handle, cl_program>);
    return [](Handle, void* data) { static_cast<Promise*>(data)->calls.fetch_add(1); };
  }
  using OfContext = void(const char*, const void*, std::size_t, void*);
  OfContext* function(OfContext*) {
    return [](const char*, const void*, std::size_t, void*) {};
  }
  using Native = void(void*);
  Native* function(Native*) {
    return [](void*) {};
  }
  using OfFree = void(cl_command_queue, cl_uint, void*[], void*);
  OfFree* function(OfFree*) { return nullptr; }

  Objects& objects_;
  Random& random_;
  std::string_view function_;
  std::vector<std::byte> host_;
  std::vector<std::unique_ptr<std::uint64_t[]>> lists_;
  std::deque<Promise> promises_;  ///< callbacks have addresses of elements
  Promise* promise_ = nullptr;
  std::array<void*, 64> outputs_{};  ///< lists of handles that the call writes, by class
};

}  // namespace clarity::fuzz
