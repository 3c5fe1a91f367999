/* error-directive.c -- the error directive with at(execution) (abi/host section 3.14).  */

#include "host/abi.h"
#include "host/ompt.h"

/* C passes a string, Fortran a text with its length.  */
static int
text_length (const char *text, size_t len)
{
  if (len == SIZE_MAX)
    len = strlen (text);
  return len > INT_MAX ? INT_MAX : (int) len;
}

static void __attribute__ ((cold))
report (ompt_severity_t severity, const char *text, size_t len, const void *codeptr)
{
  if (gomp_ompt_self () == NULL)
    return;
  ompt_callback_error_t error = GOMP_OMPT_CALLBACK (error, error);
  if (error != NULL)
    error (severity, text, text != NULL ? (size_t) text_length (text, len) : 0, codeptr);
}

void
GOMP_warning (const char *text, size_t len)
{
  if (gomp_ompt_on ())
    report (ompt_warning, text, len, __builtin_return_address (0));
  if (text == NULL)
    gomp_error ("error directive encountered");
  else
    gomp_error ("error directive encountered: %.*s", text_length (text, len), text);
}

void
GOMP_error (const char *text, size_t len)
{
  if (gomp_ompt_on ())
    report (ompt_fatal, text, len, __builtin_return_address (0));
  if (text == NULL)
    gomp_fatal ("fatal error: error directive encountered");
  else
    gomp_fatal ("fatal error: error directive encountered: %.*s",
		text_length (text, len), text);
}
