// SPDX-License-Identifier: Apache-2.0
// This file declares what `clarity profile` makes of a record: text, JSON, a trace and a page.
#pragma once

#include "profile_record.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace clarity::tools {

/// The remarks of the compiler's report by line.
std::map<unsigned, std::vector<std::string>> remarksByLine(const KernelCode& code);
/// The source of the kernel that took the most processor time, line by line; empty: not known.
std::string annotatedSource(const ProfiledProcess& process, std::size_t columns, bool colour);

/// The tables for a terminal of so many columns.
std::string profileText(const ProfiledProcess& process, std::size_t columns, bool colour);
/// The Trace Event format, which Perfetto and chrome://tracing open.
std::string profileTrace(const std::vector<ProfiledProcess>& processes);
/// The sums as JSON.
std::string profileJson(const std::vector<ProfiledProcess>& processes);
/// A page with all of it that needs no other file.
std::string profilePage(const std::vector<ProfiledProcess>& processes);

}  // namespace clarity::tools
