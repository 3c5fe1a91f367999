/* nvptx-request.h -- what a process that links is asked for, what it answers, and how it is told to stop.  */

#ifndef GOMPX_NVPTX_REQUEST_H
#define GOMPX_NVPTX_REQUEST_H 1

#include "nvptx-cache.h"
#include "nvptx-ptx.h"

#pragma GCC visibility push (hidden)

/* The name of the program, which lies beside the plugin, and its descriptors.  */
#define NVPTX_CHILD_PROGRAM "gompx-nvptx-link"
enum { NVPTX_CHILD_REQUEST = 3, NVPTX_CHILD_ANSWER = 4 };
enum { NVPTX_MOST_QUIET = 60000 };

struct nvptx_request
{
  const char *uid;		/* of the device, as nvptx_device_uid has it */
  const char *settings;		/* nvptx_link_settings: the answer is right where they are the same */
  const char *what;		/* the image, for messages */
  struct nvptx_object *objects;
  size_t num, num_ours;
  unsigned quiet;		/* ms for which the process that asks is left alone, if it lives as long */
  void *memory;			/* read: all of it is in there */
  size_t size;			/* of MEMORY */
};

/* R in a sealed file in memory: its descriptor, or -1 with errno.  Nothing is kept of R.  */
int nvptx_request_write (const struct nvptx_request *r);
/* What the file FD asks for.  False: WHY says what is wrong with it.  */
bool nvptx_request_read (int fd, struct nvptx_request *r, const char **why);
void nvptx_request_free (struct nvptx_request *r);

enum nvptx_answer_kind
{
  NVPTX_ANSWER_WAITS = 1,	/* another process is linking it; there will be another answer */
  NVPTX_ANSWER_QUEUES,		/* another process is linking something else, perhaps; there will be another answer */
  NVPTX_ANSWER_DONE,		/* it is in the cache, in PLACE */
  NVPTX_ANSWER_FAILED,		/* it can't be linked, says the driver */
  NVPTX_ANSWER_UNABLE,		/* this process can't; who asked may be able to */
  NVPTX_ANSWER_LATE		/* others are linked before it, for longer than this process waits */
};

/* A message on a socket (SOCK_SEQPACKET) that is closed at the other side when nobody listens any more.  */
struct nvptx_answer
{
  uint32_t magic, kind;
  double seconds;		/* that it took */
  struct nvptx_cache_place place;
  char why[2000];
};

/* Send A, whose magic need not be set.  False: nobody listens.  */
bool nvptx_answer_send (int fd, struct nvptx_answer *a);
/* Wait MS for an answer.  0: none yet; 1: *A is it; -1: none will come.  */
int nvptx_answer_receive (int fd, int ms, struct nvptx_answer *a);

/* Tell the process at the other side to end at once, whatever it is at.  */
void nvptx_stop_send (int fd);
/* In that process: wait for it.  False: the other side has gone, so nobody will say it any more.  */
bool nvptx_stop_await (int fd);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_REQUEST_H */
