// SPDX-License-Identifier: Apache-2.0
// This file finds the memory that a faulting access was meant for and describes the access.
#include "device/cpu/fault_report.h"

#include "device/cpu/device_range.h"

#include <CL/cl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace clarity::device::cpu {
namespace {

/// An address this near to memory of the launch, or as near as that is large, was meant to be in it: the gaps between
/// pieces of memory are larger (device_range.h).
constexpr std::uint64_t nearBytes = 64u << 10;
/// 2^31 elements of 32 bytes: further away nothing is named.
constexpr std::uint64_t furthest = std::uint64_t{64} << 30;

/// Memory that the kernel was given.
struct Region {
  std::uint64_t begin = 0, bytes = 0;
  std::string name;                ///< "argument 2 'y'"
  std::string_view type{};         ///< the type of an element; empty if it has none, or none that is known
  std::uint64_t elementBytes = 0;  ///< 0 if not known
  bool writable = true;
  bool several = false;  ///< the name is a plural
};

std::uint64_t bytesOf(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 12> scalars{{{"uchar", 1},
                                                                                {"char", 1},
                                                                                {"ushort", 2},
                                                                                {"short", 2},
                                                                                {"half", 2},
                                                                                {"uint", 4},
                                                                                {"int", 4},
                                                                                {"float", 4},
                                                                                {"ulong", 8},
                                                                                {"long", 8},
                                                                                {"double", 8},
                                                                                {"size_t", 8}}};
  for (const auto& [name, bytes] : scalars) {
    if (!type.starts_with(name)) continue;
    const std::string_view lanes = type.substr(name.size());
    if (lanes.empty()) return bytes;
    std::uint64_t count = 0;
    const auto [end, error] = std::from_chars(lanes.data(), lanes.data() + lanes.size(), count);
    const bool valid = error == std::errc() && end == lanes.data() + lanes.size() && count >= 2 && count <= 16;
    return valid ? bytes * (count == 3 ? 4 : count) : 0;
  }
  return 0;
}

/// "float" of "float*"; empty for elements of a size that is not known here.
std::string_view elementType(const compiler::KernelArg& arg) {
  std::string_view type = arg.typeName;
  while (!type.empty() && (type.back() == '*' || type.back() == ' ')) type.remove_suffix(1);
  return std::ranges::count(arg.typeName, '*') == 1 && bytesOf(type) > 0 ? type : std::string_view();
}

std::string nameOf(const Launch& launch, std::size_t index) {
  const std::string& name = launch.info->args[index].name;
  return name.empty() ? fmt::format("argument {}", index) : fmt::format("argument {} '{}'", index, name);
}

std::uint64_t valueOf(const Launch& launch, const std::byte* args, std::size_t index) {
  std::uint64_t value = 0;
  const std::size_t offset = launch.info->args[index].offset;
  if (offset + sizeof value <= launch.args.size()) std::memcpy(&value, args + offset, sizeof value);
  return value;
}

bool isConst(const compiler::KernelArg& arg) {
  return arg.address == compiler::AddressQualifier::Constant || arg.typeQualifiers & CL_KERNEL_ARG_TYPE_CONST;
}

void setType(Region& region, const compiler::KernelArg& arg) {
  region.type = elementType(arg);
  region.elementBytes = bytesOf(region.type);
}

void addBuffers(const Launch& launch, const std::byte* args, std::vector<Region>& regions) {
  for (const BufferArgument& buffer : launch.buffers) {
    const std::uint64_t begin = valueOf(launch, args, buffer.argument);
    if (begin == 0) continue;
    const compiler::KernelArg& arg = launch.info->args[buffer.argument];
    regions.push_back({.begin = begin, .bytes = buffer.bytes, .name = nameOf(launch, buffer.argument)});
    regions.back().writable = !isConst(arg);
    setType(regions.back(), arg);
  }
}

/// An access behind several arrays may have meant any of them: then they are one region.
void addLocal(const FaultScene& scene, std::vector<Region>& regions) {
  const Launch& launch = scene.launch;
  if (launch.localBytes == 0 || !scene.memory.local) return;
  Region its, only;
  std::size_t arrays = 0;
  const auto add = [&](Region array) {
    its.name += (arrays++ ? ", " : "") + array.name;
    only = std::move(array);
  };
  for (const compiler::LocalArray& array : scene.localArrays)
    add({.begin = array.offset,
         .bytes = array.bytes,
         .name = "local array '" + array.name + "'",
         .type = {},
         .elementBytes = array.elementBytes});
  for (std::size_t i = 0; i < launch.info->args.size(); ++i) {
    if (launch.info->args[i].kind != compiler::ArgKind::Local) continue;
    const std::uint64_t offset = valueOf(launch, scene.args, i);
    add({.begin = offset, .bytes = launch.localBytes - offset, .name = "local " + nameOf(launch, i)});
    setType(only, launch.info->args[i]);
  }
  its.bytes = launch.localBytes;
  its.name = arrays == 0 ? "local memory" : "local memory (" + its.name + ")";
  Region& meant = arrays == 1 ? only : its;
  // The local memory of the first to the last of the work-groups that run together.
  meant.begin += reinterpret_cast<std::uintptr_t>(scene.memory.local);
  regions.push_back(meant);
  if (scene.memory.groups <= 1) return;
  meant.begin += (scene.memory.groups - 1) * scene.memory.localBytes;
  regions.push_back(meant);
}

void addVariables(const VariableStorage& storage, std::vector<Region>& regions) {
  const compiler::GlobalVariables& all = storage.variables();
  if (!storage.base()) return;
  const auto base = reinterpret_cast<std::uintptr_t>(storage.base());
  const auto nameOfVariable = [](const compiler::GlobalVariables::Variable& variable) {
    const std::string_view symbol = variable.symbol;
    return fmt::format("'{}'", symbol.substr(symbol.find('.') + 1));
  };
  if (all.variables.size() == 1) {
    const auto& only = all.variables.front();
    regions.push_back(
        {.begin = base + only.offset, .bytes = only.bytes, .name = "program-scope variable " + nameOfVariable(only)});
    return;
  }
  constexpr std::size_t most = 4;
  std::string names;
  for (std::size_t i = 0; i < std::min(most, all.variables.size()); ++i)
    names += (i ? ", " : "") + nameOfVariable(all.variables[i]);
  if (all.variables.size() > most) names += ", ...";
  regions.push_back({.begin = base, .bytes = all.bytes, .name = "the program-scope variables (" + names + ")"});
  regions.back().several = true;
}

std::vector<Region> regionsOf(const FaultScene& scene) {
  std::vector<Region> regions;
  addBuffers(scene.launch, scene.args, regions);
  addLocal(scene, regions);
  addVariables(scene.variables, regions);
  if (scene.spillBytes > 0 && scene.memory.spill)
    regions.push_back({.begin = reinterpret_cast<std::uintptr_t>(scene.memory.spill),
                       .bytes = scene.spillBytes,
                       .name = "the private memory that work-items keep across a barrier"});
  return regions;
}

/// The distance of an address outside of a region.
struct Distance {
  std::uint64_t bytes = 0;
  bool before = false;

  /// Few accesses go astray downwards.
  std::uint64_t rank() const { return before ? 4 * bytes : bytes; }
  std::string describe() const {
    if (before) return fmt::format("{} bytes before its beginning", bytes);
    return bytes == 0 ? "just past its end" : fmt::format("{} bytes past its end", bytes);
  }
};

bool isInside(const Region& region, std::uint64_t at) { return at - region.begin < region.bytes; }

Distance distanceOf(const Region& region, std::uint64_t at) {
  if (at < region.begin) return {region.begin - at, true};
  return {at - region.begin - std::min(region.bytes, at - region.begin), false};
}

const Region* nearestTo(std::uint64_t at, const std::vector<Region>& regions, bool writing) {
  const Region* nearest = nullptr;
  for (const Region& region : regions) {
    if (isInside(region, at)) return &region;
    const Distance distance = distanceOf(region, at);
    if (distance.bytes > furthest || (writing && !region.writable)) continue;
    if (!nearest || distance.rank() < distanceOf(*nearest, at).rank()) nearest = &region;
  }
  return nearest;
}

std::string typeInBrackets(const Region& region) {
  return region.type.empty() ? "" : fmt::format(" ({})", region.type);
}

/// "which has 16 elements (64 bytes)"
std::string sizeOf(const Region& region) {
  const std::uint64_t element = region.elementBytes;
  if (element == 0) return fmt::format("{} {} bytes", region.several ? "which have" : "which has", region.bytes);
  const std::uint64_t count = region.bytes / element;
  return fmt::format("which has {} element{} ({} bytes)", count, count == 1 ? "" : "s", region.bytes);
}

/// "element 32 of argument 2 'y' (float)"
std::string elementOf(const Region& region, std::uint64_t at) {
  const auto offset = static_cast<std::int64_t>(at - region.begin);
  const auto element = static_cast<std::int64_t>(region.elementBytes);
  if (element == 0) return fmt::format("byte {} of {}", offset, region.name);
  const std::int64_t index = offset / element - (offset % element < 0 ? 1 : 0);
  return fmt::format("element {} of {}{}", index, region.name, typeInBrackets(region));
}

/// The buffer arguments that are NULL, as one region at address 0.
std::optional<Region> nullArguments(const Launch& launch, const std::byte* args) {
  std::optional<Region> nulls;
  for (std::size_t i = 0; i < launch.info->args.size(); ++i) {
    const compiler::KernelArg& arg = launch.info->args[i];
    if (arg.kind != compiler::ArgKind::Buffer || valueOf(launch, args, i) != 0) continue;
    if (!nulls) {
      setType(nulls.emplace(), arg);
      nulls->name = nameOf(launch, i);
    } else {
      nulls->name += " or " + nameOf(launch, i);
      nulls->type = {};
      nulls->elementBytes = 0;
    }
  }
  return nulls;
}

bool isNearNull(std::uint64_t at) { return at < furthest || ~at < furthest; }

/// Places of an address that is far from all regions in the nearest ones: none of them can be said to be meant.
std::string candidates(std::uint64_t at, const std::vector<Region>& regions, bool writing) {
  constexpr std::size_t most = 3;
  std::vector<const Region*> near;
  for (const Region& region : regions)
    if (distanceOf(region, at).bytes <= furthest && (region.writable || !writing)) near.push_back(&region);
  std::ranges::sort(near, {}, [at](const Region* region) { return distanceOf(*region, at).rank(); });
  std::string text;
  const Region* before = nullptr;
  for (std::size_t i = 0, named = 0; i < near.size() && named < most; before = near[i++]) {
    if (before && before->name == near[i]->name) continue;  // of another work-group
    text +=
        fmt::format("{}{}, {}", named++ == 0 ? "; it would be " : " or ", elementOf(*near[i], at), sizeOf(*near[i]));
  }
  return text;
}

/// "wrote element 32 of ...", for use after who did.
std::string describeAccess(const support::Fault& fault, const Launch& launch, const std::byte* args,
                           const std::vector<Region>& regions) {
  using Access = support::Fault::Access;
  const bool writing = fault.access == Access::Write;
  if (fault.stackOverflow || fault.stackOverrun || (!writing && fault.access != Access::Read)) return fault.describe();
  const char* const verb = writing ? "wrote" : "read";
  const auto at = reinterpret_cast<std::uintptr_t>(fault.address);
  const Region* const meant = nearestTo(at, regions, writing);
  if (meant && isInside(*meant, at))
    return fmt::format("{} {}, memory of the application that is not accessible", verb, elementOf(*meant, at));
  if (meant && distanceOf(*meant, at).bytes <= std::max(nearBytes, meant->bytes))
    return fmt::format("{} {}, {}: {}", verb, elementOf(*meant, at), sizeOf(*meant), distanceOf(*meant, at).describe());
  if (isNearNull(at))
    if (const auto nulls = nullArguments(launch, args))
      return fmt::format("{} {}, which is a null pointer", verb, elementOf(*nulls, at));
  return fault.describe() + candidates(at, regions, writing);
}

/// "one of work-items 0 to 999"
std::string describeWho(const FaultScene& scene) {
  const NDRange& range = scene.launch.range;
  const auto tuple = [&](const std::uint64_t* ids, std::uint64_t back) {
    std::string text;
    for (std::size_t d = 0; d < range.dims; ++d)
      text += fmt::format("{}{}", d ? ", " : "", ids[d] - back + (scene.ofItems ? range.offset[d] : 0));
    return range.dims > 1 ? "(" + text + ")" : text;
  };
  const std::string first = tuple(scene.slice.begin, 0), last = tuple(scene.slice.end, 1);
  if (scene.ofItems)
    return first == last ? "work-item " + first : fmt::format("one of work-items {} to {}", first, last);
  return first == last ? fmt::format("a work-item of work-group {}", first)
                       : fmt::format("a work-item of one of work-groups {} to {}", first, last);
}

}  // namespace

std::string reportFault(const support::Fault& fault, const FaultScene& scene) {
  return fmt::format("kernel '{}': {} {}", scene.launch.info->name, describeWho(scene),
                     describeAccess(fault, scene.launch, scene.args, regionsOf(scene)));
}

std::string reportMergeFault(const support::Fault& fault, const Launch& launch, const VariableStorage& variables) {
  const FaultScene scene{.launch = launch,
                         .args = launch.args.data(),
                         .variables = variables,
                         .localArrays = {},
                         .memory = {},
                         .spillBytes = 0,
                         .slice = {},
                         .ofItems = false};
  return fmt::format("kernel '{}': the merging of what a thread counted {}", launch.info->name,
                     describeAccess(fault, launch, scene.args, regionsOf(scene)));
}

}  // namespace clarity::device::cpu
