// SPDX-License-Identifier: Apache-2.0
// This file is one call of the application as checks of host programs get it: the entry point, its arguments, its
// result, and where it was called from.
#pragma once

#include "support/command_buffer_types.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace clarity::check {

enum class AccessKind : std::uint8_t { Read, Write, Atomic };

/// An access of the command that a call enqueues (support/api.def).
struct CallAccess {
  enum class Form : std::uint8_t { Bytes, Rows, Texels, TexelBytes, Host };
  AccessKind kind;
  Form form;
  std::string_view parameter, place;
};

/// An entry point, the names of its parameters, and what its command accesses.
struct CallInfo {
  std::string_view name;
  std::vector<std::string_view> parameters;
  std::vector<CallAccess> accesses;
  std::size_t number = 0;  ///< its place among all

  bool begins(std::string_view prefix) const { return name.starts_with(prefix); }
  /// The place of a parameter; -1 if there is none of this name.
  int indexOf(std::string_view parameter) const;
};
/// The entry of api.def for an entry point.
const CallInfo& callInfo(std::string_view name);
/// All of them, by their numbers; the first is that of functions that api.def does not have.
std::vector<const CallInfo*> allCallInfos();

enum class ValueKind : std::uint8_t {
  Number,
  Signed,
  Pointer,
  Text,
  Platform,
  Device,
  Context,
  Queue,
  Memory,
  Program,
  Kernel,
  Event,
  Sampler,
  CommandBuffer,
  Semaphore,
};
inline bool isHandle(ValueKind kind) { return kind >= ValueKind::Platform; }
/// "buffer", "command-queue".
std::string_view className(ValueKind kind);

/// An argument or a result.
struct Value {
  ValueKind kind = ValueKind::Number;
  std::uint64_t bits = 0;

  template <class T>
  static Value of(const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof bits);
    Value result{.kind = kindOf<T>()};
    if constexpr (std::is_integral_v<T>)
      result.bits = static_cast<std::uint64_t>(value);
    else
      std::memcpy(&result.bits, &value, sizeof value);
    return result;
  }
  template <class T>
  T as() const {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(bits);
    } else {
      T value{};
      std::memcpy(&value, &bits, sizeof value);
      return value;
    }
  }

private:
  template <class T>
  static constexpr ValueKind kindOf() {
    using enum ValueKind;
    if constexpr (std::is_same_v<T, cl_platform_id>) return Platform;
    if constexpr (std::is_same_v<T, cl_device_id>) return Device;
    if constexpr (std::is_same_v<T, cl_context>) return Context;
    if constexpr (std::is_same_v<T, cl_command_queue>) return Queue;
    if constexpr (std::is_same_v<T, cl_mem>) return Memory;
    if constexpr (std::is_same_v<T, cl_program>) return Program;
    if constexpr (std::is_same_v<T, cl_kernel>) return Kernel;
    if constexpr (std::is_same_v<T, cl_event>) return Event;
    if constexpr (std::is_same_v<T, cl_sampler>) return Sampler;
    if constexpr (std::is_same_v<T, cl_command_buffer_khr>) return CommandBuffer;
    if constexpr (std::is_same_v<T, cl_semaphore_khr>) return Semaphore;
    if constexpr (std::is_same_v<T, const char*>) return Text;
    if constexpr (std::is_pointer_v<T>) return Pointer;
    return std::is_signed_v<T> ? Signed : Number;
  }
};

/// The addresses that a call returns to, innermost first.
using Frames = std::array<const void*, 20>;

struct GivenVariable;

struct HostCall {
  const CallInfo& info;
  std::span<Value> arguments;  ///< a check may change them before the call
  bool hasValue = false;       ///< clSetKernelArg's arg_value can be read, for arg_size bytes
  bool wantsEvent = false;     ///< whether the application gets the command's event
  std::uint64_t number = 0;    ///< the number among all calls of the process, from 1
  std::uint64_t thread = 0;
  Frames frames{};
  std::shared_ptr<const GivenVariable> array{};  ///< Python's array, whose memory the call gives or gets; null: unknown
  cl_int error = CL_SUCCESS;                     ///< once it has returned, like what follows
  Value result{};
  std::string_view sentence{};  ///< that explains the error

  bool is(std::string_view name) const { return info.name == name; }
  bool has(std::string_view parameter) const { return info.indexOf(parameter) >= 0; }
  /// The argument of a parameter of this name; 0 if there is none.
  template <class T = std::uint64_t>
  T at(std::string_view parameter) const {
    const int index = info.indexOf(parameter);
    return index < 0 ? T{} : arguments[static_cast<std::size_t>(index)].as<T>();
  }
  template <class T>
  void set(std::string_view parameter, T value) {
    const int index = info.indexOf(parameter);
    if (index >= 0) arguments[static_cast<std::size_t>(index)].bits = Value::of(value).bits;
  }
  /// Whether it does not return before the command has ended.
  bool isBlockingTransfer() const;
  std::span<const cl_event> waitList() const;
  /// The value that clSetKernelArg gets, where that may be a handle; null: it is not.
  const std::uint64_t* givenHandle() const;
};

/// A call as it is kept to be reported later.
struct CallSite {
  const CallInfo* info = nullptr;
  std::uint64_t number = 0;
  std::uint64_t thread = 0;
  Frames frames{};

  CallSite() = default;
  explicit CallSite(const HostCall& call)
      : info(&call.info), number(call.number), thread(call.thread), frames(call.frames) {}
  std::string name() const { return info ? std::string(info->name) : "the application"; }
};

}  // namespace clarity::check
