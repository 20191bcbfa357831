; Additions to global memory, whose instruction takes subnormal numbers for 0, become a loop where one may play a part.
; RUN: %clarity opt --processor sm_90 --passes=keep-subnormals %s -o - | FileCheck %s

; 2^-101 and more never is, nor makes such a sum.
; CHECK-LABEL: define float @unknown
; CHECK: %[[BITS:.*]] = bitcast float %x to i32
; CHECK: %[[SIZE:.*]] = and i32 %[[BITS]], 2147483647
; CHECK: %[[EXACT:.*]] = icmp uge i32 %[[SIZE]], 218103808
; CHECK: br i1 %[[EXACT]], label %[[QUICK:.*]], label %[[OTHER:.*]]
; CHECK: [[QUICK]]:
; CHECK: %[[OLD:.*]] = atomicrmw fadd ptr addrspace(1) %p, float %x syncscope("device") acq_rel
; CHECK: [[OTHER]]:
; CHECK: load atomic i32, ptr addrspace(1) %p syncscope("device") monotonic
; CHECK: exchange:
; CHECK: %[[SEEN:.*]] = bitcast i32 %{{.*}} to float
; CHECK: fadd float %[[SEEN]], %x
; CHECK: cmpxchg ptr addrspace(1) %p, i32 %{{.*}}, i32 %{{.*}} syncscope("device") acq_rel acquire
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %exchange
; CHECK: phi float [ %[[OLD]], %[[QUICK]] ], [ %[[SEEN]],
define float @unknown(ptr addrspace(1) %p, float %x) {
  %old = atomicrmw fadd ptr addrspace(1) %p, float %x syncscope("device") acq_rel, align 4
  ret float %old
}

; A generic pointer may lead to global memory.
; CHECK-LABEL: define void @generic
; CHECK: cmpxchg ptr %p
define void @generic(ptr %p, float %x) {
  %old = atomicrmw fadd ptr %p, float %x monotonic, align 4
  ret void
}

; 2^-102 by itself is a normal number, but half the distance from one float to the next may be subnormal.
; CHECK-LABEL: define void @small
; CHECK: cmpxchg
define void @small(ptr addrspace(1) %p) {
  %old = atomicrmw fadd ptr addrspace(1) %p, float 0x3990000000000000 monotonic, align 4
  ret void
}

; Large enough, by either sign.
; CHECK-LABEL: define void @large
; CHECK-NOT: cmpxchg
; CHECK: ret void
define void @large(ptr addrspace(1) %p) {
  %a = atomicrmw fadd ptr addrspace(1) %p, float 1.0 monotonic, align 4
  %b = atomicrmw fadd ptr addrspace(1) %p, float 0xB9A0000000000000 monotonic, align 4
  ret void
}

; In shared memory the instruction keeps them, as that for double does everywhere; a maximum has no sum.
; CHECK-LABEL: define void @others
; CHECK-NOT: cmpxchg
; CHECK: ret void
define void @others(ptr addrspace(3) %s, ptr addrspace(1) %p, float %x, double %d) {
  %a = atomicrmw fadd ptr addrspace(3) %s, float %x monotonic, align 4
  %generic = addrspacecast ptr addrspace(3) %s to ptr
  %b = atomicrmw fadd ptr %generic, float %x monotonic, align 4
  %c = atomicrmw fadd ptr addrspace(1) %p, double %d monotonic, align 8
  %e = atomicrmw fmax ptr addrspace(1) %p, float %x monotonic, align 4
  ret void
}
