# table.awk -- the table of run-host.sh out of its lines "program row runtime ns"; with NAMES only the names of rows above 1.05.

function median(text, n,    v, i, j, t)
{
  split(text, v, " ")
  for (i = 2; i <= n; i++)
    for (j = i; j > 1 && v[j] + 0 < v[j - 1] + 0; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
  return n % 2 ? v[(n + 1) / 2] + 0 : (v[n / 2] + v[n / 2 + 1]) / 2
}

# Of a row's samples; "" if the runtime could not run it every time.
function value(row, runtime)
{
  if (failed[row, runtime] || !count[row, runtime])
    return ""
  return median(list[row, runtime], count[row, runtime])
}

function show(ns)
{
  if (ns == "") return "-"
  if (ns < 999.5) return sprintf("%.1f ns", ns)
  if (ns < 999500) return sprintf("%.2f us", ns / 1e3)
  return sprintf("%.2f ms", ns / 1e6)
}

{
  row = $2
  if (!(row in seen)) { seen[row] = 1; order[++rows] = row }
  if ($4 == "-")
    failed[row, $3]++
  else {
    list[row, $3] = list[row, $3] " " $4
    count[row, $3]++
  }
}

END {
  if (names)
    ;
  else if (markdown) {
    print "| row | gompx | GCC | LLVM | ratio |"
    print "|---|---:|---:|---:|---:|"
  }
  else
    printf "%-26s %12s %12s %12s %8s\n", "row", "gompx", "GCC", "LLVM", "ratio"
  for (k = 1; k <= rows; k++) {
    row = order[k]
    a = value(row, "gompx"); b = value(row, "gcc"); c = value(row, "llvm")
    best = b
    if (best == "" || (c != "" && c < best)) best = c
    if (a == "" && best == "")
      continue			# not on this machine
    ratio = mark = ""
    if (row ~ /^system\//)
      ;				# what the kernel and the C library take of other rows
    else if (a == "")
      without++
    else if (best != "" && best > 0) {
      ratio = a / best
      if (a - best < 0.2 && best - a < 0.2) ratio = 1
      logs += log(ratio); compared++
      if (ratio > 1.05) {
	mark = "*"
	above = above sprintf("\n  %-26s %.2f", row, ratio)
	many++
      }
      ratio = sprintf("%.2f", ratio)
    }
    if (names) {
      if (mark != "")
	print row
      continue
    }
    printf markdown ? "| %s | %s | %s | %s | %s%s |\n" : "%-26s %12s %12s %12s %8s %s\n",
	   row, show(a), show(b), show(c), ratio == "" ? "-" : ratio, mark
  }
  if (names)
    exit
  if (compared)
    printf "\n%d rows compared, geometric mean of the ratios %.3f\n", compared, exp(logs / compared)
  if (without)
    printf "%d rows that gompx cannot run\n", without
  printf "%d rows above 1.05%s\n", many, above ? ":" above : ""
}
