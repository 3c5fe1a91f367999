#!/bin/bash
# check-objects.sh SIGNATURES OBJECT... -- is a set of PTX objects the device runtime?
#
# SIGNATURES lists the entry points, one a line: name, result and parameters as letters.  Each must be
# defined once, with those, and nothing else may be visible but names of our own (accel_ what files of the
# runtime call of each other, gompx_ what the plugin knows or compiled programs refer to) and the
# variables below.  What the objects need from outside must be in every image that a compiler
# makes, or be the driver's: otherwise the plugin could not put them in place of GCC's.
# With --missing it is no error that entry points are missing; with --math the set is that of functions of libm, of which
# SIGNATURES lists all.  Says what is wrong and returns 1.

set -u
missing=no
math=no
[ "${1:-}" != --missing ] || { missing=yes; shift; }
[ "${1:-}" != --math ] || { math=yes; shift; }
[ $# -ge 2 ] || { echo "usage: check-objects.sh [--missing | --math] SIGNATURES OBJECT..." >&2; exit 2; }
signatures=$1
shift

# Shared with GCC's plugin, or asked for by compiled code (abi/nvptx, 1.5, 1.6, 2.2, 3.2, 4);
# and what the program prints with, in place of its C library's (print.c).
also='__gomp_device_num __gomp_indirect_addr_map __gomp_rev_offload_var
printf:i(ll) puts:i(l) putchar:i(i) exit:v(i) __sync_val_compare_and_swap_16:v(llll)
__atomic_compare_exchange_1:i(lliii) __atomic_compare_exchange_2:i(lliii)
__atomic_exchange_1:i(lii) __atomic_exchange_2:i(lii)'
# The same, and the specification demands them.
demanded='__gomp_additional_icvs __dso_handle __GCC_offload___cxa_finalize:v(l)'
# In images of GCC 12 to 16, also the smallest; vprintf, malloc and free are the driver's.
outside='__nvptx_stacks __nvptx_uni __nvptx_malloc __nvptx_free __nvptx_realloc memcpy memset abort
printf vprintf malloc free'
[ "$math" = no ] || also='' demanded='' outside=''

awk -v also="$also" -v demanded="$demanded" -v outside="$outside" -v missing="$missing" '
  function wrong(text) { print text; bad = 1 }
  # The letters of a declaration such as ".visible .func (.param .u32 %r) NAME (.param .u64 %a, ...)".
  function letters(text,    after, result) {
    sub(/^.*\.func[ \t]*/, "", text)
    result = "v"
    if (text ~ /^\(/) {
      result = parameters(substr(text, 2, index(text, ")") - 2))
      text = substr(text, index(text, ")") + 1)
    }
    after = index(text, "(") ? substr(text, index(text, "(") + 1) : ""
    sub(/\).*/, "", after)
    return result "(" parameters(after) ")"
  }
  function parameters(text,    n, part, i, all) {
    all = ""
    n = split(text, part, ",")
    for (i = 1; i <= n; i++)
      if (part[i] ~ /\.[usb]32/) all = all "i"
      else if (part[i] ~ /\.[usb]64/) all = all "l"
      else if (part[i] ~ /\.f64/) all = all "d"
      else if (part[i] ~ /\.f32/) all = all "f"
      else if (part[i] ~ /[^ \t]/) all = all "?"
    return all
  }
  BEGIN {
    n = split(demanded, word)
    for (i = 1; i <= n; i++) { split(word[i], pair, ":"); known[pair[1]] = pair[2] }
    n = split(also, word)
    for (i = 1; i <= n; i++) { split(word[i], pair, ":"); known[pair[1]] = pair[2]; optional[pair[1]] = 1 }
    n = split(outside, word)
    for (i = 1; i <= n; i++) given[word[i]] = 1
  }
  FNR == NR {
    if ($1 != "" && $1 !~ /^#/) { known[$1] = $2; wanted++ }
    next
  }
  FNR == 1 { files++; where = FILENAME; sub(/.*\//, "", where) }
  # After a marker comes the declaration; that of a function may need several lines.
  /^\/\/ BEGIN (GLOBAL|WEAK) (FUNCTION|VAR) (DECL|DEF): / {
    kind = $4; what = $5; name = $6; text = ""; open = what == "DEF:"
    if (!open) needed[name] = where
    next
  }
  /^\/\/ BEGIN / { open = 0; next }
  /^[ \t]*(\.(extern|visible|weak)[ \t]+)?\.shared/ {
    if ($0 !~ /gompx_block|gompx_pool|__nvptx_stacks|__nvptx_uni/)
      wrong(where ": shared memory that is not planned: " $0)
  }
  open {
    text = text " " $0
    if (kind == "FUNCTION" && $0 !~ /[{;]/ && $0 !~ /^[ \t]*$/ && text !~ /\)[ \t]*$/) next
    if (kind == "FUNCTION" && text !~ /\.func/) next
    open = 0
    # Not all compilers say so in the marker.
    weak = text ~ /^[ \t]*\.weak/
    if (name in defined && !weak && !isweak[name])
      wrong(where ": " name " is defined in " defined[name] ", too")
    if (!(name in defined) || !weak) { defined[name] = where; isweak[name] = weak }
    if (!(name in known) && name !~ /^((__)?gompx|accel)_/)
      wrong(where ": " name " is visible and no entry point")
    if (kind == "VAR" && name in known && known[name] != "")
      wrong(where ": " name " is a variable and no function")
    if (kind == "FUNCTION" && name in known && known[name] != "" && letters(text) != known[name])
      wrong(where ": " name " is " letters(text) " and should be " known[name])
  }
  END {
    if (!files || !wanted) wrong("nothing to check")
    for (name in needed)
      if (!(name in defined) && !(name in given)) {
	# In an image only if it is called there: then the image has it.
	if (name == "__cxa_finalize") continue
	wrong(needed[name] ": " name " is needed and not in every image")
      }
    for (name in known)
      if (!(name in defined) && !(name in optional)) {
	absent++
	if (missing != "yes") wrong("no definition of " name)
      }
    if (absent) print absent " of " wanted " entry points are missing"
    exit bad
  }' "$signatures" "$@"
