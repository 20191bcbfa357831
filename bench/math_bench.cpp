// SPDX-License-Identifier: Apache-2.0
// This file measures every math function of OpenCL C on one compute unit of the first device, beside SLEEF's function
// called from C++ on one thread, and prints a table in Markdown. Both compute the same elements many times, which stay
// in the caches: SLEEF's function in small blocks, the kernel in launches, of which the device tells the times.
#include <CL/cl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.h"
#include "math_peers.h"
#include "problem.h"

namespace bench {
namespace {

constexpr std::size_t count = 16384;  // elements
constexpr std::size_t block = 256;    // of them at a time in C++; in OpenCL the device chooses
constexpr double wantedNanoseconds = 1.5e6;
constexpr unsigned measurements = 9;

// Runs `once(repetitions)`, which returns nanoseconds, with enough repetitions for a stable time. Returns the
// nanoseconds of one repetition.
double nanosecondsOf(const std::function<double(unsigned)>& once) {
  once(1);  // compiles
  const double estimate = std::min(once(8), once(8)) / 8;
  const unsigned repetitions = static_cast<unsigned>(std::clamp(wantedNanoseconds / estimate, 4.0, 4000.0));
  double best = INFINITY;
  for (unsigned i = 0; i < measurements; ++i) best = std::min(best, once(repetitions));
  return best / repetitions;
}

// One compute unit and what is launched on it.
class Device {
public:
  Device() {
    cl_platform_id platform;
    check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), "clGetDeviceIDs");
    cl_uint units = 0;
    check(clGetDeviceInfo(device_, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr), "clGetDeviceInfo");
    const cl_device_partition_property oneUnit[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                    CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    if (units > 1) check(clCreateSubDevices(device_, oneUnit, 1, &device_, nullptr), "clCreateSubDevices");
    cl_int code;
    context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code);
    check(code, "clCreateContext");
    queue_ = clCreateCommandQueue(context_, device_, CL_QUEUE_PROFILING_ENABLE, &code);
    check(code, "clCreateCommandQueue");
  }

  std::string name() const {
    char text[256] = {};
    check(clGetDeviceInfo(device_, CL_DEVICE_NAME, sizeof text - 1, text, nullptr), "clGetDeviceInfo");
    return text;
  }

  // Nanoseconds for all elements; the results are in `out`.
  double measure(const MathFunction& function, const Storage& x, const Storage& y, const Storage& out,
                 const std::string& options) {
    cl_int code;
    const std::string source = sourceOf(function);
    const char* text = source.c_str();
    cl_program program = clCreateProgramWithSource(context_, 1, &text, nullptr, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device_, options.c_str(), nullptr, nullptr), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "measured", &code);
    check(code, "clCreateKernel");
    cl_mem buffers[3];
    const Storage* contents[] = {&x, &y, &out};
    for (cl_uint i = 0; i < 3; ++i) {
      buffers[i] = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, contents[i]->bytes(), contents[i]->data(), &code);
      check(code, "clCreateBuffer");
      check(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]), "clSetKernelArg");
    }
    const double result = nanosecondsOf([&](unsigned repetitions) { return launch(kernel, repetitions); });
    check(clEnqueueReadBuffer(queue_, buffers[2], CL_TRUE, 0, out.bytes(), out.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
    for (cl_mem buffer : buffers) clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    return result;
  }

private:
  static std::string sourceOf(const MathFunction& function) {
    const std::string type = function.isDouble ? "double" : "float";
    const std::string second = !function.second ? "" : function.secondIsInt ? ", (int)y[i]" : ", y[i]";
    return "kernel void measured(global const " + type + "* restrict x, global const " + type +
           "* restrict y, global " + type +
           "* restrict out) {\n  const size_t i = get_global_id(0);\n  out[i] = " + function.name + "(x[i]" + second +
           ");\n}\n";
  }

  // Nanoseconds of `repetitions` launches.
  double launch(cl_kernel kernel, unsigned repetitions) {
    double sum = 0;
    for (unsigned i = 0; i < repetitions; ++i) sum += launch(kernel);
    return sum;
  }

  double launch(cl_kernel kernel) {
    cl_event event;
    check(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &count, nullptr, 0, nullptr, &event),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue_), "clFinish");
    cl_ulong begin = 0, end = 0;
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, nullptr),
          "clGetEventProfilingInfo");
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr),
          "clGetEventProfilingInfo");
    clReleaseEvent(event);
    return static_cast<double>(end - begin);
  }

  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
};

double measureHost(const MathFunction& function, const Storage& x, const Storage& y, const Storage& out) {
  const std::size_t bytes = block * (function.isDouble ? sizeof(double) : sizeof(float));
  return nanosecondsOf([&](unsigned repetitions) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t at = 0; at < out.bytes(); at += bytes)
      for (unsigned r = 0; r < repetitions; ++r)
        function.host(static_cast<char*>(x.data()) + at, static_cast<char*>(y.data()) + at,
                      static_cast<char*>(out.data()) + at, block);
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
  });
}

Storage argumentsOf(const MathFunction& function, unsigned seed, double low, double high) {
  if (function.isDouble) {
    const std::vector<double> values = randomDoubles(count, seed, low, high);
    return {values.data(), count * sizeof(double)};
  }
  const std::vector<float> values = randomFloats(count, seed, static_cast<float>(low), static_cast<float>(high));
  return {values.data(), count * sizeof(float)};
}

// The number of results whose difference far exceeds the accuracies of both. Differences at zeros of functions are
// ignored.
template <class T>
std::size_t differencesOf(const Storage& a, const Storage& b, double tolerance) {
  std::size_t different = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double first = static_cast<const T*>(a.data())[i], second = static_cast<const T*>(b.data())[i];
    const bool both = std::isnan(first) && std::isnan(second);
    different +=
        !both && first != second && !(std::abs(first - second) <= tolerance * std::max(1e-3, std::abs(second)));
  }
  return different;
}

constexpr const char* header =
    "| type | function | ns | SLEEF ns | ratio | SLEEF's function | relaxed ns |\n"
    "|---|---|---|---|---|---|---|\n";

// False if the function is wrong.
bool measure(Device& device, const MathFunction& function) {
  const Storage x = argumentsOf(function, 1, function.low, function.high),
                y = argumentsOf(function, 2, function.low2, function.high2);
  const Storage out(x.bytes()), hostOut(x.bytes());
  std::memset(out.data(), 0xff, out.bytes());
  const double relaxed = device.measure(function, x, y, out, "-cl-fast-relaxed-math") / count;
  const double own = device.measure(function, x, y, out, "") / count;
  std::printf("| %s | %s | %.2f | ", function.isDouble ? "double" : "float", function.name, own);
  if (!function.host) {
    std::printf("- | - | - | %.2f |\n", relaxed);
    return true;
  }
  const double other = measureHost(function, x, y, hostOut) / count;
  const std::size_t different = !function.same      ? 0
                                : function.isDouble ? differencesOf<double>(out, hostOut, 1e-12)
                                                    : differencesOf<float>(out, hostOut, 1e-5);
  std::printf("%.2f | %.2f | %s | %.2f |%s\n", other, own / other, function.peer, relaxed, different ? " WRONG" : "");
  std::fflush(stdout);
  return !different;
}

const char usage[] =
    "usage: math_bench [--filter REGEX]\n"
    "  --filter REGEX   functions to measure, by type and name: 'float (sin|cos)'\n";

}  // namespace
}  // namespace bench

int main(int argc, char** argv) try {
  if (argc != 1 && (argc != 3 || std::strcmp(argv[1], "--filter") != 0)) {
    std::fputs(bench::usage, stderr);
    return 2;
  }
  const std::regex filter(argc == 3 ? argv[2] : ".");
  bench::Device device;
  std::printf("%s; SLEEF: %s\n\n%s", device.name().c_str(), bench::vectorsOfPeers(), bench::header);
  bool right = true;
  for (const bench::MathFunction& function : bench::mathFunctions())
    if (std::regex_search(std::string(function.isDouble ? "double " : "float ") + function.name, filter))
      right &= bench::measure(device, function);
  return right ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "math_bench: %s\n", error.what());
  return 2;
}
