/* lines.c -- lines about a plugin or a device, for info.

   Part of each plugin of GPUs.  Lines are added and never changed, and freed with their list.  What
   protects a list is its owner's business.  Called by the plugin's main file.  */

#include "lines.h"

#include <stdlib.h>
#include <string.h>

void
plugin_lines_add (struct plugin_line **list, const char *text)
{
  size_t size = strlen (text) + 1;

  for (; *list != NULL; list = &(*list)->next)
    if (strcmp ((*list)->text, text) == 0)
      return;
  struct plugin_line *line = malloc (sizeof (*line) + size);
  if (line == NULL)
    return;
  line->next = NULL;
  memcpy (line->text, text, size);
  *list = line;
}

const char *
plugin_lines_text (const struct plugin_line *list, unsigned key)
{
  for (; list != NULL && key > 0; key--)
    list = list->next;
  return list != NULL ? list->text : NULL;
}

void
plugin_lines_free (struct plugin_line *list)
{
  while (list != NULL)
    {
      struct plugin_line *next = list->next;
      free (list);
      list = next;
    }
}
