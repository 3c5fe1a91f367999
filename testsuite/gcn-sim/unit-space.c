/* unit-space.c -- in place of the HSA half of the simulator, for programs that have only the instruction
   set: four pieces of memory (unit.h).  */

#include "unit.h"

#include <stdio.h>

_Alignas (64) unsigned char unit_device[UNIT_BYTES], unit_shadow[UNIT_BYTES], unit_shared[UNIT_BYTES],
  unit_signal[64];
uint32_t unit_code[4];

_Atomic uint64_t sim_space_generation;

bool
sim_space_find (uint64_t addr, size_t size, int agent, struct sim_range *out)
{
  const struct sim_range ranges[] =
  {
    { UNIT_DEVICE, UNIT_BYTES, (char *) unit_device, unit_shadow, 1, SIM_DEVICE_MEMORY, 0, false },
    { UNIT_SHARED, UNIT_BYTES, (char *) unit_shared, NULL, 1, SIM_SYSTEM_MEMORY, -1, false },
    { UNIT_SIGNAL, 64, (char *) unit_signal, NULL, 1, SIM_SIGNAL_MEMORY, -1, false },
    { UNIT_CODE, sizeof unit_code, (char *) unit_code, NULL, 1, SIM_CODE_MEMORY, 0, true }
  };
  (void) agent;
  for (unsigned i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
    if (addr - ranges[i].start < ranges[i].size && size <= ranges[i].size - (addr - ranges[i].start))
      {
	*out = ranges[i];
	return true;
      }
  return false;
}

void
sim_space_explain (uint64_t addr, size_t size, int agent, char *text, size_t room)
{
  (void) agent;
  snprintf (text, room, "nothing is near %#llx, %zu bytes", (unsigned long long) addr, size);
}

void
sim_interrupt (struct sim_wave *w, uint32_t event)
{
  (void) w;
  (void) event;
}
