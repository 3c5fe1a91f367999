/* memory.c -- memory of the stand-in driver: device memory, pinned and managed memory, and what is
   known about an address.

   The memory of a device is a file in memory, mapped twice: at device addresses, and where only
   the driver looks.  Pages at device addresses can be accessed while a kernel runs and only
   where a block is; between two blocks lies a page that belongs to nobody.  Addresses are used
   again as late as possible.

   Everything is protected by fake_lock.  */

#define _GNU_SOURCE 1
#include "fake.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, POISON = 0xdb, SPACES = 16, REMEMBERED = 256 };

static struct
{
  char *base;			/* device addresses, [base, base + span) */
  char *view;			/* the same bytes for the driver */
  uint8_t *shadow;		/* where kernels are executed as PTX: which of them were ever set */
  int fd;
  size_t span, used, limit;
  size_t cursor;		/* where the next block is looked for */
} arenas[FAKE_MAX_DEVICES];

/* All blocks, by address.  */
static struct fake_block *blocks;
static size_t num_blocks, max_blocks;
static unsigned running;	/* kernels */
static unsigned open_kernels;	/* those that are functions of the program */
/* Raised under the lock; kernels look at it without.  */
_Atomic uint64_t fake_memory_generation;

/* What was freed last: for messages.  */
static struct fake_block freed[REMEMBERED];
static size_t num_freed;

static size_t
pages (size_t size)
{
  return (size + PAGE - 1) / PAGE * PAGE;
}

bool
fake_memory_start (void)
{
  size_t memory = fake_setting ("FAKE_CUDA_MEMORY", 256) << 20;
  for (int i = 0; i < fake_num_devices; i++)
    {
      size_t span = memory * SPACES;
      arenas[i].fd = memfd_create ("fake-cuda", MFD_CLOEXEC);
      if (arenas[i].fd < 0 || ftruncate (arenas[i].fd, (off_t) span) != 0)
	return false;
      arenas[i].base = mmap (NULL, span, PROT_NONE, MAP_SHARED | MAP_NORESERVE, arenas[i].fd, 0);
      arenas[i].view = mmap (NULL, span, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
			     arenas[i].fd, 0);
      if (arenas[i].base == MAP_FAILED || arenas[i].view == MAP_FAILED)
	return false;
      /* A child that touched them would change the parent's.  */
      madvise (arenas[i].base, span, MADV_DONTFORK);
      madvise (arenas[i].view, span, MADV_DONTFORK);
      madvise (arenas[i].view, span, MADV_DONTDUMP);
      if (fake_executes ())
	{
	  arenas[i].shadow = mmap (NULL, span, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	  if (arenas[i].shadow == MAP_FAILED)
	    return false;
	  madvise (arenas[i].shadow, span, MADV_DONTDUMP);
	}
      arenas[i].span = span;
      arenas[i].limit = memory;
    }
  return true;
}

/* ---- the list of blocks ---- */

/* Index of the first block that ends behind ADDR.  */
static size_t
block_index (uint64_t addr)
{
  size_t low = 0, high = num_blocks;
  while (low < high)
    {
      size_t middle = (low + high) / 2;
      if (blocks[middle].start + blocks[middle].room <= addr)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

static void
add_block (const struct fake_block *block)
{
  if (num_blocks == max_blocks)
    {
      max_blocks = max_blocks == 0 ? 64 : max_blocks * 2;
      blocks = realloc (blocks, max_blocks * sizeof (*blocks));
      if (blocks == NULL)
	abort ();
    }
  size_t i = block_index (block->start);
  memmove (&blocks[i + 1], &blocks[i], (num_blocks - i) * sizeof (*blocks));
  blocks[i] = *block;
  num_blocks++;
}

static void
remove_block (struct fake_block *block)
{
  size_t i = (size_t) (block - blocks);
  /* Release: kernels that see it do not use the block any more.  */
  atomic_fetch_add_explicit (&fake_memory_generation, 1, memory_order_release);
  freed[num_freed++ % REMEMBERED] = *block;
  memmove (&blocks[i], &blocks[i + 1], (num_blocks - i - 1) * sizeof (*blocks));
  num_blocks--;
}

struct fake_block *
fake_find (uint64_t addr, size_t size)
{
  size_t i = block_index (addr);
  if (i == num_blocks || addr < blocks[i].start || addr - blocks[i].start > blocks[i].size
      || size > blocks[i].size - (addr - blocks[i].start))
    return NULL;
  return &blocks[i];
}

static struct fake_block *
block_at (uint64_t start)
{
  size_t i = block_index (start);
  return i < num_blocks && blocks[i].start == start ? &blocks[i] : NULL;
}

static const struct fake_block *
freed_block (uint64_t addr)
{
  for (size_t i = 0; i < REMEMBERED && i < num_freed; i++)
    {
      const struct fake_block *b = &freed[(num_freed - 1 - i) % REMEMBERED];
      if (addr - b->start < b->size)
	return b;
    }
  return NULL;
}

static const char *
kind_name (enum fake_memory kind)
{
  static const char *const names[]
    = { "device memory", "variables of a module", "pinned memory", "registered memory",
	"managed memory" };
  return names[kind];
}

/* ---- device memory ---- */

static bool
is_device_kind (enum fake_memory kind)
{
  return kind == FAKE_DEVICE_BLOCK || kind == FAKE_MODULE_BLOCK;
}

static int
arena_of (uint64_t addr)
{
  for (int i = 0; i < fake_num_devices; i++)
    if (addr - (uintptr_t) arenas[i].base < arenas[i].span)
      return i;
  return -1;
}

bool
fake_in_arena (uint64_t addr)
{
  return arena_of (addr) >= 0;
}

void *
fake_host_view (uint64_t addr)
{
  int i = arena_of (addr);
  if (i < 0)
    return (void *) (uintptr_t) addr;
  return arenas[i].view + (addr - (uintptr_t) arenas[i].base);
}

uint8_t *
fake_shadow (const void *view)
{
  for (int i = 0; i < fake_num_devices; i++)
    {
      size_t offset = (uintptr_t) view - (uintptr_t) arenas[i].view;
      if (offset < arenas[i].span)
	return arenas[i].shadow != NULL ? arenas[i].shadow + offset : NULL;
    }
  return NULL;
}

void
fake_set (const void *view, size_t size)
{
  uint8_t *shadow = fake_shadow (view);
  if (shadow != NULL)
    memset (shadow, 1, size);
}

void *
fake_cuda_view (uint64_t addr)
{
  pthread_mutex_lock (&fake_lock);
  void *view = fake_find (addr, 1) != NULL ? fake_host_view (addr) : NULL;
  pthread_mutex_unlock (&fake_lock);
  return view;
}

static void
protect (const struct fake_block *block, int protection)
{
  if (is_device_kind (block->kind)
      && mprotect ((void *) (uintptr_t) block->start, block->room, protection) != 0)
    abort ();
}

/* A gap of ROOM bytes and a page in arena A at or behind FROM, or SPAN.  */
static size_t
find_gap (int a, size_t from, size_t room)
{
  uint64_t base = (uintptr_t) arenas[a].base, addr = base + from;
  for (size_t i = block_index (addr); addr + room + PAGE <= base + arenas[a].span; i++)
    {
      if (i == num_blocks || blocks[i].start >= addr + room + PAGE)
	return addr - base;
      addr = blocks[i].start + blocks[i].room + PAGE;
    }
  return arenas[a].span;
}

uint64_t
fake_alloc (struct CUctx_st *ctx, size_t size, enum fake_memory kind)
{
  int a = ctx->dev->ordinal;
  if (size > arenas[a].limit || pages (size) > arenas[a].limit - arenas[a].used)
    return 0;
  size_t room = pages (size), at = find_gap (a, arenas[a].cursor, room);
  if (at == arenas[a].span)
    at = find_gap (a, PAGE, room);
  if (at == arenas[a].span)
    return 0;
  arenas[a].cursor = at + room + PAGE;
  arenas[a].used += room;
  struct fake_block block = { .start = (uintptr_t) arenas[a].base + at, .size = size, .room = room,
			      .kind = kind, .ctx = ctx, .device = a };
  memset (arenas[a].view + at, POISON, size < 1 << 20 ? size : 1 << 20);
  add_block (&block);
  if (open_kernels != 0)
    protect (&block, PROT_READ | PROT_WRITE);
  return block.start;
}

bool
fake_free (uint64_t start)
{
  struct fake_block *block = block_at (start);
  if (block == NULL || !is_device_kind (block->kind))
    return false;
  int a = block->device;
  protect (block, PROT_NONE);
  if (fallocate (arenas[a].fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		 (off_t) (start - (uintptr_t) arenas[a].base), (off_t) block->room) != 0)
    memset (fake_host_view (start), POISON, block->room);
  uint8_t *shadow = fake_shadow (fake_host_view (start));
  if (shadow != NULL && madvise (shadow, block->room, MADV_DONTNEED) != 0)
    memset (shadow, 0, block->room);
  arenas[a].used -= block->room;
  remove_block (block);
  return true;
}

/* Calls that wait until running is 0.  */
static unsigned draining;
static pthread_cond_t drained = PTHREAD_COND_INITIALIZER;

void
fake_drain (void)
{
  pthread_mutex_lock (&fake_lock);
  draining++;
  while (running != 0)
    pthread_cond_wait (&drained, &fake_lock);
  if (--draining == 0)
    pthread_cond_broadcast (&drained);
  pthread_mutex_unlock (&fake_lock);
}

void
fake_wait_for_drain (void)
{
  pthread_mutex_lock (&fake_lock);
  while (draining != 0)
    pthread_cond_wait (&drained, &fake_lock);
  pthread_mutex_unlock (&fake_lock);
}

void
fake_kernel_begins (bool host)
{
  pthread_mutex_lock (&fake_lock);
  running++;
  if (host && open_kernels++ == 0)
    for (size_t i = 0; i < num_blocks; i++)
      protect (&blocks[i], PROT_READ | PROT_WRITE);
  pthread_mutex_unlock (&fake_lock);
}

void
fake_kernel_ends (bool host)
{
  pthread_mutex_lock (&fake_lock);
  if (host && --open_kernels == 0)
    for (size_t i = 0; i < num_blocks; i++)
      protect (&blocks[i], PROT_NONE);
  if (--running == 0 && draining != 0)
    pthread_cond_broadcast (&drained);
  pthread_mutex_unlock (&fake_lock);
}

CUresult
cuMemGetInfo_v2 (size_t *free_bytes, size_t *total_bytes)
{
  ENTER (cuMemGetInfo_v2);
  NEED_CONTEXT (ctx);
  *total_bytes = arenas[ctx->dev->ordinal].limit;
  *free_bytes = *total_bytes - arenas[ctx->dev->ordinal].used;
  pthread_mutex_unlock (&fake_lock);
  return CUDA_SUCCESS;
}

CUresult
cuMemAlloc_v2 (CUdeviceptr *ptr, size_t size)
{
  ENTER (cuMemAlloc_v2);
  if (ptr == NULL || size == 0)
    return CUDA_ERROR_INVALID_VALUE;
  NEED_CONTEXT (ctx);
  uint64_t start = fake_alloc (ctx, size, FAKE_DEVICE_BLOCK);
  if (start != 0)
    *ptr = start;
  pthread_mutex_unlock (&fake_lock);
  fake_log ("alloc %zu", size);
  return start != 0 ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static void
complain_of_free (uint64_t addr, const char *what)
{
  const struct fake_block *before = freed_block (addr);
  fake_misuse ("%s of %#lx, which is %s", what, (unsigned long) addr,
	       before != NULL && before->start == addr ? "freed already"
	       : fake_find (addr, 0) != NULL ? "memory of another kind, or not its beginning"
	       : "unknown");
}

CUresult
cuMemFree_v2 (CUdeviceptr ptr)
{
  ENTER (cuMemFree_v2);
  if (ptr == 0)
    return CUDA_SUCCESS;
  CUresult result;
  pthread_mutex_lock (&fake_lock);
  struct CUctx_st *ctx = fake_current (&result);
  struct fake_block *block = block_at (ptr);
  if (ctx == NULL && result != CUDA_ERROR_INVALID_CONTEXT)
    ;
  else if (block == NULL || (block->kind != FAKE_DEVICE_BLOCK && block->kind != FAKE_MANAGED_BLOCK))
    {
      complain_of_free (ptr, "cuMemFree");
      result = CUDA_ERROR_INVALID_VALUE;
    }
  else
    {
      /* The address says which context it is; a thread needs none.  */
      if (ctx != NULL && block->ctx != ctx)
	fake_misuse ("cuMemFree of memory of another context than the current one");
      /* It waits for everything that may use the block.  */
      result = fake_wait_context (block->ctx);
      block = block_at (ptr);
      if (result == CUDA_SUCCESS && block != NULL && block->kind == FAKE_MANAGED_BLOCK)
	{
	  munmap ((void *) (uintptr_t) block->start, block->room);
	  remove_block (block);
	}
      else if (result == CUDA_SUCCESS)
	fake_free (ptr);
    }
  pthread_mutex_unlock (&fake_lock);
  fake_log ("free");
  return result;
}

CUresult
cuMemGetAddressRange_v2 (CUdeviceptr *base, size_t *size, CUdeviceptr ptr)
{
  ENTER (cuMemGetAddressRange_v2);
  NEED_CONTEXT (ctx);
  struct fake_block *block = fake_find (ptr, 1);
  if (block != NULL && base != NULL)
    *base = block->start;
  if (block != NULL && size != NULL)
    *size = block->size;
  pthread_mutex_unlock (&fake_lock);
  return block != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

/* ---- memory of the host ---- */

static CUresult
new_host_block (struct CUctx_st *ctx, void **ptr, size_t size, enum fake_memory kind, bool mapped)
{
  size_t room = pages (size);
  /* A page that belongs to nobody behind it.  */
  char *memory = mmap (NULL, room + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return CUDA_ERROR_OUT_OF_MEMORY;
  mprotect (memory + room, PAGE, PROT_NONE);
  memset (memory, POISON, size < 1 << 20 ? size : 1 << 20);
  struct fake_block block = { .start = (uintptr_t) memory, .size = size, .room = room,
			      .kind = kind, .ctx = ctx, .device = ctx->dev->ordinal,
			      .mapped = mapped };
  add_block (&block);
  *ptr = memory;
  return CUDA_SUCCESS;
}

CUresult
cuMemHostAlloc (void **ptr, size_t size, unsigned flags)
{
  ENTER (cuMemHostAlloc);
  if (ptr == NULL || size == 0 || flags > 7)
    return CUDA_ERROR_INVALID_VALUE;
  NEED_CONTEXT (ctx);
  /* With unified addressing all of it is mapped.  */
  CUresult result = new_host_block (ctx, ptr, size, FAKE_PINNED_BLOCK, true);
  pthread_mutex_unlock (&fake_lock);
  fake_log ("pinned %zu", size);
  return result;
}

CUresult
cuMemFreeHost (void *ptr)
{
  ENTER (cuMemFreeHost);
  NEED_CONTEXT (ctx);
  struct fake_block *block = block_at ((uintptr_t) ptr);
  CUresult result = CUDA_SUCCESS;
  if (block == NULL || block->kind != FAKE_PINNED_BLOCK)
    {
      complain_of_free ((uintptr_t) ptr, "cuMemFreeHost");
      result = CUDA_ERROR_INVALID_VALUE;
    }
  else
    {
      result = fake_wait_context (block->ctx);
      block = block_at ((uintptr_t) ptr);
      if (result == CUDA_SUCCESS && block != NULL)
	{
	  /* The addresses are not used again: who still does faults.  */
	  mmap (ptr, block->room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
		-1, 0);
	  remove_block (block);
	}
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuMemHostGetDevicePointer_v2 (CUdeviceptr *ptr, void *host, unsigned flags)
{
  ENTER (cuMemHostGetDevicePointer_v2);
  NEED_CONTEXT (ctx);
  struct fake_block *block = fake_find ((uintptr_t) host, 1);
  bool good = flags == 0 && block != NULL && !is_device_kind (block->kind) && block->mapped;
  if (good)
    *ptr = (uintptr_t) host;
  pthread_mutex_unlock (&fake_lock);
  return good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Is there memory that the program may read, and WRITABLE: write, on all pages of [START, END)?  */
static bool
is_mapped (uint64_t start, uint64_t end, bool writable)
{
  FILE *maps = fopen ("/proc/self/maps", "re");
  char line[4200];
  unsigned long from, to;
  char may_read, may_write;

  if (maps == NULL)
    return true;		/* no descriptor is left: nobody knows */
  /* By address.  */
  while (start < end && fgets (line, sizeof (line), maps) != NULL)
    if (sscanf (line, "%lx-%lx %c%c", &from, &to, &may_read, &may_write) == 4 && from <= start && start < to
	&& may_read == 'r' && (may_write == 'w' || !writable))
      start = to;
  fclose (maps);
  return start >= end;
}

CUresult
cuMemHostRegister_v2 (void *ptr, size_t size, unsigned flags)
{
  ENTER (cuMemHostRegister_v2);
  if (size == 0 || ptr == NULL || flags > 15 || (uintptr_t) ptr + size < size)
    return CUDA_ERROR_INVALID_VALUE;
  NEED_CONTEXT (ctx);
  uint64_t start = (uintptr_t) ptr / PAGE * PAGE, end = pages ((uintptr_t) ptr + size);
  CUresult result = CUDA_SUCCESS;
  size_t i = block_index (start);
  if (i < num_blocks && blocks[i].start / PAGE * PAGE < end)
    result = CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  else if (!is_mapped (start, end, (flags & CU_MEMHOSTREGISTER_READ_ONLY) == 0))
    result = CUDA_ERROR_INVALID_VALUE;
  else
    {
      struct fake_block block = { .start = (uintptr_t) ptr, .size = size,
				  .room = end - (uintptr_t) ptr, .kind = FAKE_REGISTERED_BLOCK,
				  .ctx = ctx, .device = ctx->dev->ordinal, .mapped = true };
      add_block (&block);
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuMemHostUnregister (void *ptr)
{
  ENTER (cuMemHostUnregister);
  NEED_CONTEXT (ctx);
  struct fake_block *block = block_at ((uintptr_t) ptr);
  CUresult result = CUDA_SUCCESS;
  if (block == NULL || block->kind != FAKE_REGISTERED_BLOCK)
    result = CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  else
    {
      result = fake_wait_context (block->ctx);
      block = block_at ((uintptr_t) ptr);
      if (result == CUDA_SUCCESS && block != NULL)
	remove_block (block);
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuMemAllocManaged (CUdeviceptr *ptr, size_t size, unsigned flags)
{
  ENTER (cuMemAllocManaged);
  void *memory = NULL;
  if (ptr == NULL || size == 0 || (flags != CU_MEM_ATTACH_GLOBAL && flags != 2))
    return CUDA_ERROR_INVALID_VALUE;
  NEED_CONTEXT (ctx);
  CUresult result = fake_attribute (ctx->dev->ordinal, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY) == 0
		    ? CUDA_ERROR_NOT_SUPPORTED : new_host_block (ctx, &memory, size, FAKE_MANAGED_BLOCK, true);
  pthread_mutex_unlock (&fake_lock);
  if (result == CUDA_SUCCESS)
    *ptr = (uintptr_t) memory;
  return result;
}

/* Only where the bytes are would change.  */
CUresult
cuMemPrefetchAsync (CUdeviceptr ptr, size_t size, CUdevice device, CUstream stream)
{
  ENTER (cuMemPrefetchAsync);
  NEED_CONTEXT (ctx);
  CUresult result = CUDA_SUCCESS;
  struct fake_block *block = fake_find (ptr, size);
  if (block == NULL || block->kind != FAKE_MANAGED_BLOCK || device >= fake_num_devices)
    result = CUDA_ERROR_INVALID_VALUE;
  else
    fake_stream (stream, ctx, &result);
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuMemAdvise (CUdeviceptr ptr, size_t size, int advice, CUdevice device)
{
  ENTER (cuMemAdvise);
  NEED_CONTEXT (ctx);
  struct fake_block *block = fake_find (ptr, size);
  bool good = block != NULL && block->kind == FAKE_MANAGED_BLOCK && advice > 0
	      && device < fake_num_devices;
  pthread_mutex_unlock (&fake_lock);
  return good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- what an address is ---- */

bool
fake_may_use (struct CUctx_st *ctx, uint64_t addr, size_t size, const char *what)
{
  const struct fake_block *block = fake_find (addr, size);
  if (block == NULL)
    {
      const struct fake_block *before = freed_block (addr);
      if (before != NULL)
	fake_misuse ("%s uses %s at %#lx that was freed", what, kind_name (before->kind),
		     (unsigned long) addr);
      fake_log ("%s: bad address %#lx %zu", what, (unsigned long) addr, size);
      return false;
    }
  if (!is_device_kind (block->kind))
    return block->mapped;
  if (block->device != ctx->dev->ordinal && (ctx->peers & 1u << block->device) == 0)
    {
      fake_misuse ("%s in a context of device %d uses memory of device %d", what,
		   ctx->dev->ordinal, block->device);
      return false;
    }
  return true;
}

/* SIZE bytes are wanted at ADDR, where only LEFT bytes of NAME are left.  */
static bool
goes_beyond (const char *what, uint64_t addr, size_t size, const char *name, size_t left)
{
  fake_misuse ("%s of %zu bytes at %#lx goes beyond %s, of which %zu bytes are left there", what, size,
	       (unsigned long) addr, name, left);
  return false;
}

bool
fake_may_move (struct CUctx_st *ctx, uint64_t addr, size_t size, const char *what)
{
  const struct fake_block *block = fake_find (addr, 1);
  const char *name;
  size_t left;

  if (block != NULL && size > block->size - (addr - block->start))
    return goes_beyond (what, addr, size, kind_name (block->kind),
			block->size - (addr - block->start));
  if (!fake_may_use (ctx, addr, size, what))
    return false;
  if (block->kind != FAKE_MODULE_BLOCK || fake_in_variable (block->start, addr, size, &name, &left))
    return true;
  if (name != NULL)
    return goes_beyond (what, addr, size, name, left);
  fake_misuse ("%s of %zu bytes at %#lx, where a module has no variable", what, size,
	       (unsigned long) addr);
  return false;
}

bool
fake_is_pinned (const void *ptr, size_t size)
{
  const struct fake_block *block = fake_find ((uintptr_t) ptr, size);
  return block != NULL && !is_device_kind (block->kind);
}

bool
fake_is_mixed (uint64_t addr, size_t size)
{
  const struct fake_block *block = fake_find (addr, 1);
  size_t i = block_index (addr);
  if (block != NULL)
    return size > block->size - (addr - block->start);
  /* A block that ends on the same page as the range begins may come first.  */
  while (i < num_blocks && blocks[i].start + blocks[i].size <= addr)
    i++;
  return i < num_blocks && blocks[i].start < addr + size;
}

void
fake_explain_address (uint64_t addr, size_t size, char *text, size_t room)
{
  const struct fake_block *block = fake_find (addr, 1), *before = freed_block (addr);
  if (block != NULL)
    snprintf (text, room, "%s, of which %zu bytes are left there and %zu are wanted", kind_name (block->kind),
	      block->size - (addr - block->start), size);
  else if (before != NULL)
    snprintf (text, room, "%s that was freed", kind_name (before->kind));
  else if (fake_in_arena (addr))
    snprintf (text, room, "device memory that is not allocated");
  else
    snprintf (text, room, "no memory that the device can use");
}

static CUresult
pointer_attribute (void *value, int attribute, CUdeviceptr ptr)
{
  const struct fake_block *block = fake_find (ptr, 1);
  if (block == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  bool device = is_device_kind (block->kind);
  switch (attribute)
    {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      *(CUcontext *) value = block->ctx;
      break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *(unsigned *) value = device || block->kind == FAKE_MANAGED_BLOCK ? CU_MEMORYTYPE_DEVICE
			    : CU_MEMORYTYPE_HOST;
      break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      *(CUdeviceptr *) value = ptr;
      break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (device)
	return CUDA_ERROR_INVALID_VALUE;
      *(void **) value = (void *) (uintptr_t) ptr;
      break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *(unsigned *) value = block->kind == FAKE_MANAGED_BLOCK;
      break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *(int *) value = block->device;
      break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      *(void **) value = (void *) (uintptr_t) block->start;
      break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      *(size_t *) value = block->size;
      break;
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
    }
  return CUDA_SUCCESS;
}

CUresult
cuPointerGetAttribute (void *value, int attribute, CUdeviceptr ptr)
{
  ENTER (cuPointerGetAttribute);
  pthread_mutex_lock (&fake_lock);
  CUresult result = pointer_attribute (value, attribute, ptr);
  pthread_mutex_unlock (&fake_lock);
  return result;
}

/* Unlike the one above, this one says 0 about unknown memory.  */
CUresult
cuPointerGetAttributes (unsigned count, int *attributes, void **values, CUdeviceptr ptr)
{
  ENTER (cuPointerGetAttributes);
  pthread_mutex_lock (&fake_lock);
  for (unsigned i = 0; i < count; i++)
    if (pointer_attribute (values[i], attributes[i], ptr) != CUDA_SUCCESS)
      switch (attributes[i])
	{
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
	case CU_POINTER_ATTRIBUTE_IS_MANAGED:
	  *(unsigned *) values[i] = 0;
	  break;
	case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
	  *(int *) values[i] = -2;
	  break;
	default:
	  *(void **) values[i] = NULL;
	}
  pthread_mutex_unlock (&fake_lock);
  return CUDA_SUCCESS;
}

/* ---- the end ---- */

void
fake_free_all (struct CUctx_st *ctx)
{
  for (size_t i = num_blocks; i-- > 0;)
    if (blocks[i].ctx == ctx)
      {
	if (fake_setting ("FAKE_CUDA_LEAKS", 0) != 0 && ctx->error == CUDA_SUCCESS
	    && blocks[i].kind != FAKE_MODULE_BLOCK)
	  fprintf (stderr, "fake-cuda: leak: %zu bytes of %s are left in a context that goes away\n",
		   blocks[i].size, kind_name (blocks[i].kind));
	if (is_device_kind (blocks[i].kind))
	  fake_free (blocks[i].start);
	else
	  remove_block (&blocks[i]);
      }
}

unsigned
fake_report_blocks (void)
{
  unsigned n = 0;
  for (size_t i = 0; i < num_blocks; i++)
    /* Variables go with their module.  */
    if (blocks[i].kind != FAKE_MODULE_BLOCK && blocks[i].ctx->error == CUDA_SUCCESS)
      {
	fprintf (stderr, "fake-cuda: leak: %zu bytes of %s at %#lx\n", blocks[i].size,
		 kind_name (blocks[i].kind), (unsigned long) blocks[i].start);
	n++;
      }
  return n;
}

void
fake_explain_fault (uint64_t addr)
{
  char text[200];
  int n = 0;
  /* Without the lock: the thread is lost anyway.  */
  const struct fake_block *before = freed_block (addr);
  if (fake_in_arena (addr))
    n = snprintf (text, sizeof (text), "fake-cuda: misuse: the host touches device memory at %#lx\n",
		  (unsigned long) addr);
  else if (before != NULL && before->kind == FAKE_PINNED_BLOCK)
    n = snprintf (text, sizeof (text), "fake-cuda: misuse: %#lx in pinned memory is used that was "
		  "freed\n", (unsigned long) addr);
  if (n > 0 && write (2, text, (size_t) n) < 0)
    abort ();
}

/* ---- in the order of a stream ---- */

/* Blocks of pools: taken at once, given back when the stream gets there.  */
struct free_op
{
  struct fake_op op;
  uint64_t start;
};

static CUresult
run_free (struct fake_op *op)
{
  pthread_mutex_lock (&fake_lock);
  fake_free (((struct free_op *) op)->start);
  pthread_mutex_unlock (&fake_lock);
  return CUDA_SUCCESS;
}

CUresult
cuMemAllocAsync (CUdeviceptr *ptr, size_t size, CUstream stream)
{
  ENTER (cuMemAllocAsync);
  if (size == 0)
    return CUDA_ERROR_INVALID_VALUE;
  NEED_CONTEXT (ctx);
  CUresult result;
  if (fake_stream (stream, ctx, &result) != NULL)
    {
      uint64_t start = fake_alloc (ctx, size, FAKE_DEVICE_BLOCK);
      if (start != 0)
	*ptr = start;
      else
	result = CUDA_ERROR_OUT_OF_MEMORY;
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuMemFreeAsync (CUdeviceptr ptr, CUstream stream)
{
  ENTER (cuMemFreeAsync);
  NEED_CONTEXT (ctx);
  CUresult result;
  struct CUstream_st *s = fake_stream (stream, ctx, &result);
  struct fake_block *block = block_at (ptr);
  if (s != NULL && (block == NULL || block->kind != FAKE_DEVICE_BLOCK))
    {
      complain_of_free (ptr, "cuMemFreeAsync");
      result = CUDA_ERROR_INVALID_VALUE;
    }
  else if (s != NULL)
    {
      struct free_op *op = calloc (1, sizeof (*op));
      op->op.name = "free";
      op->op.run = run_free;
      op->start = ptr;
      fake_enqueue (s, &op->op);
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

/* The pool keeps nothing back, so there is nothing to set.  */
CUresult
cuDeviceGetDefaultMemPool (CUmemoryPool *pool, CUdevice device)
{
  ENTER (cuDeviceGetDefaultMemPool);
  if (device < 0 || device >= fake_num_devices)
    return CUDA_ERROR_INVALID_DEVICE;
  *pool = (CUmemoryPool) &fake_devices[device];
  return CUDA_SUCCESS;
}

CUresult
cuMemPoolSetAttribute (CUmemoryPool pool, int attribute, void *value)
{
  ENTER (cuMemPoolSetAttribute);
  return pool != NULL && attribute > 0 && value != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult
cuMemPoolTrimTo (CUmemoryPool pool, size_t keep)
{
  ENTER (cuMemPoolTrimTo);
  (void) keep;
  return pool != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
