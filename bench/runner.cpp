// SPDX-License-Identifier: Apache-2.0
// This file launches measured kernels, takes their times from profiling events and compares every result.
#include "runner.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "parallel.h"

namespace bench {
namespace {

// Messages of the implementation about errors, from any thread.
class Notices {
public:
  static void CL_CALLBACK add(const char* text, const void*, std::size_t, void* notices) {
    auto* own = static_cast<Notices*>(notices);
    const std::lock_guard lock(own->mutex_);
    own->text_ += std::string("\n    ") + text;
  }
  std::string take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(text_, {});
  }

private:
  std::mutex mutex_;
  std::string text_;
} notices;

void check(cl_int code, const char* function) {
  const std::string notice = notices.take();
  if (code != CL_SUCCESS)
    throw std::runtime_error(std::string(function) + " returned " + std::to_string(code) + notice);
}

double medianOf(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// Makes elements that are not written visible: all bits set are a NaN, or -1.
void prepare(const Argument& argument, void* data) {
  if (argument.kind == Argument::Kind::Output)
    std::memset(data, 0xFF, argument.bytes);
  else
    std::memcpy(data, argument.initial.data(), argument.bytes);
}

double computeOnHost(Problem& problem, unsigned threads) {
  // Copies from other memory, as a buffer is filled, so that the state of the caches is the same as for the kernel.
  for (Argument& argument : problem.arguments)
    if (argument.isResult()) {
      const Storage contents(argument.bytes);
      prepare(argument, contents.data());
      std::memcpy(argument.host.data(), contents.data(), argument.bytes);
    }
  hostThreads = threads;
  const auto begin = std::chrono::steady_clock::now();
  problem.computeOnHost();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

void compare(const Argument& argument, std::size_t index, const Storage& result, const char* whose) {
  if (argument.canonical) argument.canonical(result.data());
  const std::string difference = argument.difference(result.data(), argument.reference.data());
  if (!difference.empty())
    throw std::runtime_error(std::string(whose) + ", argument " + std::to_string(index) + ": " + difference);
}

void computeReference(Problem& problem) {
  computeOnHost(problem, 1);
  for (Argument& argument : problem.arguments) {
    if (!argument.isResult()) continue;
    argument.reference = Storage(argument.host.data(), argument.bytes);
    if (argument.canonical) argument.canonical(argument.reference.data());
  }
}

double measureHost(Problem& problem, unsigned repetitions) {
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  std::vector<double> times;
  for (unsigned i = 0; i <= repetitions; ++i) {
    const double time = computeOnHost(problem, threads);
    if (i > 0) times.push_back(time);
  }
  for (std::size_t i = 0; i < problem.arguments.size(); ++i)
    if (problem.arguments[i].isResult()) compare(problem.arguments[i], i, problem.arguments[i].host, "C++");
  return medianOf(std::move(times));
}

// A kernel with its buffers, for one Problem.
class Launch {
public:
  Launch(cl_context context, cl_command_queue queue, cl_program program, const std::string& kernel,
         const Problem& problem)
      : queue_(queue), problem_(problem) {
    cl_int code;
    kernel_.reset(clCreateKernel(program, kernel.c_str(), &code));
    check(code, "clCreateKernel");
    for (const Argument& argument : problem.arguments) addArgument(context, argument);
  }

  // Milliseconds on the device.
  double run() {
    for (std::size_t i = 0; i < buffers_.size(); ++i)
      if (problem_.arguments[i].isResult()) fill(problem_.arguments[i], buffers_[i].get());
    check(clFinish(queue_), "clFinish");
    cl_event event;
    const auto& group = problem_.groupSizes;
    check(clEnqueueNDRangeKernel(queue_, kernel_.get(), static_cast<cl_uint>(problem_.global.size()), nullptr,
                                 problem_.global.data(), group.empty() ? nullptr : group.data(), 0, nullptr, &event),
          "clEnqueueNDRangeKernel");
    const std::unique_ptr<_cl_event, Release> owned(event);
    check(clFinish(queue_), "clFinish");
    cl_ulong begin = 0, end = 0;
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, nullptr),
          "clGetEventProfilingInfo");
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr),
          "clGetEventProfilingInfo");
    return static_cast<double>(end - begin) * 1e-6;
  }

  void compareResults(const char* whose) {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const Argument& argument = problem_.arguments[i];
      if (!argument.isResult()) continue;
      const Storage result(argument.bytes);
      check(clEnqueueReadBuffer(queue_, buffers_[i].get(), CL_TRUE, 0, argument.bytes, result.data(), 0, nullptr,
                                nullptr),
            "clEnqueueReadBuffer");
      compare(argument, i, result, whose);
    }
  }

private:
  struct Release {
    void operator()(cl_kernel kernel) const { clReleaseKernel(kernel); }
    void operator()(cl_mem buffer) const { clReleaseMemObject(buffer); }
    void operator()(cl_event event) const { clReleaseEvent(event); }
  };

  void addArgument(cl_context context, const Argument& argument) {
    const auto index = static_cast<cl_uint>(buffers_.size());
    buffers_.emplace_back();
    if (!argument.isBuffer()) {
      check(clSetKernelArg(kernel_.get(), index, argument.bytes, argument.initial.data()), "clSetKernelArg");
      return;
    }
    cl_int code;
    const bool read = argument.kind == Argument::Kind::Input;
    buffers_.back().reset(
        clCreateBuffer(context, read ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE, argument.bytes, nullptr, &code));
    check(code, "clCreateBuffer");
    cl_mem buffer = buffers_.back().get();
    if (read) fill(argument, buffer);
    check(clSetKernelArg(kernel_.get(), index, sizeof buffer, &buffer), "clSetKernelArg");
  }

  void fill(const Argument& argument, cl_mem buffer) {
    const Storage contents(argument.bytes);
    prepare(argument, contents.data());
    check(clEnqueueWriteBuffer(queue_, buffer, CL_TRUE, 0, argument.bytes, contents.data(), 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
  }

  cl_command_queue queue_;
  const Problem& problem_;
  std::unique_ptr<_cl_kernel, Release> kernel_;
  std::vector<std::unique_ptr<_cl_mem, Release>> buffers_;  // one for each argument, null if it is none
};

std::string buildLog(cl_program program, cl_device_id device) {
  std::size_t bytes = 0;
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
  std::string log(bytes, '\0');
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
  return log;
}

std::string deviceText(cl_device_id device, cl_device_info what) {
  std::size_t bytes = 0;
  check(clGetDeviceInfo(device, what, 0, nullptr, &bytes), "clGetDeviceInfo");
  std::string text(bytes, '\0');
  check(clGetDeviceInfo(device, what, bytes, text.data(), nullptr), "clGetDeviceInfo");
  return text.c_str();
}

}  // namespace

Runner::Runner(bool small, unsigned repetitions, bool measureHost, std::string buildOptions)
    : small_(small), measureHost_(measureHost), repetitions_(repetitions), buildOptions_(std::move(buildOptions)) {
  check(clGetPlatformIDs(1, &platform_, nullptr), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), "clGetDeviceIDs");
  cl_int code;
  context_ = clCreateContext(nullptr, 1, &device_, Notices::add, &notices, &code);
  check(code, "clCreateContext");
  queue_ = clCreateCommandQueue(context_, device_, CL_QUEUE_PROFILING_ENABLE, &code);
  check(code, "clCreateCommandQueue");
}

Runner::~Runner() {
  for (const auto& [file, program] : programs_)
    if (program) clReleaseProgram(program);
  if (queue_) clReleaseCommandQueue(queue_);
  if (context_) clReleaseContext(context_);
}

std::string Runner::platformName() const {
  char name[256] = {}, version[256] = {};
  check(clGetPlatformInfo(platform_, CL_PLATFORM_NAME, sizeof name - 1, name, nullptr), "clGetPlatformInfo");
  check(clGetPlatformInfo(platform_, CL_PLATFORM_VERSION, sizeof version - 1, version, nullptr), "clGetPlatformInfo");
  return std::string(name) + ", " + version;
}

std::string Runner::deviceName() const { return deviceText(device_, CL_DEVICE_NAME); }

bool Runner::has(const std::string& extension) const {
  return deviceText(device_, CL_DEVICE_EXTENSIONS).find(extension) != std::string::npos;
}

cl_program Runner::program(const std::string& file) {
  if (const auto found = programs_.find(file); found != programs_.end()) {
    if (!found->second) throw std::runtime_error(file + ".cl does not build");
    return found->second;
  }
  programs_[file] = nullptr;
  const std::string path = KERNEL_FOLDER "/" + file + ".cl";
  std::stringstream text;
  if (!(text << std::ifstream(path).rdbuf())) throw std::runtime_error("cannot read " + path);
  const std::string source = text.str();
  const char* start = source.c_str();
  cl_int code;
  cl_program program = clCreateProgramWithSource(context_, 1, &start, nullptr, &code);
  check(code, "clCreateProgramWithSource");
  if (clBuildProgram(program, 1, &device_, buildOptions_.c_str(), nullptr, nullptr) != CL_SUCCESS) {
    const std::string log = buildLog(program, device_);
    clReleaseProgram(program);
    throw std::runtime_error(file + ".cl does not build:\n" + log);
  }
  return programs_[file] = program;
}

Outcome Runner::run(const Case& measured) {
  Problem problem(small_);
  Outcome outcome;
  try {
    measured.describe(problem);
    outcome = measure(measured, problem);
  } catch (const std::exception& error) {
    outcome.error = error.what();
  }
  return outcome;
}

Outcome Runner::measure(const Case& measured, Problem& problem) {
  Outcome outcome;
  outcome.amount = problem.amount;
  outcome.unit = problem.unit;
  computeReference(problem);
  Launch launch(context_, queue_, program(measured.file), measured.kernel, problem);
  launch.run();  // compiles, and accesses the memory for the first time
  launch.compareResults("the first launch");
  std::vector<double> times;
  for (unsigned i = 0; i < repetitions_; ++i) times.push_back(launch.run());
  outcome.deviceMilliseconds = medianOf(std::move(times));
  launch.compareResults("the last launch");
  if (measureHost_) outcome.hostMilliseconds = measureHost(problem, repetitions_);
  return outcome;
}

}  // namespace bench
