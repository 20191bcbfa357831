// SPDX-License-Identifier: Apache-2.0
// This file declares what keeps a program's own functions and OpenCL's builtin functions apart in the IR, where a
// function is recognised by its name.
#pragma once

namespace clang {
class CodeGenerator;
class CompilerInstance;
}  // namespace clang
namespace llvm {
class Module;
}

namespace clarity::compiler {

class OverloadSets;

/// Gives every function with a builtin's name that the program itself defines or declares another one: "user." and the
/// name (programPrefix). A function that has a builtin's name afterwards is the builtin. Kernels keep their names, by
/// which the host asks for them. To be called once the module is generated.
///
///   before:  define i32 @printf(i32 %x)                      declare float @_Z3madfff(float, float, float)
///   after:   define i32 @user.printf(i32 %x)                 declare float @_Z3madfff(float, float, float)
void nameProgramsFunctions(llvm::Module&, clang::CodeGenerator&, clang::CompilerInstance&, OverloadSets&);

}  // namespace clarity::compiler
