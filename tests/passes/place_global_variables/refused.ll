; What is defined nowhere, and what no place is known for, is reported in the program's words.
; RUN: %clarity opt --passes=place-global-variables %s -o /dev/null 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK: error: undefined variable 'absent' used in 'k'
; CHECK: error: undefined variable 'table' used in 'leads'
; CHECK-NOT: unused
; CHECK: error: variable 'half_of_it' cannot be initialised with 'i32 ptrtoint (ptr addrspace(1) @here to i32)'
; CHECK: error: variable 'calls' cannot be initialised with 'ptr @k'
@absent = external addrspace(1) global i32
@table = external addrspace(2) constant [4 x i32]
@unused = external addrspace(1) global i32
@leads = addrspace(1) global ptr addrspace(2) @table
@here = addrspace(1) global i32 0
@half_of_it = addrspace(1) global i32 trunc (i64 ptrtoint (ptr addrspace(1) @here to i64) to i32)
@calls = addrspace(1) global ptr @k

define void @k() {
  store i32 1, ptr addrspace(1) @absent
  ret void
}
