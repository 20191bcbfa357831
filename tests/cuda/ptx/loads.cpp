// SPDX-License-Identifier: Apache-2.0
// This file is loads and stores. Elements are accessed atomically, as other threads of the host may access them, too.
#include "decoding.h"
#include "lanes.h"

namespace clarity::ptx {
namespace {

/// `Element` in memory, `Register` as its register has it.
template <class Element, class Register>
void load(Warp& warp, const Instruction& in, Lanes lanes) {
  if (in.polls) warp.poll();
  const Range likely = warp.likely(in);
  const auto bytes = static_cast<unsigned>(sizeof(Element) * in.count);
  forEachLane(lanes, [&](unsigned lane) {
    const std::uint64_t address = warp.addressOf(in, lane, in.from[0]);
    auto* const from = reinterpret_cast<Element*>(warp.memory(likely, in, lane, address, bytes));
    if (in.isReadOnly) warp.note(lane, address, bytes, false);
    for (unsigned i = 0; i < in.count; ++i)
      warp.at<Register>(in.to[i])[lane] = static_cast<Register>(__atomic_load_n(from + i, __ATOMIC_ACQUIRE));
  });
}

template <class Element, class Register>
void store(Warp& warp, const Instruction& in, Lanes lanes) {
  const Range likely = warp.likely(in);
  const auto bytes = static_cast<unsigned>(sizeof(Element) * in.count);
  const bool notes = warp.notesWrites(in);
  forEachLane(lanes, [&](unsigned lane) {
    const std::uint64_t address = warp.addressOf(in, lane, in.from[0]);
    auto* const to = reinterpret_cast<Element*>(warp.memory(likely, in, lane, address, bytes));
    if (notes) warp.note(lane, address, bytes, true);
    for (unsigned i = 0; i < in.count; ++i)
      __atomic_store_n(to + i, static_cast<Element>(warp.at<Register>(in.to[i])[lane]), __ATOMIC_RELEASE);
  });
}

/// A load of a launch's parameters, at a place that is known: the same for all threads.
template <class Element, class Register>
void loadParameter(Warp& warp, const Instruction& in, Lanes lanes) {
  for (unsigned i = 0; i < in.count; ++i) {
    Element value;
    std::memcpy(&value, warp.launch().parameters.data() + in.immediate + i * sizeof value, sizeof value);
    Register* const to = warp.at<Register>(in.to[i]);
    forEachLane(lanes, [&](unsigned lane) { to[lane] = static_cast<Register>(value); });
  }
}

enum class Access : std::uint8_t { Load, Store, Parameter };

template <Access How, class Element>
Handler forRegister(unsigned bits) {
  const auto choose = [&]<class Register>(Register) -> Handler {
    if constexpr (sizeof(Register) < sizeof(Element)) return nullptr;
    if constexpr (How == Access::Load) return load<Element, Register>;
    if constexpr (How == Access::Store) return store<Element, Register>;
    return loadParameter<Element, Register>;
  };
  return bits == 16   ? choose(std::uint16_t())
         : bits == 32 ? choose(std::uint32_t())
         : bits == 64 ? choose(std::uint64_t())
                      : nullptr;
}

template <Access How>
Handler access(Type type, unsigned bits) {
  const bool isSigned = type.kind == Kind::Signed && How != Access::Store;
  switch (type.width()) {
    case 8: return isSigned ? forRegister<How, std::int8_t>(bits) : forRegister<How, std::uint8_t>(bits);
    case 16: return isSigned ? forRegister<How, std::int16_t>(bits) : forRegister<How, std::uint16_t>(bits);
    case 32: return isSigned ? forRegister<How, std::int32_t>(bits) : forRegister<How, std::uint32_t>(bits);
    case 64: return forRegister<How, std::uint64_t>(bits);
    default: return nullptr;
  }
}

/// Skips the words that say how an access is cached or ordered. Every access here is seen at once, in the order of the
/// program.
void takeHints(Decoding& decoding) {
  decoding.in.isReadOnly = decoding.take("nc");
  for (const std::string_view order : {"volatile", "relaxed", "acquire", "mmio"})
    decoding.in.polls |= holds(decoding.statement.modifiers, order);
  for (const std::string_view hint : {"volatile",
                                      "relaxed",
                                      "acquire",
                                      "release",
                                      "weak",
                                      "mmio",
                                      "cta",
                                      "cluster",
                                      "gpu",
                                      "sys",
                                      "ca",
                                      "cg",
                                      "cs",
                                      "lu",
                                      "cv",
                                      "wb",
                                      "wt",
                                      "L1::evict_normal",
                                      "L1::evict_unchanged",
                                      "L1::evict_first",
                                      "L1::evict_last",
                                      "L1::no_allocate",
                                      "L2::64B",
                                      "L2::128B",
                                      "L2::256B",
                                      "unified"})
    (void)decoding.take(hint);
}

/// The registers that are loaded or stored are in to[]: how wide they are.
unsigned takeElements(Decoding& decoding, const Operand& operand, Type type, bool isStore) {
  const bool isVector = operand.form == Operand::Form::Vector;
  const std::size_t count = isVector ? operand.parts.size() : 1;
  if (count > 4) decoding.fail("a vector has " + std::to_string(count) + " elements");
  decoding.in.count = static_cast<std::uint8_t>(count);
  unsigned bits = 0;
  for (std::size_t i = 0; i < count; ++i) bits = std::max(bits, decoding.bitsOf(isVector ? operand.parts[i] : operand));
  if (bits == 0) bits = std::max<unsigned>(type.width(), 16);  // constants or places for nothing only
  for (std::size_t i = 0; i < count; ++i) {
    const Operand& part = isVector ? operand.parts[i] : operand;
    decoding.in.to[i] = isStore ? decoding.source(part, {Kind::Bits, static_cast<std::uint8_t>(bits)})
                                : decoding.destination(part, bits);
  }
  return bits;
}

void takeVector(Decoding& decoding) { (void)decoding.takeAny({"v2", "v4"}); }

void ld(Decoding& decoding) {
  takeHints(decoding);
  takeVector(decoding);
  decoding.in.space = decoding.space();
  const Type type = decoding.type();
  const unsigned bits = takeElements(decoding, decoding.operand(0), type, false);
  decoding.address(1);
  decoding.in.run = access<Access::Load>(type, bits);
  if (decoding.in.space == Space::Parameter) {
    const auto& base = decoding.operand(1).parts;
    std::uint64_t offset = 0;
    if (!base.empty() && decoding.names.isOfLaunch(base[0], offset)) {
      decoding.in.immediate = static_cast<std::int64_t>(offset) + decoding.operand(1).displacement;
      decoding.in.run = access<Access::Parameter>(type, bits);
    }
  }
}

void st(Decoding& decoding) {
  takeHints(decoding);
  takeVector(decoding);
  decoding.in.space = decoding.space();
  if (decoding.in.space == Space::Constant) decoding.fail("nothing is stored there");
  const Type type = decoding.type();
  const unsigned bits = takeElements(decoding, decoding.operand(1), type, true);
  if (bits > std::max<unsigned>(type.width(), 16))
    decoding.fail("CUDA's assembler takes it for a conversion where the register has a floating-point result");
  decoding.address(0);
  decoding.in.run = access<Access::Store>(type, bits);
}

}  // namespace

void addLoads(Opcodes& opcodes) {
  opcodes["ld"] = opcodes["ldu"] = ld;
  opcodes["st"] = st;
}

}  // namespace clarity::ptx
