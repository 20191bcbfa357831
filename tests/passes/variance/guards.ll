; Behind a guard an id keeps its stride; what no longer wraps because of the guard has one as an address only.
; RUN: %clarity opt --passes='work-item-loops,print<variance>' %s -o /dev/null 2>&1 | FileCheck %s
declare i64 @__clarity_global_id(i32)

; CHECK-LABEL: variance of 'guarded'
define void @guarded(ptr addrspace(1) %a, i32 %width, i32 %row) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %c = icmp eq i32 %x, 7
  br i1 %c, label %end, label %inside
inside:
; CHECK: %wide: varies in x, stride x=1
; CHECK: %apart: varies in x, stride x=1, as an address
  %start = mul nsw i32 %row, %width
  %i = add nsw i32 %start, %x
  %wide = sext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  store float 1.0, ptr addrspace(1) %p
  %j = add nuw i32 %x, -5
  %apart = zext i32 %j to i64
  %q = getelementptr float, ptr addrspace(1) %a, i64 %apart
  store float 1.0, ptr addrspace(1) %q
  br label %end
end:
  ret void
}
