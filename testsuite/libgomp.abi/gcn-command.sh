#!/bin/bash
# The commands for AMD GPUs of the documents name the GCC of a Debian package, and a processor that this GCC
# compiles for by the table in doc/gcn.md; where that very GCC is the compiler of the tests, it does.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address says nothing about the library
# TEST-SKIP-SANITIZER: thread says nothing about the library
# TEST-SKIP-SANITIZER: undefined says nothing about the library
. "$(dirname "$0")/aux-common.sh"
cd "$top_srcdir" || exit 1
read -r -a plain <<< "${TEST_CC:-gcc}"
major=$("${plain[0]}" -dumpversion) && major=${major%%.*}
printf 'int main (void)\n{\n  int x = 1;\n#pragma omp target map (tofrom: x)\n  x = 0;\n  return x;\n}\n' \
  > "$tmp/program.c"
count=0
for document in README.md doc/gcn.md; do
  package='' arch=''
  while read -r line; do
    case $line in
      *apt-get\ install\ *-offload-amdgcn*) package=$(sed 's/.*gcc-\([0-9]*\)-offload-amdgcn.*/\1/' <<< "$line") ;;
      gcc\ *-march=gfx*)
	arch=$(sed 's/.*-march=\([a-z0-9-]*\).*/\1/' <<< "$line")
	[ -n "$package" ] || bad "$document: no package before: $line"
	grep "^| $package |" doc/gcn.md | sed 's/;.*//' | grep -qF "\`$arch\`" \
	  || bad "$document: GCC $package does not compile for $arch by the table in doc/gcn.md"
	count=$((count + 1))
	if [ "$package" = "$major" ] && tools/gcn-options.sh "${plain[0]}" > /dev/null 2>&1; then
	  (cd "$tmp" && eval "${line/#gcc/${plain[0]}}") > "$tmp/log" 2>&1 \
	    || bad "$document: fails: $line: $(cat "$tmp/log")"
	fi ;;
    esac
  done < "$document"
done
[ $count -ge 2 ] || bad "only $count commands were found"
exit $status
