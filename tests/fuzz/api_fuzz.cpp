// SPDX-License-Identifier: Apache-2.0
// This file is a fuzzer of calls: every entry point of the driver, extensions included, with arguments made from the
// types of its parameters, from several threads, with callbacks that give up what they were registered for, and
// sequences of valid calls between them. Nothing may end the process, no call may succeed with a handle of another
// class or release what the application does not have, and every callback comes once.
#include "api/entry_points.h"
#include "api_arguments.h"
#include "api_objects.h"
#include "api_scenarios.h"
#include "random.h"

#include <CL/cl.h>
#include <CL/cl_icd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace clarity::fuzz {
namespace {

// No kernel accesses more than the first byte of what it is given.
constexpr const char* source = R"(
kernel void fill(global uchar* a, uchar value) { if (get_global_id(0) == 0) a[0] = value; }
kernel void add(global uchar* a, global const uchar* b, local uchar* l, uint n) {
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_global_id(0) == n) a[0] = b[0] + 1;
}
kernel void tile(read_only image2d_t image, sampler_t sampler, global uchar* a) {
  if (get_global_id(0) == 0) a[0] = (uchar)read_imagef(image, sampler, (int2)(0, 0)).x;
}
kernel void wrong(global int* a) { a[((long)1 << 45) + get_global_id(0)] = 1; })";

std::atomic<unsigned> violations{0};

void violation(const std::string& text) {
  ++violations;
  std::fprintf(stderr, "api_fuzz: %s\n", text.c_str());
}

/// State that all threads use.
struct Shared {
  cl_platform_id platform = nullptr;
  const cl_icd_dispatch* driver = nullptr;
  std::vector<cl_device_id> devices;
  cl_context context = nullptr;
  cl_program program = nullptr;
  bool severalThreads = false, oneQueue = false, onlyScenarios = false;
};

class Caller;
struct Entry {
  const char* title;
  void (*call)(Caller&, const Entry&);
  void* address = nullptr;
};

/// One thread.
class Caller {
public:
  Caller(const Shared& shared, cl_device_id device, std::uint64_t seed)
      : shared_(shared),
        device_(device),
        random_(seed),
        objects_(!shared.severalThreads),
        arguments_(objects_, random_) {
    objects_.lend(classOf<cl_platform_id>(), shared.platform);
    for (cl_device_id const each : shared.devices) objects_.lend(classOf<cl_device_id>(), each);
    objects_.lend(classOf<cl_context>(), shared.context);
    objects_.lend(classOf<cl_program>(), shared.program);
    for (const char* const name : {"fill", "add", "tile", "wrong"}) {
      cl_kernel const kernel = shared.driver->clCreateKernel(shared.program, name, nullptr);
      objects_.add(classOf<cl_kernel>(), kernel);
    }
    queue_ = shared.driver->clCreateCommandQueueWithProperties(shared.context, device, nullptr, nullptr);
    objects_.lend(classOf<cl_command_queue>(), queue_);
    for (const std::size_t bytes : {1U, 64U, 4096U, 65536U})
      objects_.add(classOf<cl_mem>(), shared.driver->clCreateBuffer(shared.context, 0, bytes, nullptr, nullptr));
  }

  void run(const std::vector<Entry>& entries, std::size_t calls) {
    for (std::size_t i = 0; i < calls; ++i) {
      if (shared_.onlyScenarios) {
        playAnyScenario(stage());
        continue;
      }
      if (objects_.count() > 300) releaseSome();
      if (random_.chance(1)) playScenario(stage());
      const Entry& entry = random_.pick(entries);
      entry.call(*this, entry);
    }
    end();
  }

  Stage stage() {
    return {.platform = shared_.platform,
            .device = device_,
            .context = shared_.context,
            .program = shared_.program,
            .random = random_,
            .violation = violation};
  }

  /// Whether every callback has come that must have.
  bool isAnswered() {
    for (const Promise& each : arguments_.promises())
      if (each.isKept && each.isSure && each.calls == 0) return false;
    return true;
  }
  void checkPromises() {
    for (const Promise& each : arguments_.promises()) {
      if (each.calls > 1) violation("a callback came " + std::to_string(each.calls) + " times");
      if (!each.isKept && each.calls != 0) violation("a callback came though the call that registers it had failed");
      if (each.isKept && each.isSure && each.calls == 0)
        violation("a callback of " + std::string(each.function) + " has not come");
    }
  }

  template <class Result, class... Args>
  void call(const char* name, Result(CL_API_CALL* function)(Args...)) {
    const std::string_view text = name;
    if (isBlocking(text)) settle();
    arguments_.begin(text);
    std::tuple<Args...> args{arguments_.make<Args>()...};
    constexpr auto every = std::index_sequence_for<Args...>();
    adapt(text, args, every);
    if (!isAllowed(text, args)) return;
    cl_int code = CL_SUCCESS;
    bool hasCode = std::is_same_v<Result, cl_int>;
    if constexpr (sizeof...(Args) > 0 && !std::is_same_v<Result, cl_int>)
      if constexpr (std::is_same_v<std::tuple_element_t<sizeof...(Args) - 1, std::tuple<Args...>>, cl_int*>) {
        std::get<sizeof...(Args) - 1>(args) = &code;
        hasCode = true;
      }
    if constexpr (std::is_void_v<Result>) {
      std::apply(function, args);
    } else {
      const Result result = std::apply(function, args);
      if constexpr (std::is_same_v<Result, cl_int>)
        code = result;
      else
        took(text, code, result, args);
    }
    // Functions without a code do not say whether they have failed.
    if (!hasCode) code = CL_INVALID_VALUE;
    after(text, code, args, every);
  }

private:
  template <class T>
  T first(const auto& args) {
    if constexpr (std::tuple_size_v < std::remove_cvref_t < decltype(args) >>> 0)
      if constexpr (std::is_same_v<std::tuple_element_t<0, std::remove_cvref_t<decltype(args)>>, T>)
        return std::get<0>(args);
    return T{};
  }

  static bool isBlocking(std::string_view name) {
    for (const std::string_view part : {"Read", "Write", "Map", "Memcpy", "clWaitForEvents", "clFinish", "Blocking"})
      if (name.find(part) != name.npos) return true;
    return false;
  }

  /// Arguments that belong together, and calls that an application must not make.
  template <class... Args, std::size_t... I>
  void adapt(std::string_view name, std::tuple<Args...>& args, std::index_sequence<I...>) {
    Promise* const promise = arguments_.promise();
    const auto one = [&]<std::size_t i>() {
      using T = std::tuple_element_t<i, std::tuple<Args...>>;
      if constexpr (std::is_pointer_v<T> && i + 1 < sizeof...(Args))
        if constexpr (std::is_function_v<std::remove_pointer_t<T>> &&
                      std::is_same_v<std::tuple_element_t<i + 1, std::tuple<Args...>>, void*>)
          std::get<i + 1>(args) = promise;
    };
    (one.template operator()<I>(), ...);
    if (name == "clSetEventCallback" && promise) {
      const cl_event event = first<cl_event>(args);
      if (objects_.isLive(classOf<cl_event>(), event) && shared_.driver->clRetainEvent(event) == CL_SUCCESS) {
        promise->event = event;
        promise->holdsEvent.store(true);
      }
    }
    // An event that waits for a user event ends with it only if that has ended.
    if (name == "clReleaseEvent" && objects_.isLive(classOf<cl_event>(), first<cl_event>(args)))
      shared_.driver->clSetUserEventStatus(first<cl_event>(args), CL_COMPLETE);
  }

  template <class... Args>
  bool isAllowed(std::string_view name, const std::tuple<Args...>& args) {
    const bool makesQueue = name.starts_with("clCreateCommandQueue");
    if (shared_.oneQueue && makesQueue) return false;
    if ((name == "clBuildProgram" || name == "clCompileProgram" || name == "clLinkProgram") && random_.chance(95))
      return false;
    // References to objects that others own are not given up.
    if (!name.starts_with("clRelease")) return true;
    bool own = true;
    if constexpr (sizeof...(Args) > 0) {
      using T = std::tuple_element_t<0, std::tuple<Args...>>;
      if constexpr (isHandle<T>) {
        const auto& owned = objects_.owned(classOf<T>());
        void* const handle = std::get<0>(args);
        const bool counted = std::ranges::find(owned, handle) != owned.end();
        own = counted || !(objects_.isLive(classOf<T>(), handle) || arguments_.isPromised(handle));
      }
    }
    return own;
  }

  /// Notes the result of a call.
  template <class Result, class... Args>
  void took(std::string_view name, cl_int code, Result result, const std::tuple<Args...>& args) {
    if (!result) return;
    if (code != CL_SUCCESS && name != "clLinkProgram") violation(std::string(name) + ": an object and an error");
    if constexpr (isHandle<Result>) {
      objects_.add(classOf<Result>(), result);
    } else if constexpr (std::is_same_v<Result, void*>) {
      if (name.find("Map") != name.npos) arguments_.mapped.push_back(result);
      if (name.find("Alloc") == name.npos) return;
      arguments_.shared.push_back(result);
      allocations_.push_back({first<cl_context>(args), result, name.find("SVM") != name.npos});
    }
  }

  template <class... Args, std::size_t... I>
  void after(std::string_view name, cl_int code, const std::tuple<Args...>& args, std::index_sequence<I...>) {
    const bool succeeded = code == CL_SUCCESS;
    const auto look = [&]<std::size_t i>() {
      using T = std::tuple_element_t<i, std::tuple<Args...>>;
      if constexpr (isHandle<T>) {
        if (succeeded && isOfAnotherClass(classOf<T>(), std::get<i>(args)))
          violation(std::string(name) + ": argument " + std::to_string(i) + " is of another class, and it succeeded");
      }
      if constexpr (i == 0 && isHandle<T>) {
        void* const handle = std::get<i>(args);
        const bool counted =
            std::ranges::find(objects_.owned(classOf<T>()), handle) != objects_.owned(classOf<T>()).end();
        const bool isUncounted =
            classOf<T>() == classOf<cl_platform_id>() || std::ranges::count(shared_.devices, handle) > 0;
        if (succeeded && name.starts_with("clRetain") && !isUncounted) objects_.add(classOf<T>(), handle);
        if (succeeded && name.starts_with("clRelease") && !isUncounted && !objects_.remove(classOf<T>(), handle))
          violation(std::string(name) + " released what the application does not have");
        if (!succeeded && name.starts_with("clRelease") && counted)
          violation(std::string(name) + " failed for a valid handle");
      }
      if constexpr (std::is_same_v<T, void*>)
        if (name.find("Free") != name.npos) freed(first<cl_context>(args), std::get<i>(args), name == "clSVMFree");
    };
    (look.template operator()<I>(), ...);
    if (Promise* const promise = arguments_.promise()) {
      promise->isKept = succeeded;
      if (!succeeded && promise->event) {
        shared_.driver->clReleaseEvent(promise->event);
        promise->holdsEvent.store(false);
      }
    }
    const bool creates = name.starts_with("clCreate") || name.starts_with("clEnqueue") ||
                         name.starts_with("clCommand") || name.starts_with("clRemap");
    for (std::size_t of = 0; creates && succeeded && of < classes; ++of)
      for (void* const handle : arguments_.output(of)) objects_.add(of, handle);
  }

  /// A call has freed shared memory, if it was of that context and kind.
  void freed(cl_context context, void* memory, bool isSvm) {
    const auto count = std::erase_if(allocations_, [&](const Allocation& each) {
      return each.context == context && each.memory == memory && each.isSvm == isSvm;
    });
    if (count) std::erase(arguments_.shared, memory);
  }

  bool isOfAnotherClass(std::size_t of, const void* handle) const {
    if (!handle || objects_.isLive(of, handle)) return false;
    for (std::size_t other = 0; other < classes; ++other)
      if (other != of && objects_.isLive(other, handle)) return true;
    return false;
  }

  /// Nothing that this thread has enqueued waits any more for what only this thread can do.
  void settle() {
    for (void* const event : objects_.owned(classOf<cl_event>()))
      shared_.driver->clSetUserEventStatus(static_cast<cl_event>(event), random_.chance(90) ? CL_COMPLETE : -5);
    releaseAll(classOf<cl_semaphore_khr>());
  }

  void releaseOne(std::size_t of, void* handle) {
    const cl_icd_dispatch& driver = *shared_.driver;
    objects_.remove(of, handle);
    if (of == classOf<cl_device_id>()) driver.clReleaseDevice(static_cast<cl_device_id>(handle));
    if (of == classOf<cl_context>()) driver.clReleaseContext(static_cast<cl_context>(handle));
    if (of == classOf<cl_command_queue>()) driver.clReleaseCommandQueue(static_cast<cl_command_queue>(handle));
    if (of == classOf<cl_mem>()) driver.clReleaseMemObject(static_cast<cl_mem>(handle));
    if (of == classOf<cl_program>()) driver.clReleaseProgram(static_cast<cl_program>(handle));
    if (of == classOf<cl_kernel>()) driver.clReleaseKernel(static_cast<cl_kernel>(handle));
    if (of == classOf<cl_event>()) {
      driver.clSetUserEventStatus(static_cast<cl_event>(handle), CL_COMPLETE);
      driver.clReleaseEvent(static_cast<cl_event>(handle));
    }
    if (of == classOf<cl_sampler>()) driver.clReleaseSampler(static_cast<cl_sampler>(handle));
    if (of == classOf<cl_command_buffer_khr>())
      byName<api::cl_api_clReleaseCommandBufferKHR>("clReleaseCommandBufferKHR")(
          static_cast<cl_command_buffer_khr>(handle));
    if (of == classOf<cl_semaphore_khr>())
      byName<api::cl_api_clReleaseSemaphoreKHR>("clReleaseSemaphoreKHR")(static_cast<cl_semaphore_khr>(handle));
  }
  void releaseAll(std::size_t of) {
    while (!objects_.owned(of).empty()) releaseOne(of, random_.pick(objects_.owned(of)));
  }
  void releaseSome() {
    for (int i = 0; i < 200; ++i) {
      const auto of = static_cast<std::size_t>(random_.below(classes));
      const std::vector<void*>& owned = objects_.owned(of);
      // Few kernels are made, and the first buffers.
      if (owned.size() > 4) releaseOne(of, owned[4 + static_cast<std::size_t>(random_.below(owned.size() - 4))]);
    }
  }

  void end() {
    settle();
    for (void* const queue : objects_.owned(classOf<cl_command_queue>()))
      shared_.driver->clFinish(static_cast<cl_command_queue>(queue));
    shared_.driver->clFinish(queue_);
    for (const Allocation& each : allocations_) {
      if (each.isSvm)
        shared_.driver->clSVMFree(each.context, each.memory);
      else
        byName<clMemFreeINTEL_fn>("clMemFreeINTEL")(each.context, each.memory);
    }
    while (objects_.count() > 0) {
      const auto of = static_cast<std::size_t>(random_.below(classes));
      if (!objects_.owned(of).empty()) releaseOne(of, random_.pick(objects_.owned(of)));
    }
    shared_.driver->clReleaseCommandQueue(queue_);
  }

  template <class Function>
  Function byName(const char* name) {
    return reinterpret_cast<Function>(shared_.driver->clGetExtensionFunctionAddressForPlatform(shared_.platform, name));
  }

  /// Shared memory that was allocated, of one of the kinds.
  struct Allocation {
    cl_context context;
    void* memory;
    bool isSvm;
  };

  const Shared& shared_;
  cl_device_id device_;  ///< the device of its first queue and of its scenarios
  Random random_;
  Objects objects_;
  Arguments arguments_;
  cl_command_queue queue_ = nullptr;
  std::vector<Allocation> allocations_;
};

/// Those that are not here are given what they cannot check: addresses of texts and binaries with their lengths, of
/// structures, of functions that must free, descriptors; or they are for loaders, whose marks are in the table.
bool isLeftOut(std::string_view name) {
  for (const std::string_view each :
       {"clCreateProgramWithSource", "clCreateProgramWithBinary", "clCreateProgramWithIL", "clCreateProgramWithILKHR",
        "clUpdateMutableCommandsKHR", "clEnqueueSVMFree", "clSVMFreeWithPropertiesKHR",
        "clIcdSetPlatformDispatchDataKHR", "clTerminateContextKHR", "clGetPlatformIDs", "clUnloadCompiler"})
    if (name == each) return true;
  return false;
}

std::vector<Entry> allEntries(const Shared& shared) {
  std::vector<Entry> entries;
#define API_ENTRY(name, parameters)                                                                                \
  entries.push_back({#name,                                                                                        \
                     [](Caller& caller, const Entry& entry) {                                                      \
                       caller.call(entry.title, reinterpret_cast<decltype(cl_icd_dispatch::name)>(entry.address)); \
                     },                                                                                            \
                     reinterpret_cast<void*>(shared.driver->name)});
#define API_UNSUPPORTED(name) API_ENTRY(name, "")
#define API_BY_NAME(name, parameters)                                                                 \
  entries.push_back({#name,                                                                           \
                     [](Caller& caller, const Entry& entry) {                                         \
                       caller.call(entry.title, reinterpret_cast<api::cl_api_##name>(entry.address)); \
                     },                                                                               \
                     shared.driver->clGetExtensionFunctionAddressForPlatform(shared.platform, #name)});
#include "support/api.def"
  std::erase_if(entries, [](const Entry& entry) { return !entry.address || isLeftOut(entry.title); });
  return entries;
}

int run(std::uint64_t seed, std::size_t calls, unsigned threads, std::string_view option) {
  Shared shared;
  shared.onlyScenarios = option == "scenarios";
  shared.severalThreads = threads > 1;
  shared.oneQueue = option == "one-queue";
  if (clGetPlatformIDs(1, &shared.platform, nullptr) != CL_SUCCESS) return EXIT_FAILURE;
  shared.driver = *reinterpret_cast<const cl_icd_dispatch* const*>(shared.platform);
  const cl_icd_dispatch& driver = *shared.driver;
  cl_uint devices = 0;
  driver.clGetDeviceIDs(shared.platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &devices);
  shared.devices.resize(devices);
  if (driver.clGetDeviceIDs(shared.platform, CL_DEVICE_TYPE_ALL, devices, shared.devices.data(), nullptr) != CL_SUCCESS)
    return EXIT_FAILURE;
  // With a callback for errors, of which there are many, none is printed.
  const auto silent = [](const char*, const void*, std::size_t, void*) {};
  shared.context = driver.clCreateContext(nullptr, devices, shared.devices.data(), silent, nullptr, nullptr);
  const char* text = source;
  shared.program = driver.clCreateProgramWithSource(shared.context, 1, &text, nullptr, nullptr);
  if (driver.clBuildProgram(shared.program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr) != CL_SUCCESS)
    return EXIT_FAILURE;

  const std::vector<Entry> entries = allEntries(shared);
  std::vector<std::unique_ptr<Caller>> callers;
  for (unsigned i = 0; i < threads; ++i)
    callers.push_back(std::make_unique<Caller>(shared, shared.devices[(seed + i) % devices], seed * 1000 + i));
  std::vector<std::thread> running;
  for (const auto& caller : callers) running.emplace_back([&] { caller->run(entries, calls); });
  for (std::thread& each : running) each.join();
  driver.clReleaseProgram(shared.program);
  driver.clReleaseContext(shared.context);
  // Other threads may have to give up theirs first: of callbacks, of builds.
  for (int i = 0; i < 600; ++i) {
    if (std::ranges::all_of(callers, [](const auto& each) { return each->isAnswered(); })) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  for (const auto& caller : callers) caller->checkPromises();
  // Callbacks of events may still come. A static pointer tells LeakSanitizer that they are used.
  static const auto* const kept = new std::vector(std::move(callers));
  static_cast<void>(kept);
  std::printf("seed %llu: %u threads, %zu calls each of %zu entry points, %u violations\n",
              static_cast<unsigned long long>(seed), threads, calls, entries.size(), violations.load());
  return violations == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace clarity::fuzz

// api_fuzz SEED CALLS THREADS [one-queue|scenarios]
int main(int count, char** arguments) {
  if (count < 4) {
    std::fputs("usage: api_fuzz SEED CALLS THREADS [one-queue|scenarios]\n", stderr);
    return EXIT_FAILURE;
  }
  return clarity::fuzz::run(std::strtoull(arguments[1], nullptr, 10), std::strtoull(arguments[2], nullptr, 10),
                            static_cast<unsigned>(std::strtoul(arguments[3], nullptr, 10)),
                            count > 4 ? arguments[4] : "");
}
