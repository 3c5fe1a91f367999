/* fake-cuda.h -- the stand-in driver (libcuda.so.1) of the test mode "fake", for tests.

   What it is like
   - Device memory has addresses of its own.  Only kernels may touch it: the host, and a kernel
     that touches what is not allocated, fault.  New memory is full of 0xdb.
   - A kernel is a function of the program, found by name: main$_omp_fn$0 of the image is the
     function main._omp_fn.0 (its symbol table is read), called with the first parameter, the
     argument block, once for each launch, in the thread of the stream.  In there omp_* routines and
     variables are the host's own.  A test may register a function for a name instead, and
     gets the whole launch.
   - With FAKE_CUDA_PTX=1 the PTX itself is executed instead (testsuite/ptx-sim), with all that it prints and
     all errors; but functions that a test registers go first.  Occupancy and such are from what the simulator finds in
     the text.  PTX_SIM_* are the simulator's settings.  Why a kernel failed is told on stderr, "ptx-sim: ...",
     which fails a test that does not ask for it; a trap, by which programs end on purpose, "ptx-trap: ...".
   - Copies from pageable memory read it in the call up to 64 KiB, and wait in the call beyond;
     copies to pageable memory wait.  Pinned memory is read and written when the stream gets there.
   - An operation that touches wrong memory, a kernel that calls abort or traps: the context is
     dead with 700, 719 or 715, and every call that uses it says so.
   - A copy or fill keeps within one allocation, or one variable of a module, as drivers want it.
   - What a program must not do is told on stderr, "fake-cuda: misuse: ...", and fails a test.

   Environment
     FAKE_CUDA_DEVICES=N        devices (1); CUDA_VISIBLE_DEVICES chooses among them
     FAKE_CUDA_MEMORY=MIB       memory of each device (256)
     FAKE_CUDA_LOG=FILE         every call and every executed operation, a line each
     FAKE_CUDA_LEAKS=1          what is not released at exit is told, "fake-cuda: leak: ...", and fails
				the test
     FAKE_CUDA_FAIL=NAME:N:CODE[,...]   the Nth call of a function (cuMemAlloc_v2, or cuMemAlloc)
				fails; N 0: each one.  NAME any: all functions that can fail, counted
				together.  NAME kernel, copy, fill, op: when the Nth one is
				executed; this kills the context.  CODE may be left out (999).
				Says so on stderr, "fake-cuda: call N of NAME fails".
     FAKE_CUDA_HANG=NAME:N[:MS][,...]   the same, and it never comes back, or does as ever after MS
     FAKE_CUDA_SYNC=NAME,...    these functions, and with load the first use of a kernel by cuFuncLoad or
				a launch, wait until no kernel runs, and other calls wait for
				them: what a driver may do to calls that change what kernels use
     FAKE_CUDA_DELAY_US=N       every operation takes that much longer; NAME:N,... for kernel, copy,
				fill only
     FAKE_CUDA_LINK_US=N        the compiler takes that long for each KiB of PTX (0)
     FAKE_CUDA_MISSING=NAME,... functions that this driver has not got (cuGetProcAddress)
     FAKE_CUDA_PTX=1            kernels are executed as PTX
     FAKE_CUDA_CLOSE=1          with it: variables of a module lie as close together as they can, as with a real
				driver, so that what goes beyond one of them is in the next one
     FAKE_CUDA_REGISTERS=N      registers of every kernel (32; of PTX that is executed, what it seems to need)
     FAKE_CUDA_SPILLS=N:M       bytes that a function of each text spills, without a cap and with one; told
                                in remarks of the compiler, of which there are none otherwise
     FAKE_CUDA_MAX_THREADS=N    threads per block of every kernel (1024)
     FAKE_CUDA_ATTRIBUTE=ID:VALUE,...   device attributes
     FAKE_CUDA_NO_PEER=1        no peer access between devices
     FAKE_CUDA_VERSION=N        of the driver (12040)
     FAKE_CUDA_CLOCK=kernels    events note no real time, but how long the kernels of their stream took by what
				they said (fake_cuda_takes)

   A test gets at the functions below by dlsym on dlopen ("libcuda.so.1").  */

#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A launch, as a registered kernel sees it.  */
struct fake_cuda_launch
{
  const char *name;
  unsigned grid[3], block[3], shared;
  unsigned num_params;
  void **params;		/* address of each parameter */
  void *module;
};

typedef void fake_cuda_kernel_fn (const struct fake_cuda_launch *);

#pragma GCC visibility push (default)

/* Kernels called NAME in any module are FUNCTION.  */
void fake_cuda_register (const char *name, fake_cuda_kernel_fn *function);
/* In a kernel: the device address of a variable or function of its module, 0 if there is none;
   *SIZE may be NULL.  */
uint64_t fake_cuda_symbol (const char *name, size_t *size);
/* In a kernel: it takes so long, with FAKE_CUDA_CLOCK=kernels.  */
void fake_cuda_takes (uint64_t ns);
/* Tell what is not released on stderr; how much that is.  */
unsigned fake_cuda_leaks (void);
/* How often the driver's function NAME was called.  */
unsigned long fake_cuda_calls (const char *name);
/* The driver's function NAME calls FUNCTION first, each time; one name at a time, before it is called.  */
void fake_cuda_first (const char *name, void (*function) (void));
/* Begin no operation of any stream from now on, or go on with them.  */
void fake_cuda_hold (bool hold);
/* Bytes of device memory, for looking at them from outside of kernels; NULL: not allocated.  */
void *fake_cuda_view (uint64_t device_address);

#pragma GCC visibility pop

#endif /* FAKE_CUDA_H */
