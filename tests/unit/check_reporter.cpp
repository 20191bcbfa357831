// SPDX-License-Identifier: Apache-2.0
// This file tests which findings are one mistake.
#include "check/report/reporter.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace clarity::check {
namespace {

Party placeAt(unsigned line, unsigned column) {
  Party party;
  party.place.file = "k.cl";
  party.place.line = line;
  party.place.column = column;
  return party;
}

Finding findingOf(Kind kind, std::string object, Party party, std::vector<Party> others = {}) {
  Finding finding;
  finding.kind = kind;
  finding.kernel = "k";
  finding.object = std::move(object);
  finding.party = std::move(party);
  finding.others = std::move(others);
  return finding;
}

struct Findings : testing::Test {
  Reporter reporter{{.text = false}};
};

TEST_F(Findings, ofOneObjectOrOneLineAreOne) {
  for (const Kind kind : {Kind::OutOfBounds, Kind::NullPointer, Kind::Misaligned}) {
    const std::uint64_t before = reporter.distinct();
    reporter.add(findingOf(kind, "argument 0 'p'", placeAt(7, 12)));
    reporter.add(findingOf(kind, "argument 0 'p'", placeAt(7, 20)));
    Finding write = findingOf(kind, "argument 0 'p'", placeAt(7, 20));
    write.summary = "writes";
    reporter.add(write);
    reporter.add(findingOf(kind, "argument 1 'q'", placeAt(7, 30)));
    reporter.add(findingOf(kind, "argument 0 'p'", placeAt(8, 12)));
    EXPECT_EQ(reporter.distinct(), before + 1);
    reporter.add(findingOf(kind, "argument 2 'r'", placeAt(70, 12)));
    EXPECT_EQ(reporter.distinct(), before + 2);
    Finding ofOtherKernel = findingOf(kind, "argument 0 'p'", placeAt(7, 12));
    ofOtherKernel.kernel = "other";
    reporter.add(ofOtherKernel);
    EXPECT_EQ(reporter.distinct(), before + 3);
  }
}

TEST_F(Findings, ofOneMissingBarrierAreOne) {
  reporter.add(findingOf(Kind::LocalRace, "local variable 's'", placeAt(3, 9), {placeAt(2, 5)}));
  reporter.add(findingOf(Kind::LocalRace, "local variable 's'", placeAt(6, 9), {placeAt(5, 5)}));
  reporter.add(findingOf(Kind::LocalRace, "what 'p' points at", placeAt(9, 5), {placeAt(6, 9)}));
  EXPECT_EQ(reporter.distinct(), 1u);
  reporter.add(findingOf(Kind::LocalRace, "local variable 't'", placeAt(30, 9), {placeAt(29, 5)}));
  EXPECT_EQ(reporter.distinct(), 2u);
}

TEST_F(Findings, ofBothSidesOfARaceAreOne) {
  reporter.add(findingOf(Kind::GlobalRace, "argument 0 'a'", placeAt(3, 9), {placeAt(3, 5)}));
  reporter.add(findingOf(Kind::GlobalRace, "argument 1 'o'", placeAt(3, 5), {placeAt(3, 9)}));
  EXPECT_EQ(reporter.distinct(), 1u);
  reporter.add(findingOf(Kind::GlobalRace, "argument 2 'z'", placeAt(4, 5), {placeAt(4, 9)}));
  EXPECT_EQ(reporter.distinct(), 2u);
}

TEST_F(Findings, haveTheRacesOfAPlace) {
  reporter.add(findingOf(Kind::LocalRace, "local variable 's'", placeAt(3, 9), {placeAt(2, 5)}));
  EXPECT_TRUE(reporter.hasRaceAt("k", placeAt(2, 5).place));
  EXPECT_FALSE(reporter.hasRaceAt("k", placeAt(2, 6).place));
  EXPECT_FALSE(reporter.hasRaceAt("other", placeAt(2, 5).place));
}

TEST_F(Findings, ofARaceBetweenOverlappingArgumentsAreTheOverlap) {
  reporter.add(
      findingOf(Kind::OverlappingArguments, "argument 0 'a' and argument 1 'o'", placeAt(3, 9), {placeAt(3, 5)}));
  reporter.add(findingOf(Kind::GlobalRace, "argument 1 'o'", placeAt(3, 5), {placeAt(3, 9)}));
  EXPECT_EQ(reporter.distinct(), 1u);
  reporter.add(findingOf(Kind::GlobalRace, "argument 1 'o'", placeAt(4, 5), {placeAt(4, 5)}));
  EXPECT_EQ(reporter.distinct(), 2u);
}

// The value is read where another work-item has not written it yet: the race is the mistake, whatever its object is
// called.
TEST_F(Findings, ofARaceExplainTheMissingValue) {
  const Finding value = findingOf(Kind::Uninitialised, "local variable 't'", placeAt(9, 3), {placeAt(8, 7)});
  EXPECT_FALSE(reporter.explains(value));
  reporter.add(findingOf(Kind::LocalRace, "memory that a pointer leads to", placeAt(5, 3), {placeAt(8, 71)}));
  EXPECT_FALSE(reporter.explains(value));
  reporter.add(findingOf(Kind::LocalRace, "memory that a pointer leads to", placeAt(5, 3), {placeAt(8, 7)}));
  EXPECT_TRUE(reporter.explains(value));
  const Finding other = findingOf(Kind::Uninitialised, "local variable 's'", placeAt(19, 3), {placeAt(18, 7)});
  EXPECT_FALSE(reporter.explains(other));
  reporter.add(findingOf(Kind::LocalRace, "local variable 's'", placeAt(17, 3), {placeAt(17, 9)}));
  EXPECT_TRUE(reporter.explains(other));
}

}  // namespace
}  // namespace clarity::check
