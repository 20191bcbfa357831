// SPDX-License-Identifier: Apache-2.0
// This file turns operations into calls of the CUDA driver.
#include "device/cuda/stream.h"

#include "device/cpu/clock.h"
#include "device/cuda/printf.h"

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
  (void)driver().streamDestroy(stream_);
}

bool CudaStream::mayTakeLong(const Submission& submission) const {
  const auto isLarge = [](const Location& to, const Location& from, std::size_t bytes) {
    return bytes > stagedBytes && (hostOf(to) || hostOf(from));
  };
  if (const auto* launch = std::get_if<Launch>(submission.operation))
    return !static_cast<const CudaExecutable*>(launch->executable)->find(*launch);
  if (const auto* copy = std::get_if<Copy>(submission.operation)) return isLarge(copy->to, copy->from, copy->bytes);
  if (const auto* rect = std::get_if<RectCopy>(submission.operation)) return hostOf(rect->to) || hostOf(rect->from);
  return false;
}

void CudaStream::submit(Submission& submission, Start, std::span<Submission* const> after) {
  std::vector<CuEvent> events;
  for (const Submission* earlier : after)
    if (const CuEvent event = completions_->endOf(earlier)) events.push_back(event);
  const std::unique_lock lock(mutex_);
  if (!feeding_ && fed_.empty() && !mayTakeLong(submission)) return give(submission, events);
  fed_.push_back({&submission, std::move(events)});
  if (!feeder_.joinable()) feeder_ = std::jthread([this](const std::stop_token& stop) { feed(stop); });
  fedChanged_.notify_one();
}

void CudaStream::feed(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (fedChanged_.wait(lock, stop, [&] { return !fed_.empty(); })) {
    const Fed next = std::move(fed_.front());
    fed_.pop_front();
    feeding_ = true;
    lock.unlock();
    give(*next.submission, next.after);
    lock.lock();
    feeding_ = false;
  }
}

void CudaStream::give(Submission& submission, std::span<const CuEvent> after) {
  gpu_->use();
  Completions::Pending pending{.submission = &submission, .submitted = cpu::hostTime()};
  for (const CuEvent event : after) (void)driver().streamWaitEvent(stream_, event, 0);
  if (options_.profiled) {
    pending.begin = completions_->event(true);
    (void)driver().eventRecord(pending.begin, stream_);
  }
  pending.failure = start(*submission.operation, pending);
  pending.end = completions_->event(options_.profiled);
  (void)driver().eventRecord(pending.end, stream_);
  completions_->add(stream_, std::move(pending));
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

Result CudaStream::launch(Launch& launch, Completions::Pending& pending) {
  auto& executable = *static_cast<CudaExecutable*>(launch.executable);
  Result result;
  const Code* code = executable.find(launch);
  if (!code) code = executable.make(launch, result);
  if (!code) return result;
  for (const BufferArgument& buffer : launch.buffers) {
    const CuPointer address = addressOf(buffer.memory);
    std::memcpy(launch.args.data() + launch.info->args[buffer.argument].offset, &address, sizeof address);
  }
  compiler::nvptx::LaunchInfo info{};
  const NDRange& range = launch.range;
  unsigned grid[3];
  for (std::size_t d = 0; d < 3; ++d) {
    info.globalOffset[d] = range.offset[d];
    info.globalSize[d] = range.global[d];
    info.enqueuedLocalSize[d] = range.local[d];
    info.numGroups[d] = (range.global[d] + range.local[d] - 1) / range.local[d];
  }
  info.workDim = range.dims;
  info.variables = executable.variables();
  std::shared_ptr<PrintfBuffer> output;
  if (launch.info->usesPrintf) {
    output = std::make_shared<PrintfBuffer>(gpu_, printfBytes_, stream_, result);
    if (!result) return result;
    info.printfBuffer = output->address();
    pending.afterwards = [output] { return output->write(); };
  }
  const auto shared = static_cast<unsigned>(launch.localBytes);
  constexpr auto& most = compiler::nvptx::largestGrid;
  // A grid that the hardware cannot count runs in parts, one after the other.
  for (info.firstGroup[2] = 0; info.firstGroup[2] < info.numGroups[2]; info.firstGroup[2] += most[2])
    for (info.firstGroup[1] = 0; info.firstGroup[1] < info.numGroups[1]; info.firstGroup[1] += most[1])
      for (info.firstGroup[0] = 0; info.firstGroup[0] < info.numGroups[0]; info.firstGroup[0] += most[0]) {
        for (std::size_t d = 0; d < 3; ++d)
          grid[d] = static_cast<unsigned>(std::min(most[d], info.numGroups[d] - info.firstGroup[d]));
        std::vector<std::byte> parameters(code->launchInfoOffset + sizeof info);
        std::memcpy(parameters.data(), launch.args.data(), launch.args.size());
        std::memcpy(parameters.data() + code->launchInfoOffset, &info, sizeof info);
        std::size_t bytes = parameters.size();
        void* extra[] = {reinterpret_cast<void*>(1), parameters.data(), reinterpret_cast<void*>(2), &bytes,
                         nullptr};  // CU_LAUNCH_PARAM_BUFFER_*
        result =
            resultOf(driver().launchKernel(code->function, grid[0], grid[1], grid[2],
                                           static_cast<unsigned>(range.local[0]), static_cast<unsigned>(range.local[1]),
                                           static_cast<unsigned>(range.local[2]), shared, stream_, nullptr, extra),
                     fmt::format("kernel '{}' could not be launched with {} x {} x {} work-groups of {} x {} x {} and "
                                 "{} bytes of local memory",
                                 launch.info->name, grid[0], grid[1], grid[2], range.local[0], range.local[1],
                                 range.local[2], shared));
        if (!result) return result;
      }
  return {};
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
