; Masks that live from block to block, where masks have registers of their own and where they have none.
; RUN: %clarity opt --processor x86-64-v3 --passes='whole-masks' %s -o - | FileCheck %s
; RUN: %clarity opt --processor x86-64-v4 --passes='whole-masks' %s -o - | FileCheck %s --check-prefix=REGISTERS
target triple = "x86_64-unknown-linux-gnu"

; The mask of a divergent loop: a phi, logic and a selection, all of whole elements; one comparison is extended.
; CHECK-LABEL: define <8 x i32> @loop
; CHECK: %[[IN:.*]] = phi <8 x i32> [ splat (i32 -1), %entry ], [ %[[STAY:.*]], %loop ]
; CHECK: %[[BELOW:.*]] = icmp ult
; CHECK: %[[WHOLE:.*]] = sext <8 x i1> %[[BELOW]] to <8 x i32>
; CHECK: %[[STAY]] = and <8 x i32> %[[IN]], %[[WHOLE]]
; CHECK: %[[AGAIN:.*]] = icmp slt <8 x i32> %[[STAY]], zeroinitializer
; CHECK: select <8 x i1> %[[AGAIN]]
; CHECK: bitcast <8 x i1> %[[AGAIN]] to i8
; CHECK-NOT: <8 x i1>
; CHECK: }
; REGISTERS-LABEL: define <8 x i32> @loop
; REGISTERS: phi <8 x i1>
define <8 x i32> @loop(<8 x i32> %n) {
entry:
  br label %loop
loop:
  %active = phi <8 x i1> [ splat (i1 true), %entry ], [ %next, %loop ]
  %i = phi <8 x i32> [ zeroinitializer, %entry ], [ %more, %loop ]
  %below = icmp ult <8 x i32> %i, %n
  %stay = and <8 x i1> %active, %below
  %one = add <8 x i32> %i, splat (i32 1)
  %more = select <8 x i1> %stay, <8 x i32> %one, <8 x i32> %i
  %bits = bitcast <8 x i1> %stay to i8
  %none = icmp eq i8 %bits, 0
  %next = select i1 %none, <8 x i1> zeroinitializer, <8 x i1> %stay
  br i1 %none, label %end, label %loop
end:
  ret <8 x i32> %more
}

; A mask of another block: as wide as its vector register allows, at most 64 bits an element.
; CHECK-LABEL: define <2 x double> @other_block
; CHECK: %[[M:.*]] = icmp
; CHECK: %[[W:.*]] = sext <2 x i1> %[[M]] to <2 x i64>
; CHECK: then:
; CHECK: icmp slt <2 x i64> %[[W]], zeroinitializer
define <2 x double> @other_block(<2 x i64> %a, <2 x double> %x, <2 x double> %y, i1 %c) {
  %m = icmp eq <2 x i64> %a, zeroinitializer
  br i1 %c, label %then, label %else
then:
  %r = select <2 x i1> %m, <2 x double> %x, <2 x double> %y
  ret <2 x double> %r
else:
  ret <2 x double> %x
}

; Within a block, and where a mask has more elements than a register has bytes, nothing changes.
; CHECK-LABEL: define <8 x i32> @one_block
; CHECK-NOT: sext
; CHECK: ret
define <8 x i32> @one_block(<8 x i32> %a, <8 x i32> %b) {
  %m = icmp eq <8 x i32> %a, zeroinitializer
  %r = select <8 x i1> %m, <8 x i32> %a, <8 x i32> %b
  ret <8 x i32> %r
}
; CHECK-LABEL: define <64 x i8> @too_many
; CHECK-NOT: sext
; CHECK: ret
define <64 x i8> @too_many(<64 x i8> %a, <64 x i8> %b, i1 %c) {
  %m = icmp eq <64 x i8> %a, zeroinitializer
  br i1 %c, label %then, label %else
then:
  %r = select <64 x i1> %m, <64 x i8> %a, <64 x i8> %b
  ret <64 x i8> %r
else:
  ret <64 x i8> %a
}
