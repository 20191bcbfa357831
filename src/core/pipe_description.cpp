// SPDX-License-Identifier: Apache-2.0
// This file lays out a pipe in memory.
#include "core/pipe_description.h"

namespace clarity::core {

std::uint64_t PipeDescription::dataOffset() const { return header().data; }

std::uint64_t PipeDescription::bytes() const { return compiler::PipeLayout(packetBytes, packets).bytes; }

compiler::PipeHeader PipeDescription::header() const { return compiler::PipeLayout(packetBytes, packets).header; }

}  // namespace clarity::core
