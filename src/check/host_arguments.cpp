// SPDX-License-Identifier: Apache-2.0
// This file looks at values of kernel arguments that have the right size and are of another kind.
#include "check/host_checks.h"
#include "check/host_layouts.h"
#include "check/host_place.h"
#include "device/observer.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace clarity::check {
namespace {

using compiler::ArgKind;
using compiler::KernelArg;

/// Whether the bits of an integer are those of a number that programs write down: 1.0f, 0.25f, 100.0f. Powers of two
/// are numbers that programs write as integers too.
bool looksLikeFloat(std::uint32_t bits) {
  const float value = std::bit_cast<float>(bits);
  const float size = std::fabs(value);
  return (bits & 0xffffu) == 0 && !std::has_single_bit(bits) && size >= 1e-3f && size <= 1e6f;
}
bool looksLikeDouble(std::uint64_t bits) {
  const double size = std::fabs(std::bit_cast<double>(bits));
  return (bits & 0xffffffffu) == 0 && !std::has_single_bit(bits) && size >= 1e-3 && size <= 1e6;
}

class ArgumentCheck final : public HostCheck {
public:
  explicit ArgumentCheck(HostScene& scene) : scene_(scene) {}

  void before(HostCall& call) override {
    if (!call.is("clSetKernelArg") || !call.at("arg_value")) return;
    const compiler::KernelInfo* const kernel = scene_.services.kernelOf(call.at<cl_kernel>("kernel"));
    const auto index = call.at<cl_uint>("arg_index");
    if (!kernel || index >= kernel->args.size()) return;
    const KernelArg& argument = kernel->args[index];
    std::string text = explain(argument, call);
    if (text.empty()) text = explainByType(argument, call);
    if (text.empty()) return;
    const std::string name =
        argument.name.empty() ? fmt::format("{}", index) : fmt::format("{} '{}'", index, argument.name);
    scene_.report(Kind::ArgumentKind, CallSite(call),
                  fmt::format("argument {} of kernel '{}' gets {}", name, kernel->name, text),
                  scene_.objects.inWords(call));
  }

private:
  /// What is wrong with the value; empty: nothing.
  std::string explain(const KernelArg& argument, const HostCall& call) const {
    if (const std::string name = liveName(call.at("arg_value")); !name.empty())
      return fmt::format("what {} points at: clSetKernelArg takes the address of the handle", name);
    if (argument.kind != ArgKind::Value || call.at("arg_size") != argument.size) return {};
    const auto* const value = call.at<const void*>("arg_value");
    if (argument.size == 8) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, value, sizeof bits);
      if (const std::string name = liveName(bits); !name.empty())
        return fmt::format("the handle of {} as a number: it is of type {}", name, argument.typeName);
      if ((argument.typeName == "long" || argument.typeName == "ulong") && looksLikeDouble(bits))
        return fmt::format("the bits of {} (double) as {}", std::bit_cast<double>(bits), argument.typeName);
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
    if (argument.kind != ArgKind::Value || call.at("arg_size") != argument.size) return {};
    const auto key = std::pair{call.frames, &argument};
    if (!seen_.insert(key).second) return {};
    const std::optional<GivenVariable> given = variableGiven(call.frames, "clSetKernelArg", 3);
    if (!given || given->type.numbers.empty()) return {};
    const std::string type = given->type.type.empty() ? "a structure" : given->type.type;
    if (argument.layout.empty()) {
      if (!given->type.isScalar || given->type.bytes == argument.size) return {};
      if (given->type.bytes < argument.size)
        return fmt::format("the {} bytes of '{}' ({}) and {} behind it as {}", given->type.bytes, given->name, type,
                           argument.size - given->type.bytes, argument.typeName);
      return fmt::format("the first {} of the {} bytes of '{}' ({}) as {}", argument.size, given->type.bytes,
                         given->name, type, argument.typeName);
    }
    if (given->type.isScalar) return {};
    const std::string wrong = otherNumber(argument.layout, given->type);
    return wrong.empty() ? std::string()
                         : fmt::format("'{}' ({}), whose members are others than those of {}: {}", given->name, type,
                                       argument.typeName, wrong);
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
