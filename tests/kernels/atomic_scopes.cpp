// SPDX-License-Identifier: Apache-2.0
// This file runs atomic functions and fences of every order and scope, as constants and as arguments, in global memory,
// in local memory and through generic pointers, and compares what they leave and what they order.
#include "device_test.h"

#include <atomic>
#include <bit>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace {

/// Words and long words of a work-group.
constexpr std::size_t wordCount = 16, longCount = 4;

// The operations of a group's work-items on its words.
const char operations[] = R"CL(
#define DEFINE(A)                                                                                                      \
  void update(volatile A atomic_int *w, volatile A atomic_long *l, int v, memory_order order, memory_order loads,      \
              memory_order stores, memory_scope scope) __attribute__((overloadable)) {                                 \
    atomic_fetch_add_explicit(w, v, order, scope);                                                                     \
    atomic_fetch_sub_explicit(w + 1, v, order, scope);                                                                 \
    atomic_fetch_min_explicit(w + 2, v, order, scope);                                                                 \
    atomic_fetch_max_explicit(w + 3, v, order, scope);                                                                 \
    atomic_fetch_and_explicit(w + 4, ~(1 << v % 31), order, scope);                                                    \
    atomic_fetch_or_explicit(w + 5, 1 << v % 31, order, scope);                                                        \
    atomic_fetch_xor_explicit(w + 6, v, order, scope);                                                                 \
    int before = atomic_exchange_explicit(w + 7, v + 1, order, scope);                                                 \
    atomic_fetch_add_explicit(w + 8, before, order, scope);                                                            \
    int found = atomic_load_explicit(w + 9, loads, scope);                                                             \
    while (!atomic_compare_exchange_weak_explicit(w + 9, &found, found + v, order, loads, scope)) {                    \
    }                                                                                                                  \
    if (!atomic_flag_test_and_set_explicit((volatile A atomic_flag *)(w + 10), order, scope))                          \
      atomic_fetch_add_explicit(w + 11, 1, order, scope);                                                              \
    atomic_fetch_add_explicit((volatile A atomic_float *)(w + 12), (float)v, order, scope);                            \
    atomic_fetch_max_explicit((volatile A atomic_float *)(w + 13), (float)v, order, scope);                            \
    if (v < 0) atomic_store_explicit(w + 14, v, stores, scope);                                                        \
    if (get_local_id(0) == 0) atomic_flag_clear_explicit((volatile A atomic_flag *)(w + 15), stores, scope);           \
    atomic_fetch_add_explicit(l, (long)v << 33, order, scope);                                                         \
    atomic_fetch_max_explicit(l + 1, (long)v << 33, order, scope);                                                     \
    long seen = atomic_load_explicit(l + 2, loads, scope);                                                             \
    while (!atomic_compare_exchange_strong_explicit(l + 2, &seen, seen ^ ((long)v << 20), order, loads, scope)) {      \
    }                                                                                                                  \
    atomic_fetch_add_explicit((volatile A atomic_double *)(l + 3), v * 0.5, order, scope);                             \
  }
DEFINE(global)
DEFINE(local)
DEFINE(generic)
#ifdef ORDERS
#define PARAMETERS int order, int loads, int stores, int scope
#else
#define ORDERS order, loads, stores, scope
#define PARAMETERS memory_order order, memory_order loads, memory_order stores, memory_scope scope
#endif
#define GROUP_WORDS (words + get_group_id(0) * 16)
#define GROUP_LONGS (longs + get_group_id(0) * 4)

kernel void in_global(global const int *in, global int *words, global long *longs, PARAMETERS) {
  update((volatile global atomic_int *)GROUP_WORDS, (volatile global atomic_long *)GROUP_LONGS,
         in[get_global_id(0)], ORDERS);
}
kernel void in_local(global const int *in, global int *words, global long *longs, PARAMETERS) {
  local int w[16];
  local long l[4];
  const size_t i = get_local_id(0), step = get_local_size(0);
  for (size_t at = i; at < 16; at += step) w[at] = GROUP_WORDS[at];
  for (size_t at = i; at < 4; at += step) l[at] = GROUP_LONGS[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  update((volatile local atomic_int *)w, (volatile local atomic_long *)l, in[get_global_id(0)], ORDERS);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t at = i; at < 16; at += step) GROUP_WORDS[at] = w[at];
  for (size_t at = i; at < 4; at += step) GROUP_LONGS[at] = l[at];
}
kernel void in_either(global const int *in, global int *words, global long *longs, PARAMETERS) {
  local int w[16];
  local long l[4];
  const size_t i = get_local_id(0), step = get_local_size(0);
  const bool isLocal = get_group_id(0) % 2 != 0;
  for (size_t at = i; at < 16; at += step) w[at] = GROUP_WORDS[at];
  for (size_t at = i; at < 4; at += step) l[at] = GROUP_LONGS[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  generic int *toWords = isLocal ? (generic int *)w : (generic int *)GROUP_WORDS;
  generic long *toLongs = isLocal ? (generic long *)l : (generic long *)GROUP_LONGS;
  update((volatile generic atomic_int *)toWords, (volatile generic atomic_long *)toLongs, in[get_global_id(0)],
         ORDERS);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t at = i; isLocal && at < 16; at += step) GROUP_WORDS[at] = w[at];
  for (size_t at = i; isLocal && at < 4; at += step) GROUP_LONGS[at] = l[at];
}
)CL";

/// The last one to count sees what all others wrote before they counted.
const char messages[] = R"CL(
bool isLast(volatile global atomic_int *count, int most) {
#ifdef FENCES
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, SCOPE);
  const bool last = atomic_fetch_add_explicit(count, 1, memory_order_relaxed, SCOPE) == most - 1;
  if (last) atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, SCOPE);
  return last;
#else
  return atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, SCOPE) == most - 1;
#endif
}
kernel void of_all(global const int *in, global int *data, global atomic_int *counts, global int *sums) {
  const int all = get_global_size(0);
  data[get_global_id(0)] = in[get_global_id(0)];
  if (!isLast(counts, all)) return;
  int sum = 0;
  for (int i = 0; i < all; ++i) sum += data[i];
  sums[0] = sum;
}
kernel void of_group(global const int *in, global int *data, global atomic_int *counts, global int *sums) {
  const int all = get_local_size(0), group = get_group_id(0);
  data[get_global_id(0)] = in[get_global_id(0)];
  if (!isLast(counts + group, all)) return;
  int sum = 0;
  for (int i = 0; i < all; ++i) sum += data[group * all + i];
  sums[group] = sum;
}
)CL";

const char countingBoth[] = R"CL(
kernel void count(volatile global atomic_int *word, int times) {
  for (int i = 0; i < times; ++i)
    atomic_fetch_add_explicit(word, 1, memory_order_relaxed, memory_scope_all_svm_devices);
}
)CL";

// Values of memory_order and memory_scope.
enum : cl_int { relaxed = 0, acquire = 2, release = 3, acquireRelease = 4, sequential = 5 };
enum : cl_int { workGroup = 1, deviceScope = 2, allDevices = 3, subGroup = 4 };

struct Request {
  cl_int order, loads, stores, scope;
};

std::vector<Request> requests() {
  std::vector<Request> all;
  for (const cl_int scope : {workGroup, deviceScope, allDevices, subGroup})
    for (const cl_int order : {relaxed, acquire, release, acquireRelease, sequential}) {
      const cl_int loads = order == release ? relaxed : order == acquireRelease ? acquire : order;
      const cl_int stores = order == acquire ? relaxed : order == acquireRelease ? release : order;
      all.push_back({order, loads, stores, scope});
    }
  return all;
}

std::string textOf(const Request& request) {
  return "order " + std::to_string(request.order) + ", scope " + std::to_string(request.scope);
}

class AtomicScopes : public DeviceTest {
protected:
  static constexpr std::size_t items = 256;

  void SetUp() override {
    DeviceTest::SetUp();
    for (std::size_t i = 0; i < items; ++i) in.push_back(static_cast<cl_int>((i * 2654435761u >> 7) % 1000));
  }

  /// Work-items of a group: a few where its sub-group is all that the scope has.
  static std::size_t sizeFor(const Request& request) { return request.scope == subGroup ? 4 : 32; }

  void check(const char* name, const Request& request) {
    const std::size_t size = sizeFor(request), groups = items / size;
    std::vector<cl_int> words(groups * wordCount);
    std::vector<cl_long> longs(groups * longCount);
    for (std::size_t group = 0; group < groups; ++group) {
      words[group * wordCount + 2] = 1 << 30, words[group * wordCount + 4] = -1;
      words[group * wordCount + 15] = 1;
    }
    cl_mem input = bufferOf(in), ofWords = bufferOf(words), ofLongs = bufferOf(longs);
    launch(name, {items}, {size}, input, ofWords, ofLongs, request.order, request.loads, request.stores, request.scope);
    take(ofWords, words);
    take(ofLongs, longs);
    clReleaseMemObject(input);
    for (std::size_t group = 0; group < groups; ++group) {
      SCOPED_TRACE(std::string(name) + ", group " + std::to_string(group));
      checkGroup(std::vector(in.begin() + group * size, in.begin() + (group + 1) * size), &words[group * wordCount],
                 &longs[group * longCount]);
    }
  }

  static void checkGroup(const std::vector<cl_int>& values, const cl_int* words, const cl_long* longs) {
    cl_int sum = 0, least = 1 << 30, most = 0, bits = 0, parity = 0;
    for (const cl_int v : values) {
      sum += v, parity ^= v, bits |= 1 << v % 31;
      least = std::min(least, v), most = std::max(most, v);
    }
    const auto count = static_cast<cl_int>(values.size());
    const std::vector<cl_int> expected = {sum, -sum, least, most, ~bits, bits, parity};
    EXPECT_EQ(std::vector(words, words + 7), expected);
    EXPECT_EQ(words[7] + words[8], sum + count) << "exchanges";
    EXPECT_EQ(words[9], sum) << "compare and exchange";
    EXPECT_EQ(words[11], 1) << "the flag was clear once";
    EXPECT_EQ(std::bit_cast<float>(words[12]), static_cast<float>(sum));
    EXPECT_EQ(std::bit_cast<float>(words[13]), static_cast<float>(most));
    EXPECT_EQ(words[15], 0) << "the flag is clear";
    EXPECT_EQ(longs[0], static_cast<cl_long>(sum) << 33);
    EXPECT_EQ(longs[1], static_cast<cl_long>(most) << 33);
    EXPECT_EQ(longs[2], static_cast<cl_long>(parity) << 20);
    EXPECT_EQ(std::bit_cast<double>(longs[3]), sum * 0.5);
  }

  void checkMessages(const char* scope, const char* way, const char* name, std::size_t sums) {
    SCOPED_TRACE(std::string(name) + " " + scope + way);
    build(messages, std::string("-cl-std=CL3.0 -D SCOPE=") + scope + way);
    const std::size_t part = items / sums;
    for (int round = 0; round < 20; ++round) {
      std::vector<cl_int> data(items), counts(sums), results(sums);
      cl_mem input = bufferOf(in), ofData = bufferOf(data), ofCounts = bufferOf(counts), ofSums = bufferOf(results);
      launch(name, {items}, {32}, input, ofData, ofCounts, ofSums);
      take(ofSums, results);
      for (cl_mem each : {input, ofData, ofCounts}) clReleaseMemObject(each);
      for (std::size_t i = 0; i < sums; ++i)
        ASSERT_EQ(results[i], std::accumulate(in.begin() + i * part, in.begin() + (i + 1) * part, 0)) << i;
    }
  }

  std::vector<cl_int> in;
};

TEST_F(AtomicScopes, AsConstants) {
  for (const Request& request : requests()) {
    SCOPED_TRACE(textOf(request));
    build(operations, "-cl-std=CL3.0 -D ORDERS=" + std::to_string(request.order) + "," + std::to_string(request.loads) +
                          "," + std::to_string(request.stores) + "," + std::to_string(request.scope));
    for (const char* name : {"in_global", "in_local", "in_either"}) check(name, request);
  }
}

TEST_F(AtomicScopes, AsArguments) {
  build(operations, "-cl-std=CL3.0");
  for (const Request& request : requests()) {
    SCOPED_TRACE(textOf(request));
    for (const char* name : {"in_global", "in_local", "in_either"}) check(name, request);
  }
}

TEST_F(AtomicScopes, TheLastOneSeesWhatOthersWrote) {
  for (const char* way : {"", " -D FENCES"}) {
    checkMessages("memory_scope_work_group", way, "of_group", items / 32);
    checkMessages("memory_scope_device", way, "of_all", 1);
    checkMessages("memory_scope_all_svm_devices", way, "of_all", 1);
  }
}

TEST_F(AtomicScopes, HostAndDeviceCountTogether) {
  cl_device_svm_capabilities svm = 0;
  clGetDeviceInfo(device_, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, nullptr);
  constexpr cl_device_svm_capabilities needed = CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS;
  if ((svm & needed) != needed) GTEST_SKIP() << "the device has no atomics in fine-grained shared memory";
  build(countingBoth, "-cl-std=CL3.0");
  auto* const word = static_cast<cl_int*>(
      clSVMAlloc(context_, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, sizeof(cl_int), 0));
  ASSERT_NE(word, nullptr);
  *word = 0;
  constexpr cl_int times = 50, ofHost = 20000;
  constexpr std::size_t ofDevice = 4096;
  cl_kernel kernel = clCreateKernel(program_, "count", nullptr);
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 0, word), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof times, &times), CL_SUCCESS);
  EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &ofDevice, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFlush(queue_), CL_SUCCESS);
  for (cl_int i = 0; i < ofHost; ++i) std::atomic_ref(*word).fetch_add(1);
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
  EXPECT_EQ(*word, ofHost + times * static_cast<cl_int>(ofDevice));
  clReleaseKernel(kernel);
  clSVMFree(context_, word);
}

}  // namespace
