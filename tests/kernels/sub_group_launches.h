// SPDX-License-Identifier: Apache-2.0
// This file launches kernels with functions of sub-groups, for several sub-group sizes and choices of the work-items
// that call them, and tells a reference on the host which work-items were together.
#pragma once

#include "group_launches.h"

#include <cstdlib>

namespace groups {

/// Types of the values that functions of sub-groups exchange.
using SubGroupTypes =
    testing::Types<cl_char, cl_uchar, cl_short, cl_ushort, cl_int, cl_uint, cl_long, cl_ulong, cl_float, cl_double>;

/// Build options, and the size of sub-groups that they ask for; 0: the device's own.
struct Width {
  const char* options;
  std::size_t size;
};
inline const Width widths[] = {{"", 0},
                               {"-cl-clarity-packet-width=1", 0},
                               {"-cl-clarity-packet-width=4", 4},
                               {"-cl-clarity-packet-width=8", 8},
                               {"-cl-clarity-packet-width=16", 16},
                               {"-cl-clarity-packet-width=32", 32},
                               {"-cl-opt-disable", 0},
                               {"-DREQUIRED=8", 8},
                               {"-DREQUIRED=16 -cl-clarity-packet-width=1", 16},
                               {"-cl-fast-relaxed-math", 0}};

inline constexpr char attribute[] = R"(
#ifdef REQUIRED
#define SIZED __attribute__((intel_reqd_sub_group_size(REQUIRED)))
#else
#define SIZED
#endif
)";

/// The work-items of a sub-group that come to a call, in order: their lanes and their places in buffers.
struct SubGroup {
  struct Member {
    std::size_t lane, item;
  };
  std::vector<Member> members;
};

template <class Comes>
std::vector<SubGroup> subGroupsOf(const Range& range, std::size_t size, Comes comes) {
  std::vector<SubGroup> result;
  for (const Group& group : groupsOf(range))
    for (std::size_t first = 0; first < group.items.size(); first += size) {
      SubGroup here;
      for (std::size_t lane = 0; lane < std::min(size, group.items.size() - first); ++lane)
        if (comes(lane, group.items[first + lane])) here.members.push_back({lane, group.items[first + lane]});
      if (!here.members.empty()) result.push_back(here);
    }
  return result;
}

/// Which work-items come: all; those with an odd number in `in`; those whose number is not the lane's.
enum class Comers { All, Odd, Scattered };
inline const std::pair<Comers, const char*> comers[] = {
    {Comers::All, "true"},
    {Comers::Odd, "(int)in[ITEM] & 1"},
    {Comers::Scattered, "(int)in[ITEM] % 5 != (int)(get_sub_group_local_id() % 5)"}};

class SubGroupFunctions : public Launches {
protected:
  /// For every width and choice of comers: `test` of the source (whose condition is COMES) against `expect(sub-group,
  /// in, out)`. A type takes the device's own width and every second of the others, its twin with or without a sign the
  /// rest; one choice of comers for each width, another one from width to width and from type to type, and an eighth of
  /// the ranges in each. With CLARITY_TEST_ALL=1 each type takes every width.
  template <class T, class Expect>
  void compare(const std::string& source, std::size_t each, Expect expect, unsigned most = 100) {
    const std::size_t own = sizeof(T) + std::is_unsigned_v<T> + 2 * std::is_floating_point_v<T>;
    const bool takesAll = std::getenv("CLARITY_TEST_ALL") != nullptr;
    std::size_t turn = 0, next = own;
    for (const Width& width : widths) {
      ++next;
      if (&width != widths && (next + sizeof(T) / 4) % 2 == 0 && !takesAll) continue;
      for (const auto& [who, condition] : comers) {
        if ((++turn + next) % std::size(comers) != 0) continue;
        if (!changeCode(width.options)) continue;
        const std::size_t size = subGroupSize(width.size);
        if (std::string(width.options).find("REQUIRED") != std::string::npos && size != width.size) continue;
        build(attribute + source, std::string(width.options) + " -D\"COMES=(" + condition + ")\"");
        for (std::size_t i = 0; i < std::size(ranges); ++i) {
          if ((i + turn / 2 + own) % 8 != 0) continue;
          const Range& range = ranges[i];
          if (HasFailure()) return;
          const auto in = numbers<T>(range.items(), most);
          std::vector<T> expected(in.size() * each, T(77));
          const auto comes = [&](std::size_t lane, std::size_t item) {
            const auto number = static_cast<std::size_t>(in[item]);
            return who == Comers::All || (who == Comers::Odd ? (number & 1) != 0 : number % 5 != lane % 5);
          };
          for (const SubGroup& here : subGroupsOf(range, size, comes)) expect(here, in, expected, size);
          EXPECT_EQ((run<T>("test", range, in, each)), expected)
              << text(range) << ", options '" << width.options << "', " << condition;
        }
      }
    }
  }
};

template <class T>
std::string typed(const std::string& source) {
  return "typedef " + nameOf<T>() + " T;\n#define INDEX ((int)in[ITEM])\n" + source;
}

}  // namespace groups
