/* info-trace.h -- what gompx-info tells of a timeline (GOMP_TRACE).  */

#ifndef INFO_TRACE_H
#define INFO_TRACE_H 1

#include <stdbool.h>
#include <stddef.h>

/* Print a summary of the timeline FILE.  False: it cannot be read or is not in order, which was said
   on stderr.  */
bool info_print_trace (const char *file);

/* The same for the SIZE bytes at TEXT, which are called FILE in messages.  */
bool info_print_trace_text (const char *file, const char *text, size_t size);

#endif /* INFO_TRACE_H */
