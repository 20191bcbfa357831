; Stores under a mask to memory that no other thread observes: without mask registers a load, a selection and a store.
; RUN: %clarity opt --processor x86-64-v3 --passes='specialize-shape<64x1x1>,lower-local-memory,work-item-loops,loop-simplify,lcssa,packets<8x1x1>' %s -o - | FileCheck %s --check-prefixes=CHECK,BACK,ONE
; RUN: %clarity opt --processor x86-64-v3 --passes='specialize-shape<64x1x1>,lower-local-memory,work-item-loops,loop-simplify,lcssa,packets<8x2x1>' %s -o - | FileCheck %s --check-prefixes=CHECK,BACK,TWO
; RUN: %clarity opt --processor x86-64-v4 --passes='specialize-shape<64x1x1>,lower-local-memory,work-item-loops,loop-simplify,lcssa,packets<8x1x1>' %s -o - | FileCheck %s --check-prefixes=CHECK,MASKS
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_local_id(i32)

; In a tile of two packets one may have no active lane, and any address.
; CHECK-LABEL: define void @floats
; BACK: packet.part:
; TWO: %[[ANY:.*]] = call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> %[[HERE:.*]])
; TWO: %[[PLACE:.*]] = select i1 %[[ANY]], ptr addrspace(3) %{{.*}}, ptr addrspace(3)
; TWO: %[[OLD:.*]] = load <8 x float>, ptr addrspace(3) %[[PLACE]], align 4
; ONE: %[[OLD:.*]] = load <8 x float>, ptr addrspace(3) %[[PLACE:.*]], align 4
; BACK: %[[BOTH:.*]] = select <8 x i1> %{{.*}}, <8 x float> %{{.*}}, <8 x float> %[[OLD]]
; BACK: store <8 x float> %[[BOTH]], ptr addrspace(3) %[[PLACE]], align 4
; BACK-NOT: masked.store
; MASKS: call void @llvm.masked.store.v8f32.p3
define void @floats(ptr addrspace(1) %in, ptr addrspace(3) %s) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %in, i64 %x
  %v = load float, ptr addrspace(1) %p
  %some = fcmp ogt float %v, 0.5
  br i1 %some, label %work, label %end
work:
  %q = getelementptr float, ptr addrspace(3) %s, i64 %x
  store float %v, ptr addrspace(3) %q
  br label %end
end:
  ret void
}

; Bytes, which no processor without mask registers stores under a mask.
; CHECK-LABEL: define void @bytes
; BACK: packet.part:
; BACK: load <8 x i8>, ptr addrspace(3)
; BACK: select <8 x i1>
; BACK: store <8 x i8> %{{.*}}, ptr addrspace(3)
; MASKS: call void @llvm.masked.store.v8i8.p3
define void @bytes(ptr addrspace(1) %in, ptr addrspace(3) %s) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %x
  %v = load i8, ptr addrspace(1) %p
  %some = icmp ugt i8 %v, 5
  br i1 %some, label %work, label %end
work:
  %q = getelementptr i8, ptr addrspace(3) %s, i64 %x
  store i8 %v, ptr addrspace(3) %q
  br label %end
end:
  ret void
}

; Every second element.
; CHECK-LABEL: define void @apart
; BACK: packet.part:
; BACK: %[[OLD:.*]] = load <8 x float>, ptr addrspace(3) %[[PLACE:.*]], align 4
; BACK: select <8 x i1> %{{.*}}, <8 x float> %{{.*}}, <8 x float> %[[OLD]]
; BACK: store <8 x float>
; BACK: store <8 x float>
; BACK-NOT: masked.store
define void @apart(ptr addrspace(1) %in, ptr addrspace(3) %s) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %in, i64 %x
  %v = load float, ptr addrspace(1) %p
  %some = fcmp ogt float %v, 0.5
  br i1 %some, label %work, label %end
work:
  %twice = mul i64 %x, 2
  %q = getelementptr float, ptr addrspace(3) %s, i64 %twice
  store float %v, ptr addrspace(3) %q
  br label %end
end:
  ret void
}

; Other threads see global memory; the elements behind those of a `restrict` parameter may be another's.
; CHECK-LABEL: define void @others
; CHECK: call void @llvm.masked.store.v8f32.p1
; CHECK: call void @llvm.masked.store.v8f32.p3
define void @others(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(3) noalias %s) {
entry:
  %x = call i64 @__clarity_local_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %in, i64 %x
  %v = load float, ptr addrspace(1) %p
  %some = fcmp ogt float %v, 0.5
  br i1 %some, label %work, label %end
work:
  %q = getelementptr float, ptr addrspace(1) %out, i64 %x
  store float %v, ptr addrspace(1) %q
  %r = getelementptr float, ptr addrspace(3) %s, i64 %x
  store float %v, ptr addrspace(3) %r
  br label %end
end:
  ret void
}
