# SPDX-License-Identifier: Apache-2.0
# Functions that the files of apps/ share; run.py sources this file before them.

# Does nothing unless the application's file says otherwise.
prepare() { :; }

wrong() {
  echo "wrong: $*"
  exit 1
}

# compare.py: files of pixels or numbers.
compare() { python3 "$APPLICATIONS/compare.py" "$@"; }

# traced COMMAND...: runs it with Clarity's trace in the file "trace"; other drivers write none.
traced() { CLARITY_TRACE=$PWD/trace "$@"; }

# launched [FILE]: fails if there is a trace without a launch: the application computed on its CPU path then.
launched() {
  local trace=${1:-trace}
  [ ! -s "$trace" ] || grep -qE 'clEnqueue(NDRangeKernel|Task) = CL_SUCCESS' "$trace" ||
    wrong "no kernel was launched ($trace)"
}

# The pixels of a picture as bytes; further arguments are filters of ffmpeg.
pixels() { ffmpeg -v error -nostdin -y -i "$1" ${3:+-vf "$3"} -f rawvideo -pix_fmt rgb24 "$2"; }

# A picture with edges, smooth parts and noise that is the same everywhere.
picture() {
  ffmpeg -v error -nostdin -y -f lavfi -i "testsrc2=size=$1:duration=1:rate=1,noise=alls=20:all_seed=7" -frames:v 1 "$2"
}
