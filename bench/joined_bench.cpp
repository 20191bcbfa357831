// SPDX-License-Identifier: Apache-2.0
// This file times programs that know one device, for joined devices beside their parts (joined.py): data stays on the
// device between launches, and the time is that of the host, from the first enqueue until clFinish returns.
#include <CL/cl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

constexpr const char* source = R"(
kernel void matmul(global const float* a, global const float* b, global float* c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
kernel void nbody(global const float4* body, global float4* force, int n) {
  int i = get_global_id(0);
  float4 mine = body[i];
  float3 sum = 0;
  for (int j = 0; j < n; ++j) {
    float4 other = body[j];
    float3 to = other.xyz - mine.xyz;
    float inverse = native_rsqrt(dot(to, to) + 1e-3f);
    sum += to * (other.w * inverse * inverse * inverse);
  }
  force[i] = (float4)(sum, mine.w);
}
float below(float x) { return 0.5f * erfc(-0.70710678f * x); }
kernel void black_scholes(global const float* price, global const float* strike, global const float* years,
                          global float* call, global float* put, float rate, float volatility) {
  size_t i = get_global_id(0);
  float s = price[i], k = strike[i], t = years[i];
  float spread = volatility * sqrt(t), d1 = (log(s / k) + (rate + 0.5f * volatility * volatility) * t) / spread;
  float discounted = k * exp(-rate * t), c = s * below(d1) - discounted * below(d1 - spread);
  call[i] = c;
  put[i] = c + discounted - s;
}
kernel void stencil(global const float* from, global float* to, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  to[y * w + x] = 0.2f * (from[y * w + x] + from[y * w + x - 1] + from[y * w + x + 1] + from[(y - 1) * w + x] +
                          from[(y + 1) * w + x]);
}
kernel void vector_add(global const float* a, global const float* b, global float* c) {
  size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}
)";

void check(cl_int code, const char* what) {
  if (code != CL_SUCCESS) throw std::runtime_error(std::string(what) + ": error " + std::to_string(code));
}

class Bench {
public:
  explicit Bench(double scale) : scale_(scale) {
    cl_platform_id platform = nullptr;
    check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), "clGetDeviceIDs");
    cl_int code = CL_SUCCESS;
    context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code);
    check(code, "clCreateContext");
    queue_ = clCreateCommandQueue(context_, device_, 0, &code);
    check(code, "clCreateCommandQueue");
    program_ = clCreateProgramWithSource(context_, 1, const_cast<const char**>(&source), nullptr, &code);
    check(clBuildProgram(program_, 1, &device_, "", nullptr, nullptr), "clBuildProgram");
    char name[512] = "";
    check(clGetDeviceInfo(device_, CL_DEVICE_NAME, sizeof name, name, nullptr), "clGetDeviceInfo");
    std::printf("device %s\n", name);
  }

  void matmul() {
    const int n = rounded(8192, 64);
    const cl_mem a = floats(std::size_t(n) * n), b = floats(std::size_t(n) * n), c = floats(std::size_t(n) * n);
    time("matmul", 3, [&] { run("matmul", {size_t(n), size_t(n)}, {16, 16}, a, b, c, n); }, c);
  }
  void nbody() {
    const int n = rounded(262144, 256);
    const cl_mem bodies = floats(4 * std::size_t(n)), force = floats(4 * std::size_t(n));
    time("nbody", 3, [&] { run("nbody", {size_t(n)}, {256}, bodies, force, n); }, force);
  }
  void blackScholes() {
    const auto n = std::size_t(rounded(1 << 28, 256));
    const cl_mem price = floats(n), strike = floats(n), years = floats(n), call = floats(n), put = floats(n);
    const float rate = 0.02f, volatility = 0.3f;
    const auto step = [&] {
      for (int i = 0; i < 10; ++i) run("black_scholes", {n}, {256}, price, strike, years, call, put, rate, volatility);
    };
    time("black_scholes", 3, step, call);
  }
  void stencil() {
    const int w = rounded(16384, 64), h = w;
    cl_mem from = floats(std::size_t(w) * h), to = floats(std::size_t(w) * h);
    const auto step = [&] {
      for (int i = 0; i < 100; ++i) {
        run("stencil", {size_t(w), size_t(h)}, {64, 4}, from, to, w, h);
        std::swap(from, to);
      }
    };
    time("stencil", 3, step, from);
  }
  void vectorAdd() {
    const auto n = std::size_t(rounded(1 << 29, 256));
    const cl_mem a = floats(n), b = floats(n), c = floats(n);
    time(
        "vector_add", 3,
        [&] {
          for (int i = 0; i < 20; ++i) run("vector_add", {n}, {256}, a, b, c);
        },
        c);
  }

private:
  int rounded(int size, int multiple) const {
    const double smaller = size * scale_;
    return std::max(int(smaller) / multiple, 1) * multiple;
  }

  cl_mem floats(std::size_t count) {
    cl_int code = CL_SUCCESS;
    const cl_mem made = clCreateBuffer(context_, CL_MEM_READ_WRITE, count * sizeof(float), nullptr, &code);
    check(code, "clCreateBuffer");
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = 1.0f + float((i * 2654435761u >> 7) % 1000) / 1000.0f;
    check(clEnqueueWriteBuffer(queue_, made, CL_TRUE, 0, count * sizeof(float), values.data(), 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
    buffers_.push_back({made, count});
    return made;
  }

  template <class... Args>
  void run(const char* name, std::vector<std::size_t> global, std::vector<std::size_t> local, const Args&... args) {
    if (name_ != name) {
      cl_int code = CL_SUCCESS;
      kernel_ = clCreateKernel(program_, name, &code);
      check(code, "clCreateKernel");
      name_ = name;
    }
    cl_uint index = 0;
    (check(clSetKernelArg(kernel_, index++, sizeof args, &args), "clSetKernelArg"), ...);
    check(clEnqueueNDRangeKernel(queue_, kernel_, cl_uint(global.size()), nullptr, global.data(), local.data(), 0,
                                 nullptr, nullptr),
          "clEnqueueNDRangeKernel");
  }

  /// The shortest of several times, after two runs that are not counted, and a sum of the results.
  template <class Step>
  void time(const char* name, int times, const Step& step, cl_mem result) {
    double least = 0;
    for (int i = -2; i < times; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      step();
      check(clFinish(queue_), "clFinish");
      const double taken = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
      if (i >= 0 && (least == 0 || taken < least)) least = taken;
    }
    std::size_t count = 0;
    for (const auto& [memory, size] : buffers_)
      if (memory == result) count = size;
    std::vector<float> values(count);
    check(clEnqueueReadBuffer(queue_, result, CL_TRUE, 0, count * sizeof(float), values.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
    unsigned long long hash = 1469598103934665603ull;
    for (const float each : values) {
      unsigned bits = 0;
      std::memcpy(&bits, &each, sizeof bits);
      hash = (hash ^ bits) * 1099511628211ull;
    }
    std::printf("%s %.3f %016llx\n", name, least, hash);
    std::fflush(stdout);
    for (const auto& [memory, size] : buffers_) clReleaseMemObject(memory);
    buffers_.clear();
  }

  double scale_;
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
  std::string name_;
  std::vector<std::pair<cl_mem, std::size_t>> buffers_;
};

}  // namespace

/// Arguments: a factor of all sizes.
int main(int argc, char** argv) try {
  Bench bench(argc > 1 ? std::atof(argv[1]) : 1);
  bench.matmul();
  bench.nbody();
  bench.blackScholes();
  bench.stencil();
  bench.vectorAdd();
} catch (const std::exception& error) {
  std::fprintf(stderr, "joined_bench: %s\n", error.what());
  return 1;
}
