// SPDX-License-Identifier: Apache-2.0
// This file is the hidden `clarity measure`: `clarity bench` starts it in a new process for each driver. It measures
// launches, builds and transfers through the public API, and prints JSON.
#include "cl_api.h"
#include "command.h"
#include "device_choice.h"
#include "machine.h"
#include "measure.h"
#include "numbers.h"
#include "option_text.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace clarity::tools {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

// A kernel of a realistic size for builds, whose result can be checked.
constexpr const char* matrixSource = R"(
__kernel void multiply(__global float* c, __global const float* a, __global const float* b, const int n) {
  const int row = get_global_id(1);
  const int column = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
)";

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

double timed(const std::function<void()>& work) {
  const auto begin = Clock::now();
  work();
  return secondsSince(begin);
}

// Multiplies a small matrix by twice the unit matrix and reads the result. Throws Failure if it is wrong.
void runMatrix(const MeasureSession& session, const cl::Program& program) {
  constexpr int n = 64;
  std::vector<float> a(n * n), b(n * n, 0.0f), c(n * n, -1.0f);
  for (int i = 0; i < n * n; ++i) a[static_cast<size_t>(i)] = static_cast<float>(i % 17);
  for (int i = 0; i < n; ++i) b[static_cast<size_t>(i * n + i)] = 2.0f;
  const size_t bytes = a.size() * sizeof(float);
  cl::Buffer bufferA(session.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, a.data());
  cl::Buffer bufferB(session.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, b.data());
  cl::Buffer bufferC(session.context, CL_MEM_WRITE_ONLY, bytes);
  cl::Kernel kernel(program, "multiply");
  kernel.setArg(0, bufferC);
  kernel.setArg(1, bufferA);
  kernel.setArg(2, bufferB);
  kernel.setArg(3, n);
  session.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(n, n), cl::NDRange(16, 16));
  session.queue.enqueueReadBuffer(bufferC, CL_TRUE, 0, bytes, c.data());
  for (size_t i = 0; i < c.size(); ++i)
    if (c[i] != 2 * a[i])
      throw Failure(fmt::format("element {} of the matrix product is {} and not {}", i, c[i], 2 * a[i]));
}

// The identity of the first platform that has devices, which is the one that samples use.
Json identity() {
  const cl::Platform platform(allDevices().front().getInfo<CL_DEVICE_PLATFORM>());
  Json devices = Json::array();
  for (const cl::Device& device : devicesOf(platform))
    devices.push_back({{"name", device.getInfo<CL_DEVICE_NAME>()},
                       {"vendor", device.getInfo<CL_DEVICE_VENDOR>()},
                       {"type", device.getInfo<CL_DEVICE_TYPE>()},
                       {"driver_version", device.getInfo<CL_DRIVER_VERSION>()}});
  return {{"platform", platform.getInfo<CL_PLATFORM_NAME>()}, {"devices", std::move(devices)}};
}

Json latency(size_t device, bool quick) {
  MeasureSession session(allDevices().at(device));
  const cl::Program program = buildProgram(session, "__kernel void empty() {}");
  cl::Kernel kernel(program, "empty");
  const auto launch = [&] {
    session.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1), cl::NDRange(1));
  };
  std::vector<double> single, batch;
  for (int i = 0; i < (quick ? 500 : 5000); ++i) single.push_back(timed([&] { launch(), session.queue.finish(); }));
  for (int i = 0; i < (quick ? 10 : 50); ++i) {
    constexpr int launches = 1000;
    const double seconds = timed([&] {
      for (int n = 0; n < launches; ++n) launch();
      session.queue.finish();
    });
    batch.push_back(seconds / launches);
  }

  // Every build has a new source, so that no cache contains it; then the last one is built again, which a cache may
  // contain.
  std::vector<double> fresh, again, whole;
  const auto stamp = Clock::now().time_since_epoch().count();
  int variant = 0;
  const auto unseen = [&] { return fmt::format("// {} {} {}\n{}", ::getpid(), stamp, variant++, matrixSource); };
  const int builds = quick ? 5 : 15;
  for (int i = 0; i < builds + 2; ++i) {
    const std::string source = unseen(), other = unseen();
    const double seconds = timed([&] { buildProgram(session, source); });
    const double repeated = timed([&] { buildProgram(session, source); });
    const double complete = timed([&] { runMatrix(session, buildProgram(session, other)); });
    if (i < 2) continue;  // warm-up
    fresh.push_back(seconds);
    again.push_back(repeated);
    whole.push_back(complete);
  }
  return Json::array({
      {{"name", "empty kernel: enqueue + clFinish"}, {"seconds", median(single)}},
      {{"name", "1000 empty kernels, one clFinish: each"}, {"seconds", median(batch)}},
      {{"name", "clBuildProgram, warm process, new source"}, {"seconds", median(fresh)}},
      {{"name", "clBuildProgram, same source again"}, {"seconds", median(again)}},
      {{"name", "source to first result, warm process"}, {"seconds", median(whole)}},
  });
}

Json firstResult(size_t device) {
  Json result;
  const auto begin = Clock::now();
  MeasureSession session(allDevices().at(device));
  result["load"] = secondsSince(begin);
  const auto source = Clock::now();
  const cl::Program program = buildProgram(session, matrixSource);
  result["build"] = secondsSince(source);
  runMatrix(session, program);
  result["first_result"] = secondsSince(source);
  return result;
}

struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};

Json transfer(size_t device, bool quick) {
  MeasureSession session(allDevices().at(device));
  const size_t bytes = size_t{quick ? 64u : 256u} << 20;
  const unsigned repetitions = quick ? 4 : 10;
  const auto allocate = [&](int content) {
    std::unique_ptr<char, FreeMemory> memory(static_cast<char*>(std::aligned_alloc(4096, bytes)));
    if (!memory) throw std::bad_alloc();
    std::memset(memory.get(), content, bytes);
    return memory;
  };
  const auto host = allocate(1), other = allocate(2);
  cl::Buffer a(session.context, CL_MEM_READ_WRITE, bytes), b(session.context, CL_MEM_READ_WRITE, bytes);
  session.queue.enqueueWriteBuffer(a, CL_TRUE, 0, bytes, host.get());
  session.queue.enqueueWriteBuffer(b, CL_TRUE, 0, bytes, host.get());

  double copying = 0;
  std::vector<double> best(3, 0.0);
  const std::vector<std::function<void()>> works = {
      [&] { session.queue.enqueueWriteBuffer(a, CL_TRUE, 0, bytes, host.get()); },
      [&] { session.queue.enqueueReadBuffer(a, CL_TRUE, 0, bytes, other.get()); },
      [&] { session.queue.enqueueCopyBuffer(a, b, 0, 0, bytes), session.queue.finish(); },
  };
  // In turn, so that changes of the machine's speed affect all of them.
  for (unsigned i = 0; i < repetitions; ++i) {
    copying = std::max(copying, measureMemcpy(other.get(), host.get(), bytes, 1));
    for (size_t w = 0; w < works.size(); ++w) best[w] = std::max(best[w], static_cast<double>(bytes) / timed(works[w]));
  }
  if (std::memcmp(host.get(), other.get(), bytes) != 0)
    throw Failure("the bytes that were read differ from those written");

  cl::Buffer shared(session.context, CL_MEM_USE_HOST_PTR, bytes, host.get());
  std::vector<double> maps;
  for (int i = 0; i < 20; ++i)
    maps.push_back(timed([&] {
      void* mapped = session.queue.enqueueMapBuffer(shared, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes);
      session.queue.enqueueUnmapMemObject(shared, mapped);
      session.queue.finish();
    }));
  const std::string size = fmt::format("{} MiB", bytes >> 20);
  return Json::array({
      {{"name", "clEnqueueWriteBuffer, " + size}, {"bytes_per_second", best[0]}, {"memcpy", copying}},
      {{"name", "clEnqueueReadBuffer, " + size}, {"bytes_per_second", best[1]}, {"memcpy", copying}},
      {{"name", "clEnqueueCopyBuffer, " + size}, {"bytes_per_second", best[2]}, {"memcpy", copying}},
      {{"name", "map + unmap, CL_MEM_USE_HOST_PTR, " + size}, {"seconds", median(maps)}},
  });
}

// The limits of the device with the name, or else with the number. Nothing if the machine has none of that name.
Json limits(size_t number, const std::string& name) {
  const std::vector<cl::Device> devices = allDevices();
  if (name.empty()) return deviceLimits(devices.at(number));
  const auto found =
      std::ranges::find_if(devices, [&](const cl::Device& each) { return each.getInfo<CL_DEVICE_NAME>() == name; });
  return found == devices.end() ? Json::object() : deviceLimits(*found);
}

}  // namespace

cl::Program buildProgram(const MeasureSession& session, const std::string& source) {
  cl::Program program(session.context, source);
  program.build(session.device);
  return program;
}

double secondsOf(const cl::Event& event) {
  event.wait();
  return 1e-9 * static_cast<double>(event.getProfilingInfo<CL_PROFILING_COMMAND_END>() -
                                    event.getProfilingInfo<CL_PROFILING_COMMAND_START>());
}

void addMeasureCommand(CLI::App& app, Invocation& invocation) {
  struct Options {
    std::string what;
    size_t device = 0;
    std::string name;
    bool quick = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("measure", "Measure one driver, for clarity bench")->group("");
  sub->add_option("WHAT", options->what, "identity, latency, first-result, transfer or limits")
      ->required()
      ->check(oneOf({"identity", "latency", "first-result", "transfer", "limits"}))
      ->type_name("");
  sub->add_option("--device", options->device, "Number of the device in `clarity info`")->type_name("NUMBER");
  sub->add_option("--name", options->name, "Name of the device, for limits")->type_name("NAME");
  sub->add_flag("--quick", options->quick, "Few repetitions");
  sub->callback([options, &invocation] {
    Json result;
    if (options->what == "identity") result = identity();
    if (options->what == "latency") result = latency(options->device, options->quick);
    if (options->what == "first-result") result = firstResult(options->device);
    if (options->what == "limits") result = limits(options->device, options->name);
    if (options->what == "transfer") result = transfer(options->device, options->quick);
    fmt::print("{}\n", result.dump());
    invocation.status = successCode;
  });
}

}  // namespace clarity::tools
