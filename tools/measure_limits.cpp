// SPDX-License-Identifier: Apache-2.0
// This file measures what a GPU gives at most: loads from its caches and its memory, and multiply-adds of each type.
#include "measure.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

using Json = nlohmann::ordered_json;

// Independent sums, enough of them to hide the latency of an operation.
constexpr std::string_view multiplyAdds = R"(
kernel void run(global T* out, uint times, T a, T b) {
  T sums[16];
  for (int i = 0; i < 16; ++i) sums[i] = (T)get_global_id(0) + (T)i;
  for (uint n = 0; n < times; ++n)
    for (int i = 0; i < 16; ++i) sums[i] = STEP(sums[i]);
  T all = 0;
  for (int i = 0; i < 16; ++i) all += sums[i];
  out[get_global_id(0)] = all;
}
)";

// Work-items side by side load what lies side by side; `last` is the last element of the part that all load again and
// again, one less than a power of two.
constexpr std::string_view loads = R"(
kernel void run(global float4* out, uint times, global const float4* from, uint last, uint step) {
  float4 sums[8];
  for (int i = 0; i < 8; ++i) sums[i] = 0;
  uint at = get_global_id(0);
  for (uint n = 0; n < times; ++n)
    for (int i = 0; i < 8; ++i, at += step) sums[i] += from[at & last];
  float4 all = 0;
  for (int i = 0; i < 8; ++i) all += sums[i];
  out[get_global_id(0)] = all;
}
)";

constexpr std::size_t group = 256, groupsOfUnit = 8, bytesOfVector = 16;

/// One measurement: a kernel whose time grows with its second argument, and what it does in each step.
class Meter {
public:
  Meter(MeasureSession& session, const std::string& source)
      : session_(session),
        units_(session.device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>()),
        out_(session.context, CL_MEM_WRITE_ONLY, items() * bytesOfVector),
        kernel_(buildProgram(session, source), "run") {
    kernel_.setArg(0, out_);
  }

  std::size_t items() const { return units_ * groupsOfUnit * group; }
  std::size_t farAway() const { return (2 * units_ + 1) * group; }
  cl::Kernel& kernel() { return kernel_; }

  /// The best rate of launches that are long enough: units/s, of which a work-item does `amount` in a step.
  double rate(double amount) {
    constexpr double longEnough = 4e-4;
    constexpr unsigned repetitions = 6;
    constexpr std::uint32_t mostSteps = 1 << 14;
    std::uint32_t steps = 4;
    double seconds = time(steps);
    while (seconds < longEnough && steps < mostSteps) seconds = time(steps *= 2);
    // A device that takes so long has no use for more measurements.
    for (unsigned i = 0; i < repetitions && seconds < 20 * longEnough; ++i) seconds = std::min(seconds, time(steps));
    return amount * steps * static_cast<double>(items()) / seconds;
  }

private:
  double time(std::uint32_t steps) {
    kernel_.setArg(1, steps);
    cl::Event event;
    session_.queue.enqueueNDRangeKernel(kernel_, cl::NullRange, cl::NDRange(items()), cl::NDRange(group), nullptr,
                                        &event);
    return secondsOf(event);
  }

  MeasureSession& session_;
  std::size_t units_;
  cl::Buffer out_;
  cl::Kernel kernel_;
};

/// Operations/s; a multiply-add is two. `step` is one of `value`, with a and b.
template <class Scalar>
double operationsOf(MeasureSession& session, const char* type, const char* step, Scalar a, Scalar b, unsigned lanes) {
  Meter meter(session, fmt::format("#define T {}\n#define STEP(value) {}\n{}", type, step, multiplyAdds));
  meter.kernel().setArg(2, a);
  meter.kernel().setArg(3, b);
  return meter.rate(2.0 * 16 * lanes);
}

/// Bytes/s of loads of one part of memory by all work-items.
double loadsOf(MeasureSession& session, const cl::Buffer& from, std::size_t bytes) {
  Meter meter(session, std::string(loads));
  meter.kernel().setArg(2, from);
  meter.kernel().setArg(3, static_cast<cl_uint>(bytes / bytesOfVector - 1));
  // Each load has a part of its own in what is larger than all work-items load at once. Otherwise a work-group's next
  // part is far from those of the groups that share its first cache, and the odd factor brings it to all of them.
  const std::size_t count = bytes / bytesOfVector;
  meter.kernel().setArg(4, static_cast<cl_uint>(count > 8 * meter.items() ? meter.items() : meter.farAway()));
  return meter.rate(8.0 * bytesOfVector);
}

/// The largest power of two that is no more.
std::size_t powerBelow(std::size_t bytes) {
  std::size_t power = 1;
  while (power <= bytes / 2) power *= 2;
  return power;
}

}  // namespace

Json deviceLimits(const cl::Device& device) {
  MeasureSession session(device, CL_QUEUE_PROFILING_ENABLE);
  const std::size_t second = session.device.getInfo<CL_DEVICE_GLOBAL_MEM_CACHE_SIZE>();
  // Several times what the caches hold, and a part of the first cache of one unit.
  const std::size_t all = powerBelow(std::min<std::size_t>(std::max<std::size_t>(8 * second, std::size_t{64} << 20),
                                                           session.device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>() / 8));
  constexpr std::size_t first = 8 << 10;
  const cl::Buffer from(session.context, CL_MEM_READ_WRITE, all), to(session.context, CL_MEM_READ_WRITE, all);
  session.queue.enqueueFillBuffer(from, 1, 0, all);
  double copy = 0;
  for (int i = 0; i < 6; ++i) {
    cl::Event event;
    session.queue.enqueueCopyBuffer(from, to, 0, 0, all, nullptr, &event);
    copy = std::max(copy, 2 * static_cast<double>(all) / secondsOf(event));
  }
  Json caches = Json::array();
  caches.push_back({{"level", 1}, {"bytes", first}, {"rate", loadsOf(session, from, first)}});
  if (second >= (1 << 20))
    caches.push_back({{"level", 2}, {"bytes", second}, {"rate", loadsOf(session, from, powerBelow(second / 4))}});
  const auto has = [&](const char* extension) {
    return session.device.getInfo<CL_DEVICE_EXTENSIONS>().find(extension) != std::string::npos;
  };
  const auto half2 = [](std::uint32_t bits) { return bits << 16 | bits; };
  return {
      {"threads", session.device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>()},
      {"stream", std::max(copy, loadsOf(session, from, all))},
      {"fma", operationsOf(session, "float", "fma(value, a, b)", 0.999F, 0.001F, 1)},
      {"caches", caches},
      {"doubles", has("cl_khr_fp64") ? operationsOf(session, "double", "fma(value, a, b)", 0.999, 0.001, 1) : 0},
      {"halves",
       has("cl_khr_fp16") ? operationsOf(session, "half2", "fma(value, a, b)", half2(0x3BFE), half2(0x1419), 2) : 0},
      {"integers", operationsOf<cl_uint>(session, "uint", "value * a + b", 0x10DCD, 1, 1)}};
}

}  // namespace clarity::tools
