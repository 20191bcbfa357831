// SPDX-License-Identifier: Apache-2.0
// This file tests what a GPU cannot do, and what the CUDA driver must not be asked for: memory of the host that is not
// there, which ends the process in a real one, and kernels that no GPU executes.
#include "compiler/nvptx/launch_abi.h"
#include "cuda_stub.h"

#include <sys/mman.h>

#include <array>
#include <cstdlib>
#include <limits>

namespace clarity::test {
namespace {

constexpr size_t page = 4096;

struct CudaRefusals : CudaStub {
  /// A page that can be read, or written, too, behind which there is none for as long as the largest transfer is;
  /// memory that no process has.
  std::byte* lastPage(int protection) {
    constexpr size_t behind = size_t{16} << 20;
    auto* const pages = static_cast<std::byte*>(
        mmap(nullptr, page + behind, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    mprotect(pages, page, protection);
    atEnd([pages] { munmap(pages, page + behind); });
    return pages;
  }
  static void* nowhere() { return reinterpret_cast<void*>(64); }

  cl_mem image(cl_mem_object_type type, size_t width, size_t height, size_t depth) {
    cl_image_desc desc{};
    desc.image_type = type;
    desc.image_width = width, desc.image_height = height, desc.image_depth = depth;
    const cl_image_format format{CL_R, CL_UNSIGNED_INT8};
    return created(
        [&](cl_int* error) { return clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, nullptr, error); });
  }

  using Transfer = std::function<cl_int(void* host)>;
  /// All ways that bytes of the host, `size` x `size` of them, go to the GPU, or from it.
  std::vector<Transfer> transfers(bool toGpu, size_t size) {
    const cl_mem bytes = buffer(2 * size * size), flat = image(CL_MEM_OBJECT_IMAGE2D, size, size, 0),
                 deep = image(CL_MEM_OBJECT_IMAGE3D, size / 2, size / 2, 4);
    void* const shared = clSVMAlloc(context, CL_MEM_READ_WRITE, size * size, 0);
    atEnd([this, shared] { clSVMFree(context, shared); });
    const auto rectOf = [=, this](size_t gpuPitch, size_t hostPitch) -> Transfer {
      return [=, this](void* host) {
        constexpr std::array<size_t, 3> zero{};
        const std::array<size_t, 3> region{size, size, 1};
        return toGpu ? clEnqueueWriteBufferRect(queue, bytes, CL_TRUE, zero.data(), zero.data(), region.data(),
                                                gpuPitch, 0, hostPitch, 0, host, 0, nullptr, nullptr)
                     : clEnqueueReadBufferRect(queue, bytes, CL_TRUE, zero.data(), zero.data(), region.data(), gpuPitch,
                                               0, hostPitch, 0, host, 0, nullptr, nullptr);
      };
    };
    const auto imageOf = [=, this](cl_mem of, std::array<size_t, 3> region) -> Transfer {
      return [=, this](void* host) {
        constexpr std::array<size_t, 3> zero{};
        return toGpu ? clEnqueueWriteImage(queue, of, CL_TRUE, zero.data(), region.data(), 0, 0, host, 0, nullptr,
                                           nullptr)
                     : clEnqueueReadImage(queue, of, CL_TRUE, zero.data(), region.data(), 0, 0, host, 0, nullptr,
                                          nullptr);
      };
    };
    return {[=, this](void* host) {
              return toGpu ? clEnqueueWriteBuffer(queue, bytes, CL_TRUE, 0, size * size, host, 0, nullptr, nullptr)
                           : clEnqueueReadBuffer(queue, bytes, CL_TRUE, 0, size * size, host, 0, nullptr, nullptr);
            },
            rectOf(size + 3, size),
            rectOf(size, size),
            imageOf(flat, {size, size, 1}),
            imageOf(deep, {size / 2, size / 2, 4}),
            [=, this](void* host) {
              return clEnqueueSVMMemcpy(queue, CL_TRUE, toGpu ? shared : host, toGpu ? host : shared, size * size, 0,
                                        nullptr, nullptr);
            }};
  }

  /// All ways fail with memory that is not there, and work afterwards.
  void expectGuarded(size_t size, const std::function<void()>& before = [] {}) {
    std::vector<std::byte> memory(size * size, std::byte{5});
    for (const bool toGpu : {true, false}) {
      int number = 0;
      for (const Transfer& transfer : transfers(toGpu, size)) {
        SCOPED_TRACE(std::to_string(size) + (toGpu ? " to the GPU, " : " from the GPU, ") + std::to_string(number++));
        for (void* const bad : {nowhere(), static_cast<void*>(lastPage(PROT_READ | PROT_WRITE) + page - 1),
                                static_cast<void*>(lastPage(toGpu ? PROT_NONE : PROT_READ))}) {
          before();
          EXPECT_CL(CL_INVALID_OPERATION, transfer(bad));
        }
        before();
        EXPECT_CL(CL_SUCCESS, transfer(memory.data()));
      }
    }
  }
};

TEST_F(CudaRefusals, smallTransfersOfMemoryThatIsNotThere) { expectGuarded(32); }

TEST_F(CudaRefusals, largeTransfersOfMemoryThatIsNotThere) { expectGuarded(2500); }

// Where the driver has no pinned memory it copies by itself.
TEST_F(CudaRefusals, transfersWithoutPinnedMemory) {
  expectGuarded(32, [this] { failCall("cuMemAllocHost_v2", 1, 2); });
  expectGuarded(300, [this] { failCall("cuMemAllocHost_v2", 1, 2); });
}

TEST_F(CudaRefusals, memoryOfTheHostAtBothEnds) {
  std::array<int, 4> target{};
  const std::array<int, 4> source{1, 2, 3, 4};
  EXPECT_SUCCESS(clEnqueueSVMMemcpy(queue, CL_TRUE, target.data(), source.data(), sizeof source, 0, nullptr, nullptr));
  EXPECT_EQ(target, source);
  for (const auto& [to, from] : {std::pair<void*, const void*>{nowhere(), source.data()}, {target.data(), nowhere()}})
    EXPECT_CL(CL_INVALID_OPERATION, clEnqueueSVMMemcpy(queue, CL_TRUE, to, from, 16, 0, nullptr, nullptr));
  const int seven = 7;
  EXPECT_SUCCESS(clEnqueueSVMMemFill(queue, target.data(), &seven, sizeof seven, sizeof target, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_EQ(target, (std::array<int, 4>{7, 7, 7, 7}));
  EXPECT_SUCCESS(clEnqueueSVMMemFill(queue, nowhere(), &seven, sizeof seven, sizeof target, 0, nullptr, nullptr));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clFinish(queue));
}

// Rectangles go through staging buffers in pieces: whole slices, rows of one, parts of a row.
TEST_F(CudaRefusals, rectanglesOfAllShapes) {
  delay(20);  // a piece that is used again too early would be seen
  struct Shape {
    std::array<size_t, 3> region;
    size_t gap;  ///< bytes between rows on either side
  };
  for (const auto& [region, gap] : {Shape{{3, 5, 7}, 2}, Shape{{1000, 100, 50}, 1}, Shape{{3000, 2000, 2}, 5},
                                    Shape{{(size_t{4} << 20) + 9, 2, 2}, 3}, Shape{{64, 1, 1000}, 64}}) {
    SCOPED_TRACE(std::to_string(region[0]) + " x " + std::to_string(region[1]) + " x " + std::to_string(region[2]));
    const size_t row = region[0] + gap, slice = row * (region[1] + 1), bytes = slice * region[2];
    std::vector<unsigned char> sent(bytes), received(bytes, 0xEE);
    for (size_t i = 0; i < bytes; ++i) sent[i] = static_cast<unsigned char>(i * 0x9E3779B97F4A7C15u >> 56);
    const cl_mem memory = buffer(bytes);
    constexpr std::array<size_t, 3> zero{};
    EXPECT_SUCCESS(clEnqueueWriteBufferRect(queue, memory, CL_FALSE, zero.data(), zero.data(), region.data(), row,
                                            slice, row, slice, sent.data(), 0, nullptr, nullptr));
    EXPECT_SUCCESS(clEnqueueReadBufferRect(queue, memory, CL_TRUE, zero.data(), zero.data(), region.data(), row, slice,
                                           row, slice, received.data(), 0, nullptr, nullptr));
    size_t wrong = 0;
    for (size_t i = 0; i < bytes; ++i) {
      const size_t z = i / slice, y = i % slice / row, x = i % slice % row;
      const bool isInside = x < region[0] && y < region[1];
      wrong += received[i] != (isInside ? sent[i] : 0xEE);
      (void)z;
    }
    EXPECT_EQ(wrong, 0U);
  }
}

TEST_F(CudaRefusals, noStreamOfTheDriver) {
  failCall("cuStreamCreate", 1, 2);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateCommandQueueWithProperties(context, device, nullptr, &error), nullptr);
  EXPECT_CL(CL_OUT_OF_RESOURCES, error);
  EXPECT_TRUE(wasNotified("no stream of the GPU could be made")) << allNotified();
  // Without streams of its own for copies an out-of-order command-queue uses the one that it has.
  const cl_command_queue other = anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  failCall("cuStreamCreate", 1, 2);
  const cl_mem memory = buffer(4);
  int value = 3, back = 0;
  EXPECT_SUCCESS(clEnqueueWriteBuffer(other, memory, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clEnqueueReadBuffer(other, memory, CL_TRUE, 0, 4, &back, 0, nullptr, nullptr));
  EXPECT_EQ(back, 3);
}

TEST_F(CudaRefusals, modulesGoWithWhatFails) {
  const cl_kernel made = kernel("kernel void without_module(global int* a) { *a = 1; }", "without_module");
  const cl_mem out = buffer(4);
  EXPECT_SUCCESS(clSetKernelArg(made, 0, sizeof out, &out));
  const auto loaded = [&] { return calls("cuModuleLoadDataEx") - calls("cuModuleUnload"); };
  const auto before = loaded();
  failCall("cuModuleGetFunction", 1, 500);
  const size_t one = 1;
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, made, 1, nullptr, &one, &one, 0, nullptr, nullptr));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clFinish(queue));
  EXPECT_EQ(loaded(), before);
}

/// Where a launch's printf buffer is.
unsigned char* outputOf(const ClarityCudaLaunch* launch) {
  compiler::nvptx::LaunchInfo info{};
  std::memcpy(&info, launch->parameters[launch->parameterCount - 1], sizeof info);
  const std::uint64_t address = info.printfBuffer;
  return static_cast<unsigned char*>(CudaStub::current().memory(address));
}

// A kernel may have written over what its printf has written.
TEST_F(CudaRefusals, recordsOfPrintfThatAreNone) {
  const cl_kernel made = kernel("kernel void prints(int a) { printf(\"%d\\n\", a); }", "prints");
  const int value = 1;
  EXPECT_SUCCESS(clSetKernelArg(made, 0, sizeof value, &value));
  const size_t one = 1;
  for (const ClarityCudaKernel damage :
       {ClarityCudaKernel([](const ClarityCudaLaunch* launch) {  // more slots than there is memory
          const std::uint64_t words[] = {~std::uint64_t{0}, 1 << 20, 64, ~std::uint64_t{0} - 1};
          std::memcpy(outputOf(launch), words, sizeof words);
        }),
        ClarityCudaKernel([](const ClarityCudaLaunch* launch) {  // a format that is nowhere
          const std::uint64_t words[] = {32, 1 << 20, 64, 0};
          std::memcpy(outputOf(launch), words, sizeof words);
        })}) {
    defineKernel("prints", damage);
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, made, 1, nullptr, &one, &one, 0, nullptr, nullptr));
    EXPECT_SUCCESS(clFinish(queue));
  }
}

// A format that is at no address, or at an address that is not the GPU's: the records behind it are printed all the
// same.
TEST_F(CudaRefusals, formatsThatAreNoStrings) {
  const cl_kernel made = kernel("kernel void prints(int a) { printf(\"%d\\n\", a); }", "prints");
  const int value = 1;
  EXPECT_SUCCESS(clSetKernelArg(made, 0, sizeof value, &value));
  const size_t one = 1;
  defineKernel("prints", [](const ClarityCudaLaunch* launch) {
    const std::uint64_t words[] = {72, 1 << 20, 0, 0, 64, 1, 7, ~std::uint64_t{0}, 0, 0, 0};
    std::memcpy(outputOf(launch), words, sizeof words);
  });
  testing::internal::CaptureStdout();
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, made, 1, nullptr, &one, &one, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "(not a string)(not a string)(not a string)(not a string)");
}

// Ids are computed modulo 2^64, and in 32 bits only where none reaches 2^31.
TEST_F(CudaRefusals, offsetsUpToTheLast) {
  const cl_kernel made = kernel(build("kernel void ids(global ulong* out, ulong first) {\n"
                                      "  out[get_global_id(0) - first] = get_global_id(0); }",
                                      "-cl-std=CL3.0"),
                                "ids");
  constexpr size_t global = 100;
  const cl_mem out = buffer(8 * global);
  EXPECT_SUCCESS(clSetKernelArg(made, 0, sizeof out, &out));
  for (const cl_ulong offset :
       {cl_ulong{0}, (cl_ulong{1} << 31) - 50, (cl_ulong{1} << 31) - 1, (cl_ulong{1} << 32) - 40, cl_ulong{1} << 63,
        std::numeric_limits<cl_ulong>::max() - 100})
    for (const size_t local : {size_t{1}, size_t{10}, size_t{64}, global}) {
      const size_t start = offset;
      EXPECT_SUCCESS(clSetKernelArg(made, 1, sizeof offset, &offset));
      ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, made, 1, &start, &global, &local, 0, nullptr, nullptr));
      const auto result = read<cl_ulong>(out, global);
      for (size_t i = 0; i < global; ++i) ASSERT_EQ(result[i], offset + i) << offset << " in groups of " << local;
    }
}

// Work-groups of every kind of size, whose work-items pass values on through local memory in a loop.
TEST_F(CudaRefusals, workGroupsThatFillNoWarps) {
  const cl_kernel made = kernel(
      "kernel void passing_on(global int* out, local int* from, local int* to, int rounds) {\n"
      "  int i = get_local_id(0), n = get_local_size(0);\n"
      "  from[i] = i;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  for (int r = 0; r < rounds; r++) {\n"
      "    if (i > r && i < n - r - 1) to[i] = min(from[i - 1], from[i + 1]) + 1; else to[i] = from[i];\n"
      "    barrier(CLK_LOCAL_MEM_FENCE);\n"
      "    if (r == rounds - 1) break;\n"
      "    from[i] = to[i];\n"
      "    barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  }\n"
      "  out[get_global_id(0)] = to[i]; }",
      "passing_on");
  constexpr cl_int rounds = 2;
  for (const size_t local : {size_t{33}, size_t{512}, size_t{520}, size_t{1000}, size_t{1023}}) {
    const size_t global = local * (300'000 / local);  // so many that threads would have several work-items
    const cl_mem out = buffer(4 * global);
    EXPECT_SUCCESS(clSetKernelArg(made, 0, sizeof out, &out));
    for (const cl_uint argument : {1U, 2U}) EXPECT_SUCCESS(clSetKernelArg(made, argument, 4 * local, nullptr));
    EXPECT_SUCCESS(clSetKernelArg(made, 3, sizeof rounds, &rounds));
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, made, 1, nullptr, &global, &local, 0, nullptr, nullptr));
    std::vector<int> from(local), to(local);
    for (size_t i = 0; i < local; ++i) from[i] = int(i);
    for (size_t r = 0; r < rounds; ++r, from = to)
      for (size_t i = 0; i < local; ++i)
        to[i] = i > r && i < local - r - 1 ? std::min(from[i - 1], from[i + 1]) + 1 : from[i];
    const auto result = read<int>(out, global);
    for (size_t i = 0; i < global; ++i) ASSERT_EQ(result[i], to[i % local]) << i << " in groups of " << local;
  }
}

/// Counted code (docs/profile.md) needs more registers than the launch's own.
TEST_F(CudaRefusals, launchesRunWhereTheirCountedCodeIsRefused) {
  if (!std::getenv("CLARITY_PROFILE")) GTEST_SKIP() << "tests/cuda/CMakeLists.txt runs it under a profile";
  const cl_kernel made = kernel("kernel void add(global int* a) { a[get_global_id(0)] += 1; }", "add");
  const size_t global = 1024, local = 256;
  const cl_mem numbers = buffer(4 * global);
  const cl_int zero = 0;
  EXPECT_SUCCESS(clEnqueueFillBuffer(queue, numbers, &zero, 4, 0, 4 * global, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clSetKernelArg(made, 0, sizeof numbers, &numbers));
  for (int launch = 0; launch < 4; ++launch) {
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, made, 1, nullptr, &global, &local, 0, nullptr, nullptr));
    EXPECT_SUCCESS(clFinish(queue));
    maxThreads(128);  // of code that comes later
  }
  EXPECT_EQ(read<int>(numbers, global), std::vector<int>(global, 4));
}

TEST_F(CudaRefusals, whatNoGpuTakesIsAnErrorOfTheBuild) {
  struct Case {
    const char *source, *first, *second;
  };
  for (const auto& [text, first, second] :
       {Case{"struct s { char c[100000]; };\n\nkernel void large(global char* out, struct s by_value) { *out = "
             "by_value.c[*out]; }",
             ":3: error: kernel 'large' has ", "bytes of arguments, of which GPUs of compute capability"},
        Case{
            "kernel void large(global int* out) { int a[1 << 20];\n for (int i = 0; i < 1 << 20; ++i) a[i] = out[i];\n "
            "out[0] = a[out[1]]; }",
            "error: kernel 'large' has ", "524288"}}) {
    const cl_program program = source(text);
    EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
    const std::string log = buildLog(program);
    EXPECT_NE(log.find(first), std::string::npos) << log;
    EXPECT_NE(log.find(second), std::string::npos) << log;
  }
}

}  // namespace
}  // namespace clarity::test
