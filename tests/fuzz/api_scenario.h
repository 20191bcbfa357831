// SPDX-License-Identifier: Apache-2.0
// This file is what every scenario of the fuzzer of calls has: objects that are released in a random order, and checks
// of what its calls return.
#pragma once

#include "api/entry_points.h"
#include "api_scenarios.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clarity::fuzz {

/// Objects of a scenario. Its commands have ended when all are released, except where the scenario does not wait.
class Scenario {
public:
  explicit Scenario(const Stage& stage) : stage(stage) {}
  ~Scenario() { releaseAll(); }
  Scenario(const Scenario&) = delete;
  Scenario& operator=(const Scenario&) = delete;

  const Stage& stage;

  /// An object that was made, which is null only if that failed: a violation, as all calls are valid.
  template <class Handle>
  Handle keep(Handle handle, cl_int(CL_API_CALL* release)(Handle), const char* made) {
    expect(handle != nullptr, std::string(made) + " gave null");
    if (handle) releases_.push_back([handle, release] { return release(handle); });
    return handle;
  }
  cl_command_queue queue(cl_command_queue_properties properties = 0) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    return keep(clCreateCommandQueueWithProperties(stage.context, stage.device, list, nullptr), clReleaseCommandQueue,
                "clCreateCommandQueueWithProperties");
  }
  cl_event userEvent() { return keep(clCreateUserEvent(stage.context, nullptr), clReleaseEvent, "clCreateUserEvent"); }
  cl_event event(cl_event made) { return keep(made, clReleaseEvent, "an enqueue function"); }
  cl_mem buffer(std::size_t bytes) {
    return keep(clCreateBuffer(stage.context, 0, bytes, nullptr, nullptr), clReleaseMemObject, "clCreateBuffer");
  }
  /// `fill`, which writes the value to the first byte.
  cl_kernel fill(cl_mem memory, cl_uchar value) {
    cl_kernel const kernel = keep(clCreateKernel(stage.program, "fill", nullptr), clReleaseKernel, "clCreateKernel");
    if (memory) must(clSetKernelArg(kernel, 0, sizeof memory, &memory), "clSetKernelArg");
    must(clSetKernelArg(kernel, 1, 1, &value), "clSetKernelArg");
    return kernel;
  }
  void launch(cl_command_queue queue, cl_kernel kernel, cl_event after = nullptr) {
    const std::size_t global = 16;
    must(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, after ? 1 : 0, after ? &after : nullptr,
                                nullptr),
         "clEnqueueNDRangeKernel");
  }
  cl_uchar firstByte(cl_command_queue queue, cl_mem memory) {
    cl_uchar result = 0;
    must(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 1, &result, 0, nullptr, nullptr), "clEnqueueReadBuffer");
    return result;
  }
  template <class Value>
  Value ofDevice(cl_device_info name) const {
    Value value{};
    clGetDeviceInfo(stage.device, name, sizeof value, &value, nullptr);
    return value;
  }
  bool hasExtension(std::string_view name) const {
    std::string all(16384, '\0');
    clGetDeviceInfo(stage.device, CL_DEVICE_EXTENSIONS, all.size(), all.data(), nullptr);
    return all.find(name) != std::string::npos;
  }
  template <class Function>
  Function byName(const char* name) const {
    return reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(stage.platform, name));
  }

  void must(cl_int code, const char* function) {
    expect(code == CL_SUCCESS, std::string(function) + " gave " + std::to_string(code));
  }
  void expect(bool holds, const std::string& text) {
    if (!holds) stage.violation("a scenario: " + text);
  }
  bool chance(int percent) { return stage.random.chance(percent); }

  void releaseAll() {
    while (!releases_.empty()) {
      std::swap(releases_.back(), releases_[static_cast<std::size_t>(stage.random.below(std::ssize(releases_)))]);
      const std::function<cl_int()> release = std::move(releases_.back());
      releases_.pop_back();
      must(release(), "a release function");
    }
  }

private:
  std::vector<std::function<cl_int()>> releases_;
};

/// Counts callbacks; waits for them. It may be gone when the last one returns.
class Calls {
public:
  void come() {
    const std::shared_ptr<std::atomic<int>> calls = calls_;
    calls->fetch_add(1);
    calls->notify_all();
  }
  void waitFor(int calls) {
    for (int seen = count(); seen < calls; seen = count()) calls_->wait(seen);
  }
  int count() const { return calls_->load(); }

private:
  std::shared_ptr<std::atomic<int>> calls_ = std::make_shared<std::atomic<int>>(0);
};

}  // namespace clarity::fuzz
