// SPDX-License-Identifier: Apache-2.0
// This file talks to OpenCL.
#include "runner.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <ranges>
#include <stdexcept>

#include "random.h"

namespace clarity::fuzz {
namespace {

std::int64_t anyInteger(Random& random, int bits) {
  const std::uint64_t raw = random.next();
  switch (random.below(10)) {
    case 0: return (raw & 1) ? std::int64_t{1} << (bits - 1) : std::numeric_limits<std::int64_t>::max() >> (64 - bits);
    case 1:
    case 2:
    case 3: return static_cast<std::int64_t>(raw);
    default: return static_cast<std::int64_t>(raw % 25) - 8;
  }
}

double anyFloating(Random& random) {
  const int raw = random.below(4096) - 2048;
  switch (random.below(10)) {
    case 0: return raw < 0 ? -0.0 : raw % 3;
    case 1: return raw * 37.5;
    case 2: return raw / 65536.0;
    default: return raw / 256.0;
  }
}

template <class T>
void put(std::uint8_t* place, T value) {
  std::memcpy(place, &value, sizeof value);
}

// The same content for the same name and size, whatever else the program has.
std::vector<std::uint8_t> content(const std::string& name, Base base, std::int64_t count, std::int64_t most) {
  std::uint64_t seed = 14695981039346656037u;
  for (const char c : name) seed = (seed ^ static_cast<unsigned char>(c)) * 1099511628211u;
  Random random(seed);
  const auto size = static_cast<std::size_t>(Type{base, 1}.size());
  std::vector<std::uint8_t> bytes(size * static_cast<std::size_t>(count));
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    if (base == Base::Float) {
      put(&bytes[at], static_cast<float>(anyFloating(random)));
    } else if (base == Base::Double) {
      put(&bytes[at], anyFloating(random));
    } else if (base == Base::Half) {
      put(&bytes[at], static_cast<_Float16>(anyFloating(random)));
    } else {
      std::int64_t value = anyInteger(random, static_cast<int>(8 * size));
      if (most > 0) value = (Type{base, 1}.isSigned() ? value : value & 0xff) % (most + 1);
      std::memcpy(&bytes[at], &value, size);
    }
  }
  return bytes;
}

template <class T>
T get(const std::uint8_t* place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

bool isNan(const std::uint8_t* place, Base base) {
  if (base == Base::Half) return std::isnan(static_cast<float>(get<_Float16>(place)));
  return base == Base::Float ? std::isnan(get<float>(place)) : base == Base::Double && std::isnan(get<double>(place));
}

std::string shown(const std::uint8_t* place, Base base) {
  std::uint64_t raw = 0;
  const int size = Type{base, 1}.size();
  std::memcpy(&raw, place, static_cast<std::size_t>(size));
  char text[80];
  if (base == Base::Float)
    std::snprintf(text, sizeof text, "%.9g (0x%08llx)", static_cast<double>(get<float>(place)),
                  static_cast<unsigned long long>(raw));
  else if (base == Base::Half)
    std::snprintf(text, sizeof text, "%.5g (0x%04llx)", static_cast<double>(get<_Float16>(place)),
                  static_cast<unsigned long long>(raw));
  else if (base == Base::Double)
    std::snprintf(text, sizeof text, "%.17g (0x%016llx)", get<double>(place), static_cast<unsigned long long>(raw));
  else if (Type{base, 1}.isSigned())
    std::snprintf(text, sizeof text, "%lld (0x%llx)",
                  static_cast<long long>(static_cast<std::int64_t>(raw << (64 - 8 * size)) >> (64 - 8 * size)),
                  static_cast<unsigned long long>(raw));
  else
    std::snprintf(text, sizeof text, "%llu (0x%llx)", static_cast<unsigned long long>(raw),
                  static_cast<unsigned long long>(raw));
  return text;
}

void CL_CALLBACK notify(const char* text, const void*, std::size_t, void* place) {
  std::string& notified = *static_cast<std::string*>(place);
  notified += (notified.empty() ? "" : "; ") + std::string(text);
}

std::string platformInfo(cl_platform_id platform) {
  char name[256] = "";
  clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, nullptr);
  return name;
}

}  // namespace

/// The arguments of one launch and their buffers.
class Runner::Arguments {
public:
  Arguments(cl_context context, cl_command_queue queue, const std::vector<Parameter>& parameters)
      : context_(context), queue_(queue), parameters_(parameters) {
    cl_device_id device = nullptr;
    clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
    clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof cacheBytes_, &cacheBytes_, nullptr);
  }
  ~Arguments() {
    for (auto& [name, memory] : memory_) clReleaseMemObject(memory);
  }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  cl_int set(cl_kernel kernel) {
    cl_int status = CL_SUCCESS;
    for (cl_uint i = 0; i < parameters_.size() && status == CL_SUCCESS; ++i) {
      const Parameter& parameter = parameters_[i];
      const auto size = static_cast<std::size_t>(Type{parameter.base, 1}.size());
      if (parameter.use == Parameter::Use::LocalMemory) {
        status = clSetKernelArg(kernel, i, size * static_cast<std::size_t>(parameter.count), nullptr);
      } else if (parameter.use == Parameter::Use::Value) {
        status = clSetKernelArg(kernel, i, size, &parameter.value);
      } else {
        cl_mem memory = bufferOf(parameter);
        status = clSetKernelArg(kernel, i, sizeof memory, &memory);
      }
    }
    return status;
  }

  cl_int read(cl_command_queue queue, std::size_t launch, std::vector<Buffer>& buffers) {
    cl_int status = CL_SUCCESS;
    for (const Parameter& parameter : parameters_) {
      if (parameter.use != Parameter::Use::Output && parameter.use != Parameter::Use::Mistakes) continue;
      Buffer buffer{parameter.name, parameter.base, launch, std::vector<std::uint8_t>(bytes(parameter))};
      status |= clEnqueueReadBuffer(queue, bufferOf(parameter), CL_TRUE, 0, buffer.bytes.size(), buffer.bytes.data(), 0,
                                    nullptr, nullptr);
      buffers.push_back(std::move(buffer));
    }
    return status;
  }

private:
  static std::size_t bytes(const Parameter& parameter) {
    return static_cast<std::size_t>(parameter.count) * static_cast<std::size_t>(Type{parameter.base, 1}.size());
  }

  cl_mem bufferOf(const Parameter& parameter) {
    const std::string& name = parameter.sameBufferAs.empty() ? parameter.name : parameter.sameBufferAs;
    cl_mem& memory = memory_[name];
    if (!memory) {
      std::vector<std::uint8_t> initial(bytes(parameter));
      if (parameter.use != Parameter::Use::Mistakes)
        initial = content(name, parameter.base, parameter.count, parameter.most);
      // Where buffers are larger than the caches, loops are expected to step through them together.
      const std::size_t more = parameter.count % 2 == 0 ? cacheBytes_ : 0;
      memory = clCreateBuffer(context_, CL_MEM_READ_WRITE, initial.size() + more, nullptr, nullptr);
      if (memory) clEnqueueWriteBuffer(queue_, memory, CL_TRUE, 0, initial.size(), initial.data(), 0, nullptr, nullptr);
    }
    return memory;
  }

  cl_context context_;
  cl_command_queue queue_;
  cl_ulong cacheBytes_ = 0;
  const std::vector<Parameter>& parameters_;
  std::map<std::string, cl_mem> memory_;
};

Runner::Runner(const std::string& platform) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  clGetPlatformIDs(16, platforms, &count);
  for (cl_uint i = 0; i < count && !device_; ++i) {
    if (platformInfo(platforms[i]).find(platform) == std::string::npos) continue;
    platformName_ = platformInfo(platforms[i]);
    clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device_, nullptr);
  }
  if (!device_) throw std::runtime_error("no OpenCL platform with '" + platform + "' in its name has a device");
  context_ = clCreateContext(nullptr, 1, &device_, notify, &notified_, nullptr);
  queue_ = clCreateCommandQueueWithProperties(context_, device_, nullptr, nullptr);
}

Runner::~Runner() {
  clReleaseCommandQueue(queue_);
  clReleaseContext(context_);
}

cl_program Runner::build(const std::string& source, const std::string& options, std::string& error) {
  const char* text = source.c_str();
  cl_program program = clCreateProgramWithSource(context_, 1, &text, nullptr, nullptr);
  const cl_int status = clBuildProgram(program, 1, &device_, options.c_str(), nullptr, nullptr);
  if (status == CL_SUCCESS) return program;
  std::size_t size = 0;
  clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size + 1, '\0');
  clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  error = "building failed (" + std::to_string(status) + "): " + log.c_str();
  clReleaseProgram(program);
  return nullptr;
}

bool Runner::accepts(const std::string& options) {
  std::string error;
  cl_program program = build("__kernel void k(__global int* x) { x[get_global_id(0)] = 1; }", options, error);
  if (program) clReleaseProgram(program);
  return program != nullptr;
}

std::string Runner::launch(cl_kernel kernel, const Launch& launch, Arguments& arguments) {
  notified_.clear();
  cl_int status = arguments.set(kernel);
  if (status != CL_SUCCESS) return "clSetKernelArg returned " + std::to_string(status);
  status = clEnqueueNDRangeKernel(queue_, kernel, launch.dimensions, launch.offset.data(), launch.global.data(),
                                  launch.localGiven ? launch.local.data() : nullptr, 0, nullptr, nullptr);
  if (status != CL_SUCCESS) return "clEnqueueNDRangeKernel returned " + std::to_string(status);
  status = clFinish(queue_);
  return status == CL_SUCCESS ? "" : "clFinish returned " + std::to_string(status) + ": " + notified_;
}

namespace {

/// The first mistake that the program noticed itself.
std::string noticed(const Program::Text& text, const std::vector<Buffer>& buffers) {
  for (const Parameter& parameter : text.parameters) {
    if (parameter.use != Parameter::Use::Mistakes) continue;
    const auto latest = std::views::reverse(buffers);
    const auto buffer = std::ranges::find(latest, parameter.name, &Buffer::name);
    const auto wrong = std::ranges::find_if(buffer->bytes, [](std::uint8_t byte) { return byte != 0; });
    if (wrong == buffer->bytes.end()) continue;
    const auto at = static_cast<std::size_t>(wrong - buffer->bytes.begin());
    return "check " + std::to_string(*wrong) + " of the program failed for work-item " +
           std::to_string(at / static_cast<std::size_t>(Type{buffer->base, 1}.size()));
  }
  return "";
}

}  // namespace

Outcome Runner::run(const Program::Text& text, const std::vector<Launch>& launches, const std::string& options) {
  Outcome outcome;
  cl_program program = build(text.source, options, outcome.error);
  if (!program) return outcome;
  cl_int status = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel(program, kKernelName, &status);
  if (!kernel) outcome.error = "clCreateKernel returned " + std::to_string(status);
  for (std::size_t i = 0; i < launches.size() && outcome.error.empty(); ++i) {
    Arguments arguments(context_, queue_, text.parameters);
    outcome.error = launch(kernel, launches[i], arguments);
    if (outcome.error.empty() && arguments.read(queue_, i, outcome.buffers) != CL_SUCCESS)
      outcome.error = "reading a buffer failed";
    if (outcome.error.empty()) outcome.error = noticed(text, outcome.buffers);
    if (!outcome.error.empty()) outcome.error += " (" + launches[i].describe() + ")";
  }
  if (kernel) clReleaseKernel(kernel);
  clReleaseProgram(program);
  return outcome;
}

std::optional<std::string> difference(const Outcome& expected, const Outcome& actual,
                                      const std::vector<Launch>& launches) {
  if (expected.error != actual.error)
    return actual.error.empty() ? "only the reference failed: " + expected.error : actual.error;
  for (std::size_t i = 0; i < expected.buffers.size(); ++i) {
    const Buffer &left = expected.buffers[i], &right = actual.buffers[i];
    if (left.bytes == right.bytes) continue;
    const auto size = static_cast<std::size_t>(Type{left.base, 1}.size());
    for (std::size_t at = 0; at < left.bytes.size(); at += size) {
      const std::uint8_t *a = &left.bytes[at], *b = &right.bytes[at];
      if (std::memcmp(a, b, size) == 0 || (isNan(a, left.base) && isNan(b, left.base))) continue;
      return left.name + "[" + std::to_string(at / size) + "] = " + shown(b, left.base) + " instead of " +
             shown(a, left.base) + ", " + launches[left.launch].describe();
    }
  }
  return std::nullopt;
}

}  // namespace clarity::fuzz
