// SPDX-License-Identifier: Apache-2.0
// This file is the plan of a built-in kernel: the launches that one command of the application becomes.
#pragma once

#include "built_in/catalogue.h"
#include "device/executable.h"
#include "device/properties.h"

#include <CL/cl.h>
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace clarity::built_in {

/// An argument of the application's.
struct Argument {
  std::span<const std::byte> value{};                           ///< bytes of a number
  bool isNull = true;                                           ///< the rest is of a pointer
  std::size_t bytes = std::numeric_limits<std::size_t>::max();  ///< from the pointer on; the largest: not known
  const void* root = nullptr;                                   ///< the memory that it is in; null: not known
  std::size_t offset = 0;                                       ///< in the root
  bool isReadOnly = false;                                      ///< nothing may be written there
};

/// Memory for the plan alone.
struct Scratch {
  std::uint32_t number = 0;
};

/// An argument of a pass: one of the application's, scratch memory, local memory or a number.
struct PassArgument {
  enum class Kind : std::uint8_t { Argument, Scratch, Local, Null, Value } kind = Kind::Value;
  std::uint32_t number = 0;  ///< the number of the argument or the scratch memory
  std::uint64_t localBytes = 0;
  std::array<std::byte, 8> value{};
  std::uint32_t bytes = 0;  ///< bytes of the value
};

/// A launch. `range.local` is all 0 where the device chooses.
struct Pass {
  std::string function;
  std::vector<PassArgument> arguments;
  device::NDRange range;
};

struct Plan {
  std::vector<std::uint64_t> scratch;  ///< bytes
  std::vector<Pass> passes;            ///< one after the other; none: nothing is to be done
};

/// The NDRange that the application gave, for kernels whose work it divides.
struct GivenRange {
  device::NDRange range;
  bool hasLocal = false;
  bool isEmpty = false;  ///< there are no work-items, so nothing is to be done
};

struct Local {
  std::uint64_t bytes;
};
struct Null {};

/// Makes a plan: a family's function reads arguments, checks them and adds passes. The first check that fails is the
/// result; what is done afterwards has no effect, so functions may go on.
class Builder {
public:
  Builder(const Kernel& kernel, const device::Properties& device, std::span<const Argument> arguments, GivenRange given)
      : kernel_(kernel), device_(device), arguments_(arguments), given_(given) {}

  const Kernel& kernel() const { return kernel_; }
  const device::Properties& device() const { return device_; }
  const GivenRange& given() const { return given_; }
  /// Whether groups of work-items run in step, so that neighbours have to access neighbouring elements.
  bool isWide() const { return device_.type == CL_DEVICE_TYPE_GPU; }
  /// Work-items of a sub-group where they do not run in step: a vector of 32-bit numbers.
  std::uint64_t lanes() const { return device_.vectorBits < 32 ? 1 : device_.vectorBits / 32; }
  const ElementType& type() const { return *kernel_.type; }
  /// "reduce_sum_f32" for "reduce_sum": a function of the kernel's types.
  std::string function(std::string_view base) const;

  /// The value of an integer argument.
  std::uint64_t number(std::string_view name) const;
  /// Whether it is the value of a floating-point or integer argument.
  double real(std::string_view name) const;
  bool isNull(std::string_view name) const { return arguments_[indexOf(name)].isNull; }
  /// Whether the pointer is known to be to a multiple of so many bytes, at most those that allocations are aligned to.
  bool isAligned(std::string_view name, std::uint64_t bytes) const;

  /// CL_INVALID_ARG_VALUE with this sentence unless `holds`.
  template <class... Values>
  bool require(bool holds, fmt::format_string<const Values&...> text, const Values&... values) {
    if (!holds && code_ == CL_SUCCESS) refuse(CL_INVALID_ARG_VALUE, fmt::format(text, values...));
    return holds;
  }
  /// A number that must not be 0.
  void positive(std::string_view name);
  /// The pointer has so many elements: CL_INVALID_BUFFER_SIZE. For 0 it may be null.
  void needs(std::string_view name, std::uint64_t elements);
  /// The same for n elements, `step` apart, `rows` of them `pitch` apart, `planes` of these `distance` apart.
  void needsBox(std::string_view name, std::uint64_t n, std::uint64_t step, std::uint64_t rows = 1,
                std::uint64_t pitch = 0, std::uint64_t planes = 1, std::uint64_t distance = 0);
  /// The two do not overlap as far as needs() said that they are used: CL_MEM_COPY_OVERLAP. With `same` they may be one
  /// and the same.
  void apart(std::string_view a, std::string_view b, bool same = false);
  /// a * b, or the check that it fits fails.
  std::uint64_t product(std::uint64_t a, std::uint64_t b);

  Scratch scratch(std::uint64_t bytes);
  /// An argument of passes: one of the application's, or what argument() takes.
  PassArgument given(std::string_view name) const { return argument(name); }
  static PassArgument given(Scratch it) { return argument(it); }
  static PassArgument given(Null it) { return argument(it); }
  static PassArgument given(double number) { return argument(number); }
  static PassArgument given(float number) { return argument(number); }
  /// From the pointer on.
  std::uint64_t bytesOf(std::string_view name) const { return arguments_[indexOf(name)].bytes; }
  /// Adds a launch of a function. An argument is the name of one of the application's, a Scratch, a Local or a number
  /// of the type that the function has.
  template <class... Arguments>
  void pass(std::string function, device::NDRange range, Arguments... arguments) {
    plan_.passes.push_back({std::move(function), {argument(arguments)...}, range});
  }

  bool isRefused() const { return code_ != CL_SUCCESS; }
  cl_int code() const { return code_; }
  const std::string& text() const { return text_; }
  Plan take() { return std::move(plan_); }
  void refuse(cl_int code, std::string text);

private:
  std::uint32_t indexOf(std::string_view name) const;
  std::size_t elementBytes(std::uint32_t index) const;
  PassArgument argument(std::string_view name) const {
    return {.kind = PassArgument::Kind::Argument, .number = indexOf(name)};
  }
  PassArgument argument(const char* name) const { return argument(std::string_view(name)); }
  static PassArgument argument(Scratch it) { return {.kind = PassArgument::Kind::Scratch, .number = it.number}; }
  static PassArgument argument(Local it) { return {.kind = PassArgument::Kind::Local, .localBytes = it.bytes}; }
  static PassArgument argument(PassArgument it) { return it; }
  static PassArgument argument(Null) { return {.kind = PassArgument::Kind::Null}; }
  template <class Number>
    requires std::is_arithmetic_v<Number>
  static PassArgument argument(Number number) {
    PassArgument made{.kind = PassArgument::Kind::Value, .bytes = sizeof number};
    std::memcpy(made.value.data(), &number, sizeof number);
    return made;
  }

  const Kernel& kernel_;
  const device::Properties& device_;
  std::span<const Argument> arguments_;
  GivenRange given_;
  std::vector<std::uint64_t> used_ = std::vector<std::uint64_t>(arguments_.size());  ///< bytes, as needs() said
  Plan plan_;
  mutable std::uint32_t next_ = 0;  ///< behind the argument that was asked for last
  cl_int code_ = CL_SUCCESS;
  std::string text_;
};

/// An NDRange whose work-group size the device chooses.
device::NDRange items(std::uint64_t x, std::uint64_t y = 1, std::uint64_t z = 1);
/// An NDRange of work-groups.
device::NDRange groups(std::uint64_t count, std::uint64_t size, std::uint64_t y = 1, std::uint64_t z = 1);
constexpr std::uint64_t divideUp(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0); }
constexpr std::uint64_t roundUp(std::uint64_t a, std::uint64_t b) { return divideUp(a, b) * b; }

}  // namespace clarity::built_in
