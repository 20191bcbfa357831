// SPDX-License-Identifier: Apache-2.0
// This file lets work-items store to different components of the same vectors: each stays what its work-item made it.
#include "device_test.h"

#include <cstdint>
#include <string>
#include <vector>

namespace {

/// A vector type, how its components are called, and how many elements one takes in memory.
struct Vector {
  const char* type;
  const char* element;
  std::size_t components, elements;
};
const Vector vectors[] = {{"float2", "float", 2, 2}, {"float3", "float", 3, 4}, {"float4", "float", 4, 4},
                          {"int8", "int", 8, 8},     {"uchar4", "uchar", 4, 4}, {"short16", "short", 16, 16},
                          {"char3", "char", 3, 4},   {"ulong2", "ulong", 2, 2}, {"ushort8", "ushort", 8, 8}};

/// Every work-item writes and reads its own component; the kernel's last work-items have one of the last vector.
std::string sourceOf(const Vector& vector) {
  const std::string count = std::to_string(vector.components);
  const auto cases = [&](const std::string& text) {
    std::string all;
    for (std::size_t i = 0; i < vector.components; ++i) {
      const char digit = "0123456789abcdef"[i];
      std::string one = text;
      for (std::size_t at; (at = one.find('@')) != std::string::npos;) one[at] = digit;
      all += "    case " + std::to_string(i) + ": " + one + " break;\n";
    }
    return all;
  };
  const std::string head =
      std::string("(__global V* a, __local V* t, E d) {\n  const size_t g = get_global_id(0), v = g / ") + count +
      ", l = get_local_id(0) / " + count + ";\n  const E x = (E)(g % 100 + 1);\n  switch (g % " + count + ") {\n";
  return std::string("typedef ") + vector.type + " V; typedef " + vector.element + " E;\n" + "__kernel void stored" +
         head + cases("a[v].s@ = x;") + "  }\n}\n" + "__kernel void added" + head +
         cases("a[v].s@ = x; a[v].s@ += d;") + "  }\n}\n" + "__kernel void kept" + head +
         cases("((volatile __global V*)a)[v].s@ = x; a[v].s@ = a[v].s@ + d;") + "  }\n}\n" + "__kernel void pointed" +
         head + cases("{ __global V* const p = &a[v]; p->s@ = x; (*p).s@ -= d; }") + "  }\n}\n" +
         "__kernel void chosen" + head + "    default: a[v][g % " + count + "] = x;\n  }\n}\n" +
         // A vector in registers, of which a component is replaced and another one taken.
         "__kernel void held" + head.substr(0, head.find("  switch")) + "  V mine = (V)d;\n  mine[(g + (size_t)d) % " +
         count + "] = x + d;\n  a[v][g % " + count + "] = mine[(g + (size_t)d) % " + count +
         "] - mine[(g + 2 * (size_t)d) % " + count + "];\n}\n" +
         // Local memory, then a whole vector by one work-item.
         "__kernel void shared" + head + cases("t[l].s@ = x;") + "  }\n  barrier(CLK_LOCAL_MEM_FENCE);\n  if (g % " +
         count + " == 0) a[v] = t[l];\n}\n" +
         // An array of its own.
         "__kernel void own" + head.substr(0, head.find("  switch")) +
         "  V mine[3];\n  for (int i = 0; i < 3; ++i) mine[i] = (V)d;\n  switch (g % " + count + ") {\n" +
         cases("mine[(int)d].s@ = x;") + "  }\n  switch (g % " + count + ") {\n" + cases("a[v].s@ = mine[(int)d].s@;") +
         "  }\n}\n";
}

class VectorComponents : public DeviceTest, public testing::WithParamInterface<Vector> {
protected:
  template <class T>
  void tryAll(const char* options) {
    const Vector& vector = GetParam();
    build(sourceOf(vector), options);
    const std::size_t count = 48, items = count * vector.components, group = vector.components * 4;
    for (const std::string name : {"stored", "added", "kept", "pointed", "chosen", "held", "shared", "own"}) {
      std::vector<T> made(count * vector.elements, T(77));
      cl_mem output = bufferOf(made);
      const T one = 1;
      launch(name.c_str(), {items}, {group}, output, LocalBytes{4 * vector.elements * sizeof(T)}, one);
      take(output, made);
      const int more = name == "added" || name == "kept" ? 1 : name == "pointed" ? -1 : 0;
      for (std::size_t i = 0; i < items; ++i)
        ASSERT_EQ(made[i / vector.components * vector.elements + i % vector.components],
                  static_cast<T>(static_cast<int>(i % 100) + 1 + more))
            << name << " of " << vector.type << " with '" << options << "', component " << i;
    }
  }
};

TEST_P(VectorComponents, AreMemoryOfTheirOwn) {
  for (const char* options : {"", "-cl-opt-disable", "-cl-clarity-packet-width=1"}) {
    if (!changeCode(options)) continue;
    const std::string element = GetParam().element;
    if (element == "float") tryAll<float>(options);
    if (element == "int") tryAll<std::int32_t>(options);
    if (element == "uchar") tryAll<std::uint8_t>(options);
    if (element == "short") tryAll<std::int16_t>(options);
    if (element == "char") tryAll<std::int8_t>(options);
    if (element == "ulong") tryAll<std::uint64_t>(options);
    if (element == "ushort") tryAll<std::uint16_t>(options);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, VectorComponents, testing::ValuesIn(vectors),
                         [](const auto& test) { return test.param.type; });

class SwizzledStores : public DeviceTest {};

/// Work-groups that run at the same time count in components of one vector.
TEST_F(SwizzledStores, OfWorkGroupsAtTheSameTimeAreAllThere) {
  build(R"CL(
__kernel void count(__global volatile int4* a, __global volatile int4* b, int n) {
  switch (get_group_id(0)) {
    case 0: for (int i = 0; i < n; ++i) { a->x += 1; b->xy += (int2)(1, 2); } break;
    case 1: for (int i = 0; i < n; ++i) { a->y += 1; b->zw += (int2)(3, 4); } break;
    case 2: for (int i = 0; i < n; ++i) a->z++; break;
    case 3: for (int i = 0; i < n; ++i) a->w -= 1; break;
  }
}
)CL",
        "");
  constexpr cl_int n = 200000;
  std::vector<cl_int> first(4), second(4);
  cl_mem a = bufferOf(first), b = bufferOf(second);
  launch("count", {4}, {1}, a, b, n);
  take(a, first);
  take(b, second);
  EXPECT_EQ(first, (std::vector<cl_int>{n, n, n, -n}));
  EXPECT_EQ(second, (std::vector<cl_int>{n, 2 * n, 3 * n, 4 * n}));
}

/// Work-items under a condition write and read whole volatile vectors, as lists of pairs that they find.
TEST_F(SwizzledStores, OfVolatileVectorsAreThoseOfPlainOnes) {
  for (const std::string type : {"int2", "int3", "int4", "int8", "int16"})
    for (const char* options : {"", "-cl-opt-disable", "-cl-clarity-packet-width=1"}) {
      build("typedef " + type + R"CL( V;
__kernel void pairs(volatile __global V* found, __global int* sums, int n) {
  const int g = get_global_id(0);
  int sum = 0;
  for (int j = g + 1; j < n; ++j)
    if ((g * j) % 3 == 1) {
      V pair = (V)(g * n);
      pair.y = j;
      found[g] = pair;
      const V seen = found[g];
      sum += seen.x - seen.y;
    }
  sums[g] = sum;
}
)CL",
            options);
      const std::size_t elements = type == "int3" ? 4 : static_cast<std::size_t>(std::stoi(type.substr(3)));
      constexpr cl_int n = 50;
      std::vector<cl_int> found(n * elements, -1), sums(n, -1);
      cl_mem a = bufferOf(found), b = bufferOf(sums);
      launch("pairs", {n}, {}, a, b, n);
      take(a, found);
      take(b, sums);
      for (cl_int g = 0; g < n; ++g) {
        cl_int sum = 0, last = -1;
        for (cl_int j = g + 1; j < n; ++j)
          if (g * j % 3 == 1) {
            sum += g * n - j;
            last = j;
          }
        const std::size_t at = static_cast<std::size_t>(g) * elements;
        EXPECT_EQ(sums[static_cast<std::size_t>(g)], sum) << type << " with '" << options << "', work-item " << g;
        EXPECT_EQ(found[at], last < 0 ? -1 : g * n) << type << " with '" << options << "', work-item " << g;
        EXPECT_EQ(found[at + 1], last) << type << " with '" << options << "', work-item " << g;
      }
    }
}

TEST_F(SwizzledStores, WriteWhatTheyName) {
  build(R"CL(
__kernel void swizzle(__global float4* a, __global float3* b, __global float8* c) {
  const size_t g = get_global_id(0);
  const float x = g;
  a[4 * g].xz = (float2)(x, x + 1);
  a[4 * g + 1].wy = (float2)(x, x + 1);
  a[4 * g + 2].lo = (float2)(x, x + 1);
  a[4 * g + 3].odd = a[4 * g].even;
  b[g].zx = (float2)(x, x + 1);
  c[g].hi = (float4)(x, x + 1, x + 2, x + 3);
  c[g].s03 += c[g].s76;
}
)CL",
        "");
  constexpr std::size_t count = 40;
  std::vector<float> a(count * 16, -1), b(count * 4, -1), c(count * 8, -1);
  cl_mem first = bufferOf(a), second = bufferOf(b), third = bufferOf(c);
  launch("swizzle", {count}, {8}, first, second, third);
  take(first, a);
  take(second, b);
  take(third, c);
  for (std::size_t i = 0; i < count; ++i) {
    const auto x = static_cast<float>(i);
    const auto part = [](const std::vector<float>& all, std::size_t at, std::size_t length) {
      return std::vector<float>(all.begin() + static_cast<std::ptrdiff_t>(at),
                                all.begin() + static_cast<std::ptrdiff_t>(at + length));
    };
    ASSERT_EQ(part(a, 16 * i, 16),
              (std::vector<float>{x, -1, x + 1, -1, -1, x + 1, -1, x, x, x + 1, -1, -1, -1, x, -1, x + 1}));
    ASSERT_EQ(part(b, 4 * i, 4), (std::vector<float>{x + 1, -1, x, -1}));
    ASSERT_EQ(part(c, 8 * i, 8), (std::vector<float>{x + 2, -1, -1, x + 1, x, x + 1, x + 2, x + 3}));
  }
}

}  // namespace
