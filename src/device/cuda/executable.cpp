// SPDX-License-Identifier: Apache-2.0
// This file makes and loads the code of launches on a GPU.
#include "device/cuda/executable.h"

#include "compiler/driver/compile_times.h"
#include "compiler/ir/cost_of_threads.h"
#include "device/distinct_buffers.h"
#include "device/host/image_facts.h"
#include "support/background.h"
#include "support/process_end.h"

#include <CL/cl.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

namespace clarity::device::cuda {
namespace {

/// Threads of a multiprocessor that hide the latency of memory when each has several work-items.
constexpr std::uint64_t threadsEnough = 256;
/// The same where blocks reach beyond the range. Chosen: with 379 threads divisions in a loop and a binary search took
/// 1.8 and 1.3 times as long as written (H100), with 568 and more sums of windows half as long.
constexpr std::uint64_t threadsEnoughOfPartialBlocks = 512;
/// Shape::itemsPerThread where a thread executes one work-item.
constexpr std::uint32_t asWritten = 0;
/// Bytes of a buffer that blocks count in apart, in shared memory, of which several blocks of a multiprocessor have
/// room.
constexpr std::uint64_t mostCounted = 32u << 10;
/// Work-items of a block for each integer of its copy, which it has to begin and to add. Chosen.
constexpr std::uint64_t leastItemsOfInteger = 8;
/// A multiprocessor that executes no more work-items at once than it has threads, divided by this, may hide too little
/// of the latency of memory. Measured on an H100: a search of nearest means with 512 took 1.25 times as long as
/// written; products of matrices with 768 (double) and 1,280 (float) 0.8 and 0.6 times.
constexpr std::uint64_t fewItems = 4;
/// Bytes: alignment of local memory.
constexpr std::uint64_t localRounding = 128;

/// Whether ids, also those of blocks that reach beyond the range, need 64 bits.
bool isWide(const NDRange& range) {
  constexpr std::uint64_t least = compiler::nvptx::wideIdsFrom;
  for (std::size_t d = 0; d < 3; ++d)
    if (range.offset[d] >= least || range.global[d] >= least ||
        range.offset[d] + range.global[d] + compiler::nvptx::commonMultiple[d] >= least ||
        (range.global[d] - 1) / range.local[d] + 1 > compiler::nvptx::largestGrid[d])
      return true;
  return false;
}

/// The same of a launch, and of the whole that it is a part of.
bool isWide(const Launch& launch) {
  if (!launch.whole.isDivided) return isWide(launch.range);
  NDRange whole = launch.range;
  whole.offset = launch.whole.offset;
  whole.global = launch.whole.global;
  return isWide(launch.range) || isWide(whole);
}

bool isPartial(const Launch& launch) {
  const auto& global = launch.range.global;
  return !compiler::nvptx::holdsWholeBlocks({global[0], global[1], global[2]});
}

/// The same of code in which a thread executes one work-item.
compiler::Shape withoutCells(compiler::Shape shape) {
  shape.itemsPerThread = asWritten;
  shape.partialBlocks = shape.privateReductions = shape.uneven = false;
  return shape;
}

/// Whether there are work-items of smaller groups at the edges of the range, which the code for full ones leaves out.
bool leavesEdges(const Launch& launch, const Code* exact) {
  return host::hasSmallerGroups(launch.range) && !(exact && exact->tile.merged);
}

std::uint64_t itemsOf(const Launch& launch) {
  std::uint64_t items = 1;
  for (const std::size_t size : launch.range.global)
    if (__builtin_mul_overflow(items, std::uint64_t{size}, &items)) return ~std::uint64_t{0};
  return items;
}

/// The buffer that a launch counts in, if blocks may do so in shared memory: it is one, and nothing else overlaps it.
/// Otherwise nullptr.
const BufferArgument* countedBuffer(const Launch& launch) {
  if (!launch.info->reductions || launch.whole.isDivided || launch.range.global[1] != 1 || launch.range.global[2] != 1)
    return nullptr;
  const auto reductionOf = [&](std::size_t argument) { return launch.info->args[argument].reduction; };
  const BufferArgument* counted = nullptr;
  for (const BufferArgument& buffer : launch.buffers)
    if (reductionOf(buffer.argument)) {
      if (counted || buffer.isInside || buffer.bytes > mostCounted) return nullptr;
      counted = &buffer;
    }
  if (!counted) return nullptr;
  const CuPointer begin = addressOf(counted->memory), end = begin + counted->bytes;
  if (begin % reductionOf(counted->argument).bytes != 0) return nullptr;
  for (const BufferArgument& other : launch.buffers) {
    const CuPointer others = addressOf(other.memory);
    if (&other != counted && begin < others + other.bytes && others < end) return nullptr;
  }
  return counted;
}

/// Blocks whose work-items repay their copies.
std::uint64_t blocksThatCount(const Launch& launch, const BufferArgument& buffer) {
  const std::uint64_t integers = buffer.bytes / launch.info->args[buffer.argument].reduction.bytes;
  return integers ? itemsOf(launch) / (leastItemsOfInteger * integers) : 0;
}

bool hasDistinctBuffersOnGpu(const Launch& launch) {
  return hasDistinctBuffers(launch, [](const BufferArgument& buffer) { return addressOf(buffer.memory); });
}

/// Whether blocks of any work-groups leave more threads without a work-item than blocks of one work-group each would,
/// as where the range is narrower than a block. That they leave fewer is all they are for if a thread has one.
bool leavesMoreIdle(const compiler::nvptx::Tile& tile, const Launch& launch, const Blocks& blocks) {
  if (!tile.merged || tile.swapped || tile.cellsOfThread() > 1) return false;
  const auto &global = launch.range.global, &local = launch.range.local;
  double threads = tile.threadsOfBlock(),
         written = static_cast<double>(compiler::nvptx::threadsOfWarps(local[0] * local[1] * local[2]));
  for (std::size_t d = 0; d < 3; ++d) {
    threads *= blocks.grid[d];
    written *= static_cast<double>((global[d] - 1) / local[d] + 1);
  }
  return written < compiler::cost::coarsen::leastOfLanes * threads;
}

}  // namespace

CudaExecutable::CudaExecutable(std::shared_ptr<const compiler::CompiledProgram> compiled,
                               std::shared_ptr<const Gpu> gpu, std::shared_ptr<CudaMemory> memory,
                               compiler::Target target, bool quickFirst)
    : compiled_(std::move(compiled)),
      gpu_(std::move(gpu)),
      memory_(std::move(memory)),
      target_(std::move(target)),
      quickFirst_(quickFirst),
      tables_(std::make_unique<Table[]>(compiled_->kernels.size() + 1)),
      constants_(std::make_unique<host::ConstantArguments[]>(compiled_->kernels.size() + 1)),
      constructors_(*compiled_) {
  if (compiled_->scope.variables.bytes == 0) return;
  variables_ = memory_->allocate(compiled_->scope.variables.bytes);
  if (!variables_) throw std::bad_alloc();
  fillVariables();
}

CudaExecutable::~CudaExecutable() = default;

Blocks blocksOf(const Code& code, const Launch& launch, std::uint64_t mostShared) {
  const compiler::nvptx::Tile& tile = code.tile;
  const NDRange& range = launch.range;
  Blocks blocks;
  blocks.groupBytes = (launch.localBytes + localRounding - 1) / localRounding * localRounding;
  blocks.sharedBytes = blocks.groupBytes * tile.groups;
  blocks.fits = blocks.sharedBytes + compiler::nvptx::localBefore <= mostShared;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::size_t axis = tile.swapped && d < 2 ? 1 - d : d;
    blocks.threads[axis] = tile.threads[0] ? tile.threads[d] : static_cast<unsigned>(range.local[d]);
    const std::uint64_t items =
        tile.merged ? std::uint64_t{tile.threads[d]} * tile.cells[d] : range.local[d] * (d == 0 ? tile.groups : 1);
    const std::uint64_t count = (range.global[d] + items - 1) / items;
    blocks.grid[d] = static_cast<unsigned>(count);
    blocks.fits &= tile.asWritten() ||
                   ((tile.guarded || range.global[d] % items == 0) && count <= compiler::nvptx::largestGrid[d]);
  }
  if (tile.counts) {
    const BufferArgument* const counted = countedBuffer(launch);
    blocks.fits &= counted != nullptr;
    if (!counted) return blocks;
    blocks.groupBytes = blocks.sharedBytes = counted->bytes;
    const std::uint64_t most =
        std::min(blocksThatCount(launch, *counted),
                 code.blocksAtOnce(tile.threadsOfBlock(), counted->bytes + compiler::nvptx::localBefore));
    blocks.grid[0] = static_cast<unsigned>(std::clamp<std::uint64_t>(most, 1, blocks.grid[0]));
  }
  return blocks;
}

std::uint64_t CudaExecutable::mostShared() const { return cuda::mostShared(*gpu_); }

std::uint32_t CudaExecutable::itemsPerThreadOf(const Launch& launch) const {
  // Blocks that reach beyond a part would execute work-items of other parts.
  if (isWide(launch) || (launch.whole.isDivided && isPartial(launch))) return asWritten;
  if (host::hasSmallerGroups(launch.range) && !launch.info->groupAgnostic) return asWritten;
  const std::uint64_t enough = static_cast<std::uint64_t>(gpu_->attribute(MultiprocessorCount)) *
                               (isPartial(launch) ? threadsEnoughOfPartialBlocks : threadsEnough);
  return static_cast<std::uint32_t>(
      std::bit_floor(std::clamp<std::uint64_t>(itemsOf(launch) / enough, 1, compiler::cost::coarsen::mostOfThread)));
}

void CudaExecutable::chooseItemsPerThread(compiler::Shape& shape, const Launch& launch) const {
  shape.itemsPerThread = itemsPerThreadOf(launch);
  if (shape.itemsPerThread == asWritten) return;
  shape.partialBlocks = isPartial(launch);
  shape.privateReductions = countsApart(launch);
  shape.uneven = host::hasSmallerGroups(launch.range);
}

bool CudaExecutable::countsApart(const Launch& launch) const {
  const BufferArgument* const counted = countedBuffer(launch);
  return counted &&
         blocksThatCount(launch, *counted) >= static_cast<std::uint64_t>(gpu_->attribute(MultiprocessorCount));
}

bool CudaExecutable::fits(const Code& code, const Launch& launch) const {
  if (code.tile.asWritten()) return true;
  const Blocks blocks = blocksOf(code, launch, mostShared());
  return blocks.fits && !leavesMoreIdle(code.tile, launch, blocks);
}

std::uint64_t CudaExecutable::itemsAtOnce(const Code& code, const Launch& launch) const {
  const Blocks blocks = blocksOf(code, launch, mostShared());
  const unsigned threads = blocks.threads[0] * blocks.threads[1] * blocks.threads[2];
  const auto& cells = code.tile.cells;
  const std::uint64_t groups = code.tile.warps ? 1 : code.tile.groups;
  return code.blocksOfMultiprocessor(threads, blocks.sharedBytes + compiler::nvptx::localBefore) * threads * cells[0] *
         cells[1] * cells[2] * groups;
}

bool CudaExecutable::mayBeWorse(const Code& tiled, const Launch& launch) const {
  if (tiled.tile.asWritten() || tiled.tile.counts) return false;
  const auto mostThreads = static_cast<std::uint64_t>(gpu_->attribute(MaxThreadsPerMultiprocessor));
  return tiled.privateBytes > 0 || itemsAtOnce(tiled, launch) <= mostThreads / fewItems;
}

bool CudaExecutable::isWorse(const Code& tiled, const Code& plain, const Launch& launch) const {
  if (plain.privateBytes * tiled.tile.cellsOfThread() < tiled.privateBytes) return true;
  return itemsAtOnce(plain, launch) > itemsAtOnce(tiled, launch);
}

bool CudaExecutable::Recent::isFor(const Launch& launch, bool distinct) const {
  return info == launch.info && distinctBuffers == distinct && isPart == launch.whole.isDivided &&
         localBytes == launch.localBytes && local == launch.range.local && global == launch.range.global &&
         offset == launch.range.offset;
}

bool CudaExecutable::find(const Launch& launch, LaunchCode& code) const {
  const bool areDistinct = hasDistinctBuffersOnGpu(launch);
  {
    const std::lock_guard lock(mutex_);
    for (const Recent& each : recent_)
      if (each.isFor(launch, areDistinct)) {
        code = each.code;
        return true;
      }
  }
  const Table& table = tableOf(*launch.info);
  const auto codeOf = [&](const compiler::Shape& shape) {
    const Table::Entry* const entry = table.find(shape);
    return entry ? entry->code.get() : nullptr;
  };
  const compiler::Shape kind = kindOf(launch);
  const bool hasFull = host::hasFullGroups(launch.range);
  if (hasFull) {
    const compiler::Shape exact = ownShape(launch, kind);
    code.exact = codeOf(exact);
    if (code.exact && !fits(*code.exact, launch)) code.exact = codeOf(withoutCells(exact));
    if (!code.exact && mayStandIn(*launch.info) && standIns_.serve({indexOf(*launch.info), exact})) {
      code.exact = codeOf(standInShape(*launch.info, kind));
      if (code.exact && !hasRoom(*code.exact, launch)) code.exact = nullptr;
      code.isStandIn = code.exact != nullptr;
    }
  }
  const bool hasSmaller = leavesEdges(launch, code.exact);
  if (hasSmaller) code.any = codeOf(kind);
  code.complete = (!hasFull || code.exact) && (!hasSmaller || code.any);
  // Buffers that are counted in, and those that overlap them, may be others next time, and so may constants.
  if (code.complete && !code.isStandIn && kind.images.empty() && !launch.info->reductions &&
      !host::usesConstants(*launch.info)) {
    const std::lock_guard lock(mutex_);
    recent_[oldest_++ % recent_.size()] = {
        launch.info,         launch.localBytes, launch.range.local,     launch.range.global,
        launch.range.offset, areDistinct,       launch.whole.isDivided, code};
  }
  return code.complete;
}

compiler::Shape CudaExecutable::kindOf(const Launch& launch) const {
  compiler::Shape kind;
  kind.wideIds = isWide(launch);
  kind.part = launch.whole.isDivided && !launch.info->groupAgnostic;
  kind.distinctBuffers = hasDistinctBuffersOnGpu(launch);
  kind.itemsPerThread = asWritten;
  if (host::usesImages(*launch.info)) kind.images = host::imageFactsOf(launch);
  if (host::usesConstants(*launch.info)) kind.constants = constants_[indexOf(*launch.info)].of(launch);
  return kind;
}

compiler::Shape CudaExecutable::ownShape(const Launch& launch, const compiler::Shape& kind) const {
  compiler::Shape exact = host::exactShape(launch.range, kind);
  chooseItemsPerThread(exact, launch);
  return exact;
}

const Code* CudaExecutable::makeExact(const compiler::Shape& shape, const Launch& launch, Result& result,
                                      compiler::IfNotKept ifNotKept) {
  const Code* const tiled = make(*launch.info, shape, result, ifNotKept);
  const compiler::Shape written = withoutCells(shape);
  if (tiled && !fits(*tiled, launch)) return make(*launch.info, written, result, ifNotKept);
  if (!tiled || !mayBeWorse(*tiled, launch)) return tiled;
  Result outcome;
  const Code* const plain = make(*launch.info, written, outcome, ifNotKept);
  if (!plain || !isWorse(*tiled, *plain, launch)) return tiled;
  tableOf(*launch.info).add(shape, plain->shared_from_this());
  return plain;
}

Result CudaExecutable::make(const Launch& launch, LaunchCode& code) {
  const compiler::Shape kind = kindOf(launch);
  Result result;
  if (host::hasFullGroups(launch.range)) {
    const compiler::Shape exact = ownShape(launch, kind);
    code.exact = mayStandIn(*launch.info) ? makeOwnOrStandIn(launch, kind, exact, result, code.isStandIn)
                                          : makeExact(exact, launch, result);
  }
  if (result && leavesEdges(launch, code.exact)) code.any = make(*launch.info, kind, result);
  return result;
}

const Code* CudaExecutable::make(const compiler::KernelInfo& info, const compiler::Shape& shape, Result& result,
                                 compiler::IfNotKept ifNotKept) {
  Table& table = tableOf(info);
  const auto codeOf = [&](Result& why) {
    // Large code takes seconds to make, and how many work-items a launch has makes no difference to it. Programs that
    // look for the best size of their launches try many.
    const auto same = [&, sought = withoutCells(shape)](const Table::Entry& entry) {
      return entry.code && entry.code->isLarge() && entry.code->tile.asWritten() && withoutCells(entry.shape) == sought;
    };
    const std::shared_ptr<const Code> known = table.findIf(same);
    return known ? known : generate(info.name, shape, why, ifNotKept);
  };
  if (ifNotKept == compiler::IfNotKept::Leave) return table.findOrTake(shape, [&] { return codeOf(result); });
  return table.findOrMake(shape, result, codeOf);
}

std::shared_ptr<const Code> CudaExecutable::generate(std::string_view name, const compiler::Shape& shape,
                                                     Result& result, compiler::IfNotKept ifNotKept) const {
  std::optional<support::ProcessEndDelay> whileLlvmIsThere;
  if (!support::staticObjectsArePermanent) {
    whileLlvmIsThere.emplace();
    if (support::processEnds()) {
      result = {CL_OUT_OF_RESOURCES, "the process ends"};
      return nullptr;
    }
  }
  const compiler::CodeOutcome outcome = compiler::generate(*compiled_, name, shape, target_, ifNotKept);
  if (!outcome.code) {
    result = {CL_OUT_OF_RESOURCES, fmt::format("kernel '{}' could not be compiled for the GPU: {}", name, outcome.log)};
    return nullptr;
  }
  const auto& made = static_cast<const compiler::NvptxCode&>(*outcome.code);
  gpu_->use();
  CuModule loaded = nullptr;
  {
    compiler::TimedCompile timed(name, shape, "machine code");
    bool wasKept = false;
    result = load(loaded, made.ptx, name, ifNotKept == compiler::IfNotKept::GenerateAhead, wasKept);
    timed.setFromCache(wasKept);
  }
  if (!result) return nullptr;
  Module module(gpu_, loaded);
  CuFunction function = nullptr;
  result = resultOf(driver().moduleGetFunction(&function, loaded, made.symbol.c_str()),
                    fmt::format("kernel '{}' is not in its code", name));
  if (!result) return nullptr;
  if (result = bindVariables(loaded); !result) return nullptr;
  return std::make_shared<const Code>(std::move(module), function, made);
}

}  // namespace clarity::device::cuda
