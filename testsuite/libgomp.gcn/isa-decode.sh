#!/bin/bash
# The decoder of the simulator against LLVM's: many encodings of every opcode that it knows, for each
# generation.  Both disassemble the same object; the text has to be the same.
# TEST-MODES: host
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../libgomp.abi/aux-common.sh"
need llvm-mc llvm-objdump
tools=$builddir/testsuite/gcn-sim
[ -x "$tools/gcn-dis" ] && [ -x "$tools/gcn-sample" ] || skip "gcn-dis is not built"
echo s_nop 0 | llvm-mc -arch=amdgcn -mcpu=gfx90a >/dev/null 2>&1 || skip "llvm-mc has no gcn"

for isa in gfx803 gfx900 gfx90a; do
  "$tools/gcn-sample" "$isa" 8 > "$tmp/s.s" || die "gcn-sample fails"
  llvm-mc -arch=amdgcn -mcpu=$isa -filetype=obj "$tmp/s.s" -o "$tmp/s.o" || die "llvm-mc fails"
  "$tools/gcn-dis" "$isa" "$tmp/s.o" > "$tmp/ours" || die "gcn-dis fails"
  llvm-objdump -d --mcpu=$isa "$tmp/s.o" > "$tmp/theirs" || die "llvm-objdump fails"
  # Samples begin every 16 bytes.  What LLVM does not disassemble is left out: an opcode that only some
  # chips of a generation have, or a form that the assembler has no text for.
  # Known to be printed in another way: v_cvt_f32_f16 of a constant; s_waitcnt, whose counters are smaller
  # in gfx803; SDWA comparisons there, without their suffix.  v_swap_b32 is not simulated.
  awk -v isa=$isa '
    FNR == NR {
      if (match ($0, /\/\/ [0-9A-F]+:/)) {
	address = tolower (substr ($0, RSTART + 3, RLENGTH - 4)); sub (/^0+/, "", address)
	if (address == "") address = "0"
	text = substr ($0, 1, RSTART - 1); gsub (/[ \t]+/, " ", text); sub (/^ /, "", text); sub (/ $/, "", text)
	theirs[address] = text
      }
      next
    }
    {
      split ($0, part, ": "); address = part[1]; text = substr ($0, length (address) + 3)
      if (address !~ /0$/) next
      want = theirs[address]
      if (want == "" || want ~ /^\.long/ || want ~ /invalid immediate/) { unknown++; next }
      if (want ~ /^(v_swap_b32|v_cvt_f32_f16)/ || (isa == "gfx803" && want ~ /^s_waitcnt/)) next
      if (isa == "gfx803" && text ~ /^v_cmpx?_/) sub (/_sdwa/, "", text)
      if (text == want) same++
      else if (wrong++ < 20) print isa ": " address ": " text " instead of " want
    }
    END {
      if (same < 4000) { print isa ": only " same + 0 " compared"; wrong++ }
      if (unknown > same / 20) { print isa ": LLVM does not know " unknown; wrong++ }
      exit wrong > 0
    }' "$tmp/theirs" "$tmp/ours" || bad "$isa differs"
done
exit $status
