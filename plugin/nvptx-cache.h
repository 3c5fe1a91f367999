/* nvptx-cache.h -- linked images, and what was learned about them, on disk.  */

#ifndef GOMPX_NVPTX_CACHE_H
#define GOMPX_NVPTX_CACHE_H 1

#include "plugin.h"
#include "nvptx-ptx.h"

#pragma GCC visibility push (hidden)

enum nvptx_cache_kind
{
  NVPTX_CACHE_LINKED,		/* a linked image */
  NVPTX_CACHE_TEAMS,		/* nvptx-tune.c: a text */
  NVPTX_CACHE_START,		/* nvptx-start.c: a record */
  NVPTX_CACHE_KINDS
};

/* Everything that what is kept depends on: TEXT (one line for each circumstance: driver,
   architecture, options) and the objects.  */
struct nvptx_cache_key
{
  const char *text;
  const struct nvptx_object *objects;
  size_t num_objects;
  enum nvptx_cache_kind kind;
};

/* A linked image that was stored, for who has learned it from a place that tells what it is for.  */
struct nvptx_cache_place
{
  uint64_t key_hash, key_size;
  uint64_t cubin_hash, cubin_size;	/* size 0: none was stored */
};

/* Read the settings.  GOMP_INVALID, with a text: one of them makes no sense.  Called by init.  */
gomp_status_t nvptx_cache_init (const struct gomp_plugin_core *core);

/* What was stored for KEY, in memory of malloc.  False: there is nothing.  */
bool nvptx_cache_find (const struct nvptx_cache_key *key, void **cubin, size_t *size);
/* The place of CUBIN, which is stored for KEY.  */
struct nvptx_cache_place nvptx_cache_place (const struct nvptx_cache_key *key, const void *cubin, size_t size);
/* The linked image in PLACE, in memory of malloc.  NULL: it isn't there any more.  */
void *nvptx_cache_take (const struct nvptx_cache_place *place);
/* A number for the objects; others may have the same one.  */
uint64_t nvptx_cache_hash (const struct nvptx_object *objects, size_t num);
/* The directory, or NULL: there is to be no cache, or it has no name.  */
const char *nvptx_cache_directory (void);
/* Is there a place for more?  */
bool nvptx_cache_keeps (void);
/* Keep it for the next program.  False: it is not; why is told under GOMP_DEBUG only.  */
bool nvptx_cache_store (const struct nvptx_cache_key *key, const void *cubin, size_t size);

/* One process at a time makes what is to be stored.  */
enum nvptx_claim_result
{
  NVPTX_CLAIMED,		/* this one, until it gives the claim back or ends */
  NVPTX_CLAIM_TAKEN,		/* another one, now */
  NVPTX_CLAIM_NONE		/* nobody can tell: there is no cache, or its file system has no locks */
};

struct nvptx_claim
{
  int dir, file;
  char name[48];
};

/* Claim the making of the linked image for KEY.  For one thread of the process at a time.  */
enum nvptx_claim_result nvptx_cache_claim (const struct nvptx_cache_key *key, struct nvptx_claim *claim);
/* CLAIM was made; what was to be stored has been.  */
void nvptx_cache_unclaim (struct nvptx_claim *claim);

/* One process at a time of those that a user has on a machine links for later, and some wait for that.  */
enum { NVPTX_TURN = 0, NVPTX_TURN_PLACES = 4 };	/* to link; the places to wait in are 1 to this */

/* Claim the turn, or a place to wait in, until the process ends.  For one thread of the process.  */
enum nvptx_claim_result nvptx_cache_turn (unsigned place);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_CACHE_H */
