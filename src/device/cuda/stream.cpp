// SPDX-License-Identifier: Apache-2.0
// This file turns operations into calls of the CUDA driver.
#include "device/cuda/stream.h"

#include "device/cpu/clock.h"
#include "device/cuda/printf.h"
#include "support/inline_vector.h"

#include <CL/cl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace clarity::device::cuda {
namespace {

/// Transfers of up to so many bytes go through memory of ours, so that neither thread waits for the other.
constexpr std::size_t stagedBytes = 64 << 10;

/// The host's side of a location; nullptr if it is the GPU's.
std::byte* hostOf(const Location& location) {
  if (!location.allocation) return location.host;
  return location.allocation->hostAddress() ? location.hostAddress() : nullptr;
}

/// Along one dimension: work-groups of one size that follow each other.
struct Run {
  std::uint64_t first, count;
  unsigned local;
  bool full;
};

/// Work-groups of full size first, no more at once than the hardware can count, then the smaller one at the upper edge.
template <class Visit>
Result forEachRun(const NDRange& range, std::size_t d, const Visit& visit) {
  constexpr auto& most = compiler::nvptx::largestGrid;
  const std::uint64_t full = range.global[d] / range.local[d], rest = range.global[d] % range.local[d];
  for (std::uint64_t first = 0; first < full; first += most[d])
    if (Result result = visit(Run{first, std::min(most[d], full - first), static_cast<unsigned>(range.local[d]), true});
        !result)
      return result;
  return rest ? visit(Run{full, 1, static_cast<unsigned>(rest), false}) : Result{};
}

/// The grids of a launch, one after the other. Smaller work-groups are smaller blocks, so that every thread of a block
/// is a work-item.
template <class Visit>
Result forEachGrid(const NDRange& range, const Visit& visit) {
  return forEachRun(range, 2, [&](const Run& z) {
    return forEachRun(range, 1, [&](const Run& y) {
      return forEachRun(range, 0, [&](const Run& x) {
        return visit(
            Grid{{x.first, y.first, z.first},
                 {static_cast<unsigned>(x.count), static_cast<unsigned>(y.count), static_cast<unsigned>(z.count)},
                 {x.local, y.local, z.local},
                 x.full && y.full && z.full});
      });
    });
  });
}

}  // namespace

CudaStream::CudaStream(std::shared_ptr<const Gpu> gpu, std::shared_ptr<Completions> completions,
                       std::size_t printfBytes, const StreamOptions& options)
    : gpu_(std::move(gpu)), completions_(std::move(completions)), printfBytes_(printfBytes), options_(options) {
  gpu_->use();
  (void)driver().streamCreate(&stream_, cuStreamNonBlocking);
}

CudaStream::~CudaStream() {
  if (feeder_.joinable()) {
    feeder_.request_stop();
    fedChanged_.notify_all();
    // The last submission may end on the feeder itself.
    if (feeder_.get_id() == std::this_thread::get_id()) feeder_.detach();
  }
  gpu_->use();
  completions_->forget(stream_);
  (void)driver().streamDestroy(stream_);
}

bool CudaStream::mayTakeLong(const Submission& submission) const {
  const auto isLarge = [](const Location& to, const Location& from, std::size_t bytes) {
    return bytes > stagedBytes && (hostOf(to) || hostOf(from));
  };
  if (const auto* launch = std::get_if<Launch>(submission.operation)) {
    LaunchCode code;
    auto& executable = *static_cast<CudaExecutable*>(launch->executable);
    return !executable.find(*launch, code) || executable.hasToConstruct();
  }
  if (const auto* copy = std::get_if<Copy>(submission.operation)) return isLarge(copy->to, copy->from, copy->bytes);
  if (const auto* rect = std::get_if<RectCopy>(submission.operation)) return hostOf(rect->to) || hostOf(rect->from);
  return false;
}

void CudaStream::submit(Submission& submission, Start, std::span<Submission* const> after) {
  Fed fed{.submission = &submission, .ticket = {}, .after = {}};
  const bool inOrder = completions_->registerSubmission(submission, stream_, after, fed.ticket, fed.after);
  const std::unique_lock lock(mutex_);
  if (!feeding_ && fed_.empty() && inOrder && !mayTakeLong(submission)) return give(std::move(fed));
  fed_.push_back(std::move(fed));
  if (!feeder_.joinable()) feeder_ = std::jthread([this](const std::stop_token& stop) { feed(stop); });
  fedChanged_.notify_one();
}

void CudaStream::feed(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (fedChanged_.wait(lock, stop, [&] { return !fed_.empty(); })) {
    Fed next = std::move(fed_.front());
    fed_.pop_front();
    feeding_ = true;
    lock.unlock();
    give(std::move(next));
    lock.lock();
    feeding_ = false;
  }
}

void CudaStream::give(Fed fed) {
  gpu_->use();
  if (fed.after.size() != 0) completions_->order(stream_, fed.after);
  Completions::Pending pending{.submission = fed.submission,
                               .ticket = std::move(fed.ticket),
                               .after = std::move(fed.after),
                               .submitted = cpu::hostTime()};
  if (options_.profiled) {
    pending.begin = completions_->event(true);
    (void)driver().eventRecord(pending.begin, stream_);
  }
  pending.failure = gpu_->state();
  if (pending.failure) pending.failure = start(*fed.submission->operation, pending);
  if (options_.profiled) {
    pending.timed = true;
    pending.end = completions_->event(true);
    (void)driver().eventRecord(pending.end, stream_);
  }
  completions_->add(std::move(pending));
}

void CudaStream::help(const Submission& awaited) {
  {
    const std::lock_guard lock(mutex_);
    if (feeding_ || !fed_.empty()) return;
  }
  completions_->waitFor(awaited);
}

Result CudaStream::start(Operation& operation, Completions::Pending& pending) {
  if (auto* launch = std::get_if<Launch>(&operation)) return this->launch(*launch, pending);
  if (auto* copy = std::get_if<Copy>(&operation)) return this->copy(*copy, pending);
  if (auto* rect = std::get_if<RectCopy>(&operation)) return copyRect(*rect);
  if (auto* fill = std::get_if<Fill>(&operation)) return this->fill(*fill);
  return {CL_INVALID_OPERATION, "the GPU cannot call functions of the host"};
}

Result CudaStream::construct(CudaExecutable& executable) {
  const std::lock_guard lock(executable.constructing());
  const std::unique_ptr<Launch> launch = executable.constructors();
  if (!launch) return {};
  Completions::Pending pending;
  Result result = execute(*launch, pending);
  if (result)
    result = resultOf(driver().streamSynchronize(stream_), "the constructors of program-scope objects did not end");
  if (result && pending.afterwards) result = pending.afterwards();
  if (result) executable.constructed();
  return result;
}

Result CudaStream::launch(Launch& launch, Completions::Pending& pending) {
  if (Result result = construct(*static_cast<CudaExecutable*>(launch.executable)); !result) return result;
  return execute(launch, pending);
}

Result CudaStream::execute(Launch& launch, Completions::Pending& pending) {
  auto& executable = *static_cast<CudaExecutable*>(launch.executable);
  LaunchCode code;
  if (!executable.find(launch, code))
    if (Result result = executable.make(launch, code); !result) return result;
  for (const BufferArgument& buffer : launch.buffers) {
    const CuPointer address = addressOf(buffer.memory);
    std::memcpy(launch.args.data() + launch.info->args[buffer.argument].offset, &address, sizeof address);
  }
  compiler::nvptx::LaunchInfo info{};
  const NDRange& range = launch.range;
  for (std::size_t d = 0; d < 3; ++d) {
    info.globalOffset[d] = range.offset[d];
    info.globalSize[d] = range.global[d];
    info.enqueuedLocalSize[d] = range.local[d];
    info.numGroups[d] = (range.global[d] + range.local[d] - 1) / range.local[d];
  }
  info.workDim = range.dims;
  if (launch.info->usesPrintf) {
    Result result;
    const auto output = std::make_shared<PrintfBuffer>(gpu_, printfBytes_, stream_, result);
    if (!result) return result;
    info.printfBuffer = output->address();
    pending.afterwards = [output] { return output->write(); };
  }
  if (code.exact && !code.exact->tile.asWritten()) {
    const Blocks blocks = blocksOf(code.exact->tile, launch, executable.mostShared());
    info.localBytes = blocks.groupBytes;
    return start(launch, *code.exact, {.count = blocks.grid, .local = blocks.threads, .full = true}, info,
                 blocks.sharedBytes);
  }
  return forEachGrid(range, [&](const Grid& grid) {
    std::copy_n(grid.first.begin(), 3, info.firstGroup);
    return start(launch, *(grid.full ? code.exact : code.any), grid, info, launch.localBytes);
  });
}

Result CudaStream::start(const Launch& launch, const Code& code, const Grid& grid,
                         const compiler::nvptx::LaunchInfo& info, std::uint64_t localBytes) {
  support::InlineVector<void*, 16> parameters;
  for (const compiler::KernelArg& argument : launch.info->args)
    parameters.push_back(const_cast<std::byte*>(launch.args.data()) + argument.offset);
  parameters.push_back(const_cast<compiler::nvptx::LaunchInfo*>(&info));
  const auto& [first, count, local, full] = grid;
  const auto shared = static_cast<unsigned>(localBytes ? localBytes + compiler::nvptx::localBefore : 0);
  const CuResult outcome = driver().launchKernel(code.function, count[0], count[1], count[2], local[0], local[1],
                                                 local[2], shared, stream_, parameters.data(), nullptr);
  if (outcome == 0) return {};
  return resultOf(outcome,
                  fmt::format("kernel '{}' could not be launched with {} x {} x {} work-groups of {} x {} x "
                              "{} and {} bytes of local memory",
                              launch.info->name, count[0], count[1], count[2], local[0], local[1], local[2], shared));
}

Result CudaStream::copy(const Copy& copy, Completions::Pending& pending) {
  std::byte *const to = hostOf(copy.to), *const from = hostOf(copy.from);
  const std::string what = fmt::format("a copy of {} bytes failed", copy.bytes);
  if (!to && !from)
    return resultOf(driver().memcpyDtoDAsync(addressOf(copy.to), addressOf(copy.from), copy.bytes, stream_), what);
  if (!to) return resultOf(driver().memcpyHtoDAsync(addressOf(copy.to), from, copy.bytes, stream_), what);
  if (from) {
    pending.afterwards = [=, bytes = copy.bytes]() -> Result {
      std::memcpy(to, from, bytes);
      return {};
    };
    return {};
  }
  // Large ones are copied by the feeder, which may wait.
  return resultOf(driver().memcpyDtoHAsync(to, addressOf(copy.from), copy.bytes, stream_), what);
}

Result CudaStream::copyRect(const RectCopy& rect) {
  for (std::size_t z = 0; z < rect.region[2]; ++z) {
    CuMemcpy2D part;
    const auto end = [&](const Location& location, std::size_t slicePitch, bool source) {
      std::byte* const host = hostOf(location);
      (source ? part.srcType : part.dstType) = host ? cuMemoryHost : cuMemoryDevice;
      if (host && source)
        part.srcHost = host + z * slicePitch;
      else if (host)
        part.dstHost = host + z * slicePitch;
      else
        (source ? part.srcDevice : part.dstDevice) = addressOf(location) + z * slicePitch;
    };
    end(rect.from, rect.fromSlicePitch, true);
    end(rect.to, rect.toSlicePitch, false);
    part.srcPitch = rect.fromRowPitch;
    part.dstPitch = rect.toRowPitch;
    part.widthBytes = rect.region[0];
    part.height = rect.region[1];
    if (Result result = resultOf(driver().memcpy2DAsync(&part, stream_),
                                 fmt::format("a rectangular copy of {} x {} x {} bytes failed", rect.region[0],
                                             rect.region[1], rect.region[2]));
        !result)
      return result;
  }
  return {};
}

Result CudaStream::fill(const Fill& fill) {
  Fill row = fill;
  row.rows = row.slices = 1;
  const bool contiguous = (fill.rows == 1 || fill.rowPitch == fill.bytes) &&
                          (fill.slices == 1 || fill.slicePitch == fill.bytes * fill.rows);
  if (contiguous) row.bytes *= fill.rows * fill.slices;
  const std::size_t rows = contiguous ? 1 : fill.rows * fill.slices;
  for (std::size_t i = 0; i < rows; ++i) {
    row.to.offset = fill.to.offset + i % fill.rows * fill.rowPitch + i / fill.rows * fill.slicePitch;
    if (Result result = fillRow(row); !result) return result;
  }
  return {};
}

Result CudaStream::fillRow(const Fill& fill) {
  const CuPointer to = addressOf(fill.to);
  const std::string what = fmt::format("a fill of {} bytes failed", fill.bytes);
  const auto value = [&]<class T>(T value) {
    std::memcpy(&value, fill.pattern.data(), sizeof value);
    return value;
  };
  if (fill.patternBytes == 1)
    return resultOf(driver().memsetD8Async(to, value(std::uint8_t{}), fill.bytes, stream_), what);
  if (fill.patternBytes == 2)
    return resultOf(driver().memsetD16Async(to, value(std::uint16_t{}), fill.bytes / 2, stream_), what);
  if (fill.patternBytes == 4)
    return resultOf(driver().memsetD32Async(to, value(std::uint32_t{}), fill.bytes / 4, stream_), what);
  if (fill.bytes == 0) return {};
  // One pattern, then what is there is copied behind itself until all is.
  Result result = resultOf(driver().memcpyHtoDAsync(to, fill.pattern.data(), fill.patternBytes, stream_), what);
  for (std::size_t done = fill.patternBytes; result && done < fill.bytes;) {
    const std::size_t next = std::min(done, fill.bytes - done);
    result = resultOf(driver().memcpyDtoDAsync(to + done, to, next, stream_), what);
    done += next;
  }
  return result;
}

}  // namespace clarity::device::cuda
