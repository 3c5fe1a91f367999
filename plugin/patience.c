/* patience.c -- how long threads poll for a GPU before they sleep.

   OMP_WAIT_POLICY=active polls to the end, passive does not poll.  By default a thread polls for as long as that is
   cheaper than to sleep and wake up, unless more threads poll than there are processors.

   Part of each plugin of GPUs.  Set once, by the first device that is opened.  */

#define _GNU_SOURCE 1
#include "patience.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <strings.h>

#define POLL_NS 2000000
#define POLL_CROWD_NS 20000	/* with more threads than processors */

enum policy { POLICY_DEFAULT, POLICY_ACTIVE, POLICY_PASSIVE };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;	/* a leaf; for setting: */
static enum policy policy;
static unsigned processors;	/* that this process may use; 0: not set */

static void
read_settings (const struct gomp_plugin_core *core)
{
  const char *text = core->getenv ("OMP_WAIT_POLICY", false);
  if (text != NULL)
    {
      text += strspn (text, " \t");
      if (strncasecmp (text, "active", 6) == 0)
	policy = POLICY_ACTIVE;
      else if (strncasecmp (text, "passive", 7) == 0)
	policy = POLICY_PASSIVE;
    }
  cpu_set_t set;
  processors = sched_getaffinity (0, sizeof (set), &set) == 0 ? (unsigned) CPU_COUNT (&set) : 1;
}

void
plugin_patience_open (const struct gomp_plugin_core *core)
{
  pthread_mutex_lock (&lock);
  if (processors == 0)
    read_settings (core);
  pthread_mutex_unlock (&lock);
}

uint64_t
plugin_patience (unsigned pollers)
{
  if (policy == POLICY_ACTIVE)
    return UINT64_MAX;
  if (policy == POLICY_PASSIVE || processors == 1)
    return 0;
  return pollers < processors ? POLL_NS : POLL_CROWD_NS;
}
