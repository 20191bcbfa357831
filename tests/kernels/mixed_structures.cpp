// SPDX-License-Identifier: Apache-2.0
// This file tests structures with members of several types of one size, whose accesses packets join: updated, copied,
// and moved by a permutation.
#include "device_test.h"

#include <cstring>
#include <string>
#include <vector>

namespace {

const char source[] = R"CL(
typedef struct { FIELDS } P;
kernel void updated(global P* p, global const int* place, global P* out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  P a = p[i]; a.x += a.y * 2; a.y -= 1; a.id += i; out[i] = a;
}
kernel void moved(global P* p, global const int* place, global P* out, int n) {
  int i = get_global_id(0);
  if (i < n) { P a = p[place[i]]; out[i] = a; }
}
kernel void spread(global P* p, global const int* place, global P* out, int n) {
  int i = get_global_id(0);
  if (i < n) { P a = p[i]; a.id = -a.id; out[place[i]] = a; }
}
)CL";

class MixedStructures : public DeviceTest {
protected:
  /// A structure of 32-bit members: 'f' floats and 'i' integers, x, y and id first.
  void check(const std::string& fields, std::size_t members) {
    const cl_int count = 333;
    std::vector<cl_int> place(count);
    for (cl_int i = 0; i < count; ++i) place[static_cast<std::size_t>(i)] = i * 100 % count;  // 100 and 333: no divisor
    for (const char* options : {"", "-cl-clarity-packet-width=1", "-cl-clarity-packet-width=8"}) {
      SCOPED_TRACE(fields + options);
      build("#define FIELDS " + fields + "\n" + source, options);
      std::vector<cl_uint> in(count * members);
      for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = i % members < 2 ? bits(static_cast<float>(i % 97)) : cl_uint(i);
      for (const char* kernel : {"updated", "moved", "spread"}) {
        std::vector<cl_uint> expected(in.size(), 7), out(in.size(), 7);
        for (cl_int i = 0; i < count; ++i) {
          const auto at = static_cast<std::size_t>(i), other = static_cast<std::size_t>(place[at]);
          const std::string name = kernel;
          const std::size_t from = name == "moved" ? other : at, to = name == "spread" ? other : at;
          for (std::size_t m = 0; m < members; ++m) expected[to * members + m] = in[from * members + m];
          cl_uint* target = &expected[to * members];
          if (name == "updated") {
            target[0] = bits(number(target[0]) + number(target[1]) * 2);
            target[1] = bits(number(target[1]) - 1);
            target[2] += static_cast<cl_uint>(i);
          } else if (name == "spread") {
            target[2] = -target[2];
          }
        }
        cl_mem p = bufferOf(in), places = bufferOf(place), result = bufferOf(out);
        launch(kernel, {352}, {32}, p, places, result, count);
        take(result, out);
        clReleaseMemObject(p);
        clReleaseMemObject(places);
        EXPECT_EQ(out, expected) << kernel;
      }
    }
  }

private:
  static cl_uint bits(float number) {
    cl_uint result = 0;
    std::memcpy(&result, &number, sizeof result);
    return result;
  }
  static float number(cl_uint bits) {
    float result = 0;
    std::memcpy(&result, &bits, sizeof result);
    return result;
  }
};

TEST_F(MixedStructures, of32Bits) {
  check("float x, y; int id;", 3);
  check("float x, y; int id; float w;", 4);
  check("float x, y; uint id; float w; int v;", 5);
  check("float x, y; int id; float w; float v; int u;", 6);
  check("float x, y; int id; float4 f __attribute__((packed)); int u;", 8);
}

}  // namespace
