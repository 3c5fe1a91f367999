/* Part of ompt-libraries.c: a library that is no tool.  */

int ompt_is_not_here (void);

int
ompt_is_not_here (void)
{
  return 1;
}
