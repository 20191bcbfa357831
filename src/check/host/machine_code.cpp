// SPDX-License-Identifier: Apache-2.0
// This file reads instructions with LLVM's disassembler.
#include "check/host/machine_code.h"

#include <llvm-c/Target.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace clarity::check {
#if defined(__x86_64__)
namespace {

constexpr std::array<std::string_view, 16> registerNames = {"RAX", "RCX", "RDX", "RBX", "RSP", "RBP", "RSI", "RDI",
                                                            "R8",  "R9",  "R10", "R11", "R12", "R13", "R14", "R15"};
constexpr unsigned rsi = 6, rdi = 7;

/// base + scale * index + displacement; registers by their number.
struct Address {
  static constexpr int none = -1, next = -2;  ///< `next`: the address of the instruction behind
  int base = none, index = none;
  std::int64_t scale = 1, displacement = 0;
  bool writes = false;
};
struct Instruction {
  std::uint64_t bytes = 0;
  std::vector<Address> addresses;
};

class X86Code final : public MachineCode {
public:
  static std::unique_ptr<MachineCode> create() {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
    auto made = std::make_unique<X86Code>();
    return made->open() ? std::move(made) : nullptr;
  }

  std::vector<MachineAccess> accesses(std::uint64_t address, std::span<const std::byte> code,
                                      const MachineRegisters& registers) override {
    const auto [place, isNew] = known_.try_emplace(address);
    if (isNew) place->second = read(address, code);
    std::vector<MachineAccess> all;
    for (const Address& each : place->second.addresses) {
      const auto valueOf = [&](int number) -> std::uint64_t {
        if (number == Address::next) return address + place->second.bytes;
        return number == Address::none ? 0 : registers[static_cast<std::size_t>(number)];
      };
      all.push_back({valueOf(each.base) + valueOf(each.index) * static_cast<std::uint64_t>(each.scale) +
                         static_cast<std::uint64_t>(each.displacement),
                     each.writes});
    }
    return all;
  }

private:
  bool open() {
    const llvm::Triple triple("x86_64-unknown-linux-gnu");
    std::string error;
    const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (!target) return false;
    std::string features;
    for (const auto& feature : llvm::sys::getHostCPUFeatures())
      if (feature.second) features += (features.empty() ? "+" : ",+") + feature.first().str();
    registers_.reset(target->createMCRegInfo(triple));
    info_.reset(registers_ ? target->createMCAsmInfo(*registers_, triple, options_) : nullptr);
    subtarget_.reset(target->createMCSubtargetInfo(triple, "", features));
    instructions_.reset(target->createMCInstrInfo());
    if (!info_ || !subtarget_ || !instructions_) return false;
    context_ = std::make_unique<llvm::MCContext>(triple, info_.get(), registers_.get(), subtarget_.get());
    disassembler_.reset(target->createMCDisassembler(*subtarget_, *context_));
    return disassembler_ != nullptr;
  }

  Instruction read(std::uint64_t address, std::span<const std::byte> code) const {
    llvm::MCInst instruction;
    Instruction result;
    const llvm::ArrayRef bytes(reinterpret_cast<const std::uint8_t*>(code.data()), code.size());
    if (disassembler_->getInstruction(instruction, result.bytes, bytes, address, llvm::nulls()) !=
        llvm::MCDisassembler::Success)
      return result;
    const llvm::MCInstrDesc& what = instructions_->get(instruction.getOpcode());
    const std::string_view name = instructions_->getName(instruction.getOpcode());
    if (const std::optional<Address> text = ofString(name)) {
      result.addresses.push_back(*text);
      if (name.starts_with("MOVS")) result.addresses.push_back({.base = rsi});
      return result;
    }
    if ((!what.mayLoad() && !what.mayStore()) || name.starts_with("PREFETCH")) return result;
    constexpr unsigned parts = 5;  // base, scale, index, displacement, segment
    for (unsigned i = 0; i + parts <= what.getNumOperands() && i + parts <= instruction.getNumOperands(); ++i) {
      if (what.operands()[i].OperandType != llvm::MCOI::OPERAND_MEMORY) continue;
      if (const std::optional<Address> found = addressAt(instruction, i, what.mayStore()))
        result.addresses.push_back(*found);
      i += parts - 1;
    }
    return result;
  }

  /// Instructions whose operands are where rsi and rdi point.
  static std::optional<Address> ofString(std::string_view name) {
    if (name == "MOVSB" || name == "MOVSW" || name == "MOVSL" || name == "MOVSQ" || name.starts_with("STOS"))
      return Address{.base = rdi, .writes = true};
    if (name.starts_with("SCAS") || name.starts_with("CMPS")) return Address{.base = rdi};
    if (name.starts_with("LODS")) return Address{.base = rsi};
    return std::nullopt;
  }

  std::optional<Address> addressAt(const llvm::MCInst& instruction, unsigned at, bool writes) const {
    const auto numberOf = [&](const llvm::MCOperand& operand) -> std::optional<int> {
      if (!operand.isReg()) return std::nullopt;
      if (!operand.getReg().isValid()) return Address::none;
      const std::string_view name = registers_->getName(operand.getReg());
      if (name == "RIP") return Address::next;
      if (name == "RIZ") return Address::none;
      const auto* const found = std::ranges::find(registerNames, name);
      return found == registerNames.end() ? std::nullopt
                                          : std::optional(static_cast<int>(found - registerNames.begin()));
    };
    const auto base = numberOf(instruction.getOperand(at)), index = numberOf(instruction.getOperand(at + 2));
    const llvm::MCOperand &scale = instruction.getOperand(at + 1), &displacement = instruction.getOperand(at + 3),
                          &segment = instruction.getOperand(at + 4);
    const bool isPlain =
        base && index && scale.isImm() && displacement.isImm() && (!segment.isReg() || !segment.getReg().isValid());
    if (!isPlain) return std::nullopt;
    return Address{*base, *index, scale.getImm(), displacement.getImm(), writes};
  }

  llvm::MCTargetOptions options_;
  std::unique_ptr<llvm::MCRegisterInfo> registers_;
  std::unique_ptr<llvm::MCAsmInfo> info_;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget_;
  std::unique_ptr<llvm::MCInstrInfo> instructions_;
  std::unique_ptr<llvm::MCContext> context_;
  std::unique_ptr<llvm::MCDisassembler> disassembler_;
  std::unordered_map<std::uint64_t, Instruction> known_;
};

}  // namespace

std::unique_ptr<MachineCode> MachineCode::create() { return X86Code::create(); }
#else
std::unique_ptr<MachineCode> MachineCode::create() { return nullptr; }
#endif

}  // namespace clarity::check
