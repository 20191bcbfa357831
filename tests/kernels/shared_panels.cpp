// SPDX-License-Identifier: Apache-2.0
// This file launches products whose work-items share what they read, so many that panels of it are copied: sizes that
// nothing divides, guards, transposed operands, lanes along either dimension, and code that runs one work-item at a
// time.
#include "device_test.h"

#include <cstdint>
#include <string>
#include <vector>

namespace {

// T: the type. Rows and columns begin behind the offset of the launch.
const char source[] = R"CL(
#define HERE const int x = get_global_id(0), y = get_global_id(1)
#define PRODUCT(A, B) T sum = 0; for (int i = 0; i < depth; ++i) sum += (A) * (B); out[y * columns + x] = sum
#define ARGUMENTS __global const T* a, __global const T* b, __global T* out, int columns, int rows, int depth
__kernel void plain(ARGUMENTS) { HERE; PRODUCT(a[y * depth + i], b[i * columns + x]); }
__kernel void guarded(ARGUMENTS) {
  HERE;
  if (x < columns && y < rows) { PRODUCT(a[y * depth + i], b[i * columns + x]); }
}
__kernel void returns(ARGUMENTS) {
  HERE;
  if (y >= rows) return;
  if (x >= columns || x < 3) return;
  PRODUCT(a[y * depth + i], b[i * columns + x]);
}
__kernel void accumulates(ARGUMENTS) {
  HERE;
  if (y < rows && x < columns) {
    T sum = out[y * columns + x] + 3;
    for (int i = 0; i < depth; ++i) sum += a[y * depth + i] * b[i * columns + x];
    out[y * columns + x] = sum;
  }
}
__kernel void in_place(ARGUMENTS) {
  HERE;
  if (y < rows && x < columns) {
    out[y * columns + x] *= 2;
    for (int i = 0; i < depth; ++i) out[y * columns + x] += a[y * depth + i] * b[i * columns + x];
  }
}
__kernel void transposed_a(ARGUMENTS) {
  HERE;
  if (x < columns && y < rows) { PRODUCT(a[i * rows + y], b[i * columns + x]); }
}
__kernel void transposed_b(ARGUMENTS) {
  HERE;
  if (x < columns && y < rows) { PRODUCT(a[y * depth + i], b[x * depth + i]); }
}
__kernel void both(ARGUMENTS) { HERE; if (x < columns && y < rows) { PRODUCT(a[i * rows + y], b[x * depth + i]); } }
__kernel void swapped(ARGUMENTS) {
  const int x = get_global_id(1), y = get_global_id(0);
  if (x < columns && y < rows) { PRODUCT(a[y * depth + i], b[i * columns + x]); }
}
__kernel void steps(ARGUMENTS) {
  HERE;
  if (x >= columns || y >= rows) return;
  T sum = 0, other = 1;
  int at = x;
  for (uint i = 3; i < (uint)depth; i += 2) {
    sum += a[y * depth + i] * b[i * columns + x];
    other = other / 2 - b[at];
    at += columns;
  }
  out[y * columns + x] = sum + other;
}
__kernel void wide(ARGUMENTS) {
  const size_t x = get_global_id(0), y = get_global_id(1);
  T sum = 0;
  for (size_t i = 0; i < (size_t)depth; ++i) sum += a[y * depth + i] * b[i * columns + x];
  out[y * columns + x] = sum;
}
__kernel void some(ARGUMENTS) {
  HERE;
  if (x >= columns || y >= rows || (x + y) % 3 == 1) return;
  PRODUCT(a[y * depth + i], b[i * columns + x]);
}
)CL";

const char* const kernels[] = {"plain",        "guarded", "returns", "accumulates", "in_place", "transposed_a",
                               "transposed_b", "both",    "swapped", "steps",       "wide",     "some"};

struct Sizes {
  std::size_t columns, rows, depth;
};

class SharedPanels : public DeviceTest {
protected:
  template <class T>
  std::vector<T> run(const std::string& name, const Sizes& sizes, const std::string& options) {
    // Guarded kernels get more work-items than the product has cells.
    const bool exact = name == "plain" || name == "wide";
    const std::size_t more = exact ? 0 : 5;
    std::vector<std::size_t> global{sizes.columns + more, sizes.rows + 2 * more};
    if (name == "swapped") std::swap(global[0], global[1]);
    // No panels are copied where buffers fit into the second-level cache, or rows lie well in it
    // (CpuExecutable::readsFar): a buffer that is too large seems to have rows of some pages.
    const std::size_t bytes = global[0] * 4096 * (1 + (std::size_t{8} << 20) / (global[0] * 4096));
    const std::size_t cells = sizes.columns * sizes.rows;
    std::vector<T> a(sizes.rows * sizes.depth), b(sizes.columns * sizes.depth), out(cells);
    std::uint32_t state = 12345;
    const auto next = [&] {
      return static_cast<T>(static_cast<int>((state = state * 1664525 + 1013904223) >> 24) - 100);
    };
    for (std::vector<T>* each : {&a, &b, &out})
      for (T& value : *each) value = static_cast<T>(next() / static_cast<T>(16));
    build(std::string("typedef ") + typeName<T>() + " T;\n" + source, options);
    if (HasFatalFailure()) return {};
    out.resize(bytes / sizeof(T));
    cl_mem first = bufferOf(a), second = bufferOf(b), result = bufferOf(out);
    launch(name.c_str(), global, {}, first, second, result, static_cast<cl_int>(sizes.columns),
           static_cast<cl_int>(sizes.rows), static_cast<cl_int>(sizes.depth));
    take(result, out);
    out.resize(cells);
    clReleaseMemObject(first);
    clReleaseMemObject(second);
    return out;
  }

  /// The same bits as work-items one by one. GPUs copy no panels: there, shorter sums go the same way.
  template <class T>
  void compare(Sizes sizes) {
    cl_device_type type = 0;
    clGetDeviceInfo(device_, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
    if (type == CL_DEVICE_TYPE_GPU) sizes.depth = 131;
    for (const char* name : kernels) {
      SCOPED_TRACE(testing::Message() << name << " of " << typeName<T>() << ", " << sizes.columns << " x " << sizes.rows
                                      << ", depth " << sizes.depth);
      const std::vector<T> panels = run<T>(name, sizes, ""), one = run<T>(name, sizes, "-cl-clarity-packet-width=1");
      EXPECT_TRUE(panels == one);
    }
  }

private:
  template <class T>
  static const char* typeName();
};
template <>
const char* SharedPanels::typeName<float>() {
  return "float";
}
template <>
const char* SharedPanels::typeName<double>() {
  return "double";
}
template <>
const char* SharedPanels::typeName<cl_int>() {
  return "int";
}
template <>
const char* SharedPanels::typeName<cl_char>() {
  return "char";
}

TEST_F(SharedPanels, floats) { compare<float>({523, 135, 515}); }
TEST_F(SharedPanels, doubles) { compare<double>({139, 533, 517}); }
TEST_F(SharedPanels, ints) { compare<cl_int>({131, 149, 1031}); }
TEST_F(SharedPanels, chars) { compare<cl_char>({259, 131, 777}); }

}  // namespace
