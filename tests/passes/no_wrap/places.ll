; The place of a work-item, group_id * n + local_id, is in the range of ids where n is the work-group's size, and a constant.
; RUN: %clarity opt --passes='specialize-shape<64>,print<no-wrap>' %s -o /dev/null 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)
declare i64 @__clarity_group_id(i32)

; CHECK: ranges of 'places'
; CHECK: %shifted: any; in step signed, unsigned, signed behind guards, unsigned behind guards
; CHECK: %multiplied: any; in step signed, unsigned, signed behind guards, unsigned behind guards
; Times a number that is not known it may be anywhere.
; CHECK: %anywhere: any; may wrap
define void @places(ptr addrspace(1) %a, i64 %n) {
entry:
  %group = call i64 @__clarity_group_id(i32 0)
  %local = call i64 @__clarity_local_id(i32 0)
  %first = shl i64 %group, 6
  %id = add i64 %first, %local
  %shifted = trunc i64 %id to i32
  %begin = mul i64 %group, 64
  %same = add i64 %local, %begin
  %multiplied = trunc i64 %same to i32
  %rows = mul i64 %first, %n
  %element = add i64 %rows, %local
  %anywhere = trunc i64 %element to i32
  store i32 %shifted, ptr addrspace(1) %a
  store i32 %multiplied, ptr addrspace(1) %a
  store i32 %anywhere, ptr addrspace(1) %a
  ret void
}
