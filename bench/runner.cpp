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

}  // namespace

// The buffers of one Problem, and the kernel in one or several forms.
class Launch {
public:
  // The times of one launch: on the device by its event, and from the call to the end.
  struct Times {
    double device, whole;  // milliseconds
  };

  Launch(cl_context context, cl_command_queue queue, const Problem& problem) : queue_(queue), problem_(problem) {
    for (const Argument& argument : problem.arguments) addBuffer(context, argument);
  }

  // Returns the kernel's number.
  std::size_t add(cl_program program, const std::string& name) {
    cl_int code;
    kernels_.emplace_back(clCreateKernel(program, name.c_str(), &code));
    check(code, "clCreateKernel");
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const Argument& argument = problem_.arguments[i];
      cl_mem buffer = buffers_[i].get();
      cl_sampler sampler = samplers_[i].get();
      const void* value = argument.isBuffer()                        ? &buffer
                          : argument.kind == Argument::Kind::Sampler ? static_cast<const void*>(&sampler)
                                                                     : argument.initial.data();
      check(clSetKernelArg(kernels_.back().get(), static_cast<cl_uint>(i),
                           argument.isBuffer() ? sizeof buffer : argument.bytes, value),
            "clSetKernelArg");
    }
    return kernels_.size() - 1;
  }

  Times run(std::size_t kernel) {
    for (std::size_t i = 0; i < buffers_.size(); ++i)
      if (problem_.arguments[i].isResult()) fill(problem_.arguments[i], buffers_[i].get());
    check(clFinish(queue_), "clFinish");
    cl_event event;
    const auto& group = problem_.groupSizes;
    const auto start = std::chrono::steady_clock::now();
    check(clEnqueueNDRangeKernel(queue_, kernels_[kernel].get(), static_cast<cl_uint>(problem_.global.size()), nullptr,
                                 problem_.global.data(), group.empty() ? nullptr : group.data(), 0, nullptr, &event),
          "clEnqueueNDRangeKernel");
    const std::unique_ptr<_cl_event, Release> owned(event);
    check(clFinish(queue_), "clFinish");
    const std::chrono::duration<double, std::milli> whole = std::chrono::steady_clock::now() - start;
    cl_ulong begin = 0, end = 0;
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, nullptr),
          "clGetEventProfilingInfo");
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr),
          "clGetEventProfilingInfo");
    return {static_cast<double>(end - begin) * 1e-6, whole.count()};
  }

  void compareResults(const char* whose) {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const Argument& argument = problem_.arguments[i];
      if (!argument.isResult()) continue;
      const Storage result(argument.bytes);
      if (argument.isImage()) {
        check(clEnqueueReadImage(queue_, buffers_[i].get(), CL_TRUE, Region(argument).origin, Region(argument).size, 0,
                                 0, result.data(), 0, nullptr, nullptr),
              "clEnqueueReadImage");
      } else {
        check(clEnqueueReadBuffer(queue_, buffers_[i].get(), CL_TRUE, 0, argument.bytes, result.data(), 0, nullptr,
                                  nullptr),
              "clEnqueueReadBuffer");
      }
      compare(argument, i, result, whose);
    }
  }

private:
  struct Release {
    void operator()(cl_kernel kernel) const { clReleaseKernel(kernel); }
    void operator()(cl_mem buffer) const { clReleaseMemObject(buffer); }
    void operator()(cl_event event) const { clReleaseEvent(event); }
    void operator()(cl_sampler sampler) const { clReleaseSampler(sampler); }
  };

  // A whole image.
  struct Region {
    explicit Region(const Argument& argument)
        : size{argument.picture.width, argument.picture.height, std::max<std::size_t>(argument.picture.depth, 1)} {}
    std::size_t origin[3] = {0, 0, 0}, size[3];
  };

  void addBuffer(cl_context context, const Argument& argument) {
    buffers_.emplace_back();
    samplers_.emplace_back();
    cl_int code;
    if (argument.kind == Argument::Kind::Sampler) {
      const Sampler& it = argument.sampler;
      samplers_.back().reset(clCreateSampler(context, it.normalised ? CL_TRUE : CL_FALSE,
                                             it.repeats ? CL_ADDRESS_REPEAT : CL_ADDRESS_CLAMP_TO_EDGE,
                                             it.linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &code));
      check(code, "clCreateSampler");
    }
    if (!argument.isBuffer()) return;
    const bool read = argument.kind == Argument::Kind::Input;
    const cl_mem_flags flags = read ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
    if (argument.isImage()) {
      const Picture& it = argument.picture;
      const cl_image_format format = {
          CL_RGBA, static_cast<cl_channel_type>(it.type == Picture::Type::Float ? CL_FLOAT : CL_UNORM_INT8)};
      cl_image_desc description = {};
      description.image_type =
          static_cast<cl_mem_object_type>(it.depth ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D);
      description.image_width = it.width, description.image_height = it.height, description.image_depth = it.depth;
      buffers_.back().reset(clCreateImage(context, flags, &format, &description, nullptr, &code));
      check(code, "clCreateImage");
    } else {
      buffers_.back().reset(clCreateBuffer(context, flags, argument.bytes, nullptr, &code));
      check(code, "clCreateBuffer");
    }
    if (read) fill(argument, buffers_.back().get());
  }

  void fill(const Argument& argument, cl_mem buffer) {
    const Storage contents(argument.bytes);
    prepare(argument, contents.data());
    if (argument.isImage())
      return check(clEnqueueWriteImage(queue_, buffer, CL_TRUE, Region(argument).origin, Region(argument).size, 0, 0,
                                       contents.data(), 0, nullptr, nullptr),
                   "clEnqueueWriteImage");
    check(clEnqueueWriteBuffer(queue_, buffer, CL_TRUE, 0, argument.bytes, contents.data(), 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
  }

  cl_command_queue queue_;
  const Problem& problem_;
  std::vector<std::unique_ptr<_cl_kernel, Release>> kernels_;
  std::vector<std::unique_ptr<_cl_mem, Release>> buffers_;  // one for each argument, null if it is none
  std::vector<std::unique_ptr<_cl_sampler, Release>> samplers_;
};

namespace {

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

Runner::Runner(const Options& options) : options_(options) {
  check(clGetPlatformIDs(1, &platform_, nullptr), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), "clGetDeviceIDs");
  cl_int code;
  context_ = clCreateContext(nullptr, 1, &device_, Notices::add, &notices, &code);
  check(code, "clCreateContext");
  queue_ = clCreateCommandQueue(context_, device_, CL_QUEUE_PROFILING_ENABLE, &code);
  check(code, "clCreateCommandQueue");
  if (!options.without.empty()) warmUp();
}

Runner::~Runner() {
  for (const auto& [name, program] : programs_)
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

cl_program Runner::build(const std::string& name, const std::string& source, const std::string& options) {
  const char* start = source.c_str();
  cl_int code;
  cl_program program = clCreateProgramWithSource(context_, 1, &start, nullptr, &code);
  check(code, "clCreateProgramWithSource");
  if (clBuildProgram(program, 1, &device_, options.c_str(), nullptr, nullptr) == CL_SUCCESS) return program;
  const std::string log = buildLog(program, device_);
  clReleaseProgram(program);
  throw std::runtime_error(name + " does not build:\n" + log);
}

cl_program Runner::program(const std::string& file, const std::string& without) {
  const std::pair name(file, without);
  if (const auto found = programs_.find(name); found != programs_.end()) {
    if (!found->second) throw std::runtime_error(file + ".cl does not build");
    return found->second;
  }
  programs_[name] = nullptr;
  const std::string path = KERNEL_FOLDER "/" + file + ".cl";
  std::stringstream text;
  if (!(text << std::ifstream(path).rdbuf())) throw std::runtime_error("cannot read " + path);
  // A macro that nothing uses makes another program of the one with all passes, so that no cache has it.
  const std::string extra = without.empty()     ? ""
                            : without == "none" ? " -DNOTHING_LEFT_OUT"
                                                : " -cl-clarity-disable=" + without;
  const auto begin = std::chrono::steady_clock::now();
  programs_[name] = build(file + ".cl", text.str(), options_.buildOptions + extra);
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
  builds_.push_back({file, without, time.count()});
  return programs_[name];
}

// A compiler's first kernel takes longer.
void Runner::warmUp() {
  cl_program program =
      build("a first kernel", "kernel void first(global float* out) { out[get_global_id(0)] = get_local_id(0); }",
            options_.buildOptions);
  Problem problem(true);
  float* out = problem.output<float>(64);
  std::fill_n(out, 64, 0.0F);
  problem.items(64);
  Launch launch(context_, queue_, problem);
  launch.run(launch.add(program, "first"));
  clReleaseProgram(program);
}

Outcome Runner::run(const Case& measured) {
  Problem problem(options_.small);
  Outcome outcome;
  try {
    measured.describe(problem);
    outcome = measure(measured, problem);
  } catch (const std::exception& error) {
    outcome.error = error.what();
  }
  return outcome;
}

// With all passes, and without those of each variant, in turn.
void Runner::measureVariants(const Case& measured, Launch& launch, Outcome& outcome) {
  std::vector<std::vector<Launch::Times>> times;
  const auto first = [&](const std::string& without, const std::string& whose) {
    const std::size_t kernel = launch.add(program(measured.file, without), measured.kernel);
    times.resize(kernel + 1);
    times[kernel] = {launch.run(kernel)};  // compiles, and touches the memory
    launch.compareResults(whose.c_str());
  };
  first("", "the first launch");
  for (const std::string& without : options_.without) {
    outcome.variants.push_back({.without = without, .error = {}});
    try {
      first(without, "the first launch without " + without);
    } catch (const std::exception& error) {
      outcome.variants.back().error = error.what();
    }
  }
  times.resize(outcome.variants.size() + 1);
  const auto isRight = [&](std::size_t kernel) { return kernel == 0 || outcome.variants[kernel - 1].error.empty(); };
  for (unsigned i = 0; i < options_.repetitions; ++i)
    for (std::size_t kernel = 0; kernel < times.size(); ++kernel)
      if (isRight(kernel)) times[kernel].push_back(launch.run(kernel));
  for (std::size_t kernel = 0; kernel < times.size(); ++kernel) {
    if (!isRight(kernel)) continue;
    std::vector<double> device, whole;
    for (std::size_t i = 1; i < times[kernel].size(); ++i)
      device.push_back(times[kernel][i].device), whole.push_back(times[kernel][i].whole);
    double& build = kernel ? outcome.variants[kernel - 1].buildMilliseconds : outcome.buildMilliseconds;
    build = std::max(0.0, times[kernel][0].whole - medianOf(std::move(whole)));
    (kernel ? outcome.variants[kernel - 1].deviceMilliseconds : outcome.deviceMilliseconds) =
        medianOf(std::move(device));
  }
}

Outcome Runner::measure(const Case& measured, Problem& problem) {
  Outcome outcome;
  outcome.amount = problem.amount;
  outcome.unit = problem.unit;
  computeReference(problem);
  Launch launch(context_, queue_, problem);
  measureVariants(measured, launch, outcome);
  launch.compareResults("the last launch");
  if (options_.host) outcome.hostMilliseconds = measureHost(problem, options_.repetitions);
  return outcome;
}

}  // namespace bench
