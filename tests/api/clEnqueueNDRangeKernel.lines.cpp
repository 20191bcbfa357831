// SPDX-License-Identifier: Apache-2.0
// This file tests that a fault is reported with its place in the source: file, line and text, and the calls that were
// inlined. The line that has to be reported ends in a comment that says so.
#include "enqueue_checks.h"

#include <algorithm>

namespace clarity::test {
namespace {

constexpr cl_ulong kNowhere = 64;  // in the page that no process maps
constexpr std::string_view kMark = "// here";

/// The number of the line that is marked, and its text.
std::pair<size_t, std::string> markedLine(std::string_view text, std::string_view mark = kMark) {
  const size_t at = text.find(mark);
  if (at == std::string_view::npos) return {0, {}};
  size_t begin = text.rfind('\n', at) + 1;
  while (text[begin] == ' ') ++begin;
  const size_t end = std::min(text.find('\n', at), text.size());
  return {1 + size_t(std::count(text.begin(), text.begin() + long(at), '\n')),
          std::string(text.substr(begin, end - begin))};
}

struct NDRangeKernelLines : OpenCL {
  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    if (!outlivesFaults()) GTEST_SKIP() << "a fault takes the device from the process";
  }
  /// Runs the kernel `wild(ulong address, global int* out)`, which faults.
  void runWild(cl_program program, size_t global, size_t local) {
    ASSERT_NE(program, nullptr);
    cl_kernel wild = kernel(program, "wild");
    cl_mem out = bufferOf(std::vector<cl_int>(4096, 0));
    ASSERT_SUCCESS(clSetKernelArg(wild, 0, sizeof kNowhere, &kNowhere));
    ASSERT_SUCCESS(clSetKernelArg(wild, 1, sizeof out, &out));
    cl_event event = nullptr;
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, wild, 1, nullptr, &global, &local, 0, nullptr, &event));
    keep(event);
    EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    clFinish(queue);
  }

  void expectNotified(const std::string& part) {
    EXPECT_TRUE(wasNotified(part)) << "wanted: " << part << "\n" << allNotified();
  }

  /// The fault is reported with the marked line, in packets, in single work-items and without optimisation.
  void expectLine(const std::string& source, const std::string& options = "") {
    const auto [line, text] = markedLine(source);
    ASSERT_NE(line, 0U);
    for (const std::string more : {"", " -cl-clarity-packet-width=1", " -cl-opt-disable"})
      for (const auto& [global, local] : {std::pair<size_t, size_t>{256, 16}, {1, 1}}) {
        SCOPED_TRACE(options + more + ", " + std::to_string(global) + " work-items");
        notified.clear();
        runWild(build(source.c_str(), (options + more).c_str()), global, local);
        expectNotified("at program.cl:" + std::to_string(line) + ":");
        expectNotified(text);
      }
  }
};

TEST_F(NDRangeKernelLines, aStore) {
  expectLine(R"(kernel void wild(ulong address, global int* out) {
  global int* p = (global int*)address;
  size_t i = get_global_id(0);
  out[i] = 1;
  p[i] = 2;  // here
  out[i] = 3;
})");
}

TEST_F(NDRangeKernelLines, aLoad) {
  expectLine(R"(kernel void wild(ulong address, global int* out) {
  const global int* p = (const global int*)address;
  int i = get_global_id(0);
  int before = out[i + 1];
  int there = p[i];  // here
  int after = out[i + 2];
  out[i] = (before + there) *
           after;
})");
}

// A load may become part of the instruction that computes with it, which is on another line.
TEST_F(NDRangeKernelLines, aLoadThatIsAnOperand) {
  expectLine(R"(kernel void wild(ulong address, global float* out) {
  const global float* p = (const global float*)address;
  int i = get_global_id(0);
  float a = p[i];  // here
  float b = out[i];
  out[i] =
      a + b;
})");
}

TEST_F(NDRangeKernelLines, aStridedLoad) {
  expectLine(R"(kernel void wild(ulong address, global int* out) {
  const global int* p = (const global int*)address;
  int i = get_global_id(0);
  out[i] =
    p[i * 3] +  // here
    1;
})");
}

TEST_F(NDRangeKernelLines, aGatherAndAScatter) {
  expectLine(R"(kernel void wild(ulong address, global int* out) {
  const global int* p = (const global int*)address;
  int i = get_global_id(0);
  int at = out[i] & 255;
  int sum = p[at];  // here
  out[i] = sum;
})");
  expectLine(R"(kernel void wild(ulong address, global int* out) {
  global int* p = (global int*)address;
  int i = get_global_id(0);
  int at = out[i] & 255;
  p[at] = i;  // here
  out[i] = 1;
})");
}

TEST_F(NDRangeKernelLines, underACondition) {
  expectLine(R"(kernel void wild(ulong address, global int* out) {
  global int* p = (global int*)address;
  int i = get_global_id(0);
  if (out[i] == 0 && (i & 1) == 0)
    p[i] = 7;  // here
  else
    out[i] = 5;
})");
}

TEST_F(NDRangeKernelLines, inALoop) {
  expectLine(R"(kernel void wild(ulong address, global int* out) {
  const global int* p = (const global int*)address;
  int i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < 100; ++k) {
    sum += out[k];
    sum += p[i * 100 + k] * sum;  // here
  }
  out[i] = sum;
})");
}

// Values that are the same in every iteration are read ahead of the loop.
TEST_F(NDRangeKernelLines, inALoopThatItLeaves) {
  expectLine(R"(kernel void wild(ulong address, global int* restrict out) {
  const global int* restrict p = (const global int* restrict)address;
  int i = get_global_id(0);
  int n = out[0] + 10;
  int sum = 0;
  int k = 0;
  do {
    sum += out[k + 1];
    sum ^= p[3];  // here
  } while (++k < n);
  out[i] = sum;
})");
}

TEST_F(NDRangeKernelLines, inAMacro) {
  expectLine(R"(#define SET(p, i) \
  (p)[i] = \
    1
kernel void wild(ulong address, global int* out) {
  global int* p = (global int*)address;
  SET(out, get_global_id(0));
  SET(p, get_global_id(0));  // here
})");
}

TEST_F(NDRangeKernelLines, behindABarrier) {
  expectLine(R"(kernel void wild(ulong address, global int* out) {
  local int tile[16];
  int l = get_local_id(0);
  tile[l] = out[l];
  global int* p = (global int*)(address + out[l]);
  barrier(CLK_LOCAL_MEM_FENCE);
  int other = tile[get_local_size(0) - 1 - l];
  p[other + l] = l;  // here
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = 1;
})");
}

TEST_F(NDRangeKernelLines, inAVectorLoadAndStore) {
  expectLine(R"(kernel void wild(ulong address, global int* out) {
  int4 sum = vload4(get_global_id(0), out);
  sum += vload4(get_global_id(0), (const global int*)address);  // here
  vstore4(sum, get_global_id(0), out);
})");
  expectLine(R"(kernel void wild(ulong address, global int* out) {
  int4 sum = vload4(get_global_id(0), out);
  vstore4(sum, get_global_id(0), out);
  vstore3(sum.xyz, get_global_id(0), (global int*)address);  // here
})");
}

TEST_F(NDRangeKernelLines, inAnAsynchronousCopy) {
  expectLine(R"(kernel void wild(ulong address, global int* out) {
  local int tile[64];
  event_t done = async_work_group_copy(tile, out, 64, 0);
  wait_group_events(1, &done);
  done = async_work_group_copy(tile, (const global int*)address, 64, 0);  // here
  wait_group_events(1, &done);
  out[get_global_id(0)] = tile[get_local_id(0)];
})");
}

TEST_F(NDRangeKernelLines, inAnAtomicFunction) {
  expectLine(R"(kernel void wild(ulong address, global int* out) {
  atomic_inc(out);
  atomic_add((volatile global int*)address, 2);  // here
  atomic_inc(out);
})");
}

TEST_F(NDRangeKernelLines, inAFunctionWithAPointer) {
  expectLine(R"(kernel void wild(ulong address, global float* out) {
  float x = out[get_global_id(0)];
  x += fract(x, out);
  x += fract(x, (global float*)address);  // here
  out[get_global_id(0)] = x;
})");
}

// A function that the code calls has no line table: the line is that of the call.
TEST_F(NDRangeKernelLines, inACopyOfALargeStructure) {
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "memcpy is the sanitizer's, and the kernel's return address lies too far up the stack";
#endif
  expectLine(R"(struct Large { int values[4096]; };
kernel void wild(ulong address, global int* out) {
  global struct Large* p = (global struct Large*)address;
  global struct Large* from = (global struct Large*)out;
  p[get_global_id(0)] = *from;  // here
})");
}

TEST_F(NDRangeKernelLines, inCxx) {
  expectLine(R"(template <typename T> struct Cell {
  global T* at;
  void set(int i, T value) { at[i] = value; }  // here
};
kernel void wild(ulong address, global int* out) {
  Cell<int>{out}.set(get_global_id(0), 1);
  Cell<int>{(global int*)address}.set(get_global_id(0), 1);
})",
             "-cl-std=CLC++2021");
}

TEST_F(NDRangeKernelLines, aTrap) {
  expectLine(R"(kernel void wild(ulong address, global int* out) {
  out[get_global_id(0)] = 1;
  __builtin_trap();  // here
})");
}

// The calls that were inlined are named, too.
TEST_F(NDRangeKernelLines, inFunctionsThatAreInlined) {
  const std::string source = R"(int inner(const global int* p, int i) {
  return p[i];  // here
}
int outer(const global int* p, int i) {
  return inner(p, i + 1);  // middle
}
kernel void wild(ulong address, global int* out) {
  int i = get_global_id(0);
  out[i] = outer(out, i);
  out[i] += outer((const global int*)address, i);  // first
})";
  expectLine(source);
  notified.clear();
  runWild(build(source.c_str()), 64, 16);
  expectNotified("in 'inner': return p[i];");
  expectNotified("called at program.cl:" + std::to_string(markedLine(source, "// middle").first) + ":");
  expectNotified("in 'outer': return inner(p, i + 1);");
  expectNotified("called at program.cl:" + std::to_string(markedLine(source, "// first").first) + ":");
}

TEST_F(NDRangeKernelLines, inAFunctionThatIsNotInlined) {
  expectLine(R"(__attribute__((noinline)) int far(const global int* p, int i) {
  int sum = 0;
  for (int k = 0; k < 10; ++k)
    sum = sum * 31 + p[i + k];  // here
  return sum;
}
kernel void wild(ulong address, global int* out) {
  int i = get_global_id(0);
  out[i] = far(out, i);
  out[i] += far((const global int*)address, i);
})");
}

// As generated sources name where their lines are from.
TEST_F(NDRangeKernelLines, aLineDirective) {
  runWild(build(R"(#line 100 "model.in"
kernel void wild(ulong address, global int* out) {
  *(global int*)(address + get_global_id(0)) = 4;
})"),
          64, 16);
  expectNotified("at model.in:101:");
  expectNotified(": *(global int*)(address + get_global_id(0)) = 4;");
}

TEST_F(NDRangeKernelLines, theSourcesName) {
  const char* const options = "-cl-clarity-source-name=dir/wild.cl";
  runWild(build("kernel void wild(ulong address, global int* out) { *(global int*)address = 4; }", options), 1, 1);
  expectNotified("at dir/wild.cl:1:");
}

// Several strings are one file.
TEST_F(NDRangeKernelLines, ofSeveralStrings) {
  const char* strings[] = {"kernel void wild(ulong address,\n", " global int* out) {\n",
                           "*(global int*)address = 4;\n}"};
  cl_program program = created([&](cl_int* e) { return clCreateProgramWithSource(context, 3, strings, nullptr, e); });
  ASSERT_SUCCESS(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  runWild(program, 1, 1);
  expectNotified("at program.cl:3:");
  expectNotified(": *(global int*)address = 4;");
}

// A binary has lines, and no text.
TEST_F(NDRangeKernelLines, ofAProgramFromABinary) {
  cl_program first = build(R"(kernel void wild(ulong address, global int* out) {
  int i = get_global_id(0);
  ((global int*)address)[i] = i;
})");
  const std::vector<unsigned char> binary = binaryOf(first);
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(binary.data()), binary.size()).find("((global int*)"),
            std::string_view::npos);
  cl_program second = fromBinary(binary);
  ASSERT_SUCCESS(clBuildProgram(second, 1, &device, "", nullptr, nullptr));
  runWild(second, 64, 16);
  expectNotified("at program.cl:3:");
}

TEST_F(NDRangeKernelLines, inAnEmbeddedHeader) {
  cl_program header = source("\n\ninline void put(global int* p, int i) {\n  p[i] = i;\n}\n");
  cl_program program = source(R"(#include <tools/put.h>
kernel void wild(ulong address, global int* out) {
  put(out, get_global_id(0));
  put((global int*)address, get_global_id(0));
})");
  const char* name = "tools/put.h";
  ASSERT_SUCCESS(clCompileProgram(program, 1, &device, "-cl-std=CLC++2021", 1, &header, &name, nullptr, nullptr))
      << buildLog(program);
  cl_program linked =
      created([&](cl_int* e) { return clLinkProgram(context, 1, &device, "", 1, &program, nullptr, nullptr, e); });
  runWild(linked, 64, 16);
  expectNotified("at tools/put.h:4:");
  expectNotified("in 'put': p[i] = i;");
  expectNotified("called at program.cl:4:");
}

// Two programs of one name are linked: which text a line is from is not known.
TEST_F(NDRangeKernelLines, ofLinkedProgramsOfOneName) {
  cl_program one = source(
      "void put(global int* p, int i);\nkernel void wild(ulong address, global int* out) {\n"
      "  put((global int*)address, get_global_id(0));\n}");
  cl_program two = source("\n\nvoid put(global int* p, int i) { p[i] = i; }\n");
  for (cl_program each : {one, two})
    ASSERT_SUCCESS(clCompileProgram(each, 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr));
  const cl_program both[] = {one, two};
  cl_program linked =
      created([&](cl_int* e) { return clLinkProgram(context, 1, &device, "", 2, both, nullptr, nullptr, e); });
  runWild(linked, 64, 16);
  expectNotified("at program.cl:3:");
  EXPECT_FALSE(wasNotified("put((global int*)")) << allNotified();
}

}  // namespace
}  // namespace clarity::test
