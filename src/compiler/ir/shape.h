// SPDX-License-Identifier: Apache-2.0
// This file is what the code of a kernel is specialised for, beside the device.
#pragma once

#include "support/fields.h"

#include <array>
#include <cstdint>
#include <vector>

namespace clarity::compiler {

/// Events that code reports while it runs. It is part of the shape: code for None has nothing of it. All others but
/// Bounds and Count are compiled from the portable IR that the compiled program keeps (CompiledProgram::portableIR),
/// execute work-items one by one, and report to a device::Observer.
enum class Instrumentation : std::uint8_t {
  None,
  Check,         ///< work-groups run one after another too, on one thread: all events come in a defined order
  Profile,       ///< work-groups run on all workers: events of different work-groups come in any order
  CheckAllowed,  ///< as Check, but without the accesses that are allowed, and on all workers
  CheckValues,   ///< as CheckAllowed, and values that were never written are followed
  /// Bounds-checked code: optimised code, in packets, that leaves its slice before an access that is outside of its
  /// memory, and reports nothing: the slice is executed again by code for CheckAccesses.
  Bounds,
  CheckAccesses,  ///< as CheckAllowed, but with accesses alone, and group-agnostic where other code is
  CheckRaces,     ///< as CheckAllowed, and cells of memory are compared (support/race_cells.h)
  CheckAll,       ///< as CheckRaces, and values that were never written are followed
  /// Counted code: optimised code, in packets, that counts how often its blocks are executed (host/count_blocks.h).
  Count,
  /// Debugged code: one call executes one work-item, as its source has it, with variables in memory and functions as
  /// functions; it reports nothing. Work-groups run one after another, their work-items in turn (device/cpu/turns.h).
  Debug,
};

/// Whether code is made from the same kernel IR as that for None, and optimised as that is.
inline bool isOptimised(Instrumentation kind) {
  return kind == Instrumentation::None || kind == Instrumentation::Bounds || kind == Instrumentation::Count;
}

/// Whether code compares cells of memory.
inline bool looksAtCells(Instrumentation kind) {
  return kind == Instrumentation::CheckRaces || kind == Instrumentation::CheckAll;
}

/// Whether code keeps shadows of values and memory, which say what was never written.
inline bool followsValues(Instrumentation kind) {
  return kind == Instrumentation::Check || kind == Instrumentation::CheckValues || kind == Instrumentation::CheckAll;
}

/// Facts about an image or a sampler among the arguments that code is specialised for.
struct ImageFacts {
  std::uint32_t argument = 0;         ///< index in KernelInfo::args
  std::uint32_t order = 0, type = 0;  ///< cl_channel_order and cl_channel_type of an image
  std::uint32_t texelBytes = 0;
  bool offsetsFitInt = false;  ///< all texels are less than 2^31 bytes from the first
  std::uint64_t sampler = 0;   ///< SamplerBits of a sampler (image_descriptor.h)

  static constexpr auto fields() {
    using support::field;
    return support::fieldList(field("argument", &ImageFacts::argument), field("order", &ImageFacts::order),
                              field("type", &ImageFacts::type), field("texelBytes", &ImageFacts::texelBytes),
                              field("offsetsFitInt", &ImageFacts::offsetsFitInt),
                              field("sampler", &ImageFacts::sampler));
  }
  auto operator<=>(const ImageFacts&) const = default;
};
static_assert(support::listsEveryField<ImageFacts>);

/// The value of an argument, a number, that code has as a constant.
struct ConstantArgument {
  std::uint32_t argument = 0;  ///< index in KernelInfo::args
  std::uint64_t bits = 0;      ///< bits of the number, those above its size 0

  static constexpr auto fields() {
    using support::field;
    return support::fieldList(field("argument", &ConstantArgument::argument), field("bits", &ConstantArgument::bits));
  }
  auto operator<=>(const ConstantArgument&) const = default;
};
static_assert(support::listsEveryField<ConstantArgument>);

/// Facts that native code is specialised for.
struct Shape {
  std::array<std::uint32_t, 3> local{};  ///< exact work-group size; 0 0 0: any size up to the enqueued one
  bool wideIds = false;                  ///< ids need 64 bits: offset plus global size reaches wideIdsFrom
  bool nonTemporal = false;              ///< non-temporal stores: the results of the launch do not fit into the caches
  bool interchange =
      true;  ///< work-items may stride through more memory than the caches hold, in loops of high trip count
  /// So many work-items along x and y run so long that it may pay to copy what they have in common (strip-mine).
  bool panels = false;
  /// The reductions among the arguments are copies that one thread alone accesses; of a GPU: its blocks may count in
  /// copies of their own (nvptx/count_in_blocks.h).
  bool privateReductions = false;
  /// Most work-items that a thread of a GPU may execute: as many as leave all its threads something to do. 1: there are
  /// too few to share a thread; 0: not known, a thread executes one.
  std::uint32_t itemsPerThread = 0;
  /// Blocks of a GPU may reach beyond the range, where work-items may lie in any block: it may be no multiple of them.
  bool partialBlocks = false;
  /// The range of a GPU's launch is no multiple of the work-group size, and the kernel cannot observe work-groups.
  bool uneven = false;
  /// The launch is a part of one that is divided among devices, whose group ids begin where LaunchInfo says. Only of
  /// GPUs: on the CPU all launches are such.
  bool part = false;
  /// No two buffers of the launch overlap, except such as the kernel can write neither of (device/distinct_buffers.h).
  bool distinctBuffers = false;
  Instrumentation instrumentation = Instrumentation::None;
  /// Quick code, which the first launch of the other fields' shape may get: it computes the same, takes longer for it,
  /// and is compiled in less than half the time. On a GPU: stand-in code, which may need more registers than the
  /// largest work-groups have.
  bool quick = false;
  std::vector<ImageFacts> images{};  ///< by argument; one that is not there may be of any format, or any sampler
  std::vector<ConstantArgument> constants{};  ///< by argument; one that is not there may have any value

  static constexpr auto fields() {
    using support::field;
    return support::fieldList(
        field("local", &Shape::local), field("wideIds", &Shape::wideIds), field("nonTemporal", &Shape::nonTemporal),
        field("interchange", &Shape::interchange), field("panels", &Shape::panels),
        field("privateReductions", &Shape::privateReductions), field("itemsPerThread", &Shape::itemsPerThread),
        field("partialBlocks", &Shape::partialBlocks), field("uneven", &Shape::uneven), field("part", &Shape::part),
        field("distinctBuffers", &Shape::distinctBuffers), field("instrumentation", &Shape::instrumentation),
        field("quick", &Shape::quick), field("images", &Shape::images), field("constants", &Shape::constants));
  }
  bool operator==(const Shape&) const = default;
};
static_assert(support::listsEveryField<Shape>);

}  // namespace clarity::compiler
