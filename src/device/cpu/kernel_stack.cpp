// SPDX-License-Identifier: Apache-2.0
// This file maps stacks and switches between them.
#include "device/cpu/kernel_stack.h"

#include "support/fault_guard.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <new>
#include <utility>

namespace clarity::device::cpu {
namespace {

/// Code with frames larger than a page touches each page of them (compiler/host/frames.h), so a page would do; indices
/// that are wrong by thousands are found by more.
constexpr std::size_t stackGuardBytes = 64 * 1024;
/// A new stack has at least so much: most kernels never need another one.
constexpr std::size_t leastBytes = 512 * 1024;

constinit thread_local KernelStack kernelStack [[gnu::tls_model("initial-exec")]];

/// Frees it when the thread ends.
struct KernelStackEnd {
  ~KernelStackEnd() { end(); }
  void (*end)();
};

}  // namespace

bool Stack::map(std::size_t bytes) {
  const std::size_t usable = roundUp(bytes, stackGuardBytes), whole = usable + 2 * stackGuardBytes;
  if (usable < bytes || whole < usable) return false;
  try {
    DeviceRange& range = DeviceRange::get();
    piece_ = range.bytes() > 0 ? range.take(usable) : Piece{};
  } catch (const std::bad_alloc&) {
    return false;
  }
  if (piece_ && !piece_.open && !piece_.apart) {
    range_ = {piece_.begin, piece_.end(), stackGuardBytes};
    return true;
  }
  DeviceRange::get().release(std::exchange(piece_, {}));  // its guards are too small
  void* const memory = mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return false;
  std::byte* const low = static_cast<std::byte*>(memory) + stackGuardBytes;
  if (mprotect(low, usable, PROT_READ | PROT_WRITE) != 0) {
    munmap(memory, whole);
    return false;
  }
  range_ = {low, low + usable, stackGuardBytes};
  return true;
}

void Stack::unmap() {
  if (piece_)
    DeviceRange::get().release(std::exchange(piece_, {}));
  else if (range_.low)
    munmap(range_.low - stackGuardBytes, range_.bytes() + 2 * stackGuardBytes);
  range_ = {};
}

// --- the switch -----------------------------------------------------------------------------------------------------

extern "C" {

/// The place where this thread's own stack goes on when the kernel returns. Not on the kernel's stack, which it may
/// overwrite.
[[gnu::visibility("hidden"), gnu::tls_model("initial-exec")]] constinit thread_local void* clarity_own_stack = nullptr;

/// Calls function(a, b, c, d) with the stack pointer at `top`.
[[gnu::visibility("hidden")]] void clarity_call_on_stack(const void* a, const void* b, const void* c, const void* d,
                                                         void (*function)(), void* top);

/// Saves the registers that a call preserves on this stack, its pointer in `left`, and restores those at `to`.
[[gnu::visibility("hidden")]] void clarity_switch_stack(void* to, void** left);

}  // extern "C"

#if defined(__x86_64__)

// Registers that a call preserves beside %rbp. Floating-point modes are not saved: kernels do not change them.
asm(R"(
  .macro clarity_save_registers
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  .endm

  .macro clarity_restore_registers
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  .endm

  .pushsection .text
  .p2align 4
  .hidden clarity_call_on_stack
  .globl clarity_call_on_stack
  .type clarity_call_on_stack, @function
clarity_call_on_stack:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  clarity_save_registers
  .cfi_offset %rbx, -24
  .cfi_offset %r12, -32
  .cfi_offset %r13, -40
  .cfi_offset %r14, -48
  .cfi_offset %r15, -56
  movq clarity_own_stack@GOTTPOFF(%rip), %rax
  movq %rsp, %fs:(%rax)
  movq %r9, %rsp
  callq *%r8
  movq clarity_own_stack@GOTTPOFF(%rip), %rax
  movq %fs:(%rax), %rsp
  clarity_restore_registers
  .cfi_def_cfa %rsp, 8
  retq
  .cfi_endproc
  .size clarity_call_on_stack, . - clarity_call_on_stack

  .p2align 4
  .hidden clarity_switch_stack
  .globl clarity_switch_stack
  .type clarity_switch_stack, @function
clarity_switch_stack:
  pushq %rbp
  clarity_save_registers
  movq %rsp, (%rsi)
  movq %rdi, %rsp
  clarity_restore_registers
  retq
  .size clarity_switch_stack, . - clarity_switch_stack
  .popsection
  .purgem clarity_save_registers
  .purgem clarity_restore_registers
)");

Continuation beginningAt(std::byte* top, void (*main)()) {
  constexpr std::size_t savedRegisters = 6;
  // As after a call: where main() would return to lies at the stack pointer, 8 bytes before a multiple of 16.
  auto** const registers = reinterpret_cast<void**>(top) - savedRegisters - 2;
  std::fill_n(registers, savedRegisters, nullptr);
  registers[savedRegisters] = reinterpret_cast<void*>(main);
  registers[savedRegisters + 1] = nullptr;
  return registers;
}

#elif defined(__aarch64__)

// Registers that a call preserves beside the frame pointer and the link register, which are at the stack pointer
// already.
asm(R"(
  .macro clarity_save_registers
  stp x19, x20, [sp, #16]
  stp x21, x22, [sp, #32]
  stp x23, x24, [sp, #48]
  stp x25, x26, [sp, #64]
  stp x27, x28, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  .endm

  .macro clarity_restore_registers
  ldp d14, d15, [sp, #144]
  ldp d12, d13, [sp, #128]
  ldp d10, d11, [sp, #112]
  ldp d8, d9, [sp, #96]
  ldp x27, x28, [sp, #80]
  ldp x25, x26, [sp, #64]
  ldp x23, x24, [sp, #48]
  ldp x21, x22, [sp, #32]
  ldp x19, x20, [sp, #16]
  ldp x29, x30, [sp], #160
  .endm

  .pushsection .text
  .p2align 4
  .hidden clarity_call_on_stack
  .globl clarity_call_on_stack
  .type clarity_call_on_stack, @function
clarity_call_on_stack:
  .cfi_startproc
  stp x29, x30, [sp, #-160]!
  .cfi_def_cfa_offset 160
  .cfi_offset x29, -160
  .cfi_offset x30, -152
  mov x29, sp
  .cfi_def_cfa x29, 160
  clarity_save_registers
  mrs x9, tpidr_el0
  adrp x10, :gottprel:clarity_own_stack
  ldr x10, [x10, :gottprel_lo12:clarity_own_stack]
  mov x11, sp
  str x11, [x9, x10]
  mov sp, x5
  blr x4
  mrs x9, tpidr_el0
  adrp x10, :gottprel:clarity_own_stack
  ldr x10, [x10, :gottprel_lo12:clarity_own_stack]
  ldr x11, [x9, x10]
  mov sp, x11
  clarity_restore_registers
  ret
  .cfi_endproc
  .size clarity_call_on_stack, . - clarity_call_on_stack

  .p2align 4
  .hidden clarity_switch_stack
  .globl clarity_switch_stack
  .type clarity_switch_stack, @function
clarity_switch_stack:
  stp x29, x30, [sp, #-160]!
  clarity_save_registers
  mov x9, sp
  str x9, [x1]
  mov sp, x0
  clarity_restore_registers
  ret
  .size clarity_switch_stack, . - clarity_switch_stack
  .popsection
  .purgem clarity_save_registers
  .purgem clarity_restore_registers
)");

Continuation beginningAt(std::byte* top, void (*main)()) {
  constexpr std::size_t savedRegisters = 20, linkRegister = 1;
  auto** const registers = reinterpret_cast<void**>(top) - savedRegisters;
  std::fill_n(registers, savedRegisters, nullptr);
  registers[linkRegister] = reinterpret_cast<void*>(main);
  return registers;
}

#else
#error "switching stacks is written for x86-64 and AArch64"
#endif

void switchTo(Continuation to, Continuation& left) { clarity_switch_stack(to, &left); }

// --- a thread's stack for kernels -----------------------------------------------------------------------------------

KernelStack& KernelStack::mine() { return kernelStack; }

bool KernelStack::remap(std::size_t needed) {
  static thread_local const KernelStackEnd end{[] {
    // A function on it may end the process.
    if (!kernelStack.contains(__builtin_frame_address(0))) kernelStack.stack_.unmap();
  }};
  (void)end;
  stack_.unmap();
  return stack_.map(std::max(needed, leastBytes));
}

namespace {

/// One call of a kernel, for a function on the kernel's stack.
struct Call {
  support::FaultGuard::OtherStack& switched;
  compiler::Entry entry;
  const std::byte* args;
  const compiler::LaunchInfo* launch;
  const compiler::Slice* slice;
  const compiler::WorkerMemory* memory;
};

#if defined(__has_feature) && __has_feature(address_sanitizer)
constexpr bool switchesAreReported = true;
#else
constexpr bool switchesAreReported = false;
#endif

/// The function that is called in place of a kernel where every switch is reported.
[[maybe_unused, gnu::no_sanitize("address")]] void callReported(const Call* call) {
  call->switched.arrived(nullptr);
  call->entry(call->args, call->launch, call->slice, call->memory);
  call->switched.leaving(nullptr);
}

}  // namespace

void KernelStack::call(compiler::Entry entry, const std::byte* args, const compiler::LaunchInfo* launch,
                       const compiler::Slice* slice, const compiler::WorkerMemory* memory) {
  support::FaultGuard::OtherStack switched(stack_.range());
  if constexpr (switchesAreReported) {
    const Call call{switched, entry, args, launch, slice, memory};
    clarity_call_on_stack(&call, nullptr, nullptr, nullptr, reinterpret_cast<void (*)()>(callReported), stack_.top());
  } else {
    clarity_call_on_stack(args, launch, slice, memory, reinterpret_cast<void (*)()>(entry), stack_.top());
  }
}

}  // namespace clarity::device::cpu
