/* nvptx-tokens.h -- words of a PTX text, for who changes a text here and there without reading all of it (nvptx-read.h).

   A text ends with a NUL; nothing behind it is looked at.  */

#ifndef GOMPX_NVPTX_TOKENS_H
#define GOMPX_NVPTX_TOKENS_H 1

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A word or one other character.  LENGTH 0: the text's end.  */
struct token
{
  const char *at;
  size_t length;
  bool word;
};

/* A character of a name of a variable, function or register, or of a number without a point.  */
static inline bool
is_name_char (char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '%';
}

/* How many of them are at AT, before END.  */
static inline size_t
name_length (const char *at, const char *end)
{
  const char *p = at;
  while (p < end && is_name_char (*p))
    p++;
  return p - at;
}

static inline bool
is_token_char (char c)
{
  return is_name_char (c) || c == '.';
}

/* The token at or behind P.  */
static inline struct token
token_at (const char *p)
{
  while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
    p++;
  struct token t = { p, 0, false };
  while (is_token_char (t.at[t.length]))
    t.length++;
  t.word = t.length > 0;
  if (t.length == 0 && *t.at != 0)
    t.length = 1;
  return t;
}

static inline struct token
token_after (struct token t)
{
  return token_at (t.at + t.length);
}

static inline bool
token_is (struct token t, const char *text)
{
  return strlen (text) == t.length && memcmp (t.at, text, t.length) == 0;
}

static inline bool
token_same (struct token a, struct token b)
{
  return a.length == b.length && memcmp (a.at, b.at, a.length) == 0;
}

static inline bool
token_begins (struct token t, const char *text)
{
  return t.length >= strlen (text) && memcmp (t.at, text, strlen (text)) == 0;
}

/* If *T is TEXT, go on.  */
static inline bool
skip_token (struct token *t, const char *text)
{
  if (!token_is (*t, text))
    return false;
  *t = token_after (*t);
  return true;
}

/* The same for any word, which is *WORD then.  */
static inline bool
skip_word_token (struct token *t, struct token *word)
{
  *word = *t;
  *t = token_after (*t);
  return word->word;
}

#endif /* GOMPX_NVPTX_TOKENS_H */
