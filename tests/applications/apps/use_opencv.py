# SPDX-License-Identifier: Apache-2.0
"""Runs functions of OpenCV on UMat, which is OpenCL, and on arrays, which is the CPU: run by opencv.sh."""
import sys

import cv2
import numpy as np

# Name, function, most that a value may differ.
FUNCTIONS = [
    ("GaussianBlur", lambda p: cv2.GaussianBlur(p, (7, 7), 1.5), 1),
    ("medianBlur", lambda p: cv2.medianBlur(p, 5), 0),
    ("boxFilter", lambda p: cv2.blur(p, (5, 5)), 1),
    ("resize", lambda p: cv2.resize(p, (400, 300), interpolation=cv2.INTER_LINEAR), 1),
    ("cvtColor", lambda p: cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), 1),
    ("threshold", lambda p: cv2.threshold(p, 100, 255, cv2.THRESH_BINARY)[1], 0),
    ("erode", lambda p: cv2.erode(p, np.ones((5, 5), np.uint8)), 0),
    ("Sobel", lambda p: cv2.Sobel(p, cv2.CV_16S, 1, 0), 0),
    ("pyrDown", lambda p: cv2.pyrDown(p), 1),
    ("bitwise_not", lambda p: cv2.bitwise_not(p), 0),
    ("flip", lambda p: cv2.flip(p, 1), 0),
    ("absdiff", lambda p: cv2.absdiff(p, cv2.flip(p, 0)), 0),
]


def main():
    cv2.ocl.setUseOpenCL(True)
    if not cv2.ocl.haveOpenCL() or not cv2.ocl.useOpenCL():
        sys.exit("wrong: OpenCV does not use OpenCL")
    picture = cv2.resize(np.random.default_rng(3).integers(0, 256, (60, 80, 3), dtype=np.uint8), (640, 480))
    for name, function, largest in FUNCTIONS:
        result = function(cv2.UMat(picture)).get()
        cv2.ocl.setUseOpenCL(False)
        wanted = function(picture)
        cv2.ocl.setUseOpenCL(True)
        difference = np.abs(result.astype(int) - wanted.astype(int)).max()
        if difference > largest:
            sys.exit(f"wrong: {name} differs by {difference}, allowed are {largest}")
    print(f"{len(FUNCTIONS)} functions against those of the CPU")
    print("all right")


if __name__ == "__main__":
    main()
