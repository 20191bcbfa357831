; LLVM writes (int)(2 * (group_id * local_size + local_id) + 1) in 32 bits without flags: neighbours are in step all the same.
; RUN: %clarity opt --passes='print<variance>' %s -o /dev/null 2>&1 | FileCheck %s
declare i64 @__clarity_local_id(i32)
declare i64 @__clarity_group_id(i32)

; CHECK-LABEL: variance of 'ids'
define void @ids(i64 %size, i32 %n) {
  %x = call i64 @__clarity_local_id(i32 0)
  %g = call i64 @__clarity_group_id(i32 0)
  %start = mul i64 %g, %size
  %start.narrow = trunc i64 %start to i32
  %x.narrow = trunc i64 %x to i32
  %sum = add i32 %start.narrow, %x.narrow
  %double = shl i32 %sum, 1
  %odd = or disjoint i32 %double, 1
; CHECK: %wide: varies in x, stride x=2
  %wide = sext i32 %odd to i64
; Multiplied by much, or moved by a number of the application's, it may wrap: as an address it is taken not to.
; CHECK: %hash: varies in x, stride x=?
  %product = mul i32 %x.narrow, 1640531527
  %hash = zext i32 %product to i64
; CHECK: %moved: varies in x, stride x=2, as an address
  %far = add i32 %double, %n
  %moved = sext i32 %far to i64
; CHECK: %below: varies in x, stride x=1, as an address
  %less = add i32 %x.narrow, -1
  %below = zext i32 %less to i64
  ret void
}
