// SPDX-License-Identifier: Apache-2.0
// This file stands for a library of an application that needs the newer libsleef.so.3.
extern "C" {
int newerFunction();
double Sleef_cinz_asind1_u10purec(double);
int versionOfUser() { return newerFunction() * static_cast<int>(Sleef_cinz_asind1_u10purec(0.5)); }
}
