/* Copies between two devices go directly where the devices reach each other's memory; else the plugin
   says so.
   TEST-MODES: gcnsim
   TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim
   TEST-ENV: GCN_SIM_LEAKS=1
   TEST-ENV: GCN_SIM_AGENTS=3
   TEST-ENV: GCN_SIM_MEMORY=64
   TEST-ENV: GCN_SIM_ISA=gfx90a,gfx900  */

#define _GNU_SOURCE 1
#include "aux-plugin.h"

#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 300000 };

static void
copies (bool reach)
{
  struct gomp_plugin_device *dev[3];
  struct gomp_plugin_queue *queue[3];
  gomp_devptr_t there[3];
  unsigned char *a = malloc (BYTES), *b = malloc (BYTES);

  plugin_start ();
  CHECK (plugin_devices == 3);
  for (unsigned i = 0; i < 3; i++)
    {
      struct gomp_device_attr attr;
      CHECK (plugin->device_attr (i, &attr) == GOMP_OK);
      CHECK (strcmp (attr.isa, i == 0 ? "gfx90a" : "gfx900,gfx9-generic") == 0);
      CHECK (attr.caps & GOMP_CAP_PEER_COPY);
      dev[i] = plugin_open (i);
      queue[i] = plugin_queue (dev[i]);
      there[i] = plugin_memory (dev[i], BYTES);
    }
  for (int i = 0; i < BYTES; i++)
    a[i] = (unsigned char) (i * 11 + (i >> 8));
  CHECK (plugin->copy_h2d (queue[0], there[0], a, BYTES) == GOMP_OK);
  unsigned long copies = simulator_count ("copies");
  if (reach)
    {
      struct gomp_plugin_event *event = plugin_event (dev[0]);
      CHECK (plugin->copy_d2d (queue[0], dev[1], there[1], dev[0], there[0], BYTES) == GOMP_OK);
      CHECK (plugin->event_record (queue[0], event) == GOMP_OK);
      CHECK (plugin->queue_wait_event (queue[1], event) == GOMP_OK);
      CHECK (plugin->copy_d2d (queue[1], dev[2], there[2], dev[1], there[1], BYTES) == GOMP_OK);
      CHECK (plugin->event_record (queue[1], event) == GOMP_OK);
      CHECK (plugin->queue_wait_event (queue[2], event) == GOMP_OK);
      CHECK (plugin->copy_d2h (queue[2], b, there[2], BYTES) == GOMP_OK);
      CHECK (plugin->queue_wait (queue[2]) == GOMP_OK);
      CHECK (memcmp (a, b, BYTES) == 0);
      /* Two and the last: the first may still count.  */
      CHECK (simulator_count ("copies") <= copies + 4);
      plugin->event_destroy (event);
    }
  else
    {
      CHECK (plugin->copy_d2d (queue[0], dev[1], there[1], dev[0], there[0], BYTES)
	     == GOMP_UNSUPPORTED);
      CHECK (plugin->copy_d2d (queue[0], dev[0], there[0], dev[0], there[0] + BYTES / 2, BYTES / 3)
	     == GOMP_OK);
    }
  for (unsigned i = 0; i < 3; i++)
    {
      CHECK (plugin->queue_wait (queue[i]) == GOMP_OK);
      plugin->queue_destroy (queue[i]);
      CHECK (plugin->mem_free (dev[i], there[i]) == GOMP_OK);
      plugin->device_close (dev[i], false);
    }
  free (a);
  free (b);
}

int
main (int argc, char **argv)
{
  int status = -1;

  if (argc > 1)
    {
      copies (false);
      return 0;
    }
  pid_t pid = fork ();
  if (pid == 0)
    {
      setenv ("GCN_SIM_NO_PEER", "1", 1);
      execl ("/proc/self/exe", argv[0], "alone", (char *) NULL);
      _exit (9);
    }
  CHECK (waitpid (pid, &status, 0) == pid && status == 0);
  copies (true);
  return 0;
}
