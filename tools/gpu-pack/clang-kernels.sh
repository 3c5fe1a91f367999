#!/bin/bash
# clang-kernels.sh OUT CHROOT VERSION -- the loops of bench/gpu/kernels by clang's OpenMP, for the column "clang" of run-kernels.py.
#
# CHROOT is one of tools/compiler-chroot.sh, with the packages clang-VERSION, clang-tools-VERSION, lld-VERSION and
# libomp-VERSION-dev.  The assembler and the functions of libm are those of a CUDA toolkit of this machine: CUDA_PATH, by default
# /usr/local/cuda.  CLANG_GPU_ARCH is the GPU's architecture, by default sm_90.  OUT gets the program and every library that it
# loads, the C library and its loader among them, and a libcuda.so (clang-driver.c).

set -u
die () { echo "clang-kernels.sh: $*" >&2; exit 1; }

[ $# = 3 ] || { sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
chroot=$2 version=$3 toolkit=${CUDA_PATH:-/usr/local/cuda} arch=${CLANG_GPU_ARCH:-sm_90}
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
mkdir -p "$1" && out=$(cd "$1" && pwd) || exit 1
llvm=/usr/lib/llvm-$version
[ -x "$chroot$llvm/bin/clang" ] || die "there is no clang $version in $chroot"
[ -x "$chroot$llvm/bin/clang-offload-packager" ] || die "clang-tools-$version is not installed in $chroot"
[ -x "$chroot$llvm/bin/ld.lld" ] || die "lld-$version is not installed in $chroot"
[ -f "$chroot$llvm/lib/libomptarget-nvptx-$arch.bc" ] || die "libomp-$version-dev is not installed in $chroot, or does not know $arch"
for file in nvvm/libdevice/libdevice.10.bc bin/ptxas bin/nvlink bin/fatbinary; do
  [ -f "$toolkit/$file" ] || die "there is no CUDA toolkit in $toolkit: it has no $file"
done

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# clang takes no toolkit that is newer than itself; of this one it uses nothing that differs.
mkdir -p "$work/cuda/bin" "$work/cuda/nvvm/libdevice" "$work/cuda/include" "$work/cuda/lib64" "$work/include/bits"
cp "$toolkit/nvvm/libdevice/libdevice.10.bc" "$work/cuda/nvvm/libdevice/" || exit 1
for tool in ptxas nvlink fatbinary; do
  cp -L "$toolkit/bin/$tool" "$work/cuda/bin/" || exit 1
done
echo '#define CUDA_VERSION 12000' > "$work/cuda/include/cuda.h"
# The C library's header for _Float128 is not for GPUs.
sed 's/__attribute__ ((__mode__ (__TC__)))//' "$chroot/usr/include/x86_64-linux-gnu/bits/floatn.h" \
  > "$work/include/bits/floatn.h" || exit 1

sources=("$top/bench/gpu/kernels/main.c")
for name in table stream stencil matrix sparse reduce compute search; do
  sources+=("$top/bench/gpu/kernels/$name.c")
done
export GOMPX_BIND="$work $out"
"$top/tools/compiler-chroot.sh" run "$chroot" env PATH="$llvm/bin:$work/cuda/bin:/usr/bin:/bin" \
  clang -O2 -D_GNU_SOURCE -w -isystem "$work/include" -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda \
  -Xopenmp-target=nvptx64-nvidia-cuda "-march=$arch" "--cuda-path=$work/cuda" \
  "--libomptarget-nvptx-bc-path=$llvm/lib/libomptarget-nvptx-$arch.bc" "${sources[@]}" -lm -o "$out/kernels" \
  || die "clang does not compile them"
# Images of CUDA 13's tools have the architecture elsewhere than LLVM 19 looks for it: clang-driver.c.
python3 - "$out/kernels" "${arch#sm_}" << 'EOF' || die "there are no images in what clang made"
import sys
name, arch = sys.argv[1], int(sys.argv[2])
data = bytearray(open(name, 'rb').read())
at, images = data.find(b'\x7fELF', 1), 0
while at >= 0:
    # 64 bits, EM_CUDA
    if data[at + 4] == 2 and int.from_bytes(data[at + 18:at + 20], 'little') == 190:
        images += 1
        if data[at + 48] != arch and data[at + 49] == arch:
            data[at + 12:at + 16] = data[at + 48:at + 52]
            # Twice the architecture, and addresses of 64 bits.
            data[at + 48:at + 52] = (arch << 16 | 0x500 | arch).to_bytes(4, 'little')
    at = data.find(b'\x7fELF', at + 1)
open(name, 'wb').write(data)
sys.exit(images == 0)
EOF
echo | gcc -shared -x c - -Wl,-soname,libcuda.so.1 -o "$work/stub.so" \
  && gcc -O2 -fPIC -shared "$top/tools/gpu-pack/clang-driver.c" -Wl,--no-as-needed "$work/stub.so" -o "$out/libcuda.so" \
  || die "clang-driver.c does not compile"
"$top/tools/compiler-chroot.sh" run "$chroot" env LD_LIBRARY_PATH="$llvm/lib" ldd "$out/kernels" > "$work/libraries" \
  || die "the program's libraries are not known"
while read -r name arrow path _; do
  [ "$arrow" = "=>" ] || path=$name name=${name##*/}
  case $path in
    /*) cp -L "$chroot$path" "$out/$name" || exit 1 ;;
  esac
done < <(sed 's/^[[:space:]]*//; /linux-vdso/d' "$work/libraries")
strip --strip-unneeded "$out"/*.so* 2>/dev/null
[ -e "$out/ld-linux-x86-64.so.2" ] || die "the loader was not found"
