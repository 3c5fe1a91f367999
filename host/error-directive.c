/* error-directive.c -- the error directive with at(execution) (abi/host section 3.14).  */

#include "host/abi.h"

/* C passes a string, Fortran a text with its length.  */
static int
text_length (const char *text, size_t len)
{
  if (len == SIZE_MAX)
    len = strlen (text);
  return len > INT_MAX ? INT_MAX : (int) len;
}

void
GOMP_warning (const char *text, size_t len)
{
  if (text == NULL)
    gomp_error ("error directive encountered");
  else
    gomp_error ("error directive encountered: %.*s", text_length (text, len), text);
}

void
GOMP_error (const char *text, size_t len)
{
  if (text == NULL)
    gomp_fatal ("fatal error: error directive encountered");
  else
    gomp_fatal ("fatal error: error directive encountered: %.*s",
		text_length (text, len), text);
}
