// SPDX-License-Identifier: Apache-2.0
// This file is atom and red: the host's atomic operations, of whatever order and scope.
#include "decoding.h"
#include "lanes.h"
#include "numbers.h"

#include <algorithm>

namespace clarity::ptx {
namespace {

enum class Atomic : std::uint8_t { Add, And, Or, Xor, Min, Max, Inc, Dec, Exchange, Compare };

/// `Bits` is what is in memory, `T` what it means.
template <Atomic Operation, class T>
T updated(T old, T b) {
  switch (Operation) {
    case Atomic::Add:
      if constexpr (std::is_floating_point_v<T>)
        return old + b;
      else
        return static_cast<T>(static_cast<std::make_unsigned_t<T>>(old) + static_cast<std::make_unsigned_t<T>>(b));
    case Atomic::Min: return std::min(old, b);
    case Atomic::Max: return std::max(old, b);
    case Atomic::Inc: return old >= b ? T(0) : static_cast<T>(old + 1);
    case Atomic::Dec: return old == 0 || old > b ? b : static_cast<T>(old - 1);
    default: break;
  }
  if constexpr (std::is_integral_v<T>) {
    if (Operation == Atomic::And) return old & b;
    if (Operation == Atomic::Or) return old | b;
    if (Operation == Atomic::Xor) return old ^ b;
  }
  return b;
}

template <Atomic Operation, class T>
T updatedIn(T old, T b, bool flushes) {
  if constexpr (std::is_same_v<T, float>)
    if (flushes) return flushed(updated<Operation>(flushed(old), flushed(b)));
  return updated<Operation>(old, b);
}

template <Atomic Operation, class T>
void atomic(Warp& warp, const Instruction& in, Lanes lanes) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;
  warp.poll();
  forEachLane(lanes, [&](unsigned lane) {
    const std::uint64_t address = warp.addressOf(in, lane, in.from[0]);
    auto* const at = reinterpret_cast<Bits*>(warp.memory(in, lane, address, sizeof(T)));
    if (warp.notesWrites(in)) warp.note(lane, address, sizeof(T), true);
    const Bits b = warp.at<Bits>(in.from[1])[lane];
    Bits old = __atomic_load_n(at, __ATOMIC_SEQ_CST);
    // In global memory subnormal numbers are taken for 0, and become it.
    const bool flushes = in.space == Space::Global ||
                         (in.space == Space::Generic && (address < sharedWindow || address >= functionWindow));
    if constexpr (Operation == Atomic::Compare) {
      old = b;
      __atomic_compare_exchange_n(at, &old, warp.at<Bits>(in.from[2])[lane], false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    } else {
      Bits made;
      do made = std::bit_cast<Bits>(updatedIn<Operation>(std::bit_cast<T>(old), std::bit_cast<T>(b), flushes));
      while (!__atomic_compare_exchange_n(at, &old, made, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    }
    if (in.to[0] != noSlot) warp.at<Bits>(in.to[0])[lane] = old;
  });
}

/// Additions of half and bfloat16, and of pairs of them.
template <class Bits, std::uint16_t (*To)(double, Rounding), double (*Of)(std::uint16_t)>
void addHalves(Warp& warp, const Instruction& in, Lanes lanes) {
  forEachLane(lanes, [&](unsigned lane) {
    auto* const at = reinterpret_cast<Bits*>(warp.memory(in, lane, warp.addressOf(in, lane, in.from[0]), sizeof(Bits)));
    const Bits b = warp.at<Bits>(in.from[1])[lane];
    Bits old = __atomic_load_n(at, __ATOMIC_SEQ_CST), made;
    do {
      made = 0;
      for (unsigned shift = 0; shift < 8 * sizeof(Bits); shift += 16) {
        const double sum =
            sumRoundedToOdd(Of(static_cast<std::uint16_t>(old >> shift)), Of(static_cast<std::uint16_t>(b >> shift)));
        made = static_cast<Bits>(made | Bits{To(sum, Rounding::Nearest)} << shift);
      }
    } while (!__atomic_compare_exchange_n(at, &old, made, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    if (in.to[0] != noSlot) warp.at<Bits>(in.to[0])[lane] = old;
  });
}

template <Atomic Operation>
Handler ofType(Type type) {
  const bool isSigned = type.kind == Kind::Signed;
  if (type.isFloat()) {
    if (Operation != Atomic::Add) return nullptr;
    if (type.bits == 64) return atomic<Atomic::Add, double>;
    if (type.bits == 32) return atomic<Atomic::Add, float>;
    if (type.kind == Kind::Float)
      return type.count == 2 ? addHalves<std::uint32_t, toHalf, ofHalf> : addHalves<std::uint16_t, toHalf, ofHalf>;
    return type.count == 2 ? addHalves<std::uint32_t, toBFloat, ofBFloat>
                           : addHalves<std::uint16_t, toBFloat, ofBFloat>;
  }
  switch (type.bits) {
    case 16: return atomic<Operation, std::uint16_t>;
    case 32: return isSigned ? atomic<Operation, std::int32_t> : atomic<Operation, std::uint32_t>;
    default: return isSigned ? atomic<Operation, std::int64_t> : atomic<Operation, std::uint64_t>;
  }
}

void takeOrder(Decoding& decoding) {
  for (const std::string_view hint :
       {"relaxed", "acquire", "release", "acq_rel", "sem", "cta", "cluster", "gpu", "sys", "noftz", "async"})
    (void)decoding.take(hint);
}

Handler operation(Decoding& decoding, bool& comparesOldValue) {
  const std::string_view name =
      decoding.takeAny({"add", "and", "or", "xor", "min", "max", "inc", "dec", "exch", "cas"});
  const Type type = decoding.type();
  comparesOldValue = name == "cas";
  Handler found = name == "add"    ? ofType<Atomic::Add>(type)
                  : name == "and"  ? ofType<Atomic::And>(type)
                  : name == "or"   ? ofType<Atomic::Or>(type)
                  : name == "xor"  ? ofType<Atomic::Xor>(type)
                  : name == "min"  ? ofType<Atomic::Min>(type)
                  : name == "max"  ? ofType<Atomic::Max>(type)
                  : name == "inc"  ? ofType<Atomic::Inc>(type)
                  : name == "dec"  ? ofType<Atomic::Dec>(type)
                  : name == "exch" ? ofType<Atomic::Exchange>(type)
                  : name == "cas"  ? ofType<Atomic::Compare>(type)
                                   : nullptr;
  decoding.in.count = static_cast<std::uint8_t>(type.width());
  return found;
}

void atomicOf(Decoding& decoding, bool hasResult) {
  takeOrder(decoding);
  decoding.in.space = decoding.space();
  bool compares = false;
  decoding.in.run = operation(decoding, compares);
  const Type type{Kind::Bits, decoding.in.count};
  std::size_t operand = 0;
  if (hasResult) {
    const bool isAsked = decoding.operand(0).form != Operand::Form::Sink;
    if (isAsked) decoding.in.to[0] = decoding.destination(0, type.bits);
    ++operand;
  }
  decoding.address(operand++);
  decoding.in.from[1] = decoding.source(operand++, type);
  if (compares) decoding.in.from[2] = decoding.source(operand++, type);
  if (operand != decoding.operands()) decoding.fail("it has " + std::to_string(decoding.operands()) + " operands");
}

}  // namespace

void addAtomics(Opcodes& opcodes) {
  opcodes["atom"] = [](Decoding& decoding) { atomicOf(decoding, true); };
  opcodes["red"] = [](Decoding& decoding) { atomicOf(decoding, false); };
}

}  // namespace clarity::ptx
