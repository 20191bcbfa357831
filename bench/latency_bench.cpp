// SPDX-License-Identifier: Apache-2.0
// This file measures what the calls around small commands cost: launches with different numbers of buffers, small
// transfers, events, and command-queues of every kind, on the first device of the first OpenCL platform.
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.h"

namespace bench {
namespace {

const char usage[] =
    "latency_bench [--filter REGEX] [--rounds N | --count N] [--json FILE]\n"
    "Measures the calls around small commands on the first OpenCL platform, which\n"
    "OCL_ICD_VENDORS selects.\n"
    "  --filter REGEX only the cases whose names match\n"
    "  --rounds N     measurements of each case, of which the best is printed (25)\n"
    "  --count N      runs each case N times and prints no times, for programs that\n"
    "                 count instructions\n"
    "  --json FILE    also writes the table as JSON\n";

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Options {
  std::regex filter{"."};
  unsigned rounds = 25, count = 0;
  std::string json;
};

unsigned numberOf(const std::string& option, const char* text) {
  char* end = nullptr;
  const unsigned long number = std::strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || number < 1 || number > 100'000'000)
    throw UsageError(option + " needs a number from 1 to 100000000, not \"" + text + '"');
  return static_cast<unsigned>(number);
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const auto value = [&] {
      if (++i == argc) throw UsageError(name + " needs a value");
      return argv[i];
    };
    if (name == "--filter") {
      const char* const text = value();
      try {
        options.filter = std::regex(text);
      } catch (const std::regex_error& error) {
        throw UsageError("--filter \"" + std::string(text) + "\": " + error.what());
      }
    } else if (name == "--rounds") {
      options.rounds = numberOf(name, value());
    } else if (name == "--count") {
      options.count = numberOf(name, value());
    } else if (name == "--json") {
      options.json = value();
    } else {
      throw UsageError("unknown option \"" + name + '"');
    }
  }
  return options;
}

constexpr unsigned mostBuffers = 8;
constexpr std::size_t bufferBytes = 4096;

// Kernels that do next to nothing with 0, 1, 4 and 8 buffers, and one with values.
const char source[] =
    "#define P(n) __global int* p##n\n"
    "__kernel void buffers0() {}\n"
    "__kernel void buffers1(P(0)) { *p0 = 1; }\n"
    "__kernel void buffers4(P(0), P(1), P(2), P(3)) { *p0 = 1; }\n"
    "__kernel void buffers8(P(0), P(1), P(2), P(3), P(4), P(5), P(6), P(7)) { *p0 = 1; }\n"
    "__kernel void values(P(0), int a, float b, int c) { *p0 = a + c + (int)b; }\n";

// A context with what the cases use, made once.
class Device {
public:
  Device() {
    check(clGetPlatformIDs(1, &platform_, nullptr), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), "clGetDeviceIDs");
    cl_int code;
    context = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code);
    check(code, "clCreateContext");
    inOrder = queue(0);
    profiled = queue(CL_QUEUE_PROFILING_ENABLE);
    cl_command_queue_properties able = 0;
    check(clGetDeviceInfo(device_, CL_DEVICE_QUEUE_PROPERTIES, sizeof able, &able, nullptr), "clGetDeviceInfo");
    if (able & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) outOfOrder = queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (cl_mem& buffer : buffers) {
      buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bufferBytes, nullptr, &code);
      check(code, "clCreateBuffer");
    }
    const char* text = source;
    program_ = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program_, 1, &device_, "", nullptr, nullptr), "clBuildProgram");
  }

  // The kernel with buffers as its first arguments.
  cl_kernel kernel(const char* name, unsigned count) const {
    cl_int code;
    cl_kernel const kernel = clCreateKernel(program_, name, &code);
    check(code, "clCreateKernel");
    for (unsigned i = 0; i < count; ++i)
      check(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]), "clSetKernelArg");
    return kernel;
  }

  // Whether it has an extension in this version or a later one.
  bool has(const char* extension, cl_version_khr version) const {
    std::size_t bytes = 0;
    if (clGetDeviceInfo(device_, CL_DEVICE_EXTENSIONS_WITH_VERSION_KHR, 0, nullptr, &bytes)) return false;
    std::vector<cl_name_version_khr> all(bytes / sizeof(cl_name_version_khr));
    check(clGetDeviceInfo(device_, CL_DEVICE_EXTENSIONS_WITH_VERSION_KHR, bytes, all.data(), nullptr),
          "clGetDeviceInfo");
    return std::any_of(all.begin(), all.end(), [&](const auto& each) {
      return each.name == std::string(extension) && each.version >= version;
    });
  }
  template <class Function>
  void find(Function& function, const char* name) const {
    function = reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform_, name));
    if (!function) throw std::runtime_error(std::string("there is no ") + name);
  }

  std::string name() const { return text(clGetDeviceInfo, device_, CL_DEVICE_NAME); }
  std::string platformName() const { return text(clGetPlatformInfo, platform_, CL_PLATFORM_NAME); }

  cl_context context = nullptr;
  cl_command_queue inOrder = nullptr, profiled = nullptr;
  cl_command_queue outOfOrder = nullptr;  // null: the device has none
  cl_mem buffers[mostBuffers];

private:
  cl_command_queue queue(cl_command_queue_properties properties) const {
    cl_int code;
    cl_command_queue const queue = clCreateCommandQueue(context, device_, properties, &code);
    check(code, "clCreateCommandQueue");
    return queue;
  }
  template <class Query, class Object>
  static std::string text(Query query, Object object, cl_uint what) {
    char text[256] = "";
    check(query(object, what, sizeof text, text, nullptr), "clGetInfo");
    return text;
  }

  cl_platform_id platform_ = nullptr;
  cl_device_id device_ = nullptr;
  cl_program program_ = nullptr;
};

// The measured command: one call of `once` is `commands` commands.
struct Case {
  std::string name;
  unsigned commands;
  std::function<void()> once;
};

void launch(cl_command_queue queue, cl_kernel kernel, std::size_t items = 1, cl_event* event = nullptr,
            cl_uint waits = 0, const cl_event* waitList = nullptr) {
  const std::size_t group = 1;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &group, waits, waitList, event),
        "clEnqueueNDRangeKernel");
}
void finish(cl_command_queue queue) { check(clFinish(queue), "clFinish"); }

void addLaunches(const Device& device, std::vector<Case>& cases) {
  cl_command_queue const queue = device.inOrder;
  for (const unsigned buffers : {0u, 1u, 4u, 8u}) {
    cl_kernel const kernel = device.kernel(("buffers" + std::to_string(buffers)).c_str(), buffers);
    const std::string name = buffers ? std::to_string(buffers) + (buffers > 1 ? " buffers" : " buffer") : "empty";
    cases.push_back({"launch, " + name + ", clFinish", 1, [=] { launch(queue, kernel), finish(queue); }});
  }
  cl_kernel const empty = device.kernel("buffers0", 0), four = device.kernel("buffers4", 4);
  cl_kernel const values = device.kernel("values", 1);
  cases.push_back({"launch, 64 work-groups, clFinish", 1, [=] { launch(queue, four, 64), finish(queue); }});
  cases.push_back({"3 clSetKernelArg, launch, clFinish", 1, [=] {
                     const cl_int a = 1, c = 2;
                     const cl_float b = 3;
                     check(clSetKernelArg(values, 1, sizeof a, &a), "clSetKernelArg");
                     check(clSetKernelArg(values, 2, sizeof b, &b), "clSetKernelArg");
                     check(clSetKernelArg(values, 3, sizeof c, &c), "clSetKernelArg");
                     launch(queue, values), finish(queue);
                   }});
  constexpr unsigned many = 500;
  cases.push_back({"500 launches, empty, one clFinish", many, [=] {
                     for (unsigned i = 0; i < many; ++i) launch(queue, empty);
                     finish(queue);
                   }});
  cases.push_back({"500 launches, 4 buffers, one clFinish", many, [=] {
                     for (unsigned i = 0; i < many; ++i) launch(queue, four);
                     finish(queue);
                   }});
}

void addTransfers(const Device& device, std::vector<Case>& cases) {
  cl_command_queue const queue = device.inOrder;
  cl_mem const from = device.buffers[0], to = device.buffers[1];
  static cl_int word = 0;
  cases.push_back({"blocking read of 4 bytes", 1, [=] {
                     check(clEnqueueReadBuffer(queue, from, CL_TRUE, 0, sizeof word, &word, 0, nullptr, nullptr),
                           "clEnqueueReadBuffer");
                   }});
  cases.push_back({"blocking write of 4 bytes", 1, [=] {
                     check(clEnqueueWriteBuffer(queue, to, CL_TRUE, 0, sizeof word, &word, 0, nullptr, nullptr),
                           "clEnqueueWriteBuffer");
                   }});
  cases.push_back({"copy of 4 KiB, clFinish", 1, [=] {
                     check(clEnqueueCopyBuffer(queue, from, to, 0, 0, bufferBytes, 0, nullptr, nullptr),
                           "clEnqueueCopyBuffer");
                     finish(queue);
                   }});
  cases.push_back(
      {"blocking map and unmap, clFinish", 2, [=] {
         cl_int code;
         void* const mapped =
             clEnqueueMapBuffer(queue, from, CL_TRUE, CL_MAP_READ, 0, bufferBytes, 0, nullptr, nullptr, &code);
         check(code, "clEnqueueMapBuffer");
         check(clEnqueueUnmapMemObject(queue, from, mapped, 0, nullptr, nullptr), "clEnqueueUnmapMemObject");
         finish(queue);
       }});
  cl_kernel const one = device.kernel("buffers1", 1);
  cases.push_back({"launch, then blocking read of 4 bytes", 2, [=] {
                     launch(queue, one);
                     check(clEnqueueReadBuffer(queue, from, CL_TRUE, 0, sizeof word, &word, 0, nullptr, nullptr),
                           "clEnqueueReadBuffer");
                   }});
}

void addEvents(const Device& device, std::vector<Case>& cases) {
  cl_kernel const four = device.kernel("buffers4", 4);
  cases.push_back({"launch with event, clWaitForEvents", 1, [=, &device] {
                     cl_event event;
                     launch(device.inOrder, four, 1, &event);
                     check(clWaitForEvents(1, &event), "clWaitForEvents");
                     check(clReleaseEvent(event), "clReleaseEvent");
                   }});
  cases.push_back(
      {"profiled launch, clFinish", 1, [=, &device] { launch(device.profiled, four), finish(device.profiled); }});
  if (!device.outOfOrder) return;
  cl_command_queue const queue = device.outOfOrder;
  cases.push_back({"out of order: launch, clFinish", 1, [=] { launch(queue, four), finish(queue); }});
  constexpr unsigned many = 100;
  cases.push_back({"out of order: 100 launches, one clFinish", many, [=] {
                     for (unsigned i = 0; i < many; ++i) launch(queue, four);
                     finish(queue);
                   }});
  cases.push_back({"out of order: chain of 100 launches", many, [=] {
                     cl_event last = nullptr;
                     for (unsigned i = 0; i < many; ++i) {
                       cl_event next;
                       launch(queue, four, 1, &next, last ? 1 : 0, last ? &last : nullptr);
                       if (last) check(clReleaseEvent(last), "clReleaseEvent");
                       last = next;
                     }
                     finish(queue);
                     check(clReleaseEvent(last), "clReleaseEvent");
                   }});
}

// Command-buffers, whose functions have other parameters in revisions before 0.9.5 and in headers of that time.
void addReplays(const Device& device, std::vector<Case>& cases) {
  if (!device.has("cl_khr_command_buffer", CL_MAKE_VERSION_KHR(0, 9, 5))) return;
  using Buffer = void*;
  Buffer (*create)(cl_uint, const cl_command_queue*, const cl_ulong*, cl_int*);
  cl_int (*record)(Buffer, cl_command_queue, const cl_ulong*, cl_kernel, cl_uint, const std::size_t*,
                   const std::size_t*, const std::size_t*, cl_uint, const cl_uint*, cl_uint*, void*);
  cl_int (*finalize)(Buffer);
  cl_int (*enqueue)(cl_uint, cl_command_queue*, Buffer, cl_uint, const cl_event*, cl_event*);
  device.find(create, "clCreateCommandBufferKHR");
  device.find(record, "clCommandNDRangeKernelKHR");
  device.find(finalize, "clFinalizeCommandBufferKHR");
  device.find(enqueue, "clEnqueueCommandBufferKHR");
  constexpr unsigned many = 100;
  cl_command_queue const queue = device.inOrder;
  for (const unsigned buffers : {0u, 4u}) {
    cl_kernel const kernel = device.kernel(("buffers" + std::to_string(buffers)).c_str(), buffers);
    cl_int code;
    Buffer const buffer = create(1, &queue, nullptr, &code);
    check(code, "clCreateCommandBufferKHR");
    const std::size_t one = 1;
    for (unsigned i = 0; i < many; ++i)
      check(record(buffer, nullptr, nullptr, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr, nullptr),
            "clCommandNDRangeKernelKHR");
    check(finalize(buffer), "clFinalizeCommandBufferKHR");
    const std::string name = buffers ? "4 buffers" : "empty";
    cases.push_back({"command-buffer of 100 launches, " + name + ", clFinish", many, [=] {
                       check(enqueue(0, nullptr, buffer, 0, nullptr, nullptr), "clEnqueueCommandBufferKHR");
                       finish(queue);
                     }});
  }
}

// Nanoseconds of one command: the best of the rounds, each of about two milliseconds.
double measure(const Case& measured, unsigned rounds) {
  using Clock = std::chrono::steady_clock;
  const auto time = [&](unsigned calls) {
    const auto begin = Clock::now();
    for (unsigned i = 0; i < calls; ++i) measured.once();
    return std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / calls;
  };
  time(3);  // compiles
  const auto calls = static_cast<unsigned>(std::clamp(2e6 / time(20), 2.0, 20000.0));
  double best = time(calls);
  for (unsigned i = 1; i < rounds; ++i) best = std::min(best, time(calls));
  return best / measured.commands;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char each : text) {
    if (each == '"' || each == '\\') out += '\\';
    if (static_cast<unsigned char>(each) >= ' ') out += each;
  }
  return out + '"';
}

void writeJson(const std::string& path, const Device& device, const std::vector<std::pair<std::string, double>>& rows) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (!file) throw std::runtime_error("cannot write " + path);
  std::fprintf(file, "{\n  \"platform\": %s,\n  \"device\": %s,\n  \"cases\": [", quoted(device.platformName()).c_str(),
               quoted(device.name()).c_str());
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::fprintf(file, "%s\n    {\"name\": %s, \"nanoseconds\": %.1f}", i ? "," : "", quoted(rows[i].first).c_str(),
                 rows[i].second);
  std::fputs("\n  ]\n}\n", file);
  const bool failed = std::ferror(file) != 0;
  if (std::fclose(file) != 0 || failed) throw std::runtime_error("cannot write " + path);
}

void run(const Options& options) {
  const Device device;
  std::vector<Case> cases;
  addLaunches(device, cases);
  addTransfers(device, cases);
  addEvents(device, cases);
  addReplays(device, cases);
  if (!options.count) std::printf("%s\n%-62s %12s\n", device.name().c_str(), "", "ns a command");
  std::vector<std::pair<std::string, double>> rows;
  for (const Case& each : cases) {
    if (!std::regex_search(each.name, options.filter)) continue;
    if (options.count) {
      for (unsigned i = 0; i < options.count; ++i) each.once();
      continue;
    }
    rows.emplace_back(each.name, measure(each, options.rounds));
    std::printf("%-62s %12.1f\n", each.name.c_str(), rows.back().second);
    std::fflush(stdout);
  }
  if (!options.json.empty()) writeJson(options.json, device, rows);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--help") {
    std::fputs(bench::usage, stdout);
    return 0;
  }
  try {
    bench::run(bench::parse(argc, argv));
    return 0;
  } catch (const bench::UsageError& error) {
    std::fprintf(stderr, "latency_bench: %s\n%s", error.what(), bench::usage);
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "latency_bench: %s\n", error.what());
    return 1;
  }
}
