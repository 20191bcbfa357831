// SPDX-License-Identifier: Apache-2.0
// This file implements session.h.
#include "session.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <utility>

namespace clarity::stress {
namespace {

constexpr std::size_t largest = 1 << 15;  ///< elements of a buffer
constexpr std::size_t groupSize = 32;

}  // namespace

bool Refused::isOfResources() const {
  constexpr cl_int noPlatform = -1001;
  constexpr std::array expected{CL_OUT_OF_HOST_MEMORY,
                                CL_OUT_OF_RESOURCES,
                                CL_MEM_OBJECT_ALLOCATION_FAILURE,
                                CL_BUILD_PROGRAM_FAILURE,
                                CL_DEVICE_NOT_FOUND,
                                CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                                noPlatform};
  return std::ranges::find(expected, code) != expected.end();
}

std::string sourceOf(unsigned variant) {
  return "constant uint variant = " + std::to_string(variant) +
         ";\n"
         "uint mixed(uint x) { for (int i = 0; i < 3; ++i) x = x * 1664525u + 1013904223u; return x; }\n"
         "kernel void affine(global uint* x, uint first, uint a, uint b) {\n"
         "  size_t i = first + get_global_id(0);\n"
         "  x[i] = mixed(x[i]) * a + b + variant;\n"
         "}\n"
         "kernel void reversed(global uint* x, uint first, uint a, uint b, local uint* t) {\n"
         "  size_t i = first + get_global_id(0), l = get_local_id(0), n = get_local_size(0);\n"
         "  t[l] = x[i] * a + b;\n"
         "  barrier(CLK_LOCAL_MEM_FENCE);\n"
         "  x[i] = t[n - 1 - l] + variant;\n"
         "}\n"
         "kernel void chosen(global uint* x, uint first, uint a, uint b) {\n"
         "  uint own[16];\n"
         "  size_t i = first + get_global_id(0);\n"
         "  for (uint k = 0; k < 16; ++k) own[k] = x[i] ^ k * a;\n"
         "  x[i] = own[x[i] & 15] + own[b & 15] * variant;\n"
         "}\n";
}

Session::Session(unsigned itsVariant) : variant(itsVariant) {
  cl_platform_id platform = nullptr;
  need("clGetPlatformIDs", clGetPlatformIDs(1, &platform, nullptr));
  need("clGetDeviceIDs", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr));
  cl_int code = CL_SUCCESS;
  context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  need("clCreateContext", code);
  try {
    program = build(sourceOf(variant));
  } catch (...) {
    clReleaseContext(context);
    throw;
  }
}

Session::~Session() {
  clReleaseProgram(program);
  clReleaseContext(context);
}

cl_program Session::build(const std::string& source, const char* options) const {
  cl_int code = CL_SUCCESS;
  const char* text = source.c_str();
  cl_program made = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
  need("clCreateProgramWithSource", code);
  code = clBuildProgram(made, 1, &device, options, nullptr, nullptr);
  if (code == CL_SUCCESS) return made;
  char log[2000] = "";
  clGetProgramBuildInfo(made, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, nullptr);
  clReleaseProgram(made);
  std::fprintf(stderr, "%s\n", log);
  throw Refused("clBuildProgram", code);
}

cl_program Session::buildInBackground(const std::string& source) const {
  cl_int code = CL_SUCCESS;
  const char* text = source.c_str();
  cl_program made = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
  need("clCreateProgramWithSource", code);
  std::atomic<bool> called{false};
  const auto call = [](cl_program, void* flag) {
    auto& its = *static_cast<std::atomic<bool>*>(flag);
    its = true;
    its.notify_all();
  };
  code = clBuildProgram(made, 1, &device, nullptr, call, &called);
  if (code == CL_SUCCESS) {
    called.wait(false);
    cl_build_status status = CL_BUILD_IN_PROGRESS;
    clGetProgramBuildInfo(made, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, nullptr);
    if (status == CL_BUILD_SUCCESS) return made;
    if (status == CL_BUILD_IN_PROGRESS) throw Failure("a build goes on behind its callback");
    code = CL_BUILD_PROGRAM_FAILURE;
  }
  clReleaseProgram(made);
  throw Refused("clBuildProgram with a callback", code);
}

cl_mem Session::buffer(std::size_t bytes) const {
  cl_int code = CL_SUCCESS;
  cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
  need("clCreateBuffer", code);
  return made;
}

Model::Model(const Session& session, Random random)
    : session_(session), random_(random), outOfOrder_(random_.chance(30)) {
  cl_int code = CL_SUCCESS;
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  queue_ =
      clCreateCommandQueueWithProperties(session.context, session.device, outOfOrder_ ? properties : nullptr, &code);
  need("clCreateCommandQueueWithProperties", code);
  cells_.resize(random_.between(2, 5));
  for (Cells& each : cells_) renew(each);
}

Model::~Model() {
  if (queue_) clFinish(queue_);
  if (last_) clReleaseEvent(last_);
  for (Cells& each : cells_)
    if (each.buffer) clReleaseMemObject(each.buffer);
  if (queue_) clReleaseCommandQueue(queue_);
}

Model::Range Model::rangeOf(const Cells& cells) {
  const std::size_t first = random_.below(cells.expected.size());
  return {first, random_.between(1, cells.expected.size() - first)};
}

void Model::follow(cl_event event) {
  if (last_) clReleaseEvent(last_);
  last_ = event;
}

void Model::compare(const Cells& cells, const cl_uint* got, Range range, const char* how) const {
  for (std::size_t i = 0; i < range.count; ++i)
    if (got[i] != cells.expected[range.first + i])
      throw Failure(std::string(how) + " gave " + std::to_string(got[i]) + " for element " +
                    std::to_string(range.first + i) + " of " + std::to_string(cells.expected.size()) + ", wanted " +
                    std::to_string(cells.expected[range.first + i]));
}

void Model::fill(Cells& cells) {
  const Range range = rangeOf(cells);
  const cl_uint value = random_.word();
  cl_event event = nullptr;
  need("clEnqueueFillBuffer",
       clEnqueueFillBuffer(queue_, cells.buffer, &value, sizeof value, range.first * sizeof value,
                           range.count * sizeof value, waits(), waitList(), &event));
  follow(event);
  std::fill_n(cells.expected.begin() + static_cast<std::ptrdiff_t>(range.first), range.count, value);
}

void Model::copy(Cells& from, Cells& to) {
  if (&from == &to) return;
  const std::size_t count = random_.between(1, std::min(from.expected.size(), to.expected.size()));
  const std::size_t at = random_.below(from.expected.size() - count + 1);
  const std::size_t where = random_.below(to.expected.size() - count + 1);
  cl_event event = nullptr;
  need("clEnqueueCopyBuffer",
       clEnqueueCopyBuffer(queue_, from.buffer, to.buffer, at * sizeof(cl_uint), where * sizeof(cl_uint),
                           count * sizeof(cl_uint), waits(), waitList(), &event));
  follow(event);
  std::copy_n(from.expected.begin() + static_cast<std::ptrdiff_t>(at), count,
              to.expected.begin() + static_cast<std::ptrdiff_t>(where));
}

void Model::write(Cells& cells) {
  const Range range = rangeOf(cells);
  for (std::size_t i = 0; i < range.count; ++i) cells.expected[range.first + i] = random_.word();
  cl_event event = nullptr;
  need("clEnqueueWriteBuffer",
       clEnqueueWriteBuffer(queue_, cells.buffer, CL_TRUE, range.first * sizeof(cl_uint), range.count * sizeof(cl_uint),
                            &cells.expected[range.first], waits(), waitList(), &event));
  follow(event);
}

void Model::read(Cells& cells) {
  const Range range = rangeOf(cells);
  std::vector<cl_uint> got(range.count);
  need("clEnqueueReadBuffer",
       clEnqueueReadBuffer(queue_, cells.buffer, CL_TRUE, range.first * sizeof(cl_uint), range.count * sizeof(cl_uint),
                           got.data(), waits(), waitList(), nullptr));
  compare(cells, got.data(), range, "clEnqueueReadBuffer");
}

void Model::map(Cells& cells) {
  const Range range = rangeOf(cells);
  cl_int code = CL_SUCCESS;
  auto* const got = static_cast<cl_uint*>(
      clEnqueueMapBuffer(queue_, cells.buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, range.first * sizeof(cl_uint),
                         range.count * sizeof(cl_uint), waits(), waitList(), nullptr, &code));
  need("clEnqueueMapBuffer", code);
  compare(cells, got, range, "clEnqueueMapBuffer");
  const std::size_t changed = random_.below(range.count);
  got[changed] = cells.expected[range.first + changed] = random_.word();
  cl_event event = nullptr;
  need("clEnqueueUnmapMemObject", clEnqueueUnmapMemObject(queue_, cells.buffer, got, 0, nullptr, &event));
  follow(event);
}

void Model::run(const char* name, Cells& cells, Range range, std::size_t group, bool hasLocal) {
  cl_int code = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel(session_.program, name, &code);
  need("clCreateKernel", code);
  const auto first = static_cast<cl_uint>(range.first);
  const cl_uint a = random_.word() | 1, b = random_.word();
  clSetKernelArg(kernel, 0, sizeof cells.buffer, &cells.buffer);
  clSetKernelArg(kernel, 1, sizeof first, &first);
  clSetKernelArg(kernel, 2, sizeof a, &a);
  clSetKernelArg(kernel, 3, sizeof b, &b);
  if (hasLocal) clSetKernelArg(kernel, 4, group * sizeof(cl_uint), nullptr);
  cl_event event = nullptr;
  code = clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &range.count, group ? &group : nullptr, waits(), waitList(),
                                &event);
  clReleaseKernel(kernel);
  need("clEnqueueNDRangeKernel", code);
  follow(event);
  cl_uint* const x = &cells.expected[range.first];
  if (hasLocal) {
    for (std::size_t i = 0; i < range.count; i += group) {
      std::reverse(x + i, x + i + group);
      for (std::size_t l = 0; l < group; ++l) x[i + l] = x[i + l] * a + b + session_.variant;
    }
    return;
  }
  const bool affine = std::string(name) == "affine";
  for (std::size_t i = 0; i < range.count; ++i) {
    cl_uint value = x[i];
    for (int k = 0; affine && k < 3; ++k) value = value * 1664525u + 1013904223u;
    x[i] = affine ? value * a + b + session_.variant
                  : (value ^ (value & 15) * a) + (value ^ (b & 15) * a) * session_.variant;
  }
}

void Model::launch(Cells& cells) {
  Range range = rangeOf(cells);
  switch (random_.below(3)) {
    case 0: return run("affine", cells, range, 0, false);
    case 1: return run("chosen", cells, range, 0, false);
    default:
      range.count = std::max(groupSize, range.count / groupSize * groupSize);
      range.first = std::min(range.first, cells.expected.size() - range.count);
      return run("reversed", cells, range, groupSize, true);
  }
}

/// A build of another program beside all that runs.
void Model::rebuild() {
  const std::string source = sourceOf(random_.chance(80) ? static_cast<unsigned>(random_.below(8)) : random_.word());
  clReleaseProgram(random_.chance(50) ? session_.build(source) : session_.buildInBackground(source));
}

void Model::renew(Cells& cells) {
  if (cells.buffer) clReleaseMemObject(std::exchange(cells.buffer, nullptr));
  cells.expected.resize(random_.between(groupSize, random_.chance(20) ? largest : largest / 64));
  cells.buffer = session_.buffer(cells.expected.size() * sizeof(cl_uint));
  for (cl_uint& each : cells.expected) each = random_.word();
  need("clEnqueueWriteBuffer",
       clEnqueueWriteBuffer(queue_, cells.buffer, CL_TRUE, 0, cells.expected.size() * sizeof(cl_uint),
                            cells.expected.data(), waits(), waitList(), nullptr));
}

void Model::step() {
  Cells& cells = any();
  switch (random_.below(20)) {
    case 0:
    case 1: return fill(cells);
    case 2:
    case 3: return copy(cells, any());
    case 4:
    case 5: return write(cells);
    case 6:
    case 7: return read(cells);
    case 8:
    case 9: return map(cells);
    case 10: return renew(cells);
    case 11: return random_.chance(20) ? rebuild() : launch(cells);
    case 12: return need("clFlush", clFlush(queue_));
    case 13: return need("clFinish", clFinish(queue_));
    default: return launch(cells);
  }
}

void Model::check() {
  for (Cells& cells : cells_) {
    std::vector<cl_uint> got(cells.expected.size());
    need("clEnqueueReadBuffer", clEnqueueReadBuffer(queue_, cells.buffer, CL_TRUE, 0, got.size() * sizeof(cl_uint),
                                                    got.data(), waits(), waitList(), nullptr));
    compare(cells, got.data(), {0, got.size()}, "clEnqueueReadBuffer");
  }
}

}  // namespace clarity::stress
