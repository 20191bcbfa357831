// SPDX-License-Identifier: Apache-2.0
// This file launches a kernel, takes its times from profiling events and compares its results.
#include "launch.h"

#include <chrono>
#include <cstring>
#include <ctime>
#include <memory>
#include <stdexcept>

#include "opencl.h"

namespace bench {
namespace {

// A whole image.
struct Region {
  explicit Region(const Argument& argument)
      : size{argument.picture.width, argument.picture.height, std::max<std::size_t>(argument.picture.depth, 1)} {}
  std::size_t origin[3] = {0, 0, 0}, size[3];
};

}  // namespace

double processorMilliseconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

void prepare(const Argument& argument, void* data) {
  if (argument.kind == Argument::Kind::Output)
    std::memset(data, 0xFF, argument.bytes);
  else
    std::memcpy(data, argument.initial.data(), argument.bytes);
}

void compare(const Argument& argument, std::size_t index, const Storage& result, const char* whose) {
  if (argument.canonical) argument.canonical(result.data());
  const std::string difference = argument.difference(result.data(), argument.reference.data());
  if (!difference.empty())
    throw std::runtime_error(std::string(whose) + ", argument " + std::to_string(index) + ": " + difference);
}

Launch::Launch(cl_context context, cl_command_queue queue, const Problem& problem) : queue_(queue), problem_(problem) {
  for (const Argument& argument : problem.arguments) addBuffer(context, argument);
}

std::size_t Launch::add(cl_program program, const std::string& name) {
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

Launch::Times Launch::run(std::size_t kernel) {
  for (std::size_t i = 0; i < buffers_.size(); ++i)
    if (problem_.arguments[i].isResult()) fill(problem_.arguments[i], buffers_[i].get());
  check(clFinish(queue_), "clFinish");
  cl_event event;
  const auto& group = problem_.groupSizes;
  const double processor = processorMilliseconds();
  const auto start = std::chrono::steady_clock::now();
  check(clEnqueueNDRangeKernel(queue_, kernels_[kernel].get(), static_cast<cl_uint>(problem_.global.size()), nullptr,
                               problem_.global.data(), group.empty() ? nullptr : group.data(), 0, nullptr, &event),
        "clEnqueueNDRangeKernel");
  const std::unique_ptr<_cl_event, Release> owned(event);
  check(clFinish(queue_), "clFinish");
  const std::chrono::duration<double, std::milli> whole = std::chrono::steady_clock::now() - start;
  const double processorTime = processorMilliseconds() - processor;
  cl_ulong begin = 0, end = 0;
  check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, nullptr),
        "clGetEventProfilingInfo");
  check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr), "clGetEventProfilingInfo");
  return {static_cast<double>(end - begin) * 1e-6, whole.count(), processorTime};
}

Storage Launch::read(std::size_t index) {
  const Argument& argument = problem_.arguments[index];
  Storage result(argument.bytes);
  if (argument.isImage()) {
    check(clEnqueueReadImage(queue_, buffers_[index].get(), CL_TRUE, Region(argument).origin, Region(argument).size, 0,
                             0, result.data(), 0, nullptr, nullptr),
          "clEnqueueReadImage");
  } else {
    check(clEnqueueReadBuffer(queue_, buffers_[index].get(), CL_TRUE, 0, argument.bytes, result.data(), 0, nullptr,
                              nullptr),
          "clEnqueueReadBuffer");
  }
  return result;
}

void Launch::compareResults(const char* whose) {
  for (std::size_t i = 0; i < buffers_.size(); ++i)
    if (problem_.arguments[i].isResult()) compare(problem_.arguments[i], i, read(i), whose);
}

void Launch::takeReference(Problem& problem) {
  for (std::size_t i = 0; i < buffers_.size(); ++i)
    if (problem.arguments[i].isResult()) problem.arguments[i].reference = read(i);
}

void Launch::addBuffer(cl_context context, const Argument& argument) {
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
    description.image_type = static_cast<cl_mem_object_type>(it.depth ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D);
    description.image_width = it.width, description.image_height = it.height, description.image_depth = it.depth;
    buffers_.back().reset(clCreateImage(context, flags, &format, &description, nullptr, &code));
    check(code, "clCreateImage");
  } else {
    buffers_.back().reset(clCreateBuffer(context, flags, argument.bytes, nullptr, &code));
    check(code, "clCreateBuffer");
  }
  if (read) fill(argument, buffers_.back().get());
}

void Launch::fill(const Argument& argument, cl_mem buffer) {
  const Storage contents(argument.bytes);
  prepare(argument, contents.data());
  if (argument.isImage())
    return check(clEnqueueWriteImage(queue_, buffer, CL_TRUE, Region(argument).origin, Region(argument).size, 0, 0,
                                     contents.data(), 0, nullptr, nullptr),
                 "clEnqueueWriteImage");
  check(clEnqueueWriteBuffer(queue_, buffer, CL_TRUE, 0, argument.bytes, contents.data(), 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
}

}  // namespace bench
