/* cpu-rights.h -- what a process may do: users and groups, capabilities, root directory,
   namespaces, filters of system calls, limits (cpu-rights.c).

   The worker of a cpu device must never have a right that the program has given up.  The worker
   tells what it has when it starts; the program compares that with what its own thread has, when it
   opens the device and later before it uses it (cpu-keep.c).  */

#ifndef GOMP_CPU_RIGHTS_H
#define GOMP_CPU_RIGHTS_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GOMP_CPU_GROUPS 1024	/* more are compared by their hash, and not taken over */
#define GOMP_CPU_LIMITS 16
#define GOMP_CPU_SPACES 8

enum gomp_cpu_caps { CAPS_PERMITTED, CAPS_EFFECTIVE, CAPS_INHERITABLE, CAPS_BOUNDING, CAPS_AMBIENT };

/* Of one thread.  */
struct gomp_cpu_rights
{
  uint32_t uid[3], gid[3];	/* real, effective, saved */
  uint32_t num_groups;
  uint32_t seccomp, filters;	/* mode; 0 filters: unknown */
  uint32_t securebits, no_new_privs;
  uint32_t dumpable;		/* others may look into it; no right */
  uint64_t caps[5];		/* by enum gomp_cpu_caps */
  uint64_t groups_hash;
  uint64_t root[3];		/* device, inode, mount; 0 unknown */
  uint64_t space[GOMP_CPU_SPACES];	/* inodes of the namespaces; 0 unknown */
  struct { uint64_t cur, max; } limit[GOMP_CPU_LIMITS];
  char label[128];		/* of a security module; "" unknown */
  uint32_t group[GOMP_CPU_GROUPS];
};

/* In what one thread may do more than another.  */
enum gomp_cpu_excess
{
  EXCESS_USER = 1, EXCESS_GROUP = 2, EXCESS_CAPS = 4, EXCESS_BITS = 8, EXCESS_PRIVS = 16,
  EXCESS_LIMIT = 32, EXCESS_ROOT = 64,
  /* These a process cannot take over from another one.  */
  EXCESS_SPACE = 128, EXCESS_FILTER = 256, EXCESS_LABEL = 512, EXCESS_DOMAIN = 1024,
  EXCESS_FIXED = EXCESS_SPACE | EXCESS_FILTER | EXCESS_LABEL | EXCESS_DOMAIN
};

/* What the calling thread has.  QUICK: only what few calls tell.  OF is whose rights they will be compared
   with: what it has not is left out.  OF == R: what can be given up at all; NULL: everything.  */
void gomp_cpu_rights_take (struct gomp_cpu_rights *, const struct gomp_cpu_rights *of, bool quick);
/* What WORKER has and PROGRAM has not, as enum gomp_cpu_excess.  QUICK: as taken.  */
unsigned gomp_cpu_rights_excess (const struct gomp_cpu_rights *worker,
				 const struct gomp_cpu_rights *program, bool quick);
/* "user, root directory", into BUF.  */
const char *gomp_cpu_rights_text (unsigned excess, char *buf, size_t size);

/* The first three sets of capabilities of the calling thread; false: unknown.  */
bool gomp_cpu_rights_caps (uint64_t caps[3]);

/* In the worker: drop what WANTED has not, in all threads; HOST is the process that has it.  What does
   not work is found by comparing again.  */
void gomp_cpu_rights_adopt (const struct gomp_cpu_rights *wanted, int host);
/* In the worker, while it has one thread: no capability but those of CAPS, by enum gomp_cpu_caps.  */
void gomp_cpu_rights_confine (const uint64_t caps[3]);
/* In the worker: a signal that asks a thread to do its part.  */
bool gomp_cpu_rights_signal (int number, const void *info);

#endif /* GOMP_CPU_RIGHTS_H */
