// SPDX-License-Identifier: Apache-2.0
// This file is a mistake that `clarity check` found, as it is reported.
#pragma once

#include "compiler/ir/site.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::check {

enum class Kind : std::uint8_t {
#define CHECK_KIND(Name, text, Group, title, help) Name,
#include "check/report/kinds.def"
#undef CHECK_KIND
};

/// Checks that can be chosen by themselves (CLARITY_CHECK), as bits.
enum class Group : std::uint16_t {
  Memory = 1,
  Uninitialised = 2,
  Races = 4,
  Barriers = 8,
  Arithmetic = 16,
  Host = 32,
  Bounds = 64,     ///< the part of Memory that optimised code sees; means nothing beside checks of kernels
  Overflow = 128,  ///< this and the next are not part of `all`
  NotFinite = 256,
};

struct KindText {
  std::string_view name;  ///< in reports, suppressions and documents: "out-of-bounds"
  Group group;
  std::string_view title, help;
};
const KindText& textOf(Kind);

/// A place in the source, and what happened there.
struct Party {
  compiler::Site place;
  std::string what;  ///< "work-item (16, 0, 0) of work-group (1, 0, 0) writes ..."
};

struct Finding {
  Kind kind{};
  std::string kernel;
  std::string summary;            ///< a line: what is wrong, with names
  Party party;                    ///< where
  std::vector<Party> others{};    ///< the others that took part: the second access of a race, ...
  bool writesSameValue = false;   ///< a race of two writes that leave the same
  bool isOfTwoArguments = false;  ///< a race of accesses through two arguments of the kernel
  std::string object{};           ///< the memory that it is about; findings of different objects are different
  std::uint64_t memory = 0;       ///< an address in the buffer that it is about; 0: none
  std::string help{};             ///< how to fix it, where the kind's own sentence does not fit; empty: it does
  std::uint64_t call = 0;         ///< the number of the call that has enqueued the kernel; 0: unknown, or there is none
  Party launch{};                 ///< the kernel's place of enqueueing, line 0 if that is unknown, and its sizes
  Party creation{};               ///< where the application has created that buffer; line 0: unknown
};

}  // namespace clarity::check
