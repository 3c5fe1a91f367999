/* nvptx-thread.h -- threads that link.  */

#ifndef GOMPX_NVPTX_THREAD_H
#define GOMPX_NVPTX_THREAD_H 1

#pragma GCC visibility push (hidden)

/* Run FUNCTION with ARG in a thread of its own, in which no handler of the program's runs, with a stack for the driver's compiler.  Nobody
   can join it.  Returns 0, or an error number.  */
int nvptx_thread_start (void *(*function) (void *), void *arg);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_THREAD_H */
