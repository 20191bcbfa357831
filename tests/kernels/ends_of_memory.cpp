// SPDX-License-Identifier: Apache-2.0
// This file loads under masks at the ends of memory: what inactive work-items would load may not exist.
#include "device_test.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace {

// Elements of one work-item lie side by side, those of neighbours STEP elements apart.
const char source[] = R"CL(
__kernel void each(__global const T* in, __global const uchar* flags, __global ulong* out, int first, int n) {
  const int g = get_global_id(0), at = first + g * (STEP);
  ulong sum = 7;
  if (flags[g] && at >= 0 && at + SIDE <= n)
    for (int i = 0; i < SIDE; ++i) sum = sum * 31 + (ulong)in[at + i];
  out[g] = sum;
}
)CL";

constexpr std::size_t pageBytes = 4096, bytes = 2 * pageBytes, items = 160;

/// Two pages between two that cannot be accessed.
class GuardedPages {
public:
  GuardedPages() {
    all_ = static_cast<std::uint8_t*>(
        ::mmap(nullptr, bytes + 2 * pageBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ::mprotect(begin(), bytes, PROT_READ | PROT_WRITE);
    for (std::size_t i = 0; i < bytes; ++i) begin()[i] = static_cast<std::uint8_t>(i * 37 % 251 % 120);
  }
  ~GuardedPages() { ::munmap(all_, bytes + 2 * pageBytes); }
  GuardedPages(const GuardedPages&) = delete;
  GuardedPages& operator=(const GuardedPages&) = delete;
  std::uint8_t* begin() const { return all_ + pageBytes; }

private:
  std::uint8_t* all_;
};

struct Form {
  const char* type;
  std::size_t size;
  int step, side;
};

class EndsOfMemory : public DeviceTest, public testing::WithParamInterface<Form> {
protected:
  const Form& form() const { return GetParam(); }

  std::uint64_t expected(const std::uint8_t* from, bool flag, int at) const {
    const auto count = static_cast<int>(bytes / form().size);
    std::uint64_t sum = 7;
    if (!flag || at < 0 || at + form().side > count) return sum;
    for (int i = 0; i < form().side; ++i) {
      std::uint64_t element = 0;
      std::memcpy(&element, from + static_cast<std::size_t>(at + i) * form().size, form().size);
      sum = sum * 31 + element;
    }
    return sum;
  }

  void compare(const GuardedPages& pages, cl_mem in, const std::vector<cl_uchar>& flags, cl_int first) {
    std::vector<std::uint64_t> out(items);
    cl_mem output = bufferOf(out), chosen = bufferOf(flags);
    launch("each", {items}, {}, in, chosen, output, first, static_cast<cl_int>(bytes / form().size));
    take(output, out);
    clReleaseMemObject(chosen);
    for (std::size_t g = 0; g < items; ++g)
      ASSERT_EQ(out[g], expected(pages.begin(), flags[g] != 0, first + static_cast<cl_int>(g) * form().step))
          << "work-item " << g << ", first " << first;
  }
};

TEST_P(EndsOfMemory, loadsUnderMasks) {
  build(source, std::string("-DT=") + form().type + " -DSTEP=" + std::to_string(form().step) +
                    " -DSIDE=" + std::to_string(form().side));
  const GuardedPages pages;
  cl_mem in = clCreateBuffer(context_, CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, bytes, pages.begin(), nullptr);
  const auto count = static_cast<cl_int>(bytes / form().size), step = form().step;
  const cl_int whole = static_cast<cl_int>(items) * step;
  std::vector<std::vector<cl_uchar>> choices(4, std::vector<cl_uchar>(items, 1));
  for (std::size_t g = 0; g < items; ++g) {
    choices[1][g] = g * g % 7 < 3;
    choices[2][g] = g % 32 == 3;
    choices[3][g] = g >= 64 && g < 70;
  }
  for (const std::vector<cl_uchar>& flags : choices)
    for (cl_int shift = -3; shift < 40; shift += 7) {
      const cl_int low = step > 0 ? 0 : -whole, high = step > 0 ? whole : 0;  // of the first work-item
      compare(pages, in, flags, low - shift);                                 // the beginning
      compare(pages, in, flags, count - high + shift * step);                 // the end
      compare(pages, in, flags, count / 2 - high / 2 + low / 2 + shift);      // from page to page
    }
  clReleaseMemObject(in);
}

INSTANTIATE_TEST_SUITE_P(Forms, EndsOfMemory,
                         testing::Values(Form{"uchar", 1, 1, 1}, Form{"uchar", 1, -1, 1}, Form{"uchar", 1, 2, 1},
                                         Form{"uchar", 1, 3, 3}, Form{"uchar", 1, 4, 4}, Form{"uchar", 1, 4, 1},
                                         Form{"ushort", 2, 1, 1}, Form{"ushort", 2, 2, 2}, Form{"ushort", 2, 3, 1},
                                         Form{"uint", 4, 1, 1}, Form{"uint", 4, 2, 1}, Form{"uint", 4, 3, 3},
                                         Form{"ulong", 8, 1, 1}, Form{"ulong", 8, 2, 1}, Form{"uchar", 1, 5, 2}),
                         [](const testing::TestParamInfo<Form>& its) {
                           const Form& form = its.param;
                           return std::string(form.type) + (form.step < 0 ? "Minus" : "") +
                                  std::to_string(form.step < 0 ? -form.step : form.step) + "Side" +
                                  std::to_string(form.side);
                         });

}  // namespace
