# aux-first-start.sh -- for tests of first starts of what GCC compiles, on the simulator; read by bash, after aux-lanes.sh.

[ -f "$builddir/nvptx/libgomp.a" ] || skip "built without an offload compiler"
dir=$tmp
complain () { bad "$1"; }
. "$here/aux-child.sh"
trap 'kill_all; rm -rf "$tmp"' EXIT
unset GOMP_NVPTX_DEVICE_LIBRARY
export GOMP_PLUGINS=nvptx FAKE_CUDA_PTX=1 FAKE_CUDA_ATTRIBUTE=16:6 FAKE_CUDA_VERSION=13000 OMP_TARGET_OFFLOAD=mandatory GOMP_DEBUG=1
printf '%s\n' 'export FAKE_CUDA_PTX=1 FAKE_CUDA_VERSION=13000' > "$dir/before"
