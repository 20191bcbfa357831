; Bounds that are loaded from memory: ahead of the loops, if these do not write there.
; RUN: %clarity opt --passes='specialize-shape<64x1x1>,work-item-loops,fold-guards' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)

; CHECK-LABEL: define void @read
; CHECK: %bound = load i32, ptr addrspace(1) %count
; CHECK: br i1 %{{.*}}, label %some.items
; CHECK: entry:
; CHECK: br label %work
define void @read(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %count) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %id = trunc i64 %x to i32
  %bound = load i32, ptr addrspace(1) %count
  %in = icmp slt i32 %id, %bound
  br i1 %in, label %work, label %end
work:
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %id, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; A member of a structure.
; CHECK-LABEL: define void @member
; CHECK: %q = getelementptr i8, ptr addrspace(1) %count, i64 8
; CHECK: %bound = load i32, ptr addrspace(1) %q
; CHECK: br i1 %{{.*}}, label %some.items
define void @member(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %count) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %id = trunc i64 %x to i32
  %q = getelementptr i8, ptr addrspace(1) %count, i64 8
  %bound = load i32, ptr addrspace(1) %q
  %in = icmp slt i32 %id, %bound
  br i1 %in, label %work, label %end
work:
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %id, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; An earlier work-item may have written the bound of a later one; a volatile load is each work-item's own.
; CHECK-LABEL: define void @written
; CHECK-NOT: some.items
; CHECK: %bound = load i32
; CHECK: icmp slt i32 %id, %bound
define void @written(ptr addrspace(1) %out, ptr addrspace(1) %count) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %id = trunc i64 %x to i32
  %bound = load i32, ptr addrspace(1) %count
  %in = icmp slt i32 %id, %bound
  br i1 %in, label %work, label %end
work:
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %id, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; CHECK-LABEL: define void @volatile
; CHECK-NOT: some.items
; CHECK: ret void
define void @volatile(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %count) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %id = trunc i64 %x to i32
  %bound = load volatile i32, ptr addrspace(1) %count
  %in = icmp slt i32 %id, %bound
  br i1 %in, label %work, label %end
work:
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %id, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
