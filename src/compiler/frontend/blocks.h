// SPDX-License-Identifier: Apache-2.0
// This file makes kernels of the blocks that a program enqueues (OpenCL C 3.0, section 6.15.18).
#pragma once

#include <llvm/Support/Alignment.h>

#include <string>
#include <string_view>

namespace llvm {
class Function;
class Module;
class Type;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// clang makes a kernel of every block that is enqueued or asked about. It takes the address of the block's literal,
/// the structure with the captured values, which is the parent's private memory and gone when the block runs. Here the
/// literal becomes an argument by value, which the call that enqueues copies as it copies any argument, and pointers to
/// buffers that it contains become arguments, too, of which all is known that is known of a kernel's buffers:
///   before:  define spir_kernel void @__k_block_invoke_kernel(ptr addrspace(4) %0) { call @__k_block_invoke(%0) }
///   after:   define internal spir_kernel void @k.block(ptr byval(<{ i32, i32, ptr, ptr addrspace(1), i32 }>) %literal,
///                                                      ptr addrspace(1) "clarity-captured-at"="16" %0) "clarity-block"
///            { %copy = %literal with %0;  call @__k_block_invoke(addrspacecast %copy) }
/// Addresses of kernels in literals become null. Blocks of the readers of SPIR and SPIR-V have the same form. Returns a
/// sentence if the size of a literal is unknown, nothing otherwise.
std::string makeKernelsOfBlocks(llvm::Module& module);

/// Stores null in place of addresses of functions. OpenCL C has no pointers to functions, but literals of blocks
/// contain addresses, which nothing reads, as calls of blocks are direct. Literals that are constants: mendBlocks
/// (workarounds/clang_output.h).
void forgetFunctionsOfBlocks(llvm::Module& module);

/// The kernel of one block, whose function takes the literal's address in any address space and then pointers to local
/// memory. The kernel's arguments are these, and the pointers behind them.
llvm::Function& kernelOfBlock(llvm::Function& function, llvm::Type& literal, llvm::Align alignment,
                              const std::string& name);

/// The type of the variable that an address of a literal is of; null if it is of none.
llvm::Type* literalAt(const llvm::Value& address);

/// "k.block" for clang's "__k_block_invoke_kernel" and "__k_block_invoke": messages name it.
std::string nameOfBlock(std::string_view function);

/// Whether a function is the kernel of a block.
bool isBlock(const llvm::Function& function);

/// Whether a kernel that is marked as that of a block has the form above: others may have written the mark.
bool isWellFormedBlock(const llvm::Function& kernel);

/// Whether a function is one of clang's whose first operand that is a function names the kernel of a block.
bool takesBlock(const llvm::Function& function);

/// The kernel that an operand of a call names; null if it names none.
llvm::Function* blockOf(llvm::Value& operand);

}  // namespace clarity::compiler
