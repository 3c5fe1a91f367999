/* nvptx-context.c -- contexts of devices: making them current, their end, what they reach of one another.

   A device is lost when a driver call says that its context has ended (nvptx-driver.c).

   Called by all other files of the plugin.  */

#include "nvptx-limit.h"
#include "nvptx-queue.h"

#include <stdio.h>

/* ---- lost devices ---- */

gomp_status_t
nvptx_lose (struct gomp_plugin_device *dev, CUresult result)
{
  int alive = 0;
  /* Relaxed: the number is all there is to it.  The first reason stays.  */
  if (atomic_compare_exchange_strong_explicit (&dev->xlost, &alive, result, memory_order_relaxed,
					       memory_order_relaxed))
    {
      nvptx_core->debug (1, "nvptx device %u is lost: error %d", dev->ordinal, result);
      nvptx_queue_lost (dev);
    }
  return GOMP_DEVICE_LOST;
}

/* What the results mean to somebody who does not program in CUDA.  */
static const char *
explanation (CUresult result)
{
  switch (result)
    {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
      return "a region used an address that is not on the device; is all mapped that it uses?";
    case CUDA_ERROR_LAUNCH_TIMEOUT:
      return "a region took longer than the system allows on a GPU with a display";
    case CUDA_ERROR_ASSERT:
      return "an assertion has failed in a region";
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
      return "the stack has overflown in a region; GOMP_NVPTX_NATIVE_GPU_THREAD_STACK_SIZE"
	     " makes it larger";
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_LAUNCH_FAILED:
      return "a region called abort, failed an assertion, or overwrote its stack";
    case CUDA_ERROR_MISALIGNED_ADDRESS:
      return "a region used an address that is not a multiple of the object's alignment";
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
      return "a region used an address of memory that is private to a thread or team";
    case CUDA_ERROR_INVALID_PC:
      return "a region called through a pointer that is not that of a device function";
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_CONTAINED:
    case CUDA_ERROR_EXTERNAL_DEVICE:
      return "the hardware has failed";
    case CUDA_ERROR_INVALID_CONTEXT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
      return "the program has destroyed the device's primary context (cudaDeviceReset?)";
    default:
      return NULL;
    }
}

void
nvptx_explain_loss (struct gomp_plugin_device *dev, char *text, size_t size)
{
  int lost = atomic_load_explicit (&dev->xlost, memory_order_relaxed);
  if (lost == NVPTX_FORKED)
    {
      snprintf (text, size, "it belongs to the process from which this one was forked");
      return;
    }
  const char *more = explanation (lost);
  char what[128], recursion[160] = "";
  nvptx_format_result (lost, what, sizeof (what));
  /* A thread that stores behind its stack uses such an address, too.  */
  size_t stack = nvptx_limit_suspect (dev);
  if (lost == CUDA_ERROR_ILLEGAL_ADDRESS && stack > 0)
    snprintf (recursion, sizeof (recursion),
	      " Or is its recursion too deep for a stack of %zu bytes?"
	      " GOMP_NVPTX_NATIVE_GPU_THREAD_STACK_SIZE enlarges it", stack);
  snprintf (text, size, "%s%s%s%s", what, more != NULL ? ": " : "", more != NULL ? more : "",
	    recursion);
}

gomp_status_t
nvptx_alive (struct gomp_plugin_device *dev)
{
  if (__builtin_expect (!nvptx_is_lost (dev), 1))
    return GOMP_OK;
  char text[320];
  nvptx_explain_loss (dev, text, sizeof (text));
  nvptx_core->set_error ("%s", text);
  return GOMP_DEVICE_LOST;
}

/* ---- contexts ---- */

gomp_status_t
nvptx_enter (struct gomp_plugin_device *dev, struct nvptx_scope *scope)
{
  CUcontext current = NULL;
  scope->pushed = false;
  gomp_status_t status = nvptx_alive (dev);
  if (status != GOMP_OK)
    return status;
  status = NVPTX_CALL (dev, cuCtxGetCurrent, (&current), "looking at the current context");
  if (status == GOMP_OK && current != dev->context)
    {
      status = NVPTX_CALL (dev, cuCtxPushCurrent_v2, (dev->context),
			   "making device %u current", dev->ordinal);
      scope->pushed = status == GOMP_OK;
    }
  return status;
}

void
nvptx_leave (struct gomp_plugin_device *dev, struct nvptx_scope *scope)
{
  if (!scope->pushed)
    return;
  CUcontext popped;
  scope->pushed = false;
  /* A context that has died can be popped like any other.  */
  CUresult result = nvptx_cuda.cuCtxPopCurrent_v2 (&popped);
  if (result != CUDA_SUCCESS)
    nvptx_core->debug (1, "cuCtxPopCurrent failed: error %d, after a call for device %u",
		       result, dev->ordinal);
}

/* ---- peers ---- */

bool
nvptx_peer_enable (struct gomp_plugin_device *dev, struct gomp_plugin_device *peer)
{
  uint64_t bit = UINT64_C (1) << peer->ordinal;
  int can = 0;

  if (dev == peer)
    return true;
  /* Acquire: pairs with the release below, that of what the driver did.  */
  if (atomic_load_explicit (&dev->xpeers, memory_order_acquire) & bit)
    return true;
  if (atomic_load_explicit (&dev->xnot_peers, memory_order_relaxed) & bit)	/* a fact */
    return false;
  CUresult result = nvptx_cuda.cuDeviceCanAccessPeer (&can, dev->cuda, peer->cuda);
  if (result == CUDA_SUCCESS && can)
    {
      result = nvptx_cuda.cuCtxEnablePeerAccess (peer->context, 0);
      /* Another thread, or the program itself, was first.  */
      if (result == CUDA_SUCCESS || result == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED)
	{
	  atomic_fetch_or_explicit (&dev->xpeers, bit, memory_order_release);
	  return true;
	}
    }
  (void) nvptx_check_quiet (dev, result);
  if (!(atomic_fetch_or_explicit (&dev->xnot_peers, bit, memory_order_relaxed) & bit))
    {
      if (result != CUDA_SUCCESS)
	nvptx_note (dev, "copies to and from GPU %u go through the host: %s", peer->ordinal,
		    nvptx_error_text (result));
      else
	nvptx_note (dev, "copies to and from GPU %u go through the host: the two cannot reach each"
		    " other's memory", peer->ordinal);
    }
  return false;
}
