// SPDX-License-Identifier: Apache-2.0
// This file makes arguments of entry points from their types: handles, lists, sizes, flags, texts, memory, callbacks.
#pragma once

#include "api_lists.h"
#include "api_objects.h"
#include "random.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace clarity::fuzz {

/// A callback that was registered.
struct Promise {
  std::string_view function;  ///< that it was registered with
  std::atomic<int> calls{0};
  cl_event event = nullptr;             ///< that it releases
  std::atomic<bool> holdsEvent{false};  ///< a reference that is its own
  bool isKept = false;                  ///< the call that registers it has succeeded
  bool isSure = false;                  ///< it must have come when all is released
};

/// Makes the arguments of one call after another. A list has as many elements as the count before it says, and ends at
/// a page that cannot be accessed. Host memory is large enough for every size that a call can get past its checks; what
/// is written there is never read as an argument.
class Arguments {
public:
  static constexpr std::size_t hostBytes = 1 << 20;

  Arguments(Objects& objects, Random& random) : objects_(objects), random_(random) {}

  void begin(std::string_view function) {
    function_ = function;
    lists_.begin();
    count_.reset();
    bytes_.reset();
    promise_ = nullptr;
    outputs_.fill(nullptr);
  }
  std::deque<Promise>& promises() { return promises_; }
  Promise* promise() { return promise_; }
  /// The list of objects of a class that a call has written.
  std::span<void* const> output(std::size_t of) const {
    return {static_cast<void* const*>(outputs_[of]), outputs_[of] ? outputCounts_[of] : 0};
  }
  /// Whether a callback that has not come yet holds a reference of the event, which is not this thread's to release.
  bool isPromised(const void* event) const {
    return std::ranges::any_of(promises_, [&](const Promise& each) { return each.event == event && each.holdsEvent; });
  }
  /// Addresses of shared memory, and those where memory objects are mapped, for the functions that are given such.
  std::vector<void*> shared, mapped;

  template <class T>
  T make() {
    if constexpr (std::is_pointer_v<T> && !isHandle<T>) {
      return pointer<std::remove_pointer_t<T>>();
    } else {
      const T result = value<T>();
      count_.reset();
      bytes_.reset();
      if constexpr (std::is_same_v<T, cl_uint>) count_ = result;
      if constexpr (std::is_same_v<T, std::size_t>) bytes_ = result;
      return result;
    }
  }

  std::size_t size() {
    constexpr std::size_t sizes[] = {0, 1, 4, 8, 8, 8, 16, 24, 64, 128, 256, 1024, 4096, 65536};
    constexpr std::size_t huge[] = {SIZE_MAX, SIZE_MAX - 3, SIZE_MAX - 63};
    return random_.chance(4) ? random_.pick(huge) : random_.pick(sizes);
  }

private:
  template <class T>
  T value() {
    if constexpr (isHandle<T>)
      return static_cast<T>(objects_.pick(classOf<T>(), false, random_));
    else if constexpr (std::is_same_v<T, std::size_t> || std::is_same_v<T, std::uint64_t>)
      return static_cast<T>(random_.chance(50) ? size() : flags());
    else if constexpr (std::is_same_v<T, cl_uint>)
      return number();
    else
      return static_cast<T>(random_.between(-3, 3));
  }

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

  bool calls(std::string_view part) const { return function_.find(part) != function_.npos; }

  /// Memory for so many elements, which lives until the next call.
  template <class Element>
  Element* list(std::size_t elements) {
    return static_cast<Element*>(lists_.make(elements * sizeof(Element)));
  }
  /// Elements of a list whose count comes before it.
  std::size_t counted() const { return count_.value_or(8); }

  /// Host memory, or an address that a call has returned. Only functions that know how large that is are given one.
  void* memory(bool isInput) {
    if (random_.chance(10)) return nullptr;
    const bool takesShared = calls("SVM") || function_.ends_with("INTEL") || function_ == "clSetKernelExecInfo";
    const std::vector<void*>& known = function_ == "clEnqueueUnmapMemObject" ? mapped : shared;
    const bool takesKnown =
        function_ == "clEnqueueUnmapMemObject" || (takesShared && (isInput || !function_.starts_with("clGet")));
    if (takesKnown && !known.empty() && random_.chance(70)) return random_.pick(known);
    // Values that are read or written before the call returns have as many bytes as the call is told.
    const bool isValue = function_.starts_with("clGet") || function_.starts_with("clSet");
    if (isValue && bytes_ && *bytes_ <= Lists::largestBytes && random_.chance(80)) return list<std::byte>(*bytes_);
    return host_.piece(0) + 64 * static_cast<std::size_t>(random_.below(1024));
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
      if constexpr (isHandle<Element>) {
        return handles<T>();
      } else if constexpr (std::is_same_v<T, const cl_image_desc>) {
        return description();
      } else if constexpr (std::is_pointer_v<Element>) {
        auto* const result = list<Element>(counted());
        for (std::size_t i = 0; i < counted(); ++i)
          result[i] = i < 8 ? pointer<std::remove_pointer_t<Element>>() : result[i % 8];
        return result;
      } else if constexpr (std::is_const_v<T> && std::is_integral_v<Element>) {
        return numbers<Element>();
      } else if constexpr (std::is_same_v<T, const cl_image_format>) {
        return format();
      } else if constexpr (!requires { sizeof(T); }) {
        return static_cast<T*>(lists_.make(64));  // of another API
      } else {
        static_assert(!std::is_const_v<T>);
        return list<T>(std::max<std::size_t>(count_.value_or(1), 1));
      }
    }
  }

  /// Sizes, origins, sync-points; of properties a list that ends with 0.
  template <class Element>
  Element* numbers() {
    const bool isOrigin = calls("Rect") || (calls("Image") && !function_.starts_with("clCreate"));
    const bool isCounted = std::is_same_v<Element, cl_uint> || calls("NDRange") || calls("Suggested") ||
                           calls("MigrateMem") || calls("Semaphores");
    const std::size_t count = isCounted && count_ ? *count_ : isOrigin && function_.starts_with("clEnq") ? 4 : 9;
    auto* const result = list<Element>(count);
    constexpr Element few[] = {0, 0, 1, 1, 2, 4, 8, 16, 64};
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 8); ++i)
      result[i] = random_.chance(2) ? static_cast<Element>(size()) : random_.pick(few);
    return result;
  }

  template <class T>
  T* handles() {
    using Handle = std::remove_const_t<T>;
    const bool isInput = std::is_const_v<T> || function_ == "clEnqueueCommandBufferKHR";
    if (isInput && (std::is_const_v<T> || std::is_same_v<Handle, cl_command_queue>)) {
      auto* const result = list<Handle>(counted());
      for (std::size_t i = 0; i < counted(); ++i) result[i] = i < 8 ? value<Handle>() : result[i % 8];
      return result;
    }
    // An object that a call makes is one, whatever number comes before it: of events in a wait list, of dimensions.
    const bool isOne = function_.starts_with("clEnqueue") || function_.starts_with("clCommand");
    outputCounts_[classOf<Handle>()] = isOne ? 1 : counted();
    auto* const result = list<Handle>(outputCounts_[classOf<Handle>()]);
    outputs_[classOf<Handle>()] = result;
    return result;
  }

  const cl_image_format* format() {
    constexpr cl_image_format few[] = {{CL_RGBA, CL_UNORM_INT8}, {CL_R, CL_FLOAT},     {CL_BGRA, CL_UNORM_INT8},
                                       {CL_RG, CL_HALF_FLOAT},   {CL_DEPTH, CL_FLOAT}, {CL_RGBA, CL_SIGNED_INT32}};
    auto* const result = list<cl_image_format>(1);
    *result = random_.chance(80) ? random_.pick(few) : cl_image_format{number(), number()};
    return result;
  }

  const cl_image_desc* description() {
    auto* const desc = list<cl_image_desc>(1);
    desc->image_type = static_cast<cl_mem_object_type>(random_.between(0x10f0, 0x10f7));
    desc->image_width = size();
    desc->image_height = static_cast<std::size_t>(random_.between(0, 9));
    desc->image_depth = static_cast<std::size_t>(random_.between(0, 3));
    desc->image_array_size = static_cast<std::size_t>(random_.between(0, 3));
    desc->image_row_pitch = random_.chance(70) ? 0 : size();
    desc->image_slice_pitch = random_.chance(80) ? 0 : size();
    desc->num_mip_levels = static_cast<cl_uint>(random_.chance(80) ? 0 : random_.between(0, 4));
    desc->mem_object = random_.chance(70) ? nullptr : value<cl_mem>();
    return desc;
  }

  /// The value of clSetKernelArg: sometimes the address of a handle.
  void* argumentOrMemory(bool isInput) {
    if (!isInput || function_ != "clSetKernelArg" || random_.chance(20)) return memory(isInput);
    // The list has more bytes than the call's size says where that is below the size of a handle.
    auto* const place = static_cast<void**>(lists_.make(std::clamp<std::size_t>(bytes_.value_or(8), 8, 65536)));
    *place = random_.chance(80) ? value<cl_mem>() : static_cast<void*>(value<cl_sampler>());
    return place;
  }

  const char* text(const char*) {
    constexpr const char* texts[] = {"", "fill", "add", "tile", "wrong", "-cl-std=CL3.0", "-cl-opt-disable"};
    return random_.chance(5) ? nullptr : random_.pick(texts);
  }
  char* text(char*) { return static_cast<char*>(memory(false)); }

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
      if (promise->event != event) return;
      clReleaseEvent(event);
      promise->holdsEvent.store(false);
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
  /// A driver may copy several parts at a time: none of them may lie in memory that others have behind this.
  GuardedMemory host_{1, hostBytes, std::size_t{64} << 30};
  Lists lists_;
  std::optional<cl_uint> count_;      ///< the parameter before lists, if it may be their count
  std::optional<std::size_t> bytes_;  ///< the parameter before memory, if it may be its size
  std::deque<Promise> promises_;      ///< callbacks have addresses of elements
  Promise* promise_ = nullptr;
  std::array<void*, classes> outputs_{};  ///< lists of handles that the call writes, by class
  std::array<std::size_t, classes> outputCounts_{};
};

}  // namespace clarity::fuzz
