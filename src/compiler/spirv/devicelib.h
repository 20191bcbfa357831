// SPDX-License-Identifier: Apache-2.0
// This file declares functions that SYCL's front end leaves to the driver (cl_intel_devicelib_assert).
#pragma once

namespace llvm {
class Function;
}

namespace clarity::compiler::spirv {

/// Defines a function that the module imports if it is one of these: __devicelib_assert_fail prints the assertion and
/// ends the kernel with a fault. Another program's definition takes its place in clLinkProgram.
void defineDevicelib(llvm::Function& function);

}  // namespace clarity::compiler::spirv
