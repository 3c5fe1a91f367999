# shared.awk -- PTX of the device runtime whose accesses to the block's state are accesses to shared memory.
#
#   awk -f shared.awk FILE.s > NEW.s
#
# The compiler knows one kind of memory, so the state is reached by addresses of any memory (machine_shared).  In
# functions that are not kernels ptxas finds no more out about them; on sm_90 each access then takes two instructions
# more for a descriptor of memory, and 44 cycles instead of 23.  So here
#
#	add.u64 %r24, %r22, %r106;		where %r22 is gompx_block
#	ld.u64 %r26, [%r24+48];
#
# becomes a load of [gompx_block+...] if the address is a constant, and otherwise
#
#	{ .reg.u64 %near; cvta.to.shared.u64 %near, %r24; ld.shared.u64 %r26, [%near+48]; }
#
# where the conversion takes no instruction.
#
# A register qualifies if each of its definitions in the function is gompx_block's address, or one that qualifies plus
# a small number.  Small numbers are constants, what was widened from 32 bits, and sums and multiples of such: never
# the distance of two addresses, by which compilers may get from one object to another.
#
# Besides, a branch in uniform code is one that all lanes take together (doc/device-runtime.md), and is
# told to be: ptxas makes no code to bring lanes together again.  Uniform are the functions of UNIFORM; others, as queries,
# may be called from simd code.

function is_small (x) { return x ~ /^-?[0-9]+$/ || ((x in class) && class[x] == "small") }
function is_near (x) { return (x in class) && class[x] == "near" }

# The registers' definitions, as far as they matter: "OPERATION OPERAND OPERAND", with SUBSEP before each.
function find_definitions (  i, j, num, part, text, word)
{
  for (i = 1; i <= lines; i++) {
    num = split (line[i], part, ";")
    for (j = 1; j <= num; j++) {
      text = part[j]
      sub (/^[{} \t]*(@!?[%a-z0-9_]+[ \t]+)?/, "", text)
      split (text, word, /[ \t,]+/)
      # What stores, branches or compares defines no address.
      if (text ~ /^[a-z]/ && text !~ /^(st|bra|ret|call|bar|membar|setp|trap|red)[. \t]/ && word[2] ~ /^%r[0-9]+$/)
	definitions[word[2]] = definitions[word[2]] SUBSEP word[1] " " word[3] " " word[4]
    }
  }
}

function class_of (text,  word)
{
  split (text, word, " ")
  if (word[1] == "cvta.shared.u64")
    return word[2] == "gompx_block" ? "near" : "any"
  if (word[1] ~ /^cvt\.[us]64\.[us](8|16|32)$/)
    return "small"
  if (word[1] ~ /^(shl\.b64|mul\.lo\.[us]64|add\.[us]64|sub\.[us]64)$/ && is_small(word[2]) && is_small(word[3]))
    return "small"
  if (word[1] == "mov.u64" && is_near(word[2]))
    return "near"
  if (word[1] == "add.u64" && (is_near(word[2]) && is_small(word[3]) || is_small(word[2]) && is_near(word[3])))
    return "near"
  return "any"
}

function classify (  name, changed, part, num, i, all)
{
  do {
    changed = 0
    for (name in definitions)
      if (!(name in class)) {
	num = split (substr (definitions[name], 2), part, SUBSEP)
	all = class_of(part[1])
	for (i = 2; i <= num; i++)
	  if (class_of(part[i]) != all)
	    all = "any"
	if (all != "any") {
	  class[name] = all
	  changed = 1
	}
      }
  } while (changed)
}

# What the address NAME is: ROOT plus PLUS.  Only registers with one definition say so.
function resolve (name,  part, word)
{
  root = name
  plus = 0
  while (split (substr (definitions[root], 2), part, SUBSEP) == 1) {
    split (part[1], word, " ")
    if (word[1] == "cvta.shared.u64") {
      root = "gompx_block"
      return
    }
    if (word[1] != "mov.u64" && word[3] !~ /^-?[0-9]+$/)
      return
    if (split (substr (definitions[word[2]], 2), part, SUBSEP) != 1)
      return
    if (word[1] == "add.u64")
      plus += word[3]
    root = word[2]
  }
}

function rewrite (text,  access, before, behind, name, offset)
{
  if (!match (text, /(ld|st)(\.volatile)?(\.v2)?\.[ufb](8|16|32|64)[ \t]+([^[]*,[ \t]*)?\[%r[0-9]+/))
    return text
  access = substr (text, RSTART, RLENGTH)
  before = substr (text, 1, RSTART - 1)
  behind = substr (text, RSTART + RLENGTH)
  name = access
  sub (/.*\[/, "", name)
  if (!is_near(name))
    return text
  resolve(name)
  if (match (behind, /^[+-][0-9]+/)) {
    plus += substr (behind, 1, RLENGTH)
    behind = substr (behind, RLENGTH + 1)
  }
  offset = plus > 0 ? "+" plus : plus < 0 ? plus : ""
  sub (/^(ld|st)(\.volatile)?/, "&.shared", access)
  sub (/\[.*/, "[", access)
  if (root == "gompx_block")
    return before access root offset behind
  return "\t{ .reg.u64 %near; cvta.to.shared.u64 %near, " root ";\n" before access "%near" offset behind " }"
}

function finish (  i)
{
  find_definitions()
  classify()
  for (i = 1; i <= lines; i++) {
    if (uniform)
      sub (/[ \t]bra[ \t]/, "\tbra.uni\t", line[i])
    print rewrite(line[i])
  }
  lines = 0
  split ("", definitions)
  split ("", class)
}

/^\/\/ BEGIN .*FUNCTION DEF: / { uniform = UNIFORM != "" && $NF ~ UNIFORM }
inside { line[++lines] = $0; if ($0 == "}") { inside = 0; finish() } next }
/^\{$/ { inside = 1; line[++lines] = $0; next }
{ print }
