/* Memory of the gcn plugin: how much there is, more than there is, alignment, managed memory, what a
   program finds that requires all of the host's.
   TEST-MODES: gcnsim
   TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim
   TEST-ENV: GCN_SIM_LEAKS=1
   TEST-ENV: GCN_SIM_MEMORY=64  */

#define _GNU_SOURCE 1
#include "aux-plugin.h"

#include <sys/wait.h>
#include <unistd.h>

#define MIB ((size_t) 1 << 20)

static void
managed_memory (struct gomp_plugin_device *dev)
{
  void *managed, *more;

  CHECK (plugin->managed_alloc (dev, 10000, &managed) == GOMP_OK);
  CHECK (plugin->managed_alloc (dev, 1, &more) == GOMP_OK && more != managed);
  memset (managed, 1, 10000);
  CHECK (plugin->is_accessible (dev, managed, 10000));
  CHECK (plugin->is_accessible (dev, (char *) managed + 5000, 5000));
  CHECK (plugin->managed_free (dev, (char *) managed + 1) == GOMP_INVALID);
  CHECK (plugin->managed_free (dev, managed) == GOMP_OK);
  CHECK (plugin->managed_free (dev, managed) == GOMP_INVALID);
  CHECK (plugin->managed_free (dev, more) == GOMP_OK);
}

static int
shared (void)
{
  struct gomp_device_attr attr;
  int on_stack = 0;

  plugin_start ();
  CHECK (plugin->device_attr (0, &attr) == GOMP_OK);
  CHECK (attr.caps & GOMP_CAP_SHARED_MEMORY && attr.no_shared_memory[0] == '\0');
  struct gomp_plugin_device *dev = plugin_open (0);
  CHECK (plugin->is_accessible (dev, &on_stack, sizeof (on_stack)));
  CHECK (!plugin->is_pinned (dev, &on_stack, sizeof (on_stack)));
  managed_memory (dev);
  plugin->device_close (dev, false);
  return 0;
}

int
main (int argc, char **argv)
{
  struct gomp_device_attr attr;
  uint64_t available, total;
  gomp_devptr_t ptr, all = 0;
  int status;

  if (argc > 1)
    return shared ();
  plugin_start ();
  CHECK (plugin->device_attr (0, &attr) == GOMP_OK);
  CHECK (attr.memory_size == 64 * MIB && attr.multiprocessors == 4);
  CHECK (!(attr.caps & GOMP_CAP_SHARED_MEMORY));
  CHECK (strstr (attr.no_shared_memory, "gfx90a cannot use all of the host's memory") != NULL);
  struct gomp_plugin_device *dev = plugin_open (0);
  CHECK (plugin->mem_info (dev, &available, &total) == GOMP_OK);
  CHECK (total == 64 * MIB && available <= total);
  ptr = plugin_memory (dev, 16 * MIB);
  uint64_t less = 0;
  CHECK (plugin->mem_info (dev, &less, &total) == GOMP_OK && less + 16 * MIB <= available);
  CHECK (plugin->mem_alloc (dev, 100 * MIB, 256, &all) == GOMP_OUT_OF_DEVICE_MEMORY);
  CHECK (strstr (plugin_text, "hsa_amd_memory_pool_allocate failed: ") != NULL);
  CHECK (plugin->mem_alloc (dev, 4096, (size_t) 1 << 40, &all) == GOMP_UNSUPPORTED);
  CHECK (plugin->mem_free (dev, ptr) == GOMP_OK);
  /* Managed memory is the host's, where the system can share any.  */
  managed_memory (dev);
  CHECK (plugin->managed_free (dev, &ptr) == GOMP_INVALID);
  CHECK (plugin->device_fault (dev, &(struct gomp_fault) { .has_ip = false }) == GOMP_NOT_FOUND);
  plugin->device_close (dev, false);

  /* The environment is read once.  */
  pid_t pid = fork ();
  if (pid == 0)
    {
      setenv ("GCN_SIM_SVM", "1", 1);
      setenv ("GCN_SIM_ISA", "gfx90a:xnack+", 1);
      execl ("/proc/self/exe", argv[0], "shared", (char *) NULL);
      _exit (9);
    }
  CHECK (waitpid (pid, &status, 0) == pid && status == 0);
  return 0;
}
