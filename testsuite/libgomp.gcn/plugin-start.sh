#!/bin/bash
# What the plugin for AMD GPUs says of a runtime that is not there, does not work or finds no GPU, and of
# GPUs that cannot be used.  The program goes on with the host, always.
# TEST-MODES: gcnsim
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
info=$builddir/gompx-info
sim=$builddir/testsuite/gcn-sim/.libs
[ -x "$info" ] || die "$info does not exist"
[ -f "$sim/libhsa-runtime64.so.1" ] || die "there is no simulator"
export GOMP_PLUGINS=gcn GOMP_PLUGIN_PATH=$libdir
unset ROCR_VISIBLE_DEVICES HSA_RUNTIME_LIB

# want STATUS REGEX -- [NAME=VALUE...]: gompx-info ends so and says that.  The runtime is in $runtime.
# want_open: with --test.
want ()
{
  local code=$1 regex=$2 got; shift 3
  env LD_LIBRARY_PATH="$runtime" "$@" timeout 100 "$info" $test > "$tmp/out" 2>&1
  got=$?
  [ $got = "$code" ] || bad "$*: exit status $got instead of $code: $(cat "$tmp/out")"
  grep -qE -- "$regex" "$tmp/out" || bad "$*: does not say '$regex': $(cat "$tmp/out")"
  grep -q 'gcn-sim: misuse' "$tmp/out" && bad "$*: $(cat "$tmp/out")"
}

want_open () { local test=--test; want "$@"; }
test=

# No runtime.
if ! ldconfig -p 2>/dev/null | grep -q 'libhsa-runtime64\.so\.1 '; then
  runtime=$tmp
  want 0 'plugin gcn: .*0 devices \(there is no HSA runtime: libhsa-runtime64\.so\.1: cannot open' --
fi
runtime=$sim
want 0 '0 devices \(there is no HSA runtime: /nowhere/libhsa\.so: cannot open' -- HSA_RUNTIME_LIB=/nowhere/libhsa.so

# One that the loader does not take, one without functions.
runtime=$tmp/empty
mkdir "$runtime"
: > "$runtime/libhsa-runtime64.so.1"
want 0 '0 devices \(the HSA runtime cannot be loaded: .*libhsa' --
runtime=$tmp/stub
mkdir "$runtime"
echo 'int hsa_init (void) { return 0; }' > "$tmp/stub.c"
"${cc[@]}" "${sanitizer_flags[@]}" -shared -fPIC "$tmp/stub.c" -o "$runtime/libhsa-runtime64.so.1" \
  || die "the compiler makes no shared objects"
want 0 '0 devices \(the HSA runtime is too old or damaged: libhsa-runtime64\.so\.1 has no function hsa_shut_down\)' --
runtime=$tmp
want 0 "the HSA runtime is too old or damaged: $tmp/stub/libhsa" -- HSA_RUNTIME_LIB="$tmp/stub/libhsa-runtime64.so.1"

# A good one.
runtime=$sim
want_open 0 'test: 64 MiB:' --
want 0 'uid: GPU-[0-9a-f]{16}$' --
want 0 'isa: gfx900,gfx9-generic$' -- GCN_SIM_ISA=gfx900
want 0 'isa: gfx90a$' --
want 0 'HSA runtime .*/libhsa-runtime64\.so\.1, interface [0-9]+\.[0-9]+' --
want 0 'device 2: Simulated' -- GCN_SIM_AGENTS=3

# No device.
want 0 '0 devices \(the HSA runtime finds no GPU\)' -- GCN_SIM_AGENTS=0
want 0 '0 devices \(the HSA runtime finds no GPU; ROCR_VISIBLE_DEVICES is .7.\)' -- GCN_SIM_AGENTS=0 ROCR_VISIBLE_DEVICES=7

# The runtime does not start: what there is to be said depends on the machine.
want 0 '0 devices \(hsa_init failed: .*\(0x1008\), while starting the HSA runtime' -- GCN_SIM_FAIL=hsa_init:1:4104

# Each call of the start fails once: there are no devices and a reason, or it did not matter.
for n in 1 2 3; do
  want 0 '0 devices \(hsa_system_get_info failed: .*\(0x1000\), while reading attribute' -- GCN_SIM_FAIL=hsa_system_get_info:$n
done
want 0 'device 0: Simulated' -- GCN_SIM_FAIL=hsa_system_get_info:4
want 0 '0 devices \(hsa_iterate_agents failed: .*, while looking for GPUs' -- GCN_SIM_FAIL=hsa_iterate_agents:1
want 0 '0 devices \(hsa_iterate_agents failed: ' -- GCN_SIM_FAIL=hsa_agent_get_info:1
want 0 '0 devices \(hsa_agent_get_info failed: .*, while reading attribute 0 of GPU 0' -- GCN_SIM_FAIL=hsa_agent_get_info:5
want 0 '0 devices \(hsa_iterate_agents failed: ' -- GCN_SIM_FAIL=hsa_amd_agent_iterate_memory_pools:1
want 0 '0 devices \(hsa_amd_agent_iterate_memory_pools failed: .*, while looking at the memory of GPU 0' \
  -- GCN_SIM_FAIL=hsa_amd_agent_iterate_memory_pools:2
for call in hsa_agent_iterate_isas hsa_isa_get_info_alt hsa_amd_register_system_event_handler; do
  want 0 'device 0: Simulated' -- GCN_SIM_FAIL=$call:1
done
# Of several devices only the one that it was about is left out.
want 0 'GPU 1 is left out: the runtime does not answer about it' \
  -- GCN_SIM_AGENTS=3 GCN_SIM_FAIL=hsa_amd_agent_iterate_memory_pools:3
grep -q '^device 1: Simulated' "$tmp/out" || bad "there is no device 1"
grep -q '^device 2: Simulated' "$tmp/out" && bad "there is a device 2"
exit $status
