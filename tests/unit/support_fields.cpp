// SPDX-License-Identifier: Apache-2.0
// This file tests what follows from a struct's list of fields.
#include "support/fields.h"

#include "support/field_bytes.h"

#include <gtest/gtest.h>

namespace clarity::support {
namespace {

enum class Colour : std::uint8_t { Red, Green };

struct Point {
  std::uint32_t x = 0, y = 0;
  static constexpr auto fields() { return fieldList(field("x", &Point::x), field("y", &Point::y)); }
  bool operator==(const Point&) const = default;
};
static_assert(listsEveryField<Point>);

struct Forgetful {
  std::uint32_t x = 0, y = 0;
  static constexpr auto fields() { return fieldList(field("x", &Forgetful::x)); }
};
static_assert(!listsEveryField<Forgetful>);

struct Twice {
  std::uint32_t x = 0, y = 0;
  static constexpr auto fields() { return fieldList(field("x", &Twice::x), field("y", &Twice::x)); }
};
static_assert(!listsEveryField<Twice>);

struct Everything {
  bool flag = false;
  std::uint8_t small = 0;
  std::uint64_t large = 0;
  Colour colour = Colour::Red;
  std::string text;
  std::array<std::uint32_t, 3> sizes{};
  std::vector<Point> points;
  std::optional<Point> perhaps;
  Point inside;
  Hash128 hash;

  static constexpr auto fields() {
    using E = Everything;
    return fieldList(field("flag", &E::flag), field("small", &E::small), field("large", &E::large),
                     field("colour", &E::colour), field("text", &E::text), field("sizes", &E::sizes),
                     field("points", &E::points), field("perhaps", &E::perhaps), field("inside", &E::inside),
                     field("hash", &E::hash));
  }
  bool operator==(const Everything&) const = default;
};
static_assert(listsEveryField<Everything>);
static_assert(leastBytes<Everything>() == 1 + 1 + 8 + 1 + 8 + 12 + 8 + 1 + 8 + 16);

const Everything sample{.flag = true,
                        .small = 200,
                        .large = 1ull << 60,
                        .colour = Colour::Green,
                        .text = std::string("a\0b", 3),
                        .sizes = {1, 2, 3},
                        .points = {{1, 2}, {3, 4}},
                        .perhaps = Point{5, 6},
                        .inside = {7, 8},
                        .hash = {9, 10}};

std::string bytesOf(const Everything& value) {
  ByteWriter to;
  write(to, value);
  return to.take();
}

TEST(Fields, theMinimumIsWhatADefaultTakes) { EXPECT_EQ(bytesOf({}).size(), leastBytes<Everything>()); }

TEST(Fields, comeBackFromBytes) {
  for (const Everything& value : {sample, Everything{}}) {
    const std::string bytes = bytesOf(value);
    ByteReader from(bytes);
    Everything after = sample;  // what was there before must not stay
    read(from, after);
    EXPECT_TRUE(from.ok() && from.atEnd());
    EXPECT_EQ(after, value);
  }
}

TEST(Fields, bytesCutShortAreNoticed) {
  const std::string bytes = bytesOf(sample);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ByteReader from(std::string_view(bytes).substr(0, size));
    Everything after;
    read(from, after);
    EXPECT_FALSE(from.ok()) << size;
  }
}

TEST(Fields, readAsText) {
  EXPECT_EQ(textOf(sample.inside), "x 7, y 8");
  Everything some;
  some.text = "hm";
  some.sizes = {4, 1, 1};
  EXPECT_EQ(
      textOf(some),
      "flag no, small 0, large 0, colour 0, text 'hm', sizes 4 x 1 x 1, points [], perhaps none, inside x 0, y 0, hash "
      "00000000000000000000000000000000");
}

TEST(Fields, differencesAreNamed) {
  const auto found = differences(Point{1, 2}, Point{1, 3});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].field, "y");
  EXPECT_EQ(found[0].one, "2");
  EXPECT_EQ(found[0].other, "3");
  EXPECT_TRUE(differences(sample, sample).empty());
}

}  // namespace
}  // namespace clarity::support
