/* peek.h -- memory that may not be there, read without a fault.

   A filter of system calls (seccomp) that services and sandboxes set ends the process for what only
   debuggers use: process_vm_readv, kcmp (systemd's SystemCallFilter=@system-service does).  Where there is
   a filter, these calls are not made; what stands here needs only calls that every program makes.

   No state.  Part of the core and of each plugin that needs it.  */

#ifndef GOMPX_PEEK_H
#define GOMPX_PEEK_H 1

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Is there a filter for the calling thread?  errno stays.  */
static inline bool
gomp_filtered (void)
{
  int saved = errno;
  bool filtered = prctl (PR_GET_SECCOMP, 0, 0, 0, 0) > 0;
  errno = saved;
  return filtered;
}

/* Copy SIZE bytes from SRC to DST by way of a pipe.  False: a part of one of them is not there, or there
   is no pipe to be had (errno; EFAULT for memory).  By numbers: sanitizers look at what they know by name.  */
static inline bool
gomp_peek_copy (void *dst, const void *src, size_t size)
{
  int ends[2];
  size_t done = 0;

  if (syscall (SYS_pipe2, ends, O_CLOEXEC | O_NONBLOCK) != 0)
    return false;
  while (done < size)
    {
      long in = syscall (SYS_write, ends[1], (const char *) src + done, size - done), out = 0;
      while (out < in)
	{
	  long n = syscall (SYS_read, ends[0], (char *) dst + done + out, (size_t) (in - out));
	  if (n <= 0)
	    {
	      in = n;
	      break;
	    }
	  out += n;
	}
      if (in <= 0)
	break;
      done += (size_t) out;
    }
  int why = errno;
  syscall (SYS_close, ends[0]);
  syscall (SYS_close, ends[1]);
  errno = why;
  return done == size;
}

#endif /* GOMPX_PEEK_H */
