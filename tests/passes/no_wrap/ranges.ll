; Ranges of index arithmetic, and which values stay in step from work-item to work-item.
; RUN: %clarity opt --passes='specialize-shape<64>,work-item-loops,print<no-wrap>' %s -o /dev/null 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)
declare i64 @__clarity_global_id(i32)

; The loop along x ends at 64.
; CHECK: ranges of 'local'
; CHECK: %x: 0 to 63; in step signed, unsigned, signed behind guards, unsigned behind guards
; CHECK: %plus: 5 to 68; in step signed, unsigned, signed behind guards, unsigned behind guards
; CHECK: %below: -5 to 58; may wrap
; CHECK: %scaled: 0 to 504; in step signed, unsigned, signed behind guards, unsigned behind guards
; CHECK: %masked: 0 to 63; in step signed, unsigned, signed behind guards, unsigned behind guards
; CHECK: %left: 0 to 63; in step signed, unsigned, signed behind guards, unsigned behind guards
define void @local(ptr addrspace(1) %a, i8 %n) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %x = trunc i64 %id to i32
  %plus = add i32 %x, 5
  %below = add i32 %x, -5
  %scaled = shl i32 %x, 3
  %masked = and i32 %x, 127
  %left = sub i32 63, %x
  store i32 %left, ptr addrspace(1) %a
  ret void
}

; Flags hold for those who compute the value: behind a guard only sums of an id and a uniform value are certain.
; CHECK: ranges of 'global'
; CHECK: %g: any; in step signed, unsigned, signed behind guards, unsigned behind guards
; CHECK: %sum: any; in step signed, signed behind guards{{$}}
; CHECK: %unsigned: any; in step unsigned, unsigned behind guards{{$}}
; CHECK: %product: any; in step signed{{$}}
; CHECK: %unknown: any; may wrap
; CHECK: %negative: any; in step signed{{$}}
define void @global(ptr addrspace(1) %a, i32 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %g = trunc i64 %id to i32
  %sum = add nsw i32 %g, %n
  %unsigned = add nuw i32 %g, %n
  %product = mul nsw i32 %g, 12
  %unknown = add i32 %g, %n
  %negative = sub nsw i32 %g, %n
  store i32 %unknown, ptr addrspace(1) %a
  ret void
}
