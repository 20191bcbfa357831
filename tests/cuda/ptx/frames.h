// SPDX-License-Identifier: Apache-2.0
// This file gives places to variables and registers. No function of OpenCL calls itself, so that each has its own for
// good; threads that are in different calls of it do not meet there, as each has its own column.
#pragma once

#include "program.h"

namespace clarity::ptx {

/// The frame of one function.
struct Frame {
  const FunctionText* text = nullptr;
  std::vector<std::int32_t> slots;       ///< slots of registers
  std::vector<std::uint64_t> addresses;  ///< addresses of variables, in their spaces
  std::int32_t returnSlot = 0;
  std::uint32_t place = 0;  ///< the place of its first instruction, once that is known
};

/// Lays out all of a module; variables of the module get memory and contents. Throws Error.
class Layout {
public:
  Layout(const ModuleText& text, Program& program, Memory& memory);

  struct Place {
    Space space;
    std::uint64_t address;
  };
  const Place* variable(std::string_view name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? nullptr : &found->second;
  }
  Frame* frame(std::string_view function) {
    const auto found = byName_.find(function);
    return found == byName_.end() ? nullptr : &frames_[found->second];
  }
  std::vector<Frame>& frames() { return frames_; }
  std::int32_t sink() const { return sink_; }

private:
  void placeShared(const Variable&);
  void fill(const Variable&, std::byte* host) const;
  void frameOf(const FunctionText&);
  std::int32_t takeSlot(unsigned bits);
  std::uint64_t takePrivate(const Variable&);

  Program& program_;
  std::map<std::string_view, Place> places_;
  std::map<std::string_view, std::size_t> byName_;
  std::vector<Frame> frames_;
  std::int32_t sink_ = 0;
};

}  // namespace clarity::ptx
