; Bytes and halves of a word become floats by a permutation of bytes and a subtraction, not by a conversion.
; RUN: %clarity opt --processor sm_90 --passes=convert-bytes,adce %s -o - | FileCheck %s

; Byte 1 of the word below the exponent of 2^23.
; CHECK-LABEL: define float @second
; CHECK-NEXT: %[[BOTH:.*]] = call i32 @llvm.nvvm.prmt(i32 %w, i32 1258291200, i32 29761)
; CHECK-NEXT: %[[FLOAT:.*]] = bitcast i32 %[[BOTH]] to float
; CHECK-NEXT: %[[RESULT:.*]] = fsub float %[[FLOAT]], 0x4160000000000000
; CHECK-NEXT: ret float %[[RESULT]]
define float @second(i32 %w) {
  %s = lshr i32 %w, 8
  %b = and i32 %s, 255
  %f = uitofp i32 %b to float
  ret float %f
}

; The lowest byte without a shift, the highest without a mask, and the upper half.
; CHECK-LABEL: define float @others
; CHECK: call i32 @llvm.nvvm.prmt(i32 %w, i32 1258291200, i32 29760)
; CHECK: call i32 @llvm.nvvm.prmt(i32 %w, i32 1258291200, i32 29763)
; CHECK: call i32 @llvm.nvvm.prmt(i32 %w, i32 1258291200, i32 29746)
; CHECK-NOT: uitofp
; CHECK: ret float
define float @others(i32 %w) {
  %b = and i32 %w, 255
  %f = uitofp i32 %b to float
  %c = lshr i32 %w, 24
  %g = uitofp i32 %c to float
  %d = lshr i32 %w, 16
  %h = uitofp i32 %d to float
  %s = fadd float %f, %g
  %t = fadd float %s, %h
  ret float %t
}

; Lane by lane.
; CHECK-LABEL: define <2 x float> @lanes
; CHECK: call i32 @llvm.nvvm.prmt(i32 %w, i32 1258291200, i32 29761)
; CHECK: call i32 @llvm.nvvm.prmt(i32 %w, i32 1258291200, i32 29762)
; CHECK-NOT: uitofp
; CHECK: ret <2 x float>
define <2 x float> @lanes(i32 %w) {
  %s = lshr i32 %w, 8
  %b = and i32 %s, 255
  %t = lshr i32 %w, 16
  %c = and i32 %t, 255
  %v = insertelement <2 x i32> poison, i32 %b, i32 0
  %u = insertelement <2 x i32> %v, i32 %c, i32 1
  %f = uitofp <2 x i32> %u to <2 x float>
  ret <2 x float> %f
}

; Signed ones as words.
; CHECK-LABEL: define float @signed
; CHECK-NEXT: %[[WORD:.*]] = sext i8 %b to i32
; CHECK-NEXT: %f = sitofp i32 %[[WORD]] to float
define float @signed(i8 %b) {
  %f = sitofp i8 %b to float
  ret float %f
}

; No whole bytes: seven bits, or eight from the middle of one to the middle of the next.
; CHECK-LABEL: define float @bits
; CHECK: %f = uitofp i32 %b to float
; CHECK: %g = uitofp i32 %d to float
; CHECK: ret float
define float @bits(i32 %w) {
  %s = lshr i32 %w, 8
  %b = and i32 %s, 127
  %f = uitofp i32 %b to float
  %t = lshr i32 %w, 4
  %d = and i32 %t, 255
  %g = uitofp i32 %d to float
  %sum = fadd float %f, %g
  ret float %sum
}

; A shift that is known when the kernel runs has come before: the byte is the lowest one of what it gives.
; CHECK-LABEL: define float @anywhere
; CHECK: %s = lshr i32 %w, %n
; CHECK: call i32 @llvm.nvvm.prmt(i32 %s, i32 1258291200, i32 29760)
define float @anywhere(i32 %w, i32 %n) {
  %s = lshr i32 %w, %n
  %b = and i32 %s, 255
  %f = uitofp i32 %b to float
  ret float %f
}

; Halves that would leave the word.
; CHECK-LABEL: define float @past
; CHECK: %f = uitofp i32 %b to float
define float @past(i32 %w) {
  %s = lshr i32 %w, 24
  %b = and i32 %s, 65535
  %f = uitofp i32 %b to float
  ret float %f
}

; Floats alone: a double has bits below that exponent.
; CHECK-LABEL: define double @double
; CHECK: %f = uitofp i32 %b to double
define double @double(i32 %w) {
  %b = and i32 %w, 255
  %f = uitofp i32 %b to double
  ret double %f
}
