// SPDX-License-Identifier: Apache-2.0
// This file lets neighbouring work-items stand on both sides of the wrap of the type of their index, at every distance:
// C computes modulo 2^bits, and so memory far apart is accessed. The addresses are reserved, and hardly any is used.
#include "device_test.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace {

using uchar = std::uint8_t;
using ushort = std::uint16_t;
using uint = std::uint32_t;
using ulong = std::uint64_t;

constexpr std::size_t itemsX = 64, itemsY = 4, groupX = 32;
constexpr std::int64_t window = 4096;  ///< elements on either side of a wrap that are looked at

/// An index of a work-item: g and y are its global ids, l its local id, b an argument that decides where it wraps, k
/// the iteration of a loop.
struct Index {
  std::string name, type, text;
  std::function<std::int64_t(ulong g, ulong y, ulong l, uint b, int k)> of;
  unsigned bits;
  bool isSigned;
};

#define INDEX(NAME, TYPE, BITS, SIGNED, ...)                                                                        \
  Index {                                                                                                           \
#NAME, #TYPE, #__VA_ARGS__, [](ulong g, ulong y, ulong l, uint b, int k) -> std::int64_t {                        \
      (void)g, (void)y, (void)l, (void)b, (void)k;                                                                    \
      return static_cast<TYPE>(__VA_ARGS__);                                                                          \
    },                                                                                                                \
        BITS, SIGNED \
  }

const Index indices[] = {
    INDEX(sum, uint, 32, false, b + (uint)g + (uint)k),
    INDEX(wide_sum, uint, 32, false, (uint)((ulong)b + g + (ulong)k)),
    INDEX(twice, uint, 32, false, b + 2u * (uint)g + (uint)k),
    INDEX(three_times, uint, 32, false, ((uint)g + (uint)k) * 3u + b),
    INDEX(shifted, uint, 32, false, ((uint)g << 2) + b + (uint)k),
    INDEX(backwards, uint, 32, false, b - (uint)g - (uint)k),
    INDEX(less, uint, 32, false, (uint)g - (0u - b) + (uint)k),
    INDEX(constant, uint, 32, false, (uint)g - 32u + (uint)(b & 0u) + (uint)k),
    INDEX(local_sum, uint, 32, false, b + (uint)l + (uint)k * 7u),
    INDEX(rows, uint, 32, false, b + (uint)(y * 64 + g) + (uint)k),
    INDEX(down, uint, 32, false, b + (uint)y + (uint)k),
    INDEX(signed_sum, int, 32, true, (int)(b + 0x80000000u + (uint)g + (uint)k)),
    INDEX(signed_wide, int, 32, true, (int)((ulong)b + 0x80000005ul + g + (ulong)k)),
    INDEX(signed_back, int, 32, true, (int)(b + 0x80000000u - 3u * (uint)g - (uint)k)),
    INDEX(wide_id, uint, 32, false, (uint)(g + (ulong)b) + (uint)k),
    INDEX(short_sum, ushort, 16, false, (ushort)(b + (uint)g + (uint)k)),
    INDEX(short_product, ushort, 16, false, (ushort)(b + (uint)g * 5u - (uint)k)),
    INDEX(byte_sum, uchar, 8, false, (uchar)(b + (uint)g * 3u + (uint)k)),
    INDEX(signed_short, short, 16, true, (short)(b + 0x8000u + (uint)g + (uint)k)),
    INDEX(signed_byte, char, 8, true, (char)(b + 0x80u - (uint)g - (uint)k)),
};

/// Accesses of kernels with an index, on elements of type T.
const char kernels[] = R"CL(
#define KERNEL(NAME) __kernel void NAME(ulong address, uint b, int n, __global T* out)
#define IDS                                                                             \
  __global T* const p = (__global T*)address;                                           \
  const ulong g = get_global_id(0), y = get_global_id(1), l = get_local_id(0);          \
  const size_t at = y * get_global_size(0) + g;
#define I(K) ((TYPE)INDEX(K))

KERNEL(stores) { IDS; p[I(0)] = (T)(at + 1); }
KERNEL(loads) { IDS; out[at] = p[I(0)]; }
KERNEL(some_store) { IDS; if ((g ^ g >> 2) & 1) p[I(0)] = (T)(at + 1); }
KERNEL(some_load) { IDS; out[at] = 0; if (g > 9 && g != 40) out[at] = p[I(0)]; }
KERNEL(sums) { IDS; T sum = 0; for (int k = 0; k < n; ++k) sum = sum * (T)3 + p[I(k)]; out[at] = sum; }
KERNEL(neighbours) { IDS; out[at] = p[I(0)] * (T)3 + p[I(1)] * (T)5 + p[I(2)]; }
KERNEL(walks) {
  IDS;
  __global T* place = p + I(0);
  T sum = 0;
  for (int k = 0; k < n; ++k, place += 2) sum = sum * (T)3 + *place;
  out[at] = sum;
}
)CL";

class WideIndices : public DeviceTest, public testing::WithParamInterface<const Index*> {
protected:
  void SetUp() override {
    DeviceTest::SetUp();
    cl_device_type type = 0;
    clGetDeviceInfo(device_, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
    if (type != CL_DEVICE_TYPE_CPU) GTEST_SKIP() << "addresses of the host are given to kernels";
  }

  template <class T>
  void tryAll(const std::string& element, std::initializer_list<const char*> names);
};

/// Elements around the ends of the index's type.
template <class T>
class Elements {
public:
  explicit Elements(const Index& index)
      : ends_{index.isSigned ? -(std::int64_t{1} << (index.bits - 1)) : 0,
              index.isSigned ? std::int64_t{1} << (index.bits - 1) : std::int64_t{1} << index.bits} {
    bytes_ = static_cast<std::size_t>(ends_[1] - ends_[0] + 4 * window) * sizeof(T);
    map_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map_ != MAP_FAILED) zero_ = static_cast<T*>(map_) + (2 * window - ends_[0]);
  }
  ~Elements() {
    if (map_ != MAP_FAILED) munmap(map_, bytes_);
  }
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;

  bool isThere() const { return zero_ != nullptr; }
  T* zero() const { return zero_; }
  void each(const std::function<void(std::int64_t, T&)>& visit) const {
    std::int64_t from = ends_[0] - window;
    for (const std::int64_t end : ends_)
      for (from = std::max(from, end - window); from < end + window; ++from) visit(from, zero_[from]);
  }

private:
  std::int64_t ends_[2];
  std::size_t bytes_ = 0;
  void* map_ = MAP_FAILED;
  T* zero_ = nullptr;
};

template <class T>
T contentOf(std::int64_t at) {
  return static_cast<T>(static_cast<ulong>(at) * 0x9E3779B97F4A7C15u >> 40);
}

template <class T>
void WideIndices::tryAll(const std::string& element, std::initializer_list<const char*> names) {
  const Index& index = *GetParam();
  const Elements<T> elements(index);
  ASSERT_TRUE(elements.isThere());
  std::string text =
      "#define T " + element + "\n#define TYPE " + index.type + "\n#define INDEX(k) (" + index.text + ")\n" + kernels;
  build(text, "");
  constexpr int n = 3;
  std::vector<T> out(itemsX * itemsY);
  cl_mem output = clCreateBuffer(context_, CL_MEM_USE_HOST_PTR, out.size() * sizeof(T), out.data(), nullptr);
  const auto address = reinterpret_cast<ulong>(elements.zero());
  const auto valueAt = [&](std::int64_t at) { return contentOf<T>(at); };
  for (const std::string name : names) {
    cl_int error = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program_, name.c_str(), &error);
    ASSERT_EQ(error, CL_SUCCESS);
    const bool stores = name == "stores" || name == "some_store";
    for (int distance = -130; distance <= 130; distance += distance >= -8 && distance < 72 ? 1 : 7) {
      const uint b = 0u - static_cast<uint>(distance);
      elements.each([&](std::int64_t at, T& one) { one = stores ? T(0) : contentOf<T>(at); });
      std::fill(out.begin(), out.end(), T(0));
      clSetKernelArg(kernel, 0, sizeof address, &address);
      clSetKernelArg(kernel, 1, sizeof b, &b);
      clSetKernelArg(kernel, 2, sizeof n, &n);
      clSetKernelArg(kernel, 3, sizeof output, &output);
      const std::size_t global[] = {itemsX, itemsY}, local[] = {groupX, 1};
      ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 2, nullptr, global, local, 0, nullptr, nullptr), CL_SUCCESS);
      ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
      std::vector<std::pair<std::int64_t, T>> stored;
      for (std::size_t item = 0; item < itemsX * itemsY; ++item) {
        const ulong g = item % itemsX, y = item / itemsX;
        const auto at = [&](int k) { return index.of(g, y, g % groupX, b, k); };
        const auto given = static_cast<T>(item + 1);
        T expected = 0;
        if (name == "stores" || (name == "some_store" && ((g ^ g >> 2) & 1))) stored.emplace_back(at(0), given);
        if (name == "loads" || (name == "some_load" && g > 9 && g != 40)) expected = valueAt(at(0));
        if (name == "sums")
          for (int k = 0; k < n; ++k) expected = static_cast<T>(expected * 3 + valueAt(at(k)));
        if (name == "walks")
          for (int k = 0; k < n; ++k) expected = static_cast<T>(expected * 3 + valueAt(at(0) + 2 * k));
        if (name == "neighbours") expected = static_cast<T>(valueAt(at(0)) * 3 + valueAt(at(1)) * 5 + valueAt(at(2)));
        if (!stores)
          ASSERT_EQ(out[item], expected) << name << " of " << element << ", distance " << distance << ", work-item ("
                                         << g << ", " << y << "), index " << at(0);
      }
      if (!stores) continue;
      // Several work-items may store to one place: one of their values is there.
      std::sort(stored.begin(), stored.end());
      elements.each([&](std::int64_t at, T& one) {
        const auto first = std::lower_bound(stored.begin(), stored.end(), std::pair(at, T(0)));
        const bool isStored = first != stored.end() && first->first == at;
        const bool isRight = isStored ? std::any_of(first, stored.end(),
                                                    [&](const auto& by) { return by.first == at && by.second == one; })
                                      : one == 0;
        ASSERT_TRUE(isRight) << name << " of " << element << ", distance " << distance << ", element " << at << " is "
                             << static_cast<ulong>(one);
      });
      if (HasFatalFailure()) return;
    }
    clReleaseKernel(kernel);
  }
  clReleaseMemObject(output);
}

TEST_P(WideIndices, OfBytesWrapWithTheirType) { tryAll<uchar>("uchar", {"stores", "loads", "some_store"}); }

TEST_P(WideIndices, OfIntegersWrapWithTheirType) {
  tryAll<uint>("uint", {"stores", "loads", "some_store", "some_load", "sums", "neighbours", "walks"});
}

std::vector<const Index*> all() {
  std::vector<const Index*> pointers;
  for (const Index& index : indices) pointers.push_back(&index);
  return pointers;
}

INSTANTIATE_TEST_SUITE_P(Forms, WideIndices, testing::ValuesIn(all()),
                         [](const auto& test) { return test.param->name; });

}  // namespace
