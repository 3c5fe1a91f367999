# rename.awk -- PTX of what lanes call: every function that it defines for others gets "gompx_lanes_" before its name.
# The file is given twice.
NR == FNR {
  if (/^\/\/ BEGIN (GLOBAL|WEAK) FUNCTION DEF: / && $NF !~ /^gompx_lanes_/)
    own[$NF]
  next
}
{
  rest = $0
  line = ""
  while (match (rest, /[%A-Za-z_$][A-Za-z0-9_$]*/))
    {
      word = substr (rest, RSTART, RLENGTH)
      line = line substr (rest, 1, RSTART - 1) ((word in own) ? "gompx_lanes_" word : word)
      rest = substr (rest, RSTART + RLENGTH)
    }
  print line rest
}
