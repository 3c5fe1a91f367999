# failures.awk -- from libgomp.log, what went wrong: each unexpected result, with what matters of what the
# program printed.  run-tests.sh writes it to failures.txt.
#
# The log has the output of a program behind its result, that of a compiler before: lines that begin with "  | ".

BEGIN { most = 15 }

# What there is of the output: its end, but of a sanitizer's report the beginning and the summary.
function print_output (   i, first, last)
{
  first = lines > most ? lines - most + 1 : 1
  last = lines
  for (i = 1; i <= lines; i++)
    if (output[i] ~ /(ERROR|WARNING|FATAL): [A-Z][a-zA-Z]*Sanitizer|runtime error: /)
      {
	first = i
	last = i + most - 1 < lines ? i + most - 1 : lines
	break
      }
  for (i = first; i <= lines; i++)
    if (i <= last || output[i] ~ /SUMMARY: /)
      print output[i]
}

/^  \| / {
  if (!inside)
    lines = 0
  inside = 1
  output[++lines] = $0
  next
}

{
  if (inside && failed != "")
    {
      print_output()
      failed = ""
    }
  inside = 0
}

/^(FAIL|XPASS|KPASS|UNRESOLVED|UNTESTED|ERROR): / {
  print
  failed = ""
  if ($0 ~ /\(compile[^)]*\)$/)
    print_output()
  else if ($1 == "FAIL:")
    failed = substr ($0, 7)
}

# Without output there is none of the following lines.
failed != "" && !/^FAIL: / && index ($0, failed) != 1 { failed = "" }

END {
  if (inside && failed != "")
    print_output()
}
