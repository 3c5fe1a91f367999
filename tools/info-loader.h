/* info-loader.h -- where gompx-info finds plugins, and programs libgomp.  */

#ifndef INFO_LOADER_H
#define INFO_LOADER_H 1

#include <stdbool.h>

/* The directory of the plugins that belong to this gompx-info, also where it was built or was moved to.
   NULL: that which it was configured for.  */
const char *info_plugin_directory (void);

/* Print which libgomp.so.1 the program or shared object FILE would load, started as gompx-info was.  LOADER is
   what it names, "" for none.  SET_ID: it runs with rights of another.  */
void info_print_library (const char *file, const char *loader, bool set_id);

/* Call FN for each shared object that FILE, with LOADER and SET_ID as above, would load.  Answers why not
   all of them are known, or NULL.  */
const char *info_each_library (const char *file, const char *loader, bool set_id,
			       void (*fn) (const char *path, void *data), void *data);

#endif /* INFO_LOADER_H */
