# device.mk -- the device runtime for NVIDIA GPUs, from C to PTX: a Makefile of its own (GNU make).
#
#   make -f device.mk TOP=SOURCE-TREE OUT=DIRECTORY CC=gcc-12 \
#     ACCEL=x86_64-linux-gnu-accel-nvptx-none-gcc-12 SOURCES='config/accel/start.c ...'
#
# makes DIRECTORY/NAME.o for each source, all of them PTX text, and libgomp.a of
# them; what nearly every program needs is one of them, core.o.  find-compiler.sh tells CC and ACCEL.  library.am runs it in a build, tests with other
# compilers.  doc/device-runtime.md explains the steps; why they are these is a matter of
# what the compilers can do:
#   1. The host's compiler, with -flto: there is no C front end for the device.  It writes byte code
#      only, so that no host assembler meets the assembly statements.
#   2. The offload compiler makes PTX of it.
#   3. Lines that begin with "//:" go: they tell the linker of variables and functions that
#      it would add to the program's image tables.  So do comments about assembly statements, which
#      name the source tree.  The declarations of what shared.s defines come in.
#   4. Accesses to the block's state become ones to shared memory: shared.awk.
#   5. In functions of libm, additions and multiplications get the .rn without which the driver's compiler may make one
#      operation of two, and the objects a line by which the plugin knows them (plugin/nvptx-subst.c).
#   6. The offload compiler's assembler puts declarations before uses.

TOP =
OUT =
CC = gcc
ACCEL =
SOURCES =
# Functions of libm, config/math/NAME.c: each is an object of its own, math-NAME.o.
MATH =
CPPFLAGS =
CFLAGS = -std=gnu11 -O2 -Wall -Wextra -Wno-deprecated-openmp
# For all compilers: the oldest GPUs that the oldest one makes code for by default.
TARGET = -misa=sm_30
AR = ar

# What nearly every program needs is one object: each costs the driver 5 ms when it links.  Shared memory is
# part of it.
core = start barrier parallel teams icv
# Lane mode: what warps call is like other files, what lanes call is one object (lanes/unit.c).
lanes = region region-loop unit
math = $(basename $(notdir $(MATH)))
names = core $(filter-out $(core),$(basename $(notdir $(SOURCES)))) $(lanes:%=lanes-%) $(math:%=math-%)
objects = $(names:%=$(OUT)/%.o)
headers = $(wildcard $(TOP)/config/accel/*.h $(TOP)/config/nvptx/*.h $(TOP)/config/nvptx/lanes/*.h) $(TOP)/plugin/reverse-bytes.h \
	$(TOP)/plugin/slots-proto.h $(TOP)/plugin/print-proto.h $(TOP)/include/gompx.h
recipe = $(TOP)/config/nvptx/device.mk

# -fno-builtin: calls of malloc and memcpy are those that the device's C library has.
first = $(CC) -fopenmp -foffload=nvptx-none -flto -fno-fat-lto-objects -fno-builtin $(CFLAGS) \
	-I$(TOP)/config/nvptx -I$(TOP)/config/accel -I$(TOP)/plugin $(CPPFLAGS)
second = env GCC_OFFLOAD_OMP_REQUIRES_FILE=$(OUT)/requires $(ACCEL) -xlto -m64 \
	-fno-openacc -foffload-abi=lp64 -O2
# Without -mgomp each lane is on its own, and its frames are in .local memory.
uniform = -mgomp $(TARGET)
each_lane = -misa=sm_70 -mptx=6.3
assemble = $(ACCEL) -m64 -mgomp -Wa,--no-verify -c

all: $(OUT)/libgomp.a

# plain ar: the archive's index is for host linkers only.
$(OUT)/libgomp.a: $(objects)
	@rm -f $@ $(filter-out $(objects),$(wildcard $(OUT)/*.o))
	$(AR) rcS $@ $(objects)

$(OUT)/%.o: $(OUT)/%.s
	$(assemble) $< -o $@

# The declarations of those variables that it uses; in core.s the definition.
shared = gompx_block gompx_pool
near = $(TOP)/config/nvptx/shared.awk
# Functions that are never called in simd code.
in_uniform_code = ^(GOMP_(barrier|parallel|teams4)|gomp_nvptx_main|run_serial|accel_(active|serial|barrier)_?.*)$$
$(OUT)/%.s: $(OUT)/%.raw.s $(shared:%=$(OUT)/%.inc) $(OUT)/gompx_modes.inc $(near)
	@for name in $(shared); do \
	   if grep -q "[^a-z_]$$name[^a-z_]" $<; then cat $(OUT)/$$name.inc; fi; \
	 done > $@.inc
	@test $* != lanes-unit || cat $(OUT)/gompx_modes.inc >> $@.inc
	@test $* != core \
	  || { sed -e '/gompx_block/s/DECL:/DEF:/; /gompx_block/s/\.extern/.visible/' $@.inc > $@.def && mv $@.def $@.inc; }
	sed -e '/^\/\/:/d' -e '/^[ 	]*\/\/ #\(NO_\)\?APP/d' -e '/^[ 	]*\/\/ [0-9]* "/d' \
	  -e '/^\/\/ END PREAMBLE/r $@.inc' $< > $@.new
	case $* in math-*) sed -e 's/^\([ 	]*\(@!\{0,1\}%r[0-9]*[ 	]*\)\{0,1\}\(add\|sub\|mul\)\)\(\.f\(32\|64\)\)/\1.rn\4/' \
	    -e '/^\/\/ END PREAMBLE/a// GOMPX MATH' $@.new > $@.math && mv $@.math $@.new ;; esac
	test $* = lanes-unit || { awk -v UNIFORM='$(in_uniform_code)' -f $(near) $@.new > $@.near && mv $@.near $@.new; }
	@rm $@.inc; mv $@.new $@

$(OUT)/%.raw.s: $(OUT)/%.lto
	$(second) $(uniform) $< -S -o $@

# Shared memory.  The size of gompx_block is that of struct accel_block, as the compiler has it.
$(OUT)/size.lto: $(TOP)/config/nvptx/size.c $(headers) $(recipe)
	@mkdir -p $(OUT)
	$(first) -c $< -o $@

$(OUT)/core.unit.c: $(recipe)
	@mkdir -p $(OUT)
	@for name in $(core); do echo "#include \"$$name.c\""; done > $@

$(OUT)/core.lto: $(OUT)/core.unit.c $(core:%=$(TOP)/config/accel/%.c) $(headers)
	$(first) -c $< -o $@

$(OUT)/%.lto: $(TOP)/config/accel/%.c $(headers) $(recipe)
	@mkdir -p $(OUT)
	$(first) -c $< -o $@

$(OUT)/lanes-%.lto: $(TOP)/config/nvptx/lanes/%.c $(headers) $(recipe)
	@mkdir -p $(OUT)
	$(first) -I$(TOP)/config/nvptx/lanes -c $< -o $@

# The same bits as on the host, where tests compare them with exact results.
$(OUT)/math-%.lto: $(TOP)/config/math/%.c $(wildcard $(TOP)/config/math/*.h) $(recipe)
	@mkdir -p $(OUT)
	$(first) -I$(TOP)/config/math -DMATH_NVPTX -ffp-contract=off -fno-math-errno -fno-trapping-math -c $< -o $@

# What lanes call.  Its machine.h comes first, and what it defines gets names of its own.
$(OUT)/lanes-unit.lto: $(TOP)/config/nvptx/lanes/unit.c $(TOP)/config/nvptx/lanes/run.c \
	$(wildcard $(TOP)/config/accel/*.c) $(headers) $(recipe)
	@mkdir -p $(OUT)
	$(first:-I$(TOP)/config/nvptx=-I$(TOP)/config/nvptx/lanes -I$(TOP)/config/nvptx) -c $< -o $@

$(OUT)/lanes-unit.raw.s: $(OUT)/lanes-unit.lto
	$(second) $(each_lane) $< -S -o $@.new
	awk -f $(TOP)/config/nvptx/lanes/rename.awk $@.new $@.new > $@.renamed
	@rm $@.new; mv $@.renamed $@

# Version and target of PTX are those that the compiler chose for the other objects.
fill = sed -e "s/@SIZE@/`sed -n 's/.*gompx_block_size\[1\] *= *{ *\([0-9]*\) *}.*/\1/p' $(OUT)/size.raw.s`/" \
	-e "s/@PTX@/`sed -n 's/^[ 	]*\.version[ 	]*//p' $(OUT)/size.raw.s`/" \
	-e "s/@TARGET@/`sed -n 's/^[ 	]*\.target[ 	]*//p' $(OUT)/size.raw.s`/"

$(OUT)/%.inc: $(TOP)/config/nvptx/%.inc.in $(OUT)/size.raw.s
	$(fill) $< > $@.new
	@! grep -q 'gompx_block\[\]' $@.new || { echo "device.mk: the size of gompx_block is not known" >&2; exit 1; }
	@mv $@.new $@

# The objects, in the order of the sources.
list:
	@echo $(objects)

.PHONY: all list
.SECONDARY:
.DELETE_ON_ERROR:
