# device.mk -- the device runtime for AMD GPUs, from C to archives: a Makefile of its own (GNU make).
#
#   make -f device.mk TOP=SOURCE-TREE OUT=DIRECTORY CC=gcc-12 \
#     ACCEL=x86_64-linux-gnu-accel-amdgcn-amdhsa-gcc-12 MULTILIBS='. gfx900' \
#     SOURCES='config/accel/start.c ...'
#
# makes DIRECTORY/MULTILIB/libgomp.a for each multilib, "." being the default one.  find-compiler.sh tells CC,
# ACCEL and MULTILIBS.  library.am runs it in a build, tests with other compilers.  The steps (abi/gcn,
# section 4):
#   1. The host's compiler, with -flto: there is no C front end for the device.  It writes byte code
#      only, so that no host assembler meets the assembly statements.  Once for all multilibs.
#   2. The offload compiler makes assembly of it.
#   3. The sections that are tables of an image's variables and functions go: they would be added to the
#      program's.
#   4. The offload compiler's assembler.

TOP =
OUT =
CC = gcc
ACCEL =
MULTILIBS = .
SOURCES =
CPPFLAGS =
CFLAGS = -std=gnu11 -O2 -Wall -Wextra -Wno-deprecated-openmp

# Sources are compiled in groups: what nearly every program needs, and what programs use together.  Three
# things must not be in a group with what is needed without them: barrier-wait.c (barrier.c
# tells why), the tasks, and __gomp_indirect_addr_map, which the plugin looks for.
core = start entry barrier meet parallel parallel-loop teams icv work single sections iter loop next divide ordered task-state
sync = critical critical-text lock
ull = loop-ull doacross variadic
wait = barrier-wait meet-wait cancel
tasks = task task-text task-queue task-run task-depend taskgroup reduction
api = fortran affinity interop time message
memory = alloc allocator pool
host = reverse reverse-text service
small = atomic-small atomic-fetch
groups = core sync ull wait tasks api memory host small
# The C library has what these define.
without = exit print

own = critical-text entry meet meet-wait next reverse-text task-text variadic atomic-fetch
names = $(filter-out $(without),$(basename $(notdir $(SOURCES)))) $(own)
units = $(groups) $(filter-out $(foreach g,$(groups),$($(g))),$(names))
headers = $(wildcard $(TOP)/config/accel/*.h $(TOP)/config/gcn/*.h) $(TOP)/plugin/reverse-bytes.h \
	$(TOP)/plugin/slots-proto.h $(TOP)/include/gompx.h
recipe = $(TOP)/config/gcn/device.mk

# -fno-builtin: calls of malloc and memcpy are those that the device's C library has.  -fno-tree-vectorize: code for one
# lane; GCC 16 puts pairs of words into lanes of one register, one after the other, and has lost some in taskloop.c.
first = $(CC) -fopenmp -foffload=amdgcn-amdhsa -flto -fno-fat-lto-objects -fno-exceptions -fno-builtin \
	-fno-tree-vectorize $(CFLAGS) \
	-I$(TOP)/config/gcn -I$(TOP)/config/accel -I$(TOP)/plugin $(CPPFLAGS)
second = env GCC_OFFLOAD_OMP_REQUIRES_FILE=$(OUT)/requires $(ACCEL) -xlto -m64 -mgomp \
	-fno-openacc -fopenmp -foffload-abi=lp64 -O2
march = $(if $(filter .,$1),,-march=$1)

all: $(MULTILIBS:%=$(OUT)/%/libgomp.a)

$(OUT)/%.unit.c: $(recipe)
	@mkdir -p $(OUT)
	@for name in $(or $($*),$*); do \
	   echo "#include \"$$name.c\""; \
	 done > $@

# variadic.c has the entry points of these names.
$(OUT)/%.lto: $(OUT)/%.unit.c $(headers) $(SOURCES:%=$(TOP)/%) $(own:%=$(TOP)/config/gcn/%.c)
	$(first) $(if $(filter ull,$*),-DGOMP_doacross_wait=accel_doacross_wait \
	  -DGOMP_doacross_ull_wait=accel_doacross_ull_wait) -c $< -o $@

define multilib
$(OUT)/$1/%.raw.s: $(OUT)/%.lto
	@mkdir -p $(OUT)/$1
	$(second) $(call march,$1) $$< -S -o $$@

$(OUT)/$1/%.s: $(OUT)/$1/%.raw.s
	awk '/^[ \t]*\.section[ \t]/ { drop = $$$$2 ~ /^\.gnu\.offload_(vars|funcs|ind_funcs)/ } \
	     /^[ \t]*\.(text|data|bss|ident)([ \t]|$$$$)/ { drop = 0 } !drop' $$< > $$@.new
	@mv $$@.new $$@

$(OUT)/$1/%.o: $(OUT)/$1/%.s
	$(ACCEL) -c $(call march,$1) $$< -o $$@

$(OUT)/$1/libgomp.a: $(units:%=$(OUT)/$1/%.o)
	@rm -f $$@ $$(filter-out $$^,$$(wildcard $(OUT)/$1/*.o))
	$(AR) rcs $$@ $$^
endef
# Run where the compiler runs.
AR = $(filter-out $(lastword $(ACCEL)),$(ACCEL)) $(shell $(ACCEL) -print-prog-name=ar)
$(foreach m,$(MULTILIBS),$(eval $(call multilib,$m)))

.PHONY: all
.SECONDARY:
.DELETE_ON_ERROR:
