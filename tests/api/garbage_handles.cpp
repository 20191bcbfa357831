// SPDX-License-Identifier: Apache-2.0
// This file calls every entry point of the driver with every kind of value that is no handle, at each place where it
// takes a handle or a list of them: the answer is the standard's code for it, and nothing is read through the value.
#include "enqueue_checks.h"

#include "fixture.h"

#include <sys/mman.h>
#include <unistd.h>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace clarity::test {
namespace {

/// A value in place of a handle.
struct Garbage {
  const char* what;
  void* value;
};

/// For each class of objects: the code for what is none, and how a live object is made.
template <class Handle>
struct ClassOf {
  static constexpr bool known = false;
};
template <cl_int Code>
struct Known {
  static constexpr bool known = true;
  static constexpr cl_int code = Code;
};
template <>
struct ClassOf<cl_platform_id> : Known<CL_INVALID_PLATFORM> {};
template <>
struct ClassOf<cl_device_id> : Known<CL_INVALID_DEVICE> {};
template <>
struct ClassOf<cl_context> : Known<CL_INVALID_CONTEXT> {};
template <>
struct ClassOf<cl_command_queue> : Known<CL_INVALID_COMMAND_QUEUE> {};
template <>
struct ClassOf<cl_mem> : Known<CL_INVALID_MEM_OBJECT> {};
template <>
struct ClassOf<cl_program> : Known<CL_INVALID_PROGRAM> {};
template <>
struct ClassOf<cl_kernel> : Known<CL_INVALID_KERNEL> {};
template <>
struct ClassOf<cl_event> : Known<CL_INVALID_EVENT> {};
template <>
struct ClassOf<cl_sampler> : Known<CL_INVALID_SAMPLER> {};

/// `const cl_event*` is a list of events.
template <class T>
struct Listed {
  using Handle = void;
};
template <class T>
struct Listed<const T*> {
  using Handle = T;
};
template <class T>
constexpr bool isHandle = ClassOf<T>::known;
template <class T>
constexpr bool isList = ClassOf<typename Listed<T>::Handle>::known;

/// Whether a function says by a code how it ended: it returns one, or its last argument is where to write it.
template <class Result, class... Args>
constexpr bool givesCode = std::is_same_v<Result, cl_int> ||
                           std::is_same_v<std::tuple_element_t<sizeof...(Args) - 1, std::tuple<Args...>>, cl_int*>;

struct GarbageHandles : OpenCL {
  cl_mem memory = nullptr;
  cl_program program = nullptr;
  cl_kernel test = nullptr;
  cl_event event = nullptr;
  std::vector<Garbage> garbage;
  unsigned calls = 0;

  void SetUp() override {
    OpenCL::SetUp();
    if (!promisesBadHandles(*this)) GTEST_SKIP() << "this driver does not promise to survive other values than null";
    memory = buffer(64);
    program = build("kernel void test(global float* a, local float* b, float c) { a[get_global_id(0)] = c; }");
    test = kernel(program, "test");
    event = userEvent();
    ASSERT_SUCCESS(clSetUserEventStatus(event, CL_COMPLETE));
    makeGarbage();
  }

  void makeGarbage() {
    static std::byte inData[4096];
    static std::byte onHeap[1];
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* const gone = ::mmap(nullptr, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ::munmap(gone, page);
    void* const closed = ::mmap(nullptr, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    atEnd([=] { ::munmap(closed, page); });
    auto heap = std::make_shared<std::vector<std::byte>>(1 << 16);
    atEnd([heap] {});
    garbage = {{"one", reinterpret_cast<void*>(1)},
               {"a small number", reinterpret_cast<void*>(64)},
               {"all ones", reinterpret_cast<void*>(~std::uintptr_t{0})},
               {"not canonical", reinterpret_cast<void*>(0x8000'0000'0000'0000)},
               {"unmapped memory", gone},
               {"memory that cannot be read", closed},
               {"zeros in the program's data", inData},
               {"an odd address", inData + 1},
               {"the program's data", onHeap},
               {"the heap", heap->data()},
               {"code", reinterpret_cast<void*>(&errorName)},
               {"the stack", __builtin_frame_address(0)},
               {"memory of another library", notAnObject<void*>()}};
    // Inside live objects, behind them, and copies of them.
    void* const objects[] = {platform, device, context, queue, memory, program, test, event};
    for (void* const object : objects) {
      garbage.push_back({"eight bytes into an object", static_cast<std::byte*>(object) + 8});
      garbage.push_back({"into an object", static_cast<std::byte*>(object) + 64});
      garbage.push_back({"before an object", static_cast<std::byte*>(object) - 16});
      auto copy = std::make_shared<std::array<std::uint64_t, 8>>();
      std::memcpy(copy->data(), object, sizeof *copy / 2);
      atEnd([copy] {});
      garbage.push_back({"a copy of an object's first bytes", copy->data()});
    }
  }

  template <class Handle>
  Handle live() {
    if constexpr (std::is_same_v<Handle, cl_platform_id>) return platform;
    if constexpr (std::is_same_v<Handle, cl_device_id>) return device;
    if constexpr (std::is_same_v<Handle, cl_context>) return context;
    if constexpr (std::is_same_v<Handle, cl_command_queue>) return queue;
    if constexpr (std::is_same_v<Handle, cl_mem>) return memory;
    if constexpr (std::is_same_v<Handle, cl_program>) return program;
    if constexpr (std::is_same_v<Handle, cl_kernel>) return test;
    if constexpr (std::is_same_v<Handle, cl_event>) return event;
    return Handle{};
  }

  /// Whatever is none of class Handle: the garbage and live objects of the other classes.
  template <class Handle>
  std::vector<Garbage> noneOf() {
    std::vector<Garbage> all = garbage;
    all.push_back({"null", nullptr});
    const std::pair<const char*, void*> objects[] = {
        {"the platform", platform}, {"a device", device},   {"a context", context}, {"a command-queue", queue},
        {"a buffer", memory},       {"a program", program}, {"a kernel", test},     {"an event", event}};
    for (const auto& [what, object] : objects)
      if (object != live<Handle>()) all.push_back({what, object});
    return all;
  }

  /// The arguments of a call that are right as far as their types tell: live objects and zeros.
  template <class... Args>
  std::tuple<Args...> arguments() {
    return {argument<Args>()...};
  }
  template <class T>
  T argument() {
    if constexpr (isHandle<T>)
      return live<T>();
    else
      return T{};
  }

  /// The code that a call ends with. Functions without one must return null.
  template <class Result, class... Args>
  static cl_int codeOf(Result(CL_API_CALL* function)(Args...), std::tuple<Args...> args) {
    if constexpr (std::is_same_v<Result, cl_int>) {
      return std::apply(function, args);
    } else if constexpr (std::is_void_v<Result>) {
      std::apply(function, args);
      return CL_INVALID_VALUE;
    } else {
      cl_int code = CL_INVALID_VALUE;
      if constexpr (givesCode<Result, Args...>) std::get<sizeof...(Args) - 1>(args) = &code;
      EXPECT_EQ(std::apply(function, args), nullptr);
      return code;
    }
  }

  /// One entry point with each value at its argument `At`. An invalid first argument is reported ahead of everything
  /// else; the zeros in other places may be complained of before a later handle is.
  template <std::size_t At, class Result, class... Args>
  void tryArgument(const char* name, Result(CL_API_CALL* function)(Args...), bool isUnsupported) {
    using T = std::tuple_element_t<At, std::tuple<Args...>>;
    using Handle = std::conditional_t<isHandle<T>, T, typename Listed<T>::Handle>;
    for (const Garbage& wrong : noneOf<Handle>()) {
      SCOPED_TRACE(std::string(name) + ", argument " + std::to_string(At) + ": " + wrong.what);
      std::tuple<Args...> args = arguments<Args...>();
      const Handle value = static_cast<Handle>(wrong.value);
      if constexpr (isHandle<T>) {
        std::get<At>(args) = value;
      } else {
        std::get<At>(args) = &value;
        if constexpr (At > 0)
          if constexpr (std::is_same_v<std::tuple_element_t<At - 1, std::tuple<Args...>>, cl_uint>)
            std::get<At - 1>(args) = 1;
      }
      const cl_int code = codeOf(function, args);
      ++calls;
      EXPECT_NE(code, CL_SUCCESS);
      if (isUnsupported || !isHandle<T> || At != 0 || !givesCode<Result, Args...>) continue;
      // A null platform is Clarity.
      if (std::is_same_v<Handle, cl_platform_id> && !wrong.value) continue;
      EXPECT_CL(ClassOf<Handle>::code, code);
    }
  }

  template <class Result, class... Args, std::size_t... At>
  void tryAll(const char* name, Result(CL_API_CALL* function)(Args...), bool isUnsupported,
              std::index_sequence<At...>) {
    const auto tryOne = [&]<std::size_t I>() {
      using T = std::tuple_element_t<I, std::tuple<Args...>>;
      if constexpr (isHandle<T> || isList<T>) tryArgument<I>(name, function, isUnsupported);
    };
    (tryOne.template operator()<At>(), ...);
  }
  template <class Result, class... Args>
  void tryAll(const char* name, Result(CL_API_CALL* function)(Args...), bool isUnsupported) {
    tryAll(name, function, isUnsupported, std::index_sequence_for<Args...>());
  }

  /// Each value that is none of class Handle, at a place that `call` fills with it.
  template <class Handle, class Call>
  void expectEach(cl_int code, Call call) {
    for (const Garbage& wrong : noneOf<Handle>()) {
      SCOPED_TRACE(wrong.what);
      EXPECT_CL(code, call(static_cast<Handle>(wrong.value)));
    }
  }
};

TEST_F(GarbageHandles, everyEntryPointRefusesThem) {
#define API_ENTRY(name, parameters) tryAll(#name, driver->name, false);
#define API_UNSUPPORTED(name) tryAll(#name, driver->name, true);
#include "support/api.def"
  EXPECT_GT(calls, 5000U);
}

// The call is right otherwise, so that the value is really looked at.
TEST_F(GarbageHandles, inArgumentsOfKernels) {
  for (const Garbage& wrong : noneOf<cl_mem>()) {
    if (!wrong.value) continue;  // a null buffer is allowed
    SCOPED_TRACE(wrong.what);
    EXPECT_CL(CL_INVALID_MEM_OBJECT, clSetKernelArg(test, 0, sizeof(cl_mem), &wrong.value));
  }
  // The commonest mistake: the address of data in place of the address of a handle.
  const float numbers[16] = {1.0F, 2.0F, 3.0F, 4.0F};
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clSetKernelArg(test, 0, sizeof(cl_mem), numbers));
  EXPECT_TRUE(wasNotified("argument 0")) << allNotified();
}

TEST_F(GarbageHandles, inLists) {
  char bytes[64] = {};
  expectEach<cl_event>(CL_INVALID_EVENT_WAIT_LIST, [&](cl_event wrong) {
    return driver->clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 64, bytes, 1, &wrong, nullptr);
  });
  expectEach<cl_event>(CL_INVALID_EVENT_WAIT_LIST, [&](cl_event wrong) {
    const cl_event list[] = {event, event, wrong};
    return driver->clEnqueueMarkerWithWaitList(queue, 3, list, nullptr);
  });
  expectEach<cl_event>(CL_INVALID_EVENT, [&](cl_event wrong) {
    const cl_event list[] = {event, wrong};
    return driver->clWaitForEvents(2, list);
  });
  expectEach<cl_event>(CL_INVALID_EVENT, [&](cl_event wrong) {
    const cl_event list[] = {event, wrong};
    return driver->clEnqueueWaitForEvents(queue, 2, list);
  });
  expectEach<cl_mem>(CL_INVALID_MEM_OBJECT, [&](cl_mem wrong) {
    const cl_mem list[] = {memory, wrong};
    return driver->clEnqueueMigrateMemObjects(queue, 2, list, 0, 0, nullptr, nullptr);
  });
  expectEach<cl_mem>(CL_INVALID_MEM_OBJECT, [&](cl_mem wrong) {
    // Null is allowed in this list, and a device may have no native kernels.
    cl_device_exec_capabilities can = 0;
    driver->clGetDeviceInfo(device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof can, &can, nullptr);
    if (!wrong || !(can & CL_EXEC_NATIVE_KERNEL)) return CL_INVALID_MEM_OBJECT;
    const cl_mem list[] = {wrong};
    void* block[] = {nullptr};
    const void* places[] = {block};
    return driver->clEnqueueNativeKernel(
        queue, [](void*) {}, block, sizeof block, 1, list, places, 0, nullptr, nullptr);
  });
  expectEach<cl_program>(CL_INVALID_PROGRAM, [&](cl_program wrong) {
    cl_int code = CL_SUCCESS;
    driver->clLinkProgram(context, 0, nullptr, "", 1, &wrong, nullptr, nullptr, &code);
    return code;
  });
  expectEach<cl_program>(CL_INVALID_PROGRAM, [&](cl_program wrong) {
    const char* name = "header.h";
    return driver->clCompileProgram(source("int x;"), 0, nullptr, "", 1, &wrong, &name, nullptr, nullptr);
  });
}

TEST_F(GarbageHandles, inListsOfDevices) {
  expectEach<cl_device_id>(CL_INVALID_DEVICE, [&](cl_device_id wrong) {
    cl_int code = CL_SUCCESS;
    driver->clCreateContext(nullptr, 1, &wrong, nullptr, nullptr, &code);
    return code;
  });
  expectEach<cl_device_id>(CL_INVALID_DEVICE, [&](cl_device_id wrong) {
    return driver->clBuildProgram(source("int x;"), 1, &wrong, "", nullptr, nullptr);
  });
  expectEach<cl_device_id>(CL_INVALID_DEVICE, [&](cl_device_id wrong) {
    const unsigned char byte = 1, *bytes = &byte;
    const size_t size = 1;
    cl_int code = CL_SUCCESS;
    driver->clCreateProgramWithBinary(context, 1, &wrong, &size, &bytes, nullptr, &code);
    return code;
  });
  expectEach<cl_platform_id>(CL_INVALID_PLATFORM, [&](cl_platform_id wrong) {
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(wrong), 0};
    cl_int code = CL_SUCCESS;
    driver->clCreateContext(properties, 1, &device, nullptr, nullptr, &code);
    return code;
  });
}

TEST_F(GarbageHandles, behindTheFirstArgument) {
  char bytes[64] = {};
  expectEach<cl_mem>(CL_INVALID_MEM_OBJECT, [&](cl_mem wrong) {
    return driver->clEnqueueReadBuffer(queue, wrong, CL_TRUE, 0, 64, bytes, 0, nullptr, nullptr);
  });
  expectEach<cl_mem>(CL_INVALID_MEM_OBJECT, [&](cl_mem wrong) {
    return driver->clEnqueueCopyBuffer(queue, memory, wrong, 0, 0, 32, 0, nullptr, nullptr);
  });
  expectEach<cl_kernel>(CL_INVALID_KERNEL, [&](cl_kernel wrong) {
    const size_t one = 1;
    return driver->clEnqueueNDRangeKernel(queue, wrong, 1, nullptr, &one, nullptr, 0, nullptr, nullptr);
  });
}

// A handle whose object is gone, while another object of its class lives beside it.
TEST_F(GarbageHandles, ofReleasedObjects) {
  const cl_mem gone = releasedHandle<cl_mem>(*this);
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clSetKernelArg(test, 0, sizeof gone, &gone));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, driver->clRetainMemObject(gone));
  const cl_event over = releasedHandle<cl_event>(*this);
  EXPECT_CL(CL_INVALID_EVENT, driver->clWaitForEvents(1, &over));
}

}  // namespace
}  // namespace clarity::test
