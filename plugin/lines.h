/* lines.h -- lines about a plugin or a device, for info; for the plugins of GPUs.  */

#ifndef GOMPX_LINES_H
#define GOMPX_LINES_H 1

#pragma GCC visibility push (hidden)

/* A list, in the order in which they were added.  */
struct plugin_line
{
  struct plugin_line *next;
  char text[];
};

/* Add a line at the end of a list, if it is not there already.  Without memory there is none.  */
void plugin_lines_add (struct plugin_line **list, const char *text);
/* The text of line KEY from 0 on, or NULL; it lives as long as the list.  */
const char *plugin_lines_text (const struct plugin_line *list, unsigned key);
void plugin_lines_free (struct plugin_line *list);

#pragma GCC visibility pop

#endif /* GOMPX_LINES_H */
