/* nvptx-thread.h -- threads that link, and the end of the process, which waits for them.  */

#ifndef GOMPX_NVPTX_THREAD_H
#define GOMPX_NVPTX_THREAD_H 1

#include <stdbool.h>

#pragma GCC visibility push (hidden)

/* Run FUNCTION with ARG in a thread of its own, in which no handler of the program's runs, with a stack for the driver's compiler.  Nobody
   can join it.  NAME, 15 bytes at most, begins with gomp-, for debuggers and nvptx_thread_alone, and the thread has it when this returns.  Returns 0, or an error number.  */
int nvptx_thread_start (void *(*function) (void *), void *arg, const char *name);

/* Are all other threads of the process this library's or the driver's, as far as their names tell?  Then none of the program's can begin to
   launch kernels as long as the calling one waits, unless the host's part of a region makes one.  Takes some us, and some ms if the answer is false.  */
bool nvptx_thread_alone (void);

/* Have HANDLER called at the end of the process: registered once, as *HAS tells, or, by threads that ask at the same time, once by each.  False:
   that can't be had.  A child of fork has the handler, too.  */
bool nvptx_thread_at_exit (_Atomic bool *has, void (*handler) (void));

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_THREAD_H */
