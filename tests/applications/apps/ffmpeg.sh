# SPDX-License-Identifier: Apache-2.0
# Each OpenCL filter of ffmpeg on a test picture, beside the filter of the same name that runs on the CPU.
title="ffmpeg: OpenCL filters"
packages="ffmpeg"

# Name, OpenCL filter, CPU filter, largest difference, mean. The two unsharp masks and the two denoisers of ffmpeg are
# not the same computation; PoCL's pictures differ from the CPU filters' by as much.
filters() {
  cat <<'LINES'
avgblur|avgblur_opencl=sizeX=3|avgblur=sizeX=3|2
boxblur|boxblur_opencl=luma_radius=3:luma_power=1|boxblur=luma_radius=3:luma_power=1|2
convolution|convolution_opencl=0m=1 2 1 2 4 2 1 2 1:0rdiv=0.0625|convolution=0m=1 2 1 2 4 2 1 2 1:0rdiv=0.0625|2
dilation|dilation_opencl|dilation|0
erosion|erosion_opencl|erosion|0
prewitt|prewitt_opencl|prewitt|2
roberts|roberts_opencl|roberts|2
sobel|sobel_opencl|sobel|2
transpose|transpose_opencl=dir=clock|transpose=dir=clock|0
unsharp|unsharp_opencl=lx=5:ly=5:la=1|unsharp=lx=5:ly=5:la=1:ca=0|12|0.5
pad|pad_opencl=w=420:h=300:x=16:y=20:color=black|pad=w=420:h=300:x=16:y=20:color=black|1
nlmeans|nlmeans_opencl=s=4:p=3:r=5|nlmeans=s=4:p=3:r=5|40|0.6
LINES
}

# Filters of the two kinds treat the border differently.
inside="crop=iw-32:ih-32:16:16,format=yuv420p"

convert() { ffmpeg -v error -nostdin -y "$@"; }

prepare() {
  convert -f lavfi -i testsrc2=size=352x288:rate=5:duration=1 -pix_fmt yuv420p source.y4m
  convert -f lavfi -i rgbtestsrc=size=352x288:rate=5:duration=1 -pix_fmt yuv420p second.y4m
  local name opencl cpu largest mean
  while IFS='|' read -r name opencl cpu largest mean; do
    convert -i source.y4m -vf "$cpu,$inside" -f rawvideo "$name.cpu"
  done < <(filters)
  convert -i source.y4m -i second.y4m -filter_complex "overlay=x=40:y=24:format=yuv420" -f rawvideo overlay.cpu
}

work() {
  local name opencl cpu largest mean device=(-init_hw_device opencl=device -filter_hw_device device)
  while IFS='|' read -r name opencl cpu largest mean; do
    convert "${device[@]}" -i source.y4m -vf "hwupload,$opencl,hwdownload,format=yuv420p,$inside" \
      -f rawvideo "$name.opencl"
  done < <(filters)
  convert "${device[@]}" -i source.y4m -i second.y4m -filter_complex \
    "[0]hwupload[a];[1]hwupload[b];[a][b]overlay_opencl=x=40:y=24,hwdownload,format=yuv420p" -f rawvideo overlay.opencl
}

check() {
  local name opencl cpu largest mean count=1
  while IFS='|' read -r name opencl cpu largest mean; do
    compare --largest "$largest" --mean "${mean:-$largest}" "$name.opencl" "$name.cpu" || wrong "$name"
    count=$((count + 1))
  done < <(filters)
  compare --largest 1 overlay.opencl overlay.cpu || wrong overlay
  echo "$count filters against those of the CPU"
}
