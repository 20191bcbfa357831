// SPDX-License-Identifier: Apache-2.0
// This file tests how the compiler explains programs that are wrong: each of diagnostics.def is built, and the first
// finding in its log must be at the right line and column and in the right words.
#include "compiler/driver/compiler.h"
#include "compiler/host/target.h"

#include <gtest/gtest.h>

#include <string_view>

namespace clarity::compiler {
namespace {

struct Diagnosed {
  const char* options;
  const char* source;
  const char* finding;
};

constexpr Diagnosed programs[] = {
#define DIAGNOSED(options, source, finding) {options, source, finding},
#include "diagnostics.def"
#undef DIAGNOSED
};

/// The first error or warning of a log, without the file's name.
std::string_view firstFinding(std::string_view log) {
  constexpr std::string_view file = "program.cl:";
  while (!log.empty()) {
    const std::string_view line = log.substr(0, log.find('\n'));
    if (line.starts_with(file) && (line.contains("error: ") || line.contains("warning: ")))
      return line.substr(file.size());
    log.remove_prefix(std::min(line.size() + 1, log.size()));
  }
  return {};
}

TEST(Diagnostics, SayWhereAndWhat) {
  const Target target = hostTarget();
  for (const Diagnosed& each : programs) {
    SCOPED_TRACE(std::string(each.source) + "\n" + each.options);
    const Outcome outcome = build(each.source, each.options, target);
    EXPECT_EQ(firstFinding(outcome.log), each.finding) << outcome.log;
    const bool isWarning = std::string_view(each.finding).contains(": warning: ");
    EXPECT_EQ(outcome.status == Status::Ok || outcome.log.contains("error: "), true) << outcome.log;
    if (!isWarning) EXPECT_NE(outcome.status, Status::Ok) << outcome.log;
    EXPECT_EQ(outcome.status == Status::Ok, outcome.compiled != nullptr);
  }
}

// Clang proposes length modifiers that only OpenCL C 3.1 has.
TEST(Diagnostics, ProposeFormatsOfTheLanguage) {
  const char* source = "kernel void k(global char* o) { ptrdiff_t d = o - o; printf(\"%d %d\", get_local_id(0), d); }";
  for (const auto& [options, size, difference] :
       {std::tuple{"-cl-std=CL1.2", "%lu", "%ld"}, std::tuple{"-cl-std=CL3.1", "%zu", "%td"}}) {
    const std::string log = build(source, options, hostTarget()).log;
    EXPECT_TRUE(log.contains(size) && log.contains(difference)) << log;
  }
}

// Clang declares the functions of images to OpenCL C 1.2 and 2.0 whatever the device has.
TEST(Diagnostics, ImagesOfDevicesWithoutThem) {
  Target target = hostTarget();
  const std::string feature = "__opencl_c_images ";
  const std::size_t at = target.extensions.find(feature);
  ASSERT_NE(at, std::string::npos);
  target.extensions.erase(at, feature.size());
  const char* source =
      "kernel void k(read_only image2d_t i, sampler_t s, global float4* o) {\n"
      "  *o = read_imagef(i, s, (int2)(0, 0));\n}";
  for (const auto& [options, finding] :
       {std::pair{"", "2:8: error: 'read_imagef' is not available: this device does not support images"},
        std::pair{"-cl-std=CL2.0", "2:8: error: 'read_imagef' is not available: this device does not support images"}})
    EXPECT_EQ(firstFinding(build(source, options, target).log), finding);
}

// The same of pipes, in OpenCL C 2.0; in 3.0 they are a feature.
TEST(Diagnostics, PipesOfDevicesWithoutThem) {
  Target target = hostTarget();
  const std::string feature = "__opencl_c_pipes ";
  const std::size_t at = target.extensions.find(feature);
  ASSERT_NE(at, std::string::npos);
  target.extensions.erase(at, feature.size());
  const char* source = "kernel void k(read_only pipe int p, global int* o) { read_pipe(p,o);}";
  for (const auto& [options, finding] :
       {std::pair{"-cl-std=CL2.0", "1:54: error: 'read_pipe' is not available: this device does not support pipes"},
        std::pair{"-cl-std=CL3.0", "1:25: error: OpenCL C version 3.0 does not support the 'pipe' type qualifier"}})
    EXPECT_EQ(firstFinding(build(source, options, target).log), finding);
}

// The same of on-device command-queues, and of blocks, which OpenCL C 3.0 has with them only.
TEST(Diagnostics, QueuesOfDevicesWithoutThem) {
  Target target = hostTarget();
  const std::string feature = "__opencl_c_device_enqueue ";
  const std::size_t at = target.extensions.find(feature);
  ASSERT_NE(at, std::string::npos);
  target.extensions.erase(at, feature.size());
  const char* enqueues =
      "kernel void k(global int* o) { queue_t q=get_default_queue(); "
      "enqueue_kernel(q,CLK_ENQUEUE_FLAGS_NO_WAIT,ndrange_1D(1),^{ *o=1; }); }";
  const char* calls = "kernel void k(global int* o) { int (^b)(int)=^(int a){ return a+1; }; *o=b(3); }";
  EXPECT_EQ(firstFinding(build(enqueues, "-cl-std=CL3.0", target).log),
            "1:32: error: use of undeclared identifier 'queue_t'");
  EXPECT_EQ(firstFinding(build(enqueues, "-cl-std=CL2.0", target).log),
            "1:42: error: use of undeclared identifier 'get_default_queue'");
  EXPECT_EQ(firstFinding(build(calls, "-cl-std=CL3.0", target).log),
            "1:37: error: blocks support disabled - compile for OpenCL C 2.0 or OpenCL C 3.0 with "
            "__opencl_c_device_enqueue feature");
  EXPECT_EQ(build(calls, "-cl-std=CL2.0", target).status, Status::Ok);
}

// Older versions do not declare what later ones have: the log says which option helps.
TEST(Diagnostics, NamesOfLaterVersions) {
  const Target target = hostTarget();
  for (const auto& [source, name] :
       {std::pair{"kernel void k(global int* o) { *o = work_group_reduce_add(1); }", "work_group_reduce_add"},
        std::pair{"kernel void k(queue_t q) { }", "queue_t"},
        std::pair{"kernel void k(global int* o) { enqueue_kernel(0, 0, 0, 0); }", "enqueue_kernel"}}) {
    const std::string note = "note: '" + std::string(name) + "' is of OpenCL C 2.0 and later: build with -cl-std=CL2.0";
    EXPECT_TRUE(build(source, "", target).log.contains(note)) << build(source, "", target).log;
    EXPECT_FALSE(build(source, "-cl-std=CL3.0", target).log.contains("later")) << source;
  }
  EXPECT_FALSE(build("kernel void k(global int* o) { *o = no_such(1); }", "", target).log.contains("later"));
}

// Names of C, C++ and CUDA, and types that no kernel may have as parameters.
TEST(Diagnostics, NameTheCure) {
  const Target target = hostTarget();
  for (const auto& [source, cure] :
       {std::pair{"kernel void k(global int* o, size_t n) { *o = n; }", "declare it uint or ulong"},
        std::pair{"kernel void k(global int* o, bool b) { *o = b; }", "declare it int or uchar"},
        std::pair{"void f() { local int x[4]; } kernel void k() { f(); }", "declare the variable in the kernel"},
        std::pair{"#include <math.h>\nkernel void k() { }", "OpenCL C has no headers of C"},
        std::pair{"kernel void k(global int* o) { *o = threadIdx.x; }", "is get_local_id(0)"},
        std::pair{"kernel void k(global int* o) { *o = 1; __syncthreads(); }", "is barrier(CLK_LOCAL_MEM_FENCE"},
        std::pair{"__global__ void k(int* o) { *o = 1; }", "'kernel void'"},
        std::pair{"kernel void k(global float* o) { *o = sqrtf(*o); }", "the builtin function is 'sqrt'"},
        std::pair{"kernel void k(global float* o) { *o = std::sqrt(*o); }", "write their names alone"},
        std::pair{"kernel void k(global float* o) { float3 v = float3(1, 2, 3); *o = v.x; }", "written (float3)(...)"},
        std::pair{"const size_t n = 4; kernel void k() { }", "write '__constant'"}})
    EXPECT_TRUE(build(source, "", target).log.contains(cure)) << build(source, "", target).log;
  // Other names have no cure.
  for (const char* source : {"kernel void k(global int* o) { *o = surf(1); }",
                             "#include \"own.h\"\nkernel void k() { }", "kernel void k(global int* o) { *o = x2f; }"})
    EXPECT_FALSE(build(source, "", target).log.contains("note: ")) << build(source, "", target).log;
}

// Whoever wants no warnings, or no program that has some, gets what he wants of ours as of clang's.
TEST(Diagnostics, WarningsAreNoneOrErrors) {
  const Target target = hostTarget();
  for (const char* source :
       {"kernel void k(constant char* s) { printf(\"%s\", s); }", "kernel void k() { printf(\"%*d\", 1, 2); }",
        "kernel void k() { printf(\"%zu\", sizeof(int)); }"}) {
    EXPECT_EQ(build(source, "-w", target).log, "");
    EXPECT_EQ(build(source, "-Werror", target).status, Status::CompileFailure);
  }
  EXPECT_EQ(build("kernel void k() {}\n", "-Weverything -Werror", target).log, "");
}

// OpenCL C 3.1 has lengths for size_t and ptrdiff_t.
TEST(Diagnostics, LengthsOfLaterVersions) {
  const char* source = R"(kernel void k(global int* a, global int* b) {
    printf("%zu %zx %td\n", get_global_id(0), sizeof(int), b - a);
  })";
  EXPECT_EQ(build(source, "-cl-std=CL3.1 -Werror", hostTarget()).log, "");
  EXPECT_NE(build(source, "-cl-std=CL3.0", hostTarget()).log, "");
}

// Formats that are right draw no warning.
TEST(Diagnostics, FormatsThatAreRight) {
  const Target target = hostTarget();
  const char* source = R"(
    kernel void k(global int* o, float4 f, uchar16 c, double2 d, half8 h, long3 l, ushort4 s, int2 i) {
      printf("plain %% text\n");
      printf("%d %5i %-3u %#x %o %+ld %hhd %hu %lX\n", o[0], 1, 2u, 3u, 4u, 5L, (char)6, (ushort)7, 8ul);
      printf("%f %.3e %g %a %c %s %p\n", 1.0f, 2.0, 3.0h, 4.0f, 'c', "text", (global void*)o);
      printf("%v4hlf %#v16hhx %2.2v2lg %v8hf %v3ld %v4hu %v2hld\n", f, c, d, h, l, s, i);
      printf("%s %s", o[0] ? "one" : "other", __func__);
    }
  )";
  for (const char* options : {"", "-cl-std=CL3.0", "-cl-std=CLC++2021"})
    EXPECT_EQ(build(source, options, target).log, "") << options;
}

TEST(Diagnostics, OrdersThatAreRight) {
  const Target target = hostTarget();
  const char* source = R"(
    kernel __attribute__((reqd_work_group_size(64, 64, 1))) void k(
        global atomic_int* a, global atomic_flag* f, global int* o, memory_order order) {
      int e = atomic_load_explicit(a, memory_order_seq_cst) +
              atomic_load_explicit(a, memory_order_acquire, memory_scope_work_group);
      atomic_store_explicit(a, e, memory_order_release);
      atomic_store_explicit(a, e, memory_order_seq_cst, memory_scope_all_svm_devices);
      atomic_store_explicit(a, e, order, memory_scope_device);
      atomic_compare_exchange_strong_explicit(a, &e, 1, memory_order_acq_rel, memory_order_acquire);
      atomic_compare_exchange_weak_explicit(a, &e, 1, memory_order_release, memory_order_relaxed, memory_scope_device);
      o[0] = atomic_fetch_add_explicit(a, 3, memory_order_acq_rel) +
             atomic_exchange_explicit(a, 4, memory_order_release, memory_scope_device);
      o[1] = atomic_flag_test_and_set_explicit(f, memory_order_acq_rel, memory_scope_device);
      atomic_flag_clear_explicit(f, memory_order_release, memory_scope_work_group);
      atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
    }
  )";
  for (const char* options : {"-cl-std=CL2.0", "-cl-std=CL3.0", "-cl-std=CLC++2021"})
    EXPECT_EQ(build(source, options, target).log, "") << options;
}

}  // namespace
}  // namespace clarity::compiler
