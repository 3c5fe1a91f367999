#!/bin/bash
# What the plugin for NVIDIA GPUs says of a driver that is not there, does not work or shows no
# device, and of devices that cannot be used.  The program goes on with the host, always.
# TEST-SKIP-SANITIZER: thread copies hundreds of MiB
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
info=$builddir/gompx-info
fake=$builddir/testsuite/fake-cuda/.libs
[ -x "$info" ] || die "$info does not exist"
[ -f "$fake/libcuda.so.1" ] || die "there is no stand-in driver"
export GOMP_PLUGINS=nvptx GOMP_PLUGIN_PATH=$libdir
unset CUDA_VISIBLE_DEVICES

# want STATUS REGEX -- [NAME=VALUE...]: gompx-info ends so and says that.  The driver is in $driver.
# want_open: with --test.
want ()
{
  local code=$1 regex=$2 got; shift 3
  env LD_LIBRARY_PATH="$driver" "$@" timeout 100 "$info" $test > "$tmp/out" 2>&1
  got=$?
  [ $got = "$code" ] || bad "$*: exit status $got instead of $code: $(cat "$tmp/out")"
  grep -qE -- "$regex" "$tmp/out" || bad "$*: does not say '$regex': $(cat "$tmp/out")"
}

want_open () { local test=--test; want "$@"; }
test=

# No driver.
if ! ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1 '; then
  driver=$tmp
  want 0 'plugin nvptx: .*0 devices \(there is no CUDA driver: libcuda\.so\.1: cannot open' --
fi

# One that the loader does not take, one without functions, one that lacks one.
driver=$tmp/empty
mkdir "$driver"
: > "$driver/libcuda.so.1"
want 0 '0 devices \(the CUDA driver cannot be loaded: .*libcuda' --
driver=$tmp/stub
mkdir "$driver"
echo 'int cuInit (unsigned f) { return f; }' > "$tmp/stub.c"
"${cc[@]}" "${sanitizer_flags[@]}" -shared -fPIC "$tmp/stub.c" -o "$driver/libcuda.so.1" \
  || die "the compiler makes no shared objects"
want 0 '0 devices \(the CUDA driver is too old or damaged: libcuda\.so\.1 has no function cuDriverGetVersion\)' --

# A good one.
driver=$fake
want_open 0 'test: 64 MiB:' --
want 0 'uid: GPU-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{16}$' --
want 0 'isa: sm_90,sm_89,' --
want 0 'driver .*/libcuda\.so\.1, CUDA 12\.4' --
want 0 'device 2: NVIDIA' -- FAKE_CUDA_DEVICES=3
driver=$builddir/testsuite/fake-cuda-old/.libs
want_open 0 'test: 64 MiB:' --
driver=$fake

# No device.
want 0 '0 devices \(the CUDA driver finds no device; CUDA_VISIBLE_DEVICES is .-1.\)' -- CUDA_VISIBLE_DEVICES=-1
want 0 '0 devices \(the CUDA driver finds no device; CUDA_VISIBLE_DEVICES is ..\)' -- CUDA_VISIBLE_DEVICES=
want 0 '0 devices \(the CUDA driver finds no device' -- FAKE_CUDA_FAIL=cuInit:1:100
want 0 '0 devices \(cuInit failed: .*\(CUDA_ERROR_NOT_SUPPORTED\), while starting' -- FAKE_CUDA_FAIL=cuInit:1:801

# Each call of the start fails once: there are no devices and a reason, or it did not matter.
for call in cuDriverGetVersion cuDeviceGetCount cuDeviceGet cuDeviceGetName cuDeviceTotalMem \
	    cuDeviceGetAttribute; do
  want 0 "0 devices \\($call(_v2)? failed: unknown error \\(CUDA_ERROR_UNKNOWN\\), while " -- FAKE_CUDA_FAIL=$call:1
done
for call in cuDeviceGetUuid cuDeviceGetPCIBusId; do
  want 0 'device 0: NVIDIA' -- FAKE_CUDA_FAIL=$call:1
done
# Of several devices only the one that it was about is left out.
want 0 'GPU 1 is left out: the driver does not answer about it' -- FAKE_CUDA_DEVICES=3 FAKE_CUDA_FAIL=cuDeviceGetName:2
grep -q '^device 1: NVIDIA' "$tmp/out" || bad "there is no device 1"
grep -q '^device 2: NVIDIA' "$tmp/out" && bad "there is a device 2"

# Devices on which nothing could run, or only one process.
want 0 "0 devices \\(GPU 0 \\(.*\\): its compute mode is .prohibited" -- FAKE_CUDA_ATTRIBUTE=20:2
want_open 1 'cannot be opened: cuDevicePrimaryCtxRetain failed: .*error 46.* for one process at a time' \
  -- FAKE_CUDA_ATTRIBUTE=20:3 FAKE_CUDA_FAIL=cuDevicePrimaryCtxRetain:1:46

# Opening fails.
for call in cuDevicePrimaryCtxRetain cuCtxGetCurrent cuCtxPushCurrent; do
  want_open 1 "cannot be opened: $call(_v2)? failed: out of memory \\(CUDA_ERROR_OUT_OF_MEMORY\\), while " -- FAKE_CUDA_FAIL=$call:1:2
done

# Settings.
want_open 0 'the heap of the device cannot be set to' -- FAKE_CUDA_FAIL=cuCtxSetLimit:1:801
want_open 0 'device 0: NVIDIA' -- GOMP_NVPTX_NATIVE_GPU_THREAD_STACK_SIZE=64k FAKE_CUDA_LOG="$tmp/log"
grep -qE 'cuCtxSetLimit' "$tmp/log" || bad "no limit was set: $(cat "$tmp/log")"
want 0 '0 devices \(GOMP_NVPTX_NATIVE_GPU_THREAD_STACK_SIZE: .64x. is no size\)' -- GOMP_NVPTX_NATIVE_GPU_THREAD_STACK_SIZE=64x
want 0 '0 devices \(GOMP_NVPTX_HEAP_SIZE: .-1. is no size\)' -- GOMP_NVPTX_HEAP_SIZE=-1
exit $status
