// SPDX-License-Identifier: Apache-2.0
// This file is what moves values between registers: mov, special registers, and addresses between spaces.
#include "block.h"
#include "decoding.h"
#include "lanes.h"

#include <algorithm>
#include <chrono>

namespace clarity::ptx {
namespace {

template <class T>
T same(T a) {
  return a;
}

void movePredicate(Warp& warp, const Instruction& in, Lanes lanes) {
  warp.setPredicate(in.to[0], lanes, warp.predicate(in.from[0]));
}

/// A register from parts, the lowest first.
template <class T, class Part>
void pack(Warp& warp, const Instruction& in, Lanes lanes) {
  forEachLane(lanes, [&](unsigned lane) {
    T value = 0;
    for (unsigned i = 0; i < sizeof(T) / sizeof(Part); ++i)
      value |= static_cast<T>(T{warp.at<Part>(in.from[i])[lane]} << (8 * sizeof(Part) * i));
    warp.at<T>(in.to[0])[lane] = value;
  });
}
template <class T, class Part>
void unpack(Warp& warp, const Instruction& in, Lanes lanes) {
  forEachLane(lanes, [&](unsigned lane) {
    const T value = warp.at<T>(in.from[0])[lane];
    for (unsigned i = 0; i < sizeof(T) / sizeof(Part); ++i)
      warp.at<Part>(in.to[i])[lane] = static_cast<Part>(value >> (8 * sizeof(Part) * i));
  });
}

void moveVector(Decoding& decoding, Type type) {
  const bool packs = decoding.operand(1).form == Operand::Form::Vector;
  const auto& parts = decoding.operand(packs ? 1 : 0).parts;
  const auto count = static_cast<unsigned>(parts.size());
  if (count != 2 && count != 4) decoding.fail("a vector has " + std::to_string(count) + " elements");
  const Type part{Kind::Bits, static_cast<std::uint8_t>(type.bits / count)};
  for (unsigned i = 0; i < count; ++i)
    if (packs)
      decoding.in.from[i] = decoding.source(parts[i], part);
    else
      decoding.in.to[i] = decoding.destination(parts[i], part.bits);
  if (packs)
    decoding.in.to[0] = decoding.destination(0, type.bits);
  else
    decoding.in.from[0] = decoding.source(1, type);
  if (type.bits == 32 && part.bits == 16)
    decoding.in.run = packs ? pack<std::uint32_t, std::uint16_t> : unpack<std::uint32_t, std::uint16_t>;
  else if (type.bits == 64 && part.bits == 32)
    decoding.in.run = packs ? pack<std::uint64_t, std::uint32_t> : unpack<std::uint64_t, std::uint32_t>;
  else if (type.bits == 64 && part.bits == 16)
    decoding.in.run = packs ? pack<std::uint64_t, std::uint16_t> : unpack<std::uint64_t, std::uint16_t>;
  else
    decoding.fail("such a vector is not known");
}

std::uint64_t clockOf(const Warp& warp) { return warp.executed + warp.next; }
std::uint64_t nanoseconds() {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

using Special = std::uint64_t (*)(Warp&, unsigned lane);

/// One for each of three dimensions.
template <Special X, Special Y, Special Z>
void addThree(std::map<std::string_view, Special>& all, std::array<std::string_view, 3> names) {
  all[names[0]] = X;
  all[names[1]] = Y;
  all[names[2]] = Z;
}

template <std::size_t D>
std::uint64_t threadId(Warp& warp, unsigned lane) {
  return warp.ids[D][lane];
}
template <std::size_t D>
std::uint64_t blockSize(Warp& warp, unsigned) {
  return warp.launch().block[D];
}
template <std::size_t D>
std::uint64_t blockId(Warp& warp, unsigned) {
  return warp.block().id[D];
}
template <std::size_t D>
std::uint64_t gridSize(Warp& warp, unsigned) {
  return warp.launch().grid[D];
}

const std::map<std::string_view, Special>& specials() {
  using Table = std::map<std::string_view, Special>;
  static const Table& all = [] -> const Table& {
    Table& made = *new Table{
        {"%laneid", [](Warp&, unsigned lane) { return std::uint64_t{lane}; }},
        {"%warpid", [](Warp& warp, unsigned) { return std::uint64_t{warp.index}; }},
        {"%nwarpid", [](Warp&, unsigned) { return std::uint64_t{64}; }},
        {"%smid", [](Warp&, unsigned) { return std::uint64_t{0}; }},
        {"%nsmid", [](Warp&, unsigned) { return std::uint64_t{1}; }},
        {"%gridid", [](Warp&, unsigned) { return std::uint64_t{1}; }},
        {"%lanemask_eq", [](Warp&, unsigned lane) { return std::uint64_t{1} << lane; }},
        {"%lanemask_lt", [](Warp&, unsigned lane) { return (std::uint64_t{1} << lane) - 1; }},
        {"%lanemask_le", [](Warp&, unsigned lane) { return (std::uint64_t{2} << lane) - 1; }},
        {"%lanemask_gt", [](Warp&, unsigned lane) { return (~std::uint64_t{1} << lane) & allLanes; }},
        {"%lanemask_ge", [](Warp&, unsigned lane) { return (~std::uint64_t{0} << lane) & allLanes; }},
        {"%clock", [](Warp& warp, unsigned) { return clockOf(warp) & 0xffffffff; }},
        {"%clock64", [](Warp& warp, unsigned) { return clockOf(warp); }},
        {"%clock_hi", [](Warp& warp, unsigned) { return clockOf(warp) >> 32; }},
        {"%globaltimer", [](Warp&, unsigned) { return nanoseconds(); }},
        {"%globaltimer_lo", [](Warp&, unsigned) { return nanoseconds() & 0xffffffff; }},
        {"%globaltimer_hi", [](Warp&, unsigned) { return nanoseconds() >> 32; }},
        {"%dynamic_smem_size", [](Warp& warp, unsigned) { return std::uint64_t{warp.launch().sharedBytes}; }},
        {"%total_smem_size", [](Warp& warp, unsigned) { return warp.block().sharedBytes; }},
    };
    addThree<threadId<0>, threadId<1>, threadId<2>>(made, {"%tid.x", "%tid.y", "%tid.z"});
    addThree<blockSize<0>, blockSize<1>, blockSize<2>>(made, {"%ntid.x", "%ntid.y", "%ntid.z"});
    addThree<blockId<0>, blockId<1>, blockId<2>>(made, {"%ctaid.x", "%ctaid.y", "%ctaid.z"});
    addThree<gridSize<0>, gridSize<1>, gridSize<2>>(made, {"%nctaid.x", "%nctaid.y", "%nctaid.z"});
    return made;
  }();
  return all;
}

template <class T>
void moveSpecial(Warp& warp, const Instruction& in, Lanes lanes) {
  const auto read = reinterpret_cast<Special>(in.immediate);
  forEachLane(lanes, [&](unsigned lane) { warp.at<T>(in.to[0])[lane] = static_cast<T>(read(warp, lane)); });
}

void mov(Decoding& decoding) {
  (void)decoding.take("volatile");
  const Type type = decoding.type();
  const Operand& from = decoding.operand(1);
  if (from.form == Operand::Form::Vector || decoding.operand(0).form == Operand::Form::Vector)
    return moveVector(decoding, type);
  if (from.form == Operand::Form::Name && from.name.starts_with('%')) {
    const auto found = specials().find(from.name);
    if (found == specials().end()) decoding.fail("'" + std::string(from.name) + "' is not known");
    decoding.in.immediate = reinterpret_cast<std::intptr_t>(found->second);
    decoding.in.to[0] = decoding.destination(0, type.bits);
    decoding.in.run = type.bits == 64   ? moveSpecial<std::uint64_t>
                      : type.bits == 32 ? moveSpecial<std::uint32_t>
                                        : moveSpecial<std::uint16_t>;
    return;
  }
  decoding.in.run = type == predicate    ? movePredicate
                    : type.width() == 16 ? each<&same<std::uint16_t>>
                    : type.width() == 32 ? each<&same<std::uint32_t>>
                                         : each<&same<std::uint64_t>>;
  decoding.simple(type, {type});
}

std::uint64_t windowOf(Space space) {
  return space == Space::Shared      ? sharedWindow
         : space == Space::Local     ? localWindow
         : space == Space::Parameter ? parameterWindow
                                     : 0;
}

std::uint64_t addTo(std::uint64_t a, std::uint64_t b) { return a + b; }

/// Addresses of other spaces than global and constant memory are generic ones in a window.
void cvta(Decoding& decoding) {
  const bool isTo = decoding.take("to");
  const std::uint64_t window = windowOf(decoding.space());
  const Type type = decoding.type();
  if (type.bits != 64) decoding.fail("addresses have 64 bits");
  decoding.in.to[0] = decoding.destination(0, 64);
  decoding.in.from[0] = decoding.addressSlot(decoding.operand(1));
  decoding.in.from[1] =
      decoding.names.constant(64, (isTo ? 0 - window : window) + static_cast<std::uint64_t>(decoding.in.immediate));
  decoding.in.run = each<&addTo>;
}

template <class T>
void isInSpace(Warp& warp, const Instruction& in, Lanes lanes) {
  Lanes holds = 0;
  forEachLane(lanes, [&](unsigned lane) {
    const std::uint64_t address = warp.at<T>(in.from[0])[lane];
    const auto isIn = [&](std::uint64_t window) { return address - window < windowBytes; };
    const bool isGlobal = !isIn(sharedWindow) && !isIn(localWindow) && !isIn(parameterWindow);
    const bool result = in.space == Space::Global ? isGlobal : isIn(static_cast<std::uint64_t>(in.immediate));
    holds |= Lanes{result} << lane;
  });
  warp.setPredicate(in.to[0], lanes, holds);
}

void isspacep(Decoding& decoding) {
  const Space space = decoding.space();
  if (space == Space::Constant) decoding.fail("constant memory has no addresses of its own here");
  decoding.in.space = space;
  decoding.in.immediate = static_cast<std::int64_t>(windowOf(space));
  decoding.in.run = isInSpace<std::uint64_t>;
  decoding.simple(predicate, {b64});
}

}  // namespace

void addMoves(Opcodes& opcodes) {
  opcodes["mov"] = mov;
  opcodes["cvta"] = cvta;
  opcodes["isspacep"] = isspacep;
}

}  // namespace clarity::ptx
