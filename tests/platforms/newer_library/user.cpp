// SPDX-License-Identifier: Apache-2.0
// This file stands for a library of an application that needs the newer libtbb.so.12, as MKL does.
extern "C" {
int newerFunction();
int TBB_runtime_interface_version();
int versionOfUser() { return newerFunction() * TBB_runtime_interface_version(); }
}
