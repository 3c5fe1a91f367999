#!/bin/bash
# scenario-start.sh -- a program starts where there is no GPU for it, a driver that cannot be
# loaded, and one that is none: it runs on the host, and tells why when the device was wanted.

set -u
exe=$PACK/progs/$VERSION/bench.first.c/first.exe
unset OMP_TARGET_OFFLOAD

# check WHAT [NAME=VALUE...]: by default on the host; with "mandatory" one message and status 1.
check ()
{
  local what=$1 out status
  shift
  out=$(env "$@" timeout 60 "$exe" 2>&1)
  status=$?
  # Perhaps with one line that tells why.
  if [ $status = 0 ] && [ "$(grep -c . <<< "$out")" -le 2 ] && grep -q '^first' <<< "$out"; then
    echo "PASS: $what: the host runs it"
  else
    echo "FAIL: $what: status $status: $(head -3 <<< "$out" | tr '\n' ' ')"
  fi
  out=$(env "$@" OMP_TARGET_OFFLOAD=mandatory timeout 60 "$exe" 2>&1)
  status=$?
  if [ $status = 1 ] && grep -q 'nvptx' <<< "$out" && grep -q MANDATORY <<< "$out"; then
    echo "PASS: $what, mandatory: $(grep -o 'nvptx: [^;]*' <<< "$out" | head -1)"
  else
    echo "FAIL: $what, mandatory: status $status: $(head -3 <<< "$out" | tr '\n' ' ')"
  fi
}

check "CUDA_VISIBLE_DEVICES is empty" CUDA_VISIBLE_DEVICES=
mkdir text other
echo "no library" > text/libcuda.so.1
check "libcuda.so.1 is a text" LD_LIBRARY_PATH="$PWD/text:$LD_LIBRARY_PATH"
# A library without any of the functions.
cp "$PACK/lib/$VERSION/libgcc_s.so.1" other/libcuda.so.1
check "libcuda.so.1 is something else" LD_LIBRARY_PATH="$PWD/other:$LD_LIBRARY_PATH"

# With a GPU it does run there.
if out=$(OMP_TARGET_OFFLOAD=mandatory timeout 60 "$exe" 2>&1); then
  echo "PASS: all as it should be: the device runs it"
else
  echo "FAIL: on the device: $(head -3 <<< "$out" | tr '\n' ' ')"
fi
if out=$("$PACK/gompx/gompx-info" 2>&1) && grep -qi nvptx <<< "$out"; then
  echo "PASS: gompx-info: $(grep -i 'nvidia' <<< "$out" | head -1)"
else
  echo "FAIL: gompx-info: $(head -3 <<< "$out" | tr '\n' ' ')"
fi
exit 0
