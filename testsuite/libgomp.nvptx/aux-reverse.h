/* aux-reverse.h -- device code that calls the host as GCC's device library does, for kernels of the
   stand-in driver (fake-cuda.h).

   The tables and the block are those of abi/nvptx section 4.  A kernel is registered with
   fake_cuda_register; its soft stack holds the arrays of the call, as a GPU's would.  The function for the
   host is called NAME.nohost.0 by the assembler: HOST_PART (NAME) begins it.  */

#ifndef AUX_REVERSE_H
#define AUX_REVERSE_H 1

#define AUX_IMAGE_REQUIRES 0x280
#include "aux-image.h"
#include "aux-fake.h"
#include "../libgomp.offload/aux-direct.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define HOST_PART(name)								\
  void name (void *) __asm__ (#name ".nohost.0");				\
  void (*name##_entry) (void *)							\
    __attribute__ ((used, section (".gnu.offload_funcs"))) = name;		\
  void name (void *name##_arg)

struct reverse_block
{
  _Atomic uint64_t function;
  uint64_t mapnum, hostaddrs, sizes, kinds;
  int device;
};

static pthread_mutex_t reverse_lock = PTHREAD_MUTEX_INITIALIZER;	/* the device library's */

/* On the device: call the host's part NAME with N items, whose arrays are at the device addresses
   ADDRS, SIZES and KINDS.  */
static void __attribute__ ((unused))
call_host_at (const char *name, size_t n, uint64_t addrs, uint64_t sizes, uint64_t kinds)
{
  char symbol[100];
  snprintf (symbol, sizeof (symbol), "%s$nohost$0", name);
  uint64_t function = FAKE_CUDA (fake_cuda_symbol) (symbol, NULL);
  uint64_t *variable = (uint64_t *) FAKE_CUDA (fake_cuda_symbol) ("__gomp_rev_offload_var", NULL);
  if (function == 0 || variable == NULL || *variable == 0)
    {
      fprintf (stderr, "no way to the host\n");
      abort ();
    }
  struct reverse_block *block = *(struct reverse_block **) variable;
  pthread_mutex_lock (&reverse_lock);
  block->mapnum = n;
  block->hostaddrs = addrs;
  block->sizes = sizes;
  block->kinds = kinds;
  block->device = 0;
  atomic_store_explicit (&block->function, function, memory_order_release);
  while (atomic_load_explicit (&block->function, memory_order_acquire) != 0)
    sched_yield ();
  pthread_mutex_unlock (&reverse_lock);
}

/* The same with arrays of the caller's.  */
static void __attribute__ ((unused))
call_host (const struct fake_cuda_launch *launch, const char *name, size_t n, const uint64_t *addrs,
	   const uint64_t *sizes, const uint16_t *kinds)
{
  /* The top of the first warp's stack; the rest of it is the kernel's.  */
  char *top = *(char **) launch->params[1] + *(uint64_t *) launch->params[2];
  uint64_t *a = (uint64_t *) (top - 16 * (n + 1)), *s = (uint64_t *) ((char *) a - 8 * n);
  uint16_t *k = (uint16_t *) ((char *) s - 8 * ((2 * n + 7) / 8));
  if (n > 0)
    {
      memcpy (a, addrs, 8 * n);
      memcpy (s, sizes, 8 * n);
      memcpy (k, kinds, 2 * n);
    }
  call_host_at (name, n, (uintptr_t) a, (uintptr_t) s, (uintptr_t) k);
}

#endif /* AUX_REVERSE_H */
