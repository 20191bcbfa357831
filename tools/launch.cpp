// SPDX-License-Identifier: Apache-2.0
// This file implements a kernel launch through the public API, with errors that contain the driver's messages.
#include "launch.h"

#include "command.h"
#include "compiler_bridge.h"
#include "counts.h"
#include "screen.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace clarity::tools {

// Messages of the driver through the context's callback, which any of its threads may call. A call that waits repeats
// the sentence of the command that failed, which was a message already.
struct Messages {
  std::mutex mutex;
  std::vector<std::string> sentences;

  void add(std::string_view sentence) {
    constexpr std::size_t most = 100;
    const std::lock_guard lock(mutex);
    const auto isRepeated = [&](const std::string& earlier) { return sentence.contains(earlier); };
    if (sentences.size() < most && std::ranges::none_of(sentences, isRepeated)) sentences.emplace_back(sentence);
  }

  std::string text() {
    const std::lock_guard lock(mutex);
    std::string lines;
    for (const std::string& sentence : sentences) lines += "\n" + wrapped("  " + sentence, screenWidth());
    return lines;
  }
};

namespace {

void CL_CALLBACK onMessage(const char* message, const void*, size_t, void* user) {
  if (message) static_cast<Messages*>(user)->add(message);
}

/// The options that give a source its name in messages and describe arguments of SPIR-V, where the driver has them.
std::string ownOptions(const cl::Device& device, const std::string& fileName) {
  const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
  if (platform.getInfo<CL_PLATFORM_NAME>() != "Clarity") return {};
  const std::string name = fileName == "-" ? "<stdin>" : fileName;
  return joinOptions({"-cl-clarity-source-name=" + name, "-cl-clarity-describe-arguments"}) + " ";
}

/// Whether a file is a module of SPIR-V, by its name or the first word in either order of bytes.
bool isSpirv(const std::string& source, const std::string& fileName) {
  const std::string_view beginning = std::string_view(source).substr(0, 4);
  return fileName.ends_with(".spv") || beginning == "\x03\x02\x23\x07" || beginning == "\x07\x23\x02\x03";
}

bool isBlank(const std::string& text) {
  return text.find_first_not_of(std::string_view(" \t\r\n\0", 5)) == std::string::npos;
}

}  // namespace

void Launch::fail(const std::string& what, cl_int code) const {
  throw Failure(fmt::format("{}: {} ({}){}", what, errorName(code), code, messages_->text()));
}

void Launch::build(const std::string& source, const std::string& options, const std::string& fileName,
                   const std::function<void()>& beforeLog) {
  messages_ = std::make_shared<Messages>();
  context_ = cl::Context(device, nullptr, onMessage, messages_.get());
  queue_ = cl::CommandQueue(context_, device, CL_QUEUE_PROFILING_ENABLE);
  createOnDeviceQueue();
  if (isSpirv(source, fileName)) {
    cl_int code = CL_SUCCESS;
    program = cl::Program(clCreateProgramWithIL(context_(), source.data(), source.size(), &code), false);
    if (code != CL_SUCCESS) fail(fmt::format("'{}' cannot be used", fileName), code);
  } else {
    program = cl::Program(context_, source);
  }
  // The language of the file goes first: an option of the user's comes later and decides.
  const std::string language = fileName.ends_with(".clcpp") ? "-cl-std=CLC++2021 " : "";
  const std::string beside = isSpirv(source, fileName) ? "" : headersBeside(fileName);
  const std::string all =
      ownOptions(device, fileName) + language + beside + "-cl-kernel-arg-info" + (options.empty() ? "" : " ") + options;
  const auto begin = std::chrono::steady_clock::now();
  const cl_int status = clBuildProgram(program(), 1, &device(), all.c_str(), nullptr, nullptr);
  buildSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::string log = program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device).c_str();
  beforeLog();
  if (!isBlank(log)) printLog(log);
  // The driver's message repeats the log.
  if (status != CL_SUCCESS && !isBlank(log))
    throw Failure(fmt::format("'{}' did not build: {} ({})", fileName, errorName(status), status));
  if (status != CL_SUCCESS) fail(fmt::format("'{}' did not build", fileName), status);
}

/// The default one, to which kernels enqueue; none where the device has none.
void Launch::createOnDeviceQueue() {
  cl_command_queue_properties supported = 0;
  const cl_int known =
      clGetDeviceInfo(device(), CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, sizeof supported, &supported, nullptr);
  if (known != CL_SUCCESS || supported == 0) return;
  const cl_queue_properties wanted[] = {
      CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int code = CL_SUCCESS;
  onDevice_ = cl::CommandQueue(clCreateCommandQueueWithProperties(context_(), device(), wanted, &code), false);
}

bool Launch::create(const std::string& kernelName) {
  cl_int status = CL_SUCCESS;
  if (kernelName.empty()) return false;
  kernel = cl::Kernel(clCreateKernel(program(), kernelName.c_str(), &status), false);
  if (status != CL_SUCCESS && status != CL_INVALID_KERNEL_NAME) fail(fmt::format("kernel '{}'", kernelName), status);
  return status == CL_SUCCESS;
}

void Launch::setArguments(const std::vector<Argument>& arguments) {
  for (const Argument& argument : arguments) {
    buffers_.emplace_back();
    cl_int status = CL_SUCCESS;
    const ArgumentValue& value = values[argument.index];
    if (const auto* bytes = std::get_if<std::vector<std::byte>>(&value)) {
      status = clSetKernelArg(kernel(), argument.index, bytes->size(), bytes->data());
    } else if (std::holds_alternative<OnDeviceQueue>(value)) {
      const cl_command_queue handle = onDevice_();
      if (!handle) throw Failure(argument.title() + ": the device has no on-device command-queues");
      status = clSetKernelArg(kernel(), argument.index, sizeof handle, &handle);
    } else if (const auto* local = std::get_if<LocalMemory>(&value)) {
      status = clSetKernelArg(kernel(), argument.index, local->bytes, nullptr);
    } else {
      if (const auto* array = std::get_if<Array>(&value)) {
        buffers_.back() = cl::Buffer(context_, CL_MEM_READ_WRITE, array->bytes.size(), nullptr, &status);
        if (status != CL_SUCCESS)
          fail(fmt::format("{}: a buffer of {}", argument.title(), Counted{array->bytes.size(), "byte"}), status);
      }
      if (const auto* same = std::get_if<SameBuffer>(&value)) buffers_.back() = buffers_[same->argument];
      const cl_mem handle = buffers_.back()();
      status = clSetKernelArg(kernel(), argument.index, sizeof handle, &handle);
    }
    if (status != CL_SUCCESS) fail(argument.title(), status);
  }
}

void Launch::restoreBuffers() {
  for (size_t i = 0; i < values.size(); ++i)
    if (const auto* array = std::get_if<Array>(&values[i]); array && !array->isUnwritten)
      queue_.enqueueWriteBuffer(buffers_[i], CL_TRUE, 0, array->bytes.size(), array->bytes.data());
}

LaunchTimes Launch::run(size_t repeat, const std::function<void(size_t)>& beforeRun) {
  LaunchTimes times;
  for (size_t i = 0; i < repeat; ++i) {
    beforeRun(i + 1);
    restoreBuffers();
    cl::Event event;
    cl_event handle = nullptr;
    cl_int status = clEnqueueNDRangeKernel(queue_(), kernel(), static_cast<cl_uint>(global.size()),
                                           offset.empty() ? nullptr : offset.data(), global.data(),
                                           local.empty() ? nullptr : local.data(), 0, nullptr, &handle);
    if (status != CL_SUCCESS)
      fail(fmt::format("the kernel could not be started with global {}, local {}{}", shapeText(global),
                       local.empty() ? "chosen by the driver" : shapeText(local),
                       offset.empty() ? "" : ", offset " + shapeText(offset)),
           status);
    event = cl::Event(handle, false);
    status = clFinish(queue_());
    const cl_int result = event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>();
    if (result < 0 || status != CL_SUCCESS) fail("the kernel failed", result < 0 ? result : status);
    const cl_ulong begin = event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
    // With what the kernel has enqueued; drivers of OpenCL 1.x do not know that.
    cl_ulong end = 0;
    if (clGetEventProfilingInfo(event(), CL_PROFILING_COMMAND_COMPLETE, sizeof end, &end, nullptr) != CL_SUCCESS)
      end = event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
    times.kernelSeconds.push_back(static_cast<double>(end - begin) * 1e-9);
  }
  return times;
}

std::optional<Array> Launch::read(cl_uint argument) {
  const auto* given = std::get_if<Array>(&values[argument]);
  if (!given) return std::nullopt;
  Array array = *given;
  queue_.enqueueReadBuffer(buffers_[argument], CL_TRUE, 0, array.bytes.size(), array.bytes.data());
  return array;
}

}  // namespace clarity::tools
