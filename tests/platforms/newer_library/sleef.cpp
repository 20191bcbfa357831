// SPDX-License-Identifier: Apache-2.0
// This file stands for a newer libsleef.so.3 than the driver's: it has a function that the older one lacks, and
// functions of the same names as that one's, which only its own users may call.
#include <cstdlib>

extern "C" {
int newerFunction() { return 1; }
double Sleef_cinz_asind1_u10purec(double) { return 999999; }

// The arc cosine of double, for all processors.
void Sleef_cinz_acosd1_u10purec() { std::abort(); }
void Sleef_cinz_acosd2_u10sse2() { std::abort(); }
void Sleef_cinz_acosd4_u10avx() { std::abort(); }
void Sleef_finz_acosd1_u10purecfma() { std::abort(); }
void Sleef_finz_acosd2_u10avx2128() { std::abort(); }
void Sleef_finz_acosd4_u10avx2() { std::abort(); }
void Sleef_finz_acosd8_u10avx512f() { std::abort(); }
}
