/* Objects of the interop construct on the gcn plugin: the agent, and a queue for the program alone, to
   which it writes a packet of its own.
   TEST-MODES: gcnsim
   TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim
   TEST-ENV: GCN_SIM_LEAKS=1  */

#include "aux-plugin.h"
#include "hsa-api.h"

int
main (void)
{
  struct gomp_device_attr attr;

  plugin_start ();
  CHECK (plugin->device_attr (0, &attr) == GOMP_OK);
  CHECK (attr.foreign_runtimes == 1u << GOMP_RUNTIME_HSA
	 && attr.default_runtime == GOMP_RUNTIME_HSA && attr.vendor_id == 1);
  struct gomp_plugin_device *dev = plugin_open (0);
  struct gomp_interop_object plain = { .runtime = GOMP_RUNTIME_HSA };
  struct gomp_interop_object object = { .runtime = GOMP_RUNTIME_HSA, .wants_queue = true };
  struct gomp_interop_object wrong = { .runtime = GOMP_RUNTIME_CUDA };

  CHECK (plugin->interop_create (dev, &wrong) == GOMP_UNSUPPORTED);
  CHECK (plugin->interop_create (dev, &plain) == GOMP_OK);
  CHECK (strcmp (plain.device.type, "hsa_agent_t *") == 0 && plain.queue.type == NULL);
  CHECK (((hsa_agent_t *) plain.device.pointer)->handle != 0);
  CHECK (plugin->interop_create (dev, &object) == GOMP_OK);
  CHECK (strcmp (object.queue.type, "hsa_queue_t *") == 0);
  hsa_queue_t *queue = object.queue.pointer;
  CHECK (queue->size >= 64 && queue->type == HSA_QUEUE_TYPE_MULTI);
  CHECK (plugin->interop_sync (dev, &object) == GOMP_OK);

  /* A packet that waits for a signal, which the program keeps.  */
  uint64_t (*take) (const hsa_queue_t *, uint64_t);
  void (*store) (hsa_signal_t, hsa_signal_value_t);
  void *f = simulator_function ("hsa_queue_add_write_index_screlease");
  memcpy (&take, &f, sizeof (take));
  f = simulator_function ("hsa_signal_store_screlease");
  memcpy (&store, &f, sizeof (store));
  hsa_status_t (*create) (hsa_signal_value_t, uint32_t, const hsa_agent_t *, hsa_signal_t *);
  f = simulator_function ("hsa_signal_create");
  memcpy (&create, &f, sizeof (create));
  hsa_status_t (*destroy) (hsa_signal_t);
  f = simulator_function ("hsa_signal_destroy");
  memcpy (&destroy, &f, sizeof (destroy));
  hsa_signal_value_t (*load) (hsa_signal_t);
  f = simulator_function ("hsa_signal_load_scacquire");
  memcpy (&load, &f, sizeof (load));

  hsa_signal_t done;
  CHECK (create (1, 0, NULL, &done) == HSA_STATUS_SUCCESS);
  uint64_t index = take (queue, 1);
  hsa_barrier_and_packet_t packet = { .header = HSA_PACKET_TYPE_BARRIER_AND
						<< HSA_PACKET_HEADER_TYPE,
				      .completion_signal = done };
  char *to = (char *) queue->base_address + (index & (queue->size - 1)) * 64;
  memcpy (to + 4, (char *) &packet + 4, 60);
  uint32_t header;
  memcpy (&header, &packet, 4);
  atomic_store_explicit ((_Atomic uint32_t *) (void *) to, header, memory_order_release);
  store (queue->doorbell_signal, (hsa_signal_value_t) index);
  CHECK (plugin->interop_sync (dev, &object) == GOMP_OK);
  CHECK (load (done) == 0);
  CHECK (destroy (done) == HSA_STATUS_SUCCESS);

  CHECK (plugin->interop_destroy (dev, &object) == GOMP_OK);
  CHECK (plugin->interop_destroy (dev, &plain) == GOMP_OK);
  plugin->device_close (dev, false);
  return 0;
}
