// SPDX-License-Identifier: Apache-2.0
// This file compares the functions of cl_intel_subgroups, its extensions to other types and
// cl_intel_subgroup_local_block_io with the same computed on the host, for several sub-group sizes.
#include "sub_group_launches.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace {

using groups::Group;
using groups::nameOf;
using groups::Range;
using groups::SubGroup;
using groups::SubGroupFunctions;
using groups::typed;
using groups::Width;
using groups::widths;

template <class T>
class IntelSubGroups : public SubGroupFunctions {};
TYPED_TEST_SUITE(IntelSubGroups, groups::SubGroupTypes);

// Two values lie one behind the other: what is not of a lane of the one is of a lane of the other.
TYPED_TEST(IntelSubGroups, shuffles) {
  using T = TypeParam;
  constexpr bool vectors = sizeof(T) < 8;
  const std::string source =
      std::string(vectors ? "#define T3 " + nameOf<T>() + "3\n#define T8 " + nameOf<T>() + "8\n" : std::string()) +
      R"(
bool present(uint lane, ulong here) { return lane < 64 && here >> (lane & 63) & 1; }
SIZED kernel void test(global const T *in, global T *out) {
  T x = in[ITEM], more = (T)(x + 1);
  if (COMES) {
    uint4 ballot = sub_group_ballot(1);
    ulong here = (ulong)ballot.y << 32 | ballot.x;
    uint lane = get_sub_group_local_id(), size = get_max_sub_group_size();
    uint from[] = {INDEX % size, lane ^ 1, (lane + 3) % size, (lane + size - 2) % size, (lane + INDEX) % size, 0, 0};
    T y[] = {intel_sub_group_shuffle(x, from[0]), intel_sub_group_shuffle_xor(x, 1),
             intel_sub_group_shuffle_down(x, more, 3), intel_sub_group_shuffle_up(more, x, 2),
             intel_sub_group_shuffle_down(x, more, INDEX % size), 0, 0};
    from[4] = (lane + INDEX % size) % size;
#ifdef T3
    from[5] = lane ^ 2;
    y[5] = intel_sub_group_shuffle_xor((T3)(0, x, more), 2).z;
    from[6] = (lane + size - 1) % size;
    y[6] = intel_sub_group_shuffle_up((T8)(more), (T8)(x), 1).s5;
#else
    from[5] = from[6] = lane;
    y[5] = more, y[6] = x;
#endif
    for (uint i = 0; i < 7; ++i) RESULT(i) = present(from[i], here) ? y[i] : (T)77;
  }
}
)";
  this->template compare<T>(
      typed<T>(source), 7, [](const SubGroup& here, const std::vector<T>& in, std::vector<T>& out, std::size_t size) {
        for (const auto& [lane, item] : here.members) {
          const std::size_t turn = static_cast<std::size_t>(in[item]) % size;
          const std::pair<std::size_t, int> from[] = {{turn, 0},
                                                      {lane ^ 1, 0},
                                                      {(lane + 3) % size, lane + 3 >= size},
                                                      {(lane + size - 2) % size, lane < 2},
                                                      {(lane + turn) % size, lane + turn >= size},
                                                      {vectors ? lane ^ 2 : lane, 1},
                                                      {vectors ? (lane + size - 1) % size : lane, vectors && lane < 1}};
          for (std::size_t i = 0; i < std::size(from); ++i)
            for (const auto& [other, place] : here.members)
              if (other == from[i].first)
                out[item * 7 + i] = static_cast<T>(in[place] + static_cast<T>(from[i].second));
        }
      });
}

TYPED_TEST(IntelSubGroups, arithmeticOfSmallIntegers) {
  using T = TypeParam;
  if constexpr (sizeof(T) <= 2) {
    this->template compare<T>(typed<T>(R"(
SIZED kernel void test(global const T *in, global T *out) {
  T x = in[ITEM];
  if (COMES) {
    RESULT(0) = intel_sub_group_reduce_add(x);
    RESULT(1) = intel_sub_group_scan_inclusive_add(x);
    RESULT(2) = intel_sub_group_scan_exclusive_add(x);
    RESULT(3) = intel_sub_group_reduce_min(x);
    RESULT(4) = intel_sub_group_scan_inclusive_min(x);
    RESULT(5) = intel_sub_group_scan_exclusive_min(x);
    RESULT(6) = intel_sub_group_reduce_max(x);
    RESULT(7) = intel_sub_group_scan_inclusive_max(x);
    RESULT(8) = intel_sub_group_scan_exclusive_max(x);
    RESULT(9) = intel_sub_group_broadcast(x, sub_group_ballot_find_msb(sub_group_ballot(1)));
  }
}
)"),
                              10, [](const SubGroup& here, const std::vector<T>& in, std::vector<T>& out, std::size_t) {
                                T sum = 0, least = std::numeric_limits<T>::max(), most = std::numeric_limits<T>::min();
                                for (const auto& [lane, item] : here.members) {
                                  T* r = &out[item * 10];
                                  r[2] = sum, r[5] = least, r[8] = most;
                                  sum = static_cast<T>(sum + in[item]);
                                  least = std::min(least, in[item]), most = std::max(most, in[item]);
                                  r[1] = sum, r[4] = least, r[7] = most;
                                }
                                for (const auto& [lane, item] : here.members) {
                                  T* r = &out[item * 10];
                                  r[0] = sum, r[3] = least, r[6] = most, r[9] = in[here.members.back().item];
                                }
                              });
  }
}

// ---- blocks ---------------------------------------------------------------------------------------------------------

/// A type whose blocks have functions: the suffix of their names and the widest vector.
template <class T>
struct Block;
template <>
struct Block<cl_uchar> {
  static constexpr const char* suffix = "_uc";
  static constexpr unsigned widest = 16;
};
template <>
struct Block<cl_ushort> {
  static constexpr const char* suffix = "_us";
  static constexpr unsigned widest = 16;
};
template <>
struct Block<cl_uint> {
  static constexpr const char* suffix = "_ui";
  static constexpr unsigned widest = 8;
};
template <>
struct Block<cl_ulong> {
  static constexpr const char* suffix = "_ul";
  static constexpr unsigned widest = 8;
};

/// Macros: the type, its vector of `width`, the names of its functions, and the elements of a vector.
template <class T>
std::string blockOf(unsigned width, bool plain) {
  const std::string number = width == 1 ? "" : std::to_string(width), suffix = plain ? "" : Block<T>::suffix;
  std::string text = "typedef " + nameOf<T>() + " T;\ntypedef " + nameOf<T>() + number + " V;\n#define WIDTH " +
                     std::to_string(width) + "\n#define READ intel_sub_group_block_read" + suffix + number +
                     "\n#define WRITE intel_sub_group_block_write" + suffix + number + "\n#define EACH(M) ";
  for (unsigned i = 0; i < width; ++i)
    text += "M(" + std::to_string(i) + (width == 1 ? ", v) " : ", v.s" + std::string(1, "0123456789abcdef"[i]) + ") ");
  return text + "\n";
}

template <class T>
class IntelBlocks : public SubGroupFunctions {};
using BlockTypes = testing::Types<cl_uchar, cl_ushort, cl_uint, cl_ulong>;
TYPED_TEST_SUITE(IntelBlocks, BlockTypes);

/// Work-groups of whole sub-groups, whatever their size.
const Range wholes[] = {
    {{64, 1, 1}, {32, 1, 1}}, {{192, 1, 1}, {64, 1, 1}}, {{32, 4, 1}, {16, 2, 1}}, {{8, 8, 2}, {4, 8, 1}}};

constexpr char blocks[] = R"(
#define GROUP ((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0))
#define SIZE get_max_sub_group_size()
#define FIRST ((GROUP * get_num_sub_groups() + get_sub_group_id()) * SIZE * WIDTH)
#define ONE(i, v) RESULT(i) = v;
SIZED kernel void reads(global const T *in, global T *out) {
  V v = READ(in + FIRST);
  EACH(ONE)
}
#define LOAD(i, v) v = in[FIRST + i * SIZE + get_sub_group_local_id()];
SIZED kernel void writes(global const T *in, global T *out) {
  V v;
  EACH(LOAD)
  WRITE(out + FIRST, v);
}
#define TO_LOCAL(i, v) values[i * SIZE + get_sub_group_local_id()] = v;
#define FROM_LOCAL(i, v) RESULT(i) = values[(WIDTH - 1 - i) * SIZE + get_sub_group_local_id()];
SIZED kernel void throughLocal(global const T *in, global T *out) {
  local T all[64 * WIDTH] __attribute__((aligned(16)));
  local T *values = all + get_sub_group_id() * SIZE * WIDTH;
  V v;
  EACH(LOAD)
  EACH(TO_LOCAL)
  barrier(CLK_LOCAL_MEM_FENCE);
  v = READ(values);
  barrier(CLK_LOCAL_MEM_FENCE);
  WRITE(values, v + (V)1);
  barrier(CLK_LOCAL_MEM_FENCE);
  EACH(FROM_LOCAL)
}
)";

TYPED_TEST(IntelBlocks, ofGlobalAndLocalMemory) {
  using T = TypeParam;
  std::size_t turn = 0;
  for (unsigned width = 1; width <= Block<T>::widest; width *= 2)
    for (const Width& each : widths) {
      if (!this->changeCode(each.options)) continue;
      const std::size_t size = this->subGroupSize(each.size);
      if (std::string(each.options).find("REQUIRED") != std::string::npos && size != each.size) continue;
      if (++turn % 2 == 0) continue;
      this->build(groups::attribute + blockOf<T>(width, sizeof(T) == 4 && turn % 4 == 1) + blocks, each.options);
      for (std::size_t i = 0; i < std::size(wholes); ++i) {
        if (this->HasFailure()) return;
        if ((i + turn / 2) % 2 != 0) continue;
        const Range& range = wholes[i];
        const auto in = this->template numbers<T>(range.items() * width, 1u << 31);
        std::vector<T> read(in.size()), written(in.size()), local(in.size());
        std::size_t first = 0;
        for (const SubGroup& here : groups::subGroupsOf(range, size, [](auto, auto) { return true; })) {
          for (const auto& [lane, item] : here.members)
            for (unsigned k = 0; k < width; ++k) {
              const std::size_t place = first + k * size + lane;
              read[item * width + k] = in[place];
              local[item * width + width - 1 - k] = static_cast<T>(in[place] + 1);
              // The place of a result of `run`.
              written[place % range.items() * width + place / range.items()] = in[place];
            }
          first += size * width;
        }
        const std::string where = groups::text(range) + ", options '" + each.options + "', " + std::to_string(width);
        EXPECT_EQ(this->template run<T>("reads", range, in, width), read) << where;
        EXPECT_EQ(this->template run<T>("writes", range, in, width), written) << where;
        EXPECT_EQ(this->template run<T>("throughLocal", range, in, width), local) << where;
      }
    }
}

// ---- blocks of images -----------------------------------------------------------------------------------------------

/// Bytes of an image, as blocks see them.
struct Texels {
  int width, height, texelBytes;
  std::vector<cl_uchar> bytes;
  int rowBytes() const { return width * texelBytes; }
  /// An element of `size` bytes whose first is `at` in row `y`: outside that of the edge, in words of at most four
  /// bytes.
  std::uint64_t element(int at, int y, int size) const {
    if (size == 8) return element(at + 4, y, 4) << 32 | element(at, y, 4);
    y = std::clamp(y, 0, height - 1);
    if (size < texelBytes) {
      const int texel = at >= 0 ? at / texelBytes : (at - texelBytes + 1) / texelBytes;
      at = std::clamp(texel, 0, width - 1) * texelBytes + (at - texel * texelBytes);
    } else {
      at = std::clamp(at, 0, rowBytes() - size);
    }
    std::uint64_t value = 0;
    std::memcpy(&value, &bytes[static_cast<std::size_t>(y * rowBytes() + at)], static_cast<std::size_t>(size));
    return value;
  }
  void set(int at, int y, int size, std::uint64_t value) {
    if (size == 8) return set(at, y, 4, value & 0xFFFFFFFF), set(at + 4, y, 4, value >> 32);
    if (y < 0 || y >= height || at < 0 || at > rowBytes() - size) return;
    std::memcpy(&bytes[static_cast<std::size_t>(y * rowBytes() + at)], &value, static_cast<std::size_t>(size));
  }
};

constexpr char imageBlocks[] = R"(
#define OUT(i, v) out[(turn * WIDTH + i) * get_max_sub_group_size() + get_sub_group_local_id()] = v;
#define IN(i, v) v = in[(turn * WIDTH + i) * get_max_sub_group_size() + get_sub_group_local_id()];
#define READS(NAME, ACCESS)                                                                      \
  SIZED kernel void NAME(ACCESS image2d_t image, global const int2 *at, int turns, global T *out) { \
    for (int turn = 0; turn < turns; ++turn) {                                                   \
      V v = READ(image, at[turn]);                                                               \
      EACH(OUT)                                                                                  \
    }                                                                                            \
  }
#define WRITES(NAME, ACCESS)                                                                           \
  SIZED kernel void NAME(ACCESS image2d_t image, global const int2 *at, int turns, global const T *in) { \
    for (int turn = 0; turn < turns; ++turn) {                                                         \
      V v;                                                                                             \
      EACH(IN)                                                                                         \
      WRITE(image, at[turn], v);                                                                       \
    }                                                                                                  \
  }
READS(reads, read_only)
READS(readsBoth, read_write)
WRITES(writes, write_only)
WRITES(writesBoth, read_write)
)";

TYPED_TEST(IntelBlocks, ofImages) {
  using T = TypeParam;
  cl_bool supported = CL_FALSE;
  clGetDeviceInfo(this->device_, CL_DEVICE_IMAGE_SUPPORT, sizeof supported, &supported, nullptr);
  if (!supported) GTEST_SKIP() << "no images";
  const int size = sizeof(T);
  std::size_t turn = 0;
  for (unsigned width = 1; width <= Block<T>::widest; width *= 2)
    for (const Width& each : widths) {
      if (!this->changeCode(each.options)) continue;
      const auto lanes = static_cast<int>(this->subGroupSize(each.size));
      if (std::string(each.options).find("REQUIRED") != std::string::npos && std::size_t(lanes) != each.size) continue;
      if (++turn % 3 != 0) continue;
      this->build(groups::attribute + blockOf<T>(width, sizeof(T) == 4 && turn % 2 == 1) + imageBlocks,
                  std::string("-cl-std=CL3.0 ") + each.options);
      for (const auto& [order, texelBytes] : {std::pair<cl_channel_order, int>{CL_R, 1}, {CL_RGBA, 4}}) {
        if (this->HasFailure()) return;
        Texels texels{texelBytes == 1 ? 300 : 75, 21, texelBytes, {}};
        texels.bytes = this->template numbers<cl_uchar>(std::size_t(texels.rowBytes() * texels.height), 255);
        const cl_image_format format{order, CL_UNSIGNED_INT8};
        cl_image_desc desc{};
        desc.image_type = CL_MEM_OBJECT_IMAGE2D;
        desc.image_width = std::size_t(texels.width), desc.image_height = std::size_t(texels.height);
        cl_int error = CL_SUCCESS;
        cl_mem image = clCreateImage(this->context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc,
                                     texels.bytes.data(), &error);
        ASSERT_EQ(error, CL_SUCCESS);
        // Inside, across every edge, and far outside; writes begin at multiples of four.
        const int last = texels.rowBytes() - lanes * size;
        std::vector<cl_int2> at;
        for (const auto [x, y] : {std::pair{0, 0},
                                  {4, 3},
                                  {-8, 5},
                                  {last, 20},
                                  {last + 8, 19},
                                  {20, -2},
                                  {8, 18},
                                  {400, 2},
                                  {-400, 7},
                                  {12, 40}})
          at.push_back({{x / 4 * 4, y}});
        if (texelBytes == 1) at.push_back({{7, 9}});
        const auto lanesAndTurns = static_cast<std::size_t>(lanes) * width * at.size();
        std::vector<T> expected(lanesAndTurns), got(lanesAndTurns);
        for (std::size_t t = 0; t < at.size(); ++t)
          for (unsigned k = 0; k < width; ++k)
            for (int lane = 0; lane < lanes; ++lane)
              expected[(t * width + k) * std::size_t(lanes) + std::size_t(lane)] =
                  static_cast<T>(texels.element(at[t].s[0] + lane * size, at[t].s[1] + int(k), size));
        const std::string where = std::string("options '") + each.options + "', " + std::to_string(width) +
                                  " elements, texels of " + std::to_string(texelBytes);
        const auto local = static_cast<std::size_t>(lanes);
        cl_mem places = this->bufferOf(at), out = this->bufferOf(got);
        const auto turns = static_cast<cl_int>(at.size());
        this->launch(turn % 2 ? "reads" : "readsBoth", {local}, {local}, image, places, turns, out);
        this->take(out, got);
        EXPECT_EQ(got, expected) << where;

        if (texelBytes == 1) at.pop_back();
        const std::vector<T> values = this->template numbers<T>(lanesAndTurns, 1u << 31, 7);
        for (std::size_t t = 0; t < at.size(); ++t)
          for (unsigned k = 0; k < width; ++k)
            for (int lane = 0; lane < lanes; ++lane)
              texels.set(at[t].s[0] + lane * size, at[t].s[1] + int(k), size,
                         values[(t * width + k) * std::size_t(lanes) + std::size_t(lane)]);
        cl_mem in = this->bufferOf(values);
        this->launch(turn % 2 ? "writes" : "writesBoth", {local}, {local}, image, places,
                     static_cast<cl_int>(at.size()), in);
        std::vector<cl_uchar> written(texels.bytes.size());
        const std::size_t origin[3] = {}, region[3] = {desc.image_width, desc.image_height, 1};
        EXPECT_EQ(
            clEnqueueReadImage(this->queue_, image, CL_TRUE, origin, region, 0, 0, written.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
        EXPECT_EQ(written, texels.bytes) << where;
        for (cl_mem memory : {in, places, image}) clReleaseMemObject(memory);
      }
    }
}

}  // namespace
