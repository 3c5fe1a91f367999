/* gcn-times.c -- when operations of a queue took place, for GOMP_TRACE.

   With a trace the runtime is asked to note the times of packets and copies (profiling), which it
   keeps with their signals.  An event holds the signal of the operation before it, so that the times
   can be asked for as long as the event exists.

   The runtime counts ticks of a clock of its own, which are turned into CLOCK_MONOTONIC by one pair
   of readings, made when the first time is asked for.  */

#include "clock.h"
#include "gcn-queue.h"

static pthread_once_t base_once = PTHREAD_ONCE_INIT;
/* The same moment in both clocks; base_once.  */
static uint64_t base_ticks, base_ns;

static void
read_base (void)
{
  uint64_t before = plugin_now ();
  if (gcn_hsa.hsa_system_get_info (HSA_SYSTEM_INFO_TIMESTAMP, &base_ticks) != HSA_STATUS_SUCCESS)
    base_ticks = 0;
  base_ns = before + (plugin_now () - before) / 2;
}

void
gcn_times_init (void)
{
  if (gcn_core->wants_times && gcn_hsa.hsa_amd_profiling_async_copy_enable != NULL)
    (void) gcn_check_quiet (NULL, gcn_hsa.hsa_amd_profiling_async_copy_enable (true));
}

static uint64_t
to_ns (uint64_t ticks)
{
  double ns = (double) (int64_t) (ticks - base_ticks) * 1e9 / (double) gcn_system.ticks_per_second;
  return base_ns + (uint64_t) (int64_t) ns;
}

gomp_status_t
gcn_times_get (struct gomp_plugin_device *dev, struct gcn_signal *signal, bool is_packet,
	       uint64_t *begin, uint64_t *end)
{
  hsa_amd_profiling_dispatch_time_t time = { .start = 0 };
  hsa_status_t result;

  pthread_once (&base_once, read_base);
  if (base_ticks == 0 || gcn_system.ticks_per_second == 0)
    return GOMP_UNSUPPORTED;
  if (is_packet && gcn_hsa.hsa_amd_profiling_get_dispatch_time != NULL)
    result = gcn_hsa.hsa_amd_profiling_get_dispatch_time (dev->agent, signal->hsa, &time);
  else if (!is_packet && gcn_hsa.hsa_amd_profiling_get_async_copy_time != NULL)
    result = gcn_hsa.hsa_amd_profiling_get_async_copy_time (signal->hsa, &time);
  else
    return GOMP_UNSUPPORTED;
  gomp_status_t status = gcn_check_quiet (dev, result);
  if (status == GOMP_DEVICE_LOST)
    return gcn_alive (dev);
  if (status != GOMP_OK || time.start == 0 || time.end < time.start)
    return GOMP_UNSUPPORTED;
  *begin = to_ns (time.start);
  *end = to_ns (time.end);
  return GOMP_OK;
}
