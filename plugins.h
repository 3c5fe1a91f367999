/* plugins.h -- finding device plugins; private to device.c, info.c and the tools.  */

#ifndef GOMP_PLUGINS_H
#define GOMP_PLUGINS_H 1

#include "libgomp.h"
#include "plugin/plugin.h"

struct gomp_plugin_entry
{
  char *name;			/* as in GOMP_PLUGINS */
  char *path;			/* the file it came from; "built in"; NULL: not found */
  struct gomp_plugin ops;	/* the plugin's table with the defaults filled in */
  bool ready;			/* init has succeeded: fini is owed */
  unsigned num_devices;		/* as init said */
  char *reason;			/* one line: why no device of it is used, or NULL */
  bool broken;			/* its driver is there and does not work */
  bool user_error;		/* the reason is what the user asked for: he wants to know */
};

/* Open, check and initialise every plugin that GOMP_PLUGINS names, in that order.  Entries
   live for the rest of the process.  Called once.  */
struct gomp_plugin_entry *gomp_plugins_open (unsigned *count);
/* Where plugins are looked for in place of the directory of libgomp.so.1, set before that; NULL: there.  */
extern GOMP_HIDDEN const char *gomp_plugins_beside;

/* plugin-default.c: fill the slots of OPS that are NULL.  Answers the name of a required slot
   that is missing, or NULL.  */
const char *gomp_plugin_fill_defaults (struct gomp_plugin *ops);

/* plugin-fault.c: OPS of plugin NAME fail as GOMPX_FAULT says.  */
void gomp_plugin_inject (const char *name, struct gomp_plugin *ops);

/* gomp_malloc'ed text.  */
char *gomp_text (const char *fmt, ...) __attribute__ ((format (printf, 1, 2), returns_nonnull));

#endif /* GOMP_PLUGINS_H */
