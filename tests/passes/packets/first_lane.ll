; An address that is computed ahead of the guard which lets only some lanes use it: what holds for those need not hold for the first.
; RUN: %clarity opt --passes='work-item-loops<group-agnostic>,packets<4x1x1>' %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32)

; CHECK-LABEL: define void @earlier
; CHECK: [[X:%.*]] = sext i32 {{.*}} to i64
; CHECK: [[WIDE:%.*]] = add i64 [[X]], -1
; CHECK: getelementptr float, ptr addrspace(1) %a, i64 [[WIDE]]
; What all lanes use keeps what is known of it.
; CHECK: getelementptr inbounds nuw float, ptr addrspace(1) %out
define void @earlier(ptr addrspace(1) %a, ptr addrspace(1) %out) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %before = add nsw i32 %x, -1
  %wide = zext nneg i32 %before to i64
  %from = getelementptr inbounds nuw float, ptr addrspace(1) %a, i64 %wide
  %to = getelementptr inbounds nuw float, ptr addrspace(1) %out, i64 %id
  store float 1.0, ptr addrspace(1) %to
  %first = icmp eq i32 %x, 0
  br i1 %first, label %end, label %use
use:
  %value = load float, ptr addrspace(1) %from
  %to.b = getelementptr inbounds nuw float, ptr addrspace(1) %out, i64 %id
  store float %value, ptr addrspace(1) %to.b
  br label %end
end:
  ret void
}

; An int that need not fit its type in the first lane: its terms are extended.
; CHECK-LABEL: define void @guarded
; CHECK: [[N:%.*]] = sext i32 %n to i64
; CHECK: mul i64 [[N]], -1
; CHECK: [[LEAST:%.*]] = sext i32 %least to i64
; CHECK: [[SUM:%.*]] = add i64 {{.*}}, [[LEAST]]
; CHECK: getelementptr inbounds float, ptr addrspace(1) %a, i64 [[SUM]]
define void @guarded(ptr addrspace(1) %a, i32 %n, i32 %least) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %c = icmp sge i32 %x, %n
  br i1 %c, label %inside, label %end
inside:
  %from = sub nsw i32 %x, %n
  %i = add nsw i32 %from, %least
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; `x | 1` of an even x adds 1, of an odd one in the first lane, too.
; CHECK-LABEL: define void @bits
; CHECK: [[NEXT:%.*]] = add i64 [[X:%.*]], 1
; CHECK: [[AT:%.*]] = getelementptr float, ptr addrspace(1) %a, i64 [[NEXT]]
; CHECK: call void @llvm.masked.store.v4f32.p1(<4 x float> splat (float 1.000000e+00), ptr addrspace(1) align 4 [[AT]]
define void @bits(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  %x = call i64 @__clarity_global_id(i32 0)
  %from = getelementptr inbounds i64, ptr addrspace(1) %b, i64 %x
  %bit = load i64, ptr addrspace(1) %from
  %even = icmp eq i64 %bit, 0
  br i1 %even, label %inside, label %end
inside:
  %odd = or disjoint i64 %x, 1
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %odd
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; A term that nothing uses in the block of the extension is there all the same.
; CHECK-LABEL: define void @apart
; CHECK: sext i32 %row{{.*}} to i64
; CHECK: getelementptr{{.*}} float, ptr addrspace(1) %a, i64 %{{[0-9]+}}
define void @apart(ptr addrspace(1) %a, i32 %width, i32 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %second = call i64 @__clarity_global_id(i32 1)
  %y = trunc i64 %second to i32
  %row = mul nsw i32 %y, %width
  %i = add nsw i32 %row, %x
  %before = sub nsw i32 %i, %n
  %c = icmp sge i32 %x, %n
  br i1 %c, label %inside, label %end
inside:
  %wide = sext i32 %before to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
