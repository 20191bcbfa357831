// SPDX-License-Identifier: Apache-2.0
// This file looks at values of kernel arguments that have the right size and are of another kind.
#include "check/host/host_checks.h"
#include "check/host/host_layouts.h"
#include "check/host/host_place.h"
#include "check/host/written_numbers.h"
#include "device/observer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace clarity::check {
namespace {

using compiler::ArgKind;
using compiler::KernelArg;

bool isFloat(std::string_view type) { return type == "float" || type == "double"; }
bool isInteger(std::string_view type) {
  constexpr std::array<std::string_view, 9> names = {"char", "uchar", "short", "ushort", "int",
                                                     "uint", "long",  "ulong", "bool"};
  return std::ranges::find(names, type) != names.end();
}

/// "float" of "float4".
std::string_view elementOf(std::string_view type) { return type.substr(0, type.find_first_of("0123456789")); }

/// Whether the bits are numbers of ordinary size, of so many bytes each: integers hold those of floating-point numbers
/// now and then.
bool isOrdinary(const void* value, std::uint64_t size, std::uint64_t bytes) {
  const auto* at = static_cast<const std::byte*>(value);
  for (const auto* const end = at + size; at + bytes <= end; at += bytes) {
    double number = 0;
    if (bytes == sizeof(float)) {
      float single = 0;
      std::memcpy(&single, at, sizeof single);
      number = static_cast<double>(single);
    } else {
      std::memcpy(&number, at, sizeof number);
    }
    const double amount = std::fabs(number);
    if (number != 0 && !(amount >= 1e-9 && amount <= 1e12)) return false;
  }
  return true;
}

/// The place of the value in the source: C's function takes its address, the method of opencl.hpp the value.
constexpr std::array argumentUses = {PointerUse{"clSetKernelArg", 3}, PointerUse{"setArg", 1}};

class ArgumentCheck final : public HostCheck {
public:
  explicit ArgumentCheck(HostScene& scene) : scene_(scene) {}

  void before(HostCall& call) override {
    if (!call.is("clSetKernelArg") || !call.at("arg_value")) return;
    // The size alone counts for local memory.
    const compiler::KernelInfo* const kernel = scene_.services.kernelOf(call.at<cl_kernel>("kernel"));
    const auto index = call.at<cl_uint>("arg_index");
    if (!kernel || index >= kernel->args.size()) return;
    const KernelArg& argument = kernel->args[index];
    if (argument.kind == ArgKind::Local) return;
    std::string text = call.hasValue ? handleGiven(argument, call) : unreadable(call);
    if (text.empty() && call.hasValue) text = explainByBits(argument, call);
    if (text.empty()) text = explainByType(argument, call);
    if (text.empty()) return;
    const std::string name =
        argument.name.empty() ? fmt::format("{}", index) : fmt::format("{} '{}'", index, argument.name);
    scene_.report(Kind::ArgumentKind, CallSite(call),
                  fmt::format("argument {} of kernel '{}' gets {}", name, kernel->name, text),
                  scene_.objects.inWords(call), {}, {}, helpFor(argument, call));
  }

private:
  static std::string unreadable(const HostCall& call) {
    constexpr std::uint64_t mostNumber = 1 << 20;
    const std::uint64_t value = call.at("arg_value");
    return value <= mostNumber
               ? fmt::format("the number {} in place of an address: clSetKernelArg takes the address of a variable",
                             value)
               : fmt::format("the address {:#x}, where nothing can be read", value);
  }

  /// The value to give in its place, by the kernel's type.
  static std::string helpFor(const KernelArg& argument, const HostCall& call) {
    if (!call.hasValue && argument.kind == ArgKind::Value)
      return fmt::format("give the address of a variable of type cl_{}: &name", argument.typeName);
    if (argument.kind != ArgKind::Value || (!isFloat(argument.typeName) && !isInteger(argument.typeName))) return {};
    return fmt::format(
        "give the address of a variable of type cl_{}, and its size; a size_t of the host is a cl_ulong "
        "on most systems, and no type that kernels may have as an argument",
        argument.typeName);
  }

  /// A handle where a number or the address of the handle is to be; empty: there is none.
  std::string handleGiven(const KernelArg& argument, const HostCall& call) const {
    if (const std::string name = liveName(call.at("arg_value")); !name.empty())
      return fmt::format("what {} points at: clSetKernelArg takes the address of the handle", name);
    std::uint64_t bits = 0;
    if (argument.kind != ArgKind::Value || argument.size != sizeof bits || call.at("arg_size") != sizeof bits)
      return {};
    std::memcpy(&bits, call.at<const void*>("arg_value"), sizeof bits);
    const std::string name = liveName(bits);
    return name.empty() ? std::string()
                        : fmt::format("the handle of {} as a number: it is of type {}", name, argument.typeName);
  }

  /// Bits that are a number of another kind, by their value; empty: they are not, or the program means them.
  std::string explainByBits(const KernelArg& argument, const HostCall& call) {
    const std::string text = otherNumber(argument, call);
    return text.empty() || isMeant(argument, call) ? std::string() : text;
  }

  /// Whether the host's variable has the type of the argument, or one with several views of its bits.
  static bool isMeant(const KernelArg& argument, const HostCall& call) {
    const std::optional<GivenVariable> given = variableGiven(call.frames, argumentUses);
    if (!given) return false;
    const std::vector<DebugNumber>& numbers = given->type.numbers;
    if (numbers.empty()) return given->type.bytes == argument.size;
    const bool isFloatingPoint = numbers[0].kind == DebugNumber::Kind::Float;
    return given->type.isScalar && numbers[0].bytes == argument.size && isFloatingPoint == isFloat(argument.typeName);
  }

  static std::string otherNumber(const KernelArg& argument, const HostCall& call) {
    if (argument.kind != ArgKind::Value || call.at("arg_size") != argument.size) return {};
    const auto* const value = call.at<const void*>("arg_value");
    if (argument.size == 8) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, value, sizeof bits);
      const double number = std::bit_cast<double>(bits);
      const bool isLong = argument.typeName == "long" || argument.typeName == "ulong";
      const bool isPair = argument.typeName == "float2" || argument.typeName == "int2" || argument.typeName == "uint2";
      if ((isLong && looksLikeDouble(bits)) || (isPair && areWrittenDoubles(std::span(&number, 1))))
        return fmt::format("the bits of {} (double) as {}", number, argument.typeName);
      constexpr std::uint64_t leastNormal = std::uint64_t{1} << 52, mostNegative = 0xffff000000000000u;
      if (argument.typeName == "double" && bits != 0 && (bits < leastNormal || bits > mostNegative))
        return fmt::format("the bits of {} (an integer) as double", static_cast<std::int64_t>(bits));
    }
    if (argument.size == 4) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, value, sizeof bits);
      if ((argument.typeName == "int" || argument.typeName == "uint") && looksLikeFloat(bits))
        return fmt::format("the bits of {} (float) as {}", std::bit_cast<float>(bits), argument.typeName);
      // Numbers so small come from integers.
      if (argument.typeName == "float" && bits != 0 && (bits < 0x00800000u || bits > 0xffff0000u))
        return fmt::format("the bits of {} (an integer) as float", static_cast<std::int32_t>(bits));
    }
    return {};
  }

  /// By the type that the host's variable has, once for each call and argument.
  std::string explainByType(const KernelArg& argument, const HostCall& call) {
    if (argument.kind != ArgKind::Value || call.at("arg_size") != argument.size || !call.hasValue) return {};
    const auto key = std::pair{call.frames, &argument};
    if (!seen_.insert(key).second) return {};
    const std::optional<GivenVariable> given = variableGiven(call.frames, argumentUses);
    if (!given || given->type.numbers.empty()) return {};
    const std::string type = given->type.isArray        ? "an array"
                             : given->type.type.empty() ? "a structure"
                                                        : given->type.type;
    if (argument.layout.empty()) {
      if (given->type.bytes == argument.size) return otherKind(argument, *given, call);
      if (!given->type.isScalar) return {};
      if (given->type.bytes < argument.size)
        return fmt::format("the {} bytes of '{}' ({}) and {} behind it as {}", given->type.bytes, given->name, type,
                           argument.size - given->type.bytes, argument.typeName);
      return fmt::format("the first {} of the {} bytes of '{}' ({}) as {}", argument.size, given->type.bytes,
                         given->name, type, argument.typeName);
    }
    if (given->type.isScalar || given->type.isArray) return {};
    const std::string wrong = check::otherNumber(argument.layout, given->type);
    return wrong.empty() ? std::string()
                         : fmt::format("'{}' ({}), whose members are others than those of {}: {}", given->name, type,
                                       argument.typeName, wrong);
  }

  /// A variable of the right size: whether it is an integer where the kernel has a floating-point number, or so; of
  /// vectors, whether all numbers are.
  static std::string otherKind(const KernelArg& argument, const GivenVariable& given, const HostCall& call) {
    using enum DebugNumber::Kind;
    const DebugNumber& first = given.type.numbers.front();
    const bool areAlike = std::ranges::all_of(given.type.numbers, [&](const DebugNumber& number) {
      return number.kind == first.kind && number.bytes == first.bytes;
    });
    const std::string_view type = elementOf(argument.typeName);
    const std::uint64_t bytes = type == "double" ? sizeof(double) : sizeof(float);
    if (!areAlike || (!given.type.isScalar && first.bytes == 1)) return {};  // bytes are raw storage
    const bool isOther = (first.kind == Float && isInteger(type)) ||
                         (first.kind == Integer && isFloat(type) &&
                          !isOrdinary(call.at<const void*>("arg_value"), argument.size, bytes));
    const std::string its =
        given.type.isArray ? first.kind == Float ? "floating-point numbers" : "integers" : given.type.type;
    return isOther ? fmt::format("the bits of '{}' ({}) as {}", given.name, its, argument.typeName) : std::string();
  }

  std::string liveName(std::uint64_t handle) const {
    const HostObject* const object = scene_.objects.find(handle);
    return object && !object->isDead() && object->kind != ValueKind::Pointer ? object->name : std::string();
  }

  HostScene& scene_;
  std::set<std::pair<Frames, const KernelArg*>> seen_;
};

}  // namespace

HostCheckRef argumentCheck(HostScene& scene) { return std::make_unique<ArgumentCheck>(scene); }

}  // namespace clarity::check
