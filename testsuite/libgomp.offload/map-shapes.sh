#!/bin/bash
# Pointers in structures, in all the orders in which programs map them: hundreds of functions in
# C, C++ and Fortran.  Each has a shape (where the pointer is), what was mapped before (nothing,
# the structure, the pointer alone, what it points to, all of it), a list (what the construct
# maps) and a construct.  Each says whether its results are right, whether all is unmapped at its
# end, and has to do so on the host, too.
#   map-shapes.sh --write c|c++|fortran GCC-VERSION
#                    prints a program; its arguments are names of functions
# TEST-MODES: cpu
# TEST-TIMEOUT: 60
# TEST-SKIP-SANITIZER: address says nothing about the library that other tests of mapping do not
# TEST-SKIP-SANITIZER: thread says nothing about the library that other tests of mapping do not
# TEST-SKIP-SANITIZER: undefined says nothing about the library that other tests of mapping do not

set -u

# ---- C and C++ ----

# What the function NAME does, and what is not asked of the compiler: $major is its version.
emit () # BEFORE LIST CONSTRUCT FIRST LENGTH
{
  local before=$1 list=$2 construct=$3 first=$4 length=$5
  local name=${shape}_${before}_${list}_${construct}_$first
  local items=${section//FIRST/$first} all=${section//FIRST/0} none=${section//FIRST/0}
  local pre='' post='' on enter exit run add=100 nowait='' wait='' body
  items=${items//LENGTH/$length} all=${all//LENGTH/10} none=${none//LENGTH/0}
  case $before in
    none) ;;
    struct) pre="#pragma omp target enter data map(to: $object)"
	    post="#pragma omp target exit data map(release: $object)" ;;
    pointer) pre="#pragma omp target enter data map(to: $pointer)"
	     post="#pragma omp target exit data map(release: $pointer)" ;;
    pointee) pre="#pragma omp target enter data map(to: b[0:10])"
	     post="#pragma omp target exit data map(from: b[0:10])" ;;
    all) pre="#pragma omp target enter data map(to: $object)
#pragma omp target enter data map(to: $all)"
	 post="#pragma omp target exit data map(from: $all)
#pragma omp target exit data map(release: $object)" ;;
    once) pre="#pragma omp target enter data map(to: $object, $all)"
	  post="#pragma omp target exit data map(from: $all) map(release: $object)" ;;
  esac
  case $list in
    nothing) on='' enter='' exit='' ;;
    section) on="map(tofrom: $items)" enter="map(to: $items)" exit="map(from: $items)" ;;
    pointer) on="map(to: $pointers) map(tofrom: $items)" enter="map(to: $pointers, $items)"
	     exit="map(from: $items) map(release: $pointers)" ;;
    struct) on="map(to: $object) map(tofrom: $items)" enter="map(to: $object, $items)"
	    exit="map(from: $items) map(release: $object)" ;;
    reverse) on="map(tofrom: $items) map(to: $object)" enter="map(to: $items) map(to: $object)"
	     exit="map(release: $object) map(from: $items)" ;;
    empty) on="map(alloc: $none)" enter="map(alloc: $none)" exit="map(release: $none)" ;;
    present) on="map(present, tofrom: $items)" enter="map(present, to: $items)"
	     exit="map(release: $items)" ;;
    always) on="map(always, tofrom: $items)" enter="map(always, to: $items)"
	    exit="map(always, from: $items)" ;;
  esac
  # The structure is there: the region reads it, too.
  case $before-$list in struct-*|all-*|once-*|*-struct|*-reverse) add=$number ;; esac
  if [ $((${#name} % 3)) = 1 ]; then
    nowait=' nowait' wait=$'\n#pragma omp taskwait'
  fi
  body="$nowait
  for (int i = $first; i < $first + $length; i++)
    $element += $add;$wait"
  case $construct in
    target) run="#pragma omp target $on$body" ;;
    data) run="#pragma omp target data $on
  {
#pragma omp target map(tofrom: $items)$body
  }" ;;
    plain) run="#pragma omp target data $on
  {
#pragma omp target$body
  }" ;;
    enter) run="#pragma omp target enter data $enter
#pragma omp target map(tofrom: $items)$body
#pragma omp target exit data $exit" ;;
  esac
  printf '%s\n' "${head//NAME/$name}" "  int *b = d; (void) b; set (d);" "$pre" "$run" "$post" \
    "  check (\"$name\", d, $first, $length);" "}" "${tail//NAME/$name}"
  calls+="  if (want (\"$name\")) ${call//NAME/$name};"$'\n'
}

combine ()
{
  local before list construct left_out
  for before in none struct pointer pointee all once; do
    for list in nothing section pointer struct reverse empty present always; do
      case $before-$list in
	all-nothing|once-nothing|all-empty|all-always) ;;
	all-present) [ "$major" -ge 14 ] || continue ;;
	*-nothing|*-empty|*-always|*-present) continue ;;
	pointer-struct|pointer-reverse) continue ;;	# a part of the structure would be mapped
      esac
      for construct in target data plain enter; do
	case $construct-$list in data-nothing|enter-nothing|plain-nothing) continue ;; esac
	# Without a list the region needs the structure, and its pointer attached.
	case $construct-$before-$list in
	  plain-struct-*|plain-all-*|plain-once-*|plain-*-struct|plain-*-reverse) ;;
	  plain-*) continue ;;
	esac
	for left_out in "$list" "before-$before" "$before-$list" "on-$construct" \
			"$list-$construct" "$before-on-$construct"; do
	  if [[ " $without " == *" $left_out "* ]]; then continue 2; fi
	done
	case $list-$construct in
	  section-target) emit $before $list $construct 0 10; emit $before $list $construct 2 5 ;;
	  section-*|pointer-*) emit $before $list $construct 2 5 ;;
	  *) emit $before $list $construct 0 10 ;;
	esac
      done
    done
  done
}

# The function declares DECLARATIONS; POINTER is the pointer, OBJECT what it is in, NUMBER an int of
# that.
shape () # NAME DECLARATIONS POINTER OBJECT NUMBER [WITHOUT]
{
  shape=$1 pointer=$3 pointers=$3 object=$4 number=$5 without=${6:-}
  section="$3[FIRST:LENGTH]" element="$3[i]" tail='' call='NAME ()'
  head="static void
NAME (void)
{
  $2"
}

# The same in a member function.
member_shape () # NAME POINTER NUMBER [WITHOUT]
{
  shape "$1" '' "$2" 'this[0:1]' "$3" "${4:-}"
  head="struct NAME_c : S { void run (int *d); };
void NAME_c::run (int *d)
{"
  tail="static void NAME (void)
{
  int d[10]; NAME_c c; memset (&c, 0, sizeof c); c.n = c.in.n = 100; c.p = c.in.p = d; c.run (d);
}"
}

write_c ()
{
  local s='int d[10]; struct S s; memset (&s, 0, sizeof s); s.n = s.in.n = 100;' old='' construct
  calls=
  [ "$major" -ge 14 ] || old=yes
  cat <<'END'
#include <omp.h>
#include <stdio.h>
#include <string.h>
struct in { long fill; int *p; int n; };
struct T { long fill; int a[10]; int n; };
struct S { char fill[24]; int *p; int n; int *q; struct in in; struct in *ip; struct T *t; };
struct Z { int *p; int n; };
#ifdef __cplusplus
template<typename X> struct SX { char fill[24]; X *p; int n; };
#endif
static int failed, done, number;
static char **names;
static int want (const char *name)
{
  for (int i = 0; i < number; i++)
    if (strcmp (names[i], name) == 0)
      return 1;
  return number == 0;
}
static void set (int *d) { for (int i = 0; i < 10; i++) d[i] = i; }
static void check (const char *name, int *d, int first, int length)
{
  int bad = 0, left = omp_get_num_devices () > 0 && omp_target_is_present (d, 0);
  for (int i = 0; i < 10; i++)
    bad += d[i] != i + (i >= first && i < first + length ? 100 : 0);
  if (bad || left)
    {
      printf ("%s: %d wrong%s\n", name, bad, left ? ", still mapped" : "");
      failed++;
    }
  done++;
}
END
  # What GCC cannot do with pointers to structures, whatever the library does (doc/map-orders.md).
  local deref='always' elements='always struct-target reverse-target' refs=''
  local members='on-plain nothing'
  local slots='pointer struct reverse before-once none-section pointee-section'
  local chain='before-pointer before-pointee none-section pointer-data'
  local refp='struct reverse before-once pointer-target section-plain pointer-plain'
  if [ -n "$old" ]; then
    deref='on-data on-plain pointer-target struct-target pointer-data pointer-enter'
    deref+=' none-section pointer-section pointee-section'
    elements='before-pointer none-section none-pointer pointee-section pointee-pointer'
    # GCC 13 crashes on these.
    [ "$major" = 12 ] || deref+=' always' elements+=' always'
    for construct in target data plain; do
      elements+=" none-on-$construct struct-on-$construct pointee-on-$construct"
    done
    chain+=' none-pointer'
    refs='struct reverse before-once'
    refp='struct reverse before-once pointer on-plain'
  fi
  if [ "$lang" = c ]; then
    shape s "$s s.p = d;" s.p s s.n; combine
    shape t "$s struct S *t = &s; s.p = d;" 't->p' 't[0:1]' 't->n' "$deref"; combine
    shape in "$s s.in.p = d;" s.in.p s s.n; combine
    shape inner "$s s.in.p = d;" s.in.p s.in s.in.n; combine
    shape tin "$s struct S *t = &s; s.in.p = d;" 't->in.p' 't[0:1]' 't->n' "$deref"; combine
    shape z "int d[10]; struct Z z = { d, 100 };" z.p z z.n; combine
    shape zt "int d[10]; struct Z z = { d, 100 }, *t = &z;" 't->p' 't[0:1]' 't->n' "$deref"; combine
    shape as "int d[10]; struct S s[3]; memset (s, 0, sizeof s); s[1].n = 100; s[1].p = d;" \
      's[1].p' s 's[1].n' 'struct reverse before-once'; combine
    shape ask \
      "int d[10], k = 1; struct S s[3]; memset (s, 0, sizeof s); s[k].n = 100; s[k].p = d;" \
      's[k].p' s 's[k].n' 'struct reverse before-once'; combine
    # GCC 12 and 13 attach to an element on enter data only, and not all on a way through two
    # pointers.
    shape ta \
      "int d[10]; struct S s[3], *t = s; memset (s, 0, sizeof s); s[1].n = 100; s[1].p = d;" \
      't[1].p' 't[0:3]' 't[1].n' "$elements"; combine
    shape ip "$s struct in in = { 0, d, 100 }; s.ip = &in;" \
      's.ip->p' 's, s.ip[0:1]' 's.ip->n' "$chain"
    pointers='s, s.ip->p'; combine
    shape tip "$s struct S *t = &s; struct in in = { 0, d, 100 }; s.ip = &in;" 't->ip->p' \
      't[0:1], t->ip[0:1]' 't->ip->n' "$chain $deref ${old:+reverse-target}"
    pointers='t[0:1], t->ip->p'; combine
    # GCC 12 and 13 attach nothing here: a part of what the pointer points to, arrays of pointers.
    if [ -z "$old" ]; then
      shape u \
        "struct S s; struct T v; memset (&v, 0, sizeof v); s.n = 100; s.t = &v; int *d = v.a;" \
	s.t s s.n "$members"
      section='s.t->a[FIRST:LENGTH]' element='s.t->a[i]'; combine
      shape tu \
        "struct S s, *t = &s; struct T v; memset (&v, 0, sizeof v); s.n = 100; s.t = &v;
  int *d = v.a;" \
	't->t' 't[0:1]' 't->n' "$members $deref"
      section='t->t->a[FIRST:LENGTH]' element='t->t->a[i]'; combine
      shape ap 'int d[10], *ap[2] = { NULL, d };' 'ap[1]' ap 100 "$slots"; combine
      shape pp 'int d[10], *ap[2] = { NULL, d }, **pp = ap;' 'pp[1]' 'pp[0:2]' 100 "$slots"; combine
    fi
  elif [ "$lang" = c++ ]; then
    shape r "$s S &r = s; s.p = d;" r.p r r.n "$refs"; combine
    shape rin "$s in &r = s.in; s.in.p = d;" r.p r r.n "$refs"; combine
    shape rt "$s S *t0 = &s, *&t = t0; s.p = d;" 't->p' 't[0:1]' 't->n' "$deref"; combine
    shape rp "int d[10], *q = d, *&p = q;" p p 100 "$refp"; combine
    # GCC 12 and 13 give the region no reference members, and take no this[0:1] everywhere.
    if [ -z "$old" ]; then
      # The pointer is the array itself here; and exit data leaves the reference mapped.
      local references='pointer before-pointer before-all section-enter empty-enter'
      references+=' present-enter always-enter'
      shape refa "int d[10]; struct R { long fill; int (&p)[10]; } s = { 0, d };" \
        s.p s 100 "$references"
      combine
      # A region maps all of *this, which the pointer alone, mapped before, does not hold.
      local whole="$deref before-pointer pointer-data pointer-enter"
      member_shape this p n "$whole"; combine
      member_shape this_p 'this->p' 'this->n' "$whole"; combine
      member_shape this_in in.p in.n "$whole"; combine
    fi
    shape tmpl "X d[10]; SX<X> s; s.n = 100; s.p = d;" s.p s s.n
    head="template<typename X> $head" call='NAME<int> ()'; combine
    shape tmplt "X d[10]; SX<X> s, *t = &s; s.n = 100; s.p = d;" 't->p' 't[0:1]' 't->n' "$deref"
    head="template<typename X> $head" call='NAME<int> ()'; combine
  fi
  cat <<END
int main (int argc, char **argv)
{
  number = argc - 1, names = argv + 1;
$calls
  printf ("%d of %d failed\n", failed, done);
  return failed != 0;
}
END
}

# ---- Fortran ----

fortran_shape () # NAME DECLARATIONS COMPONENT VARIABLE NUMBER [WITHOUT]
{
  local shape=$1 declarations=$2 component=$3 variable=$4 number=$5 without=${6:-}
  local before list construct first last name items pre post on enter exit add region
  for before in none struct pointer pointee all; do
    for list in nothing section part struct; do
      case $before-$list in all-nothing) ;; *-nothing|pointer-struct) continue ;; esac
      for construct in target data enter; do
	case $construct-$list in data-nothing|enter-nothing) continue ;; esac
	if [[ " $without " == *" $list "* || " $without " == *" before-$before "* ]]; then continue; fi
	first=1 last=10 items=$component add=100
	[ $list != part ] || first=3 last=7 items="$component(3:7)"
	name=${shape}_${before}_${list}_$construct
	case $before in
	  none) pre='' post='' ;;
	  struct) pre="!\$omp target enter data map(to: $variable)"
		  post="!\$omp target exit data map(release: $variable)" ;;
	  pointer) pre="!\$omp target enter data map(to: $component)"
		   post="!\$omp target exit data map(from: $component)" ;;
	  pointee) pre="!\$omp target enter data map(to: b)"
		   post="!\$omp target exit data map(from: b)" ;;
	  all) pre="!\$omp target enter data map(to: $variable)
  !\$omp target enter data map(to: $component)"
	       post="!\$omp target exit data map(from: $component)
  !\$omp target exit data map(release: $variable)" ;;
	esac
	case $list in
	  nothing) on='' enter='' exit='' ;;
	  section|part) on="map(tofrom: $items)" enter="map(to: $items)" exit="map(from: $items)" ;;
	  struct) on="map(to: $variable) map(tofrom: $items)" enter="map(to: $variable, $items)"
		  exit="map(from: $items) map(release: $variable)" ;;
	esac
	case $before-$list in struct-*|all-*|*-struct) add=$number ;; esac
	region="  do i = $first, $last
      $component(i) = $component(i) + $add
    end do
  !\$omp end target"
	case $construct in
	  target) region="!\$omp target $on
  $region" ;;
	  data) region="!\$omp target data $on
  !\$omp target map(tofrom: $items)
  $region
  !\$omp end target data" ;;
	  enter) region="!\$omp target enter data $enter
  !\$omp target map(tofrom: $items)
  $region
  !\$omp target exit data $exit" ;;
	esac
	# With a structure GCC maps its allocatable components on enter data, but lists none on exit data.
	[ $shape = al ] && post+=$'\n  !$omp target exit data map(delete: b)'
	cat <<END
subroutine $name ()
  use shapes
  implicit none
  $declarations
  integer, target :: d(10)
  integer, pointer :: b(:)
  integer :: i
  d = 0
  $make
  b => $component
  b = [(i, i = 1, 10)]
  $pre
  $region
  !\$omp target update from(b)
  $post
  call check ("$name", b, $first, $last)
end subroutine
END
	calls+="  if (want (\"$name\")) call $name ()"$'\n'
      done
    done
  done
}

write_fortran ()
{
  local make
  calls=
  cat <<'END'
module shapes
  use omp_lib
  use iso_c_binding
  implicit none
  type :: inner
    integer :: fill(3)
    integer, pointer :: pt(:)
  end type
  type :: outer
    integer :: fill(5), n
    integer, pointer :: pt(:), qt(:)
    type (inner) :: in
  end type
  type :: owner
    integer :: fill(5), n
    integer, allocatable :: al(:)
  end type
  integer :: failed = 0, done = 0
contains
  logical function want (name)
    character (*), intent (in) :: name
    character (100) :: argument
    integer :: i
    want = command_argument_count () == 0
    do i = 1, command_argument_count ()
      call get_command_argument (i, argument)
      want = want .or. argument == name
    end do
  end function
  subroutine check (name, d, first, last)
    character (*), intent (in) :: name
    integer, pointer, intent (in) :: d(:)
    integer, intent (in) :: first, last
    integer :: i, bad, left
    bad = 0
    left = 0
    if (omp_get_num_devices () > 0) left = omp_target_is_present (c_loc (d(1)), 0)
    do i = 1, 10
      if (d(i) /= i + merge (100, 0, i >= first .and. i <= last)) bad = bad + 1
    end do
    if (bad /= 0 .or. left /= 0) then
      print '(2a,i0,a,i0)', name, ': ', bad, ' wrong, still mapped: ', left
      failed = failed + 1
    end if
    done = done + 1
  end subroutine
end module
END
  make='v%pt => d; v%n = 100'
  fortran_shape pt 'type (outer) :: v' v%pt v v%n
  make='allocate (v); v%pt => d; v%n = 100'
  # GCC 12 lists nothing for the pointer to the structure: doc/map-orders.md.
  if [ "$major" -ge 14 ]; then
    fortran_shape ptp 'type (outer), pointer :: v' v%pt v v%n
    fortran_shape pta 'type (outer), allocatable :: v' v%pt v v%n
  fi
  make='v%in%pt => d; v%n = 100'
  fortran_shape in 'type (outer) :: v' v%in%pt v v%n
  if [ "$major" -ge 16 ]; then
    make='allocate (v%al(10)); v%n = 100'
    fortran_shape al 'type (owner), target :: v' v%al v v%n
  fi
  cat <<END
program map_shapes
  use shapes
  implicit none
$calls
  print '(i0,a,i0,a)', failed, ' of ', done, ' failed'
  if (failed /= 0) stop 1
end program
END
}

# ---- The test ----

write () # LANGUAGE VERSION
{
  lang=$1 major=$2
  case $lang in
    c|c++) write_c ;;
    fortran) write_fortran ;;
  esac
}

if [ "${1:-}" = --write ]; then
  write "$2" "$3"
  exit 0
fi

. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
run () # LANGUAGE SUFFIX COMPILER...
{
  local language=$1 suffix=$2 version; shift 2
  version=$("$@" -dumpversion) || { echo "no compiler for $language"; return; }
  write "$language" "${version%%.*}" > "$tmp/shapes.$suffix"
  if ! "$@" -O0 -w -fopenmp "$tmp/shapes.$suffix" -o "$tmp/shapes" > "$tmp/out" 2>&1; then
    head -20 "$tmp/out"
    # Nobody has looked at what this version of the compiler cannot do.
    if grep -q 'internal compiler error' "$tmp/out"; then crashed=yes; return; fi
    bad "$language: the shapes do not compile"
    return
  fi
  # The same on the host, so that it is the program that is right.
  GOMP_CPU_DEVICES=0 OMP_TARGET_OFFLOAD=disabled "$tmp/shapes" > "$tmp/host" 2>&1 \
    || { cat "$tmp/host"; bad "$language: wrong on the host"; }
  OMP_TARGET_OFFLOAD=mandatory "$tmp/shapes" > "$tmp/device" 2>&1 \
    || { cat "$tmp/device"; bad "$language: wrong on the device"; }
  cmp -s "$tmp/host" "$tmp/device" \
    || { diff "$tmp/host" "$tmp/device"; bad "$language: not the same"; }
  grep -q '^0 of [1-9][0-9][0-9]* failed$' "$tmp/device" || bad "$language: nothing was tried"
  tail -1 "$tmp/device"
}
crashed=no
run c c "${cc[@]}"
run c++ cc "${cxx[@]}"
run fortran f90 "${fc[@]}"
[ $status != 0 ] || [ $crashed = no ] || exit 77
exit $status
