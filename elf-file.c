/* elf-file.c -- the ELF file that a loaded module came from, and names of addresses.

   Rules
   1. A file is believed only if its program headers and its notes, with the build-id, equal
      those in memory: it may have been replaced since it was loaded.
   2. Everything read from a file is checked before it is used as an offset or a length.  */

#include "libgomp.h"
#include "elf-file.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_NAMES ((uint64_t) 1 << 24)
#define MAX_SYMBOLS ((uint64_t) 1 << 28)	/* bytes of a symbol table */

bool
gomp_elf_segment_holds (const struct dl_phdr_info *info, uint64_t start, uint64_t end,
			unsigned flags)
{
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *p = &info->dlpi_phdr[i];
      uint64_t from = info->dlpi_addr + p->p_vaddr;
      if (p->p_type == PT_LOAD && (p->p_flags & flags) == flags
	  && start >= from && end >= start && end <= from + p->p_memsz)
	return true;
    }
  return false;
}

/* ---- opening ---- */

bool
gomp_elf_read (const struct gomp_elf *f, void *buf, uint64_t size, uint64_t offset)
{
  char *p = buf;
  if (offset > f->size || size > f->size - offset)
    return false;
  while (size > 0)
    {
      ssize_t n = pread (f->fd, p, size, offset);
      if (n < 0 && errno == EINTR)
	continue;
      if (n <= 0)
	return false;
      p += n;
      offset += n;
      size -= n;
    }
  return true;
}

/* Is the open file F the one that INFO was loaded from?  */
static bool
same_file (const struct gomp_elf *f, const struct dl_phdr_info *info)
{
  const ElfW (Ehdr) *h = &f->header;
  size_t bytes = info->dlpi_phnum * sizeof (ElfW (Phdr));

  if (h->e_phentsize != sizeof (ElfW (Phdr)) || h->e_phnum != info->dlpi_phnum)
    return false;
  void *phdrs = gomp_malloc (bytes);
  bool same = (gomp_elf_read (f, phdrs, bytes, h->e_phoff)
	       && memcmp (phdrs, info->dlpi_phdr, bytes) == 0);
  free (phdrs);

  /* Notes hold the build-id.  */
  for (unsigned i = 0; same && i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *p = &info->dlpi_phdr[i];
      uint64_t addr = info->dlpi_addr + p->p_vaddr;
      char note[1024];
      if (p->p_type == PT_NOTE && p->p_filesz <= sizeof (note)
	  && gomp_elf_segment_holds (info, addr, addr + p->p_filesz, PF_R))
	same = (gomp_elf_read (f, note, p->p_filesz, p->p_offset)
		&& memcmp (note, (const void *) addr, p->p_filesz) == 0);
    }
  return same;
}

/* The value of TAG in the module's dynamic section, or 0.  */
static uint64_t
dynamic_value (const struct dl_phdr_info *info, ElfW (Sxword) tag)
{
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Dyn) *d = (const void *) (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
      for (; info->dlpi_phdr[i].p_type == PT_DYNAMIC && d->d_tag != DT_NULL; d++)
	if (d->d_tag == tag)
	  return d->d_un.d_val;
    }
  return 0;
}

/* The same of an address; the loader may have relocated it or not.  */
static uint64_t
dynamic_address (const struct dl_phdr_info *info, ElfW (Sxword) tag)
{
  uint64_t addr = dynamic_value (info, tag);
  return addr != 0 && addr < info->dlpi_addr ? addr + info->dlpi_addr : addr;
}

bool
gomp_elf_imports (const struct dl_phdr_info *info, const char *name)
{
  const ElfW (Sxword) table_tag[] = { DT_JMPREL, DT_RELA };
  const ElfW (Sxword) size_tag[] = { DT_PLTRELSZ, DT_RELASZ };
  uint64_t symbols = dynamic_address (info, DT_SYMTAB);
  uint64_t names = dynamic_address (info, DT_STRTAB), room = dynamic_value (info, DT_STRSZ);
  size_t length = strlen (name) + 1;

  if (symbols == 0 || names == 0 || !gomp_elf_segment_holds (info, names, names + room, PF_R))
    return false;
  for (int t = 0; t < 2; t++)
    {
      uint64_t table = dynamic_address (info, table_tag[t]);
      uint64_t size = dynamic_value (info, size_tag[t]);
      if (table == 0 || !gomp_elf_segment_holds (info, table, table + size, PF_R))
	continue;
      for (const ElfW (Rela) *r = (const void *) table; (uintptr_t) (r + 1) <= table + size; r++)
	{
	  uint64_t at = symbols + ELF64_R_SYM (r->r_info) * sizeof (ElfW (Sym));
	  const ElfW (Sym) *s = (const void *) at;
	  if (gomp_elf_segment_holds (info, at, at + sizeof (*s), PF_R) && s->st_shndx == SHN_UNDEF
	      && s->st_name < room && length <= room - s->st_name
	      && memcmp ((const char *) names + s->st_name, name, length) == 0)
	    return true;
	}
    }
  return false;
}

static const char *
try_path (struct gomp_elf *f, const char *path, const struct dl_phdr_info *info)
{
  const char *wrong = NULL;
  struct stat st;

  memset (f, 0, sizeof (*f));
  /* What was put in the place of the file must not block.  */
  f->fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (f->fd < 0)
    return strerrordesc_np (errno);
  if (fstat (f->fd, &st) != 0 || !S_ISREG (st.st_mode))
    wrong = "not a regular file";
  else
    {
      f->size = st.st_size;
      if (!gomp_elf_read (f, &f->header, sizeof (f->header), 0)
	  || memcmp (f->header.e_ident, ELFMAG, SELFMAG) != 0
	  || f->header.e_ident[EI_CLASS] != ELFCLASS64)
	wrong = "not an ELF file";
      else if (!same_file (f, info))
	wrong = "the file was replaced since it was loaded";
    }
  if (wrong != NULL)
    close (f->fd);
  return wrong;
}

/* The file mapped at ADDR according to the kernel, into PATH.  */
static bool
mapped_path (uint64_t addr, char *path, size_t size)
{
  FILE *maps = fopen ("/proc/self/maps", "re");
  char *line = NULL;
  size_t room = 0;
  bool found = false;

  while (maps != NULL && !found && getline (&line, &room, maps) > 0)
    {
      unsigned long from, to;
      int name = 0;
      if (sscanf (line, "%lx-%lx %*s %*s %*s %*s %n", &from, &to, &name) == 2 && name > 0
	  && addr >= from && addr < to && line[name] == '/')
	{
	  line[strcspn (line, "\n")] = 0;
	  found = (size_t) snprintf (path, size, "%s", line + name) < size;
	}
    }
  free (line);
  if (maps != NULL)
    fclose (maps);
  return found;
}

static uint64_t
first_address (const struct dl_phdr_info *info)
{
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD)
      return info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
  return info->dlpi_addr;
}

const char *
gomp_elf_open (struct gomp_elf *f, const struct dl_phdr_info *info, char *path)
{
  const char *wrong;

  if (*info->dlpi_name == 0)
    {
      /* Also when the executable was deleted or replaced.  Not when the program was
	 started by naming the dynamic loader: the link leads to that one.  */
      strcpy (path, "/proc/self/exe");
      wrong = try_path (f, path, info);
    }
  else if (*info->dlpi_name == '/' && strlen (info->dlpi_name) < PATH_MAX)
    {
      strcpy (path, info->dlpi_name);
      wrong = try_path (f, path, info);
    }
  else
    {
      *path = 0;
      wrong = "its path is not known";
    }
  /* A relative name counts from a directory that may not be the current one any more.  */
  if (wrong != NULL && mapped_path (first_address (info), path, PATH_MAX))
    {
      static const char gone[] = " (deleted)";	/* the kernel's words */
      size_t length = strlen (path), behind = sizeof (gone) - 1;
      const char *mapped_wrong = try_path (f, path, info);
      if (mapped_wrong == NULL || *info->dlpi_name != '/')
	wrong = mapped_wrong;
      if (wrong != NULL && length > behind && strcmp (path + length - behind, gone) == 0)
	{
	  path[length - behind] = 0;
	  wrong = "the file was removed or replaced since it was loaded";
	}
    }
  return wrong;
}

void
gomp_elf_close (struct gomp_elf *f)
{
  close (f->fd);
  free (f->sections);
  free (f->names);
}

const char *
gomp_elf_read_sections (struct gomp_elf *f)
{
  const ElfW (Ehdr) *h = &f->header;
  ElfW (Shdr) first;

  if (h->e_shoff == 0)
    return "it has no section headers";
  if (h->e_shentsize != sizeof (first) || !gomp_elf_read (f, &first, sizeof (first), h->e_shoff))
    return "its section headers are damaged";
  uint64_t num = h->e_shnum != 0 ? h->e_shnum : first.sh_size;
  uint64_t names_index = h->e_shstrndx != SHN_XINDEX ? h->e_shstrndx : first.sh_link;
  if (num > f->size / sizeof (first) || names_index >= num)
    return "its section headers are damaged";
  f->num_sections = num;
  f->sections = gomp_malloc (num * sizeof (first));
  if (!gomp_elf_read (f, f->sections, num * sizeof (first), h->e_shoff))
    return "its section headers are damaged";

  const ElfW (Shdr) *s = &f->sections[names_index];
  if (s->sh_type != SHT_STRTAB || s->sh_size == 0 || s->sh_size > MAX_NAMES)
    return "its section headers are damaged";
  f->names_size = s->sh_size;
  f->names = gomp_malloc (s->sh_size);
  if (!gomp_elf_read (f, f->names, s->sh_size, s->sh_offset) || f->names[s->sh_size - 1] != 0)
    return "its section names are damaged";
  return NULL;
}

/* The number in "GCC: (Debian 16.2.0-3) 16.2.0"; 0: it does not look like that.  */
static unsigned
gcc_number (const char *text)
{
  if (strncmp (text, "GCC: (", strlen ("GCC: (")) != 0)
    return 0;
  /* There may be more of them in what the distributor says.  */
  for (const char *p = text; (p = strstr (p, ") ")) != NULL; p++)
    if (p[2] >= '1' && p[2] <= '9')
      return strtoul (p + 2, NULL, 10);
  return 0;
}

unsigned
gomp_elf_oldest_gcc (const struct gomp_elf *f)
{
  unsigned oldest = 0;
  char text[4096];

  for (uint64_t i = 0; i < f->num_sections; i++)
    {
      const ElfW (Shdr) *s = &f->sections[i];
      if (s->sh_name >= f->names_size || strcmp (f->names + s->sh_name, ".comment") != 0)
	continue;
      if (s->sh_size >= sizeof (text) || !gomp_elf_read (f, text, s->sh_size, s->sh_offset))
	return 0;
      text[s->sh_size] = 0;
      for (const char *p = text; p < text + s->sh_size; p += strlen (p) + 1)
	{
	  unsigned number = gcc_number (p);
	  if (number == 0 && *p != 0)
	    return 0;
	  if (number != 0 && (oldest == 0 || number < oldest))
	    oldest = number;
	}
    }
  return oldest;
}

/* ---- names of addresses ---- */

struct lookup
{
  uint64_t addr;
  char name[4096];		/* of C++: they are long */
  uint64_t offset, size;
  uint64_t before, behind;	/* the end of the symbol below, the start of the next; as offset in the module */
  int type;			/* STT_FUNC, STT_OBJECT */
  bool found;
  bool copied;			/* see struct gomp_variable */
  const char *prefix;		/* not NULL: any function with such a name is looked for */
};

/* NAME+OFFSET into BUF.  What is too long for it is cut off NAME.  Names of C++ are spelt as in the source if the
   program has a library that can do that: ours does not bring one along.  */
static void
print_symbol (const char *name, uint64_t offset, char *buf, size_t size)
{
  char tail[32] = "", *spelt = NULL;

  if (offset != 0)
    snprintf (tail, sizeof (tail), "+%#llx", (unsigned long long) offset);
#ifdef PIC
  if (name[0] == '_' && name[1] == 'Z')
    {
      typedef char *demangle_fn (const char *, char *, size_t *, int *);
      demangle_fn *demangle = (demangle_fn *) dlsym (RTLD_DEFAULT, "__cxa_demangle");
      int status = 0;
      if (demangle != NULL)
	spelt = demangle (name, NULL, NULL, &status);
    }
#endif
  const char *text = spelt != NULL ? spelt : name;
  size_t room = size > strlen (tail) + 4 ? size - strlen (tail) - 4 : 0;
  if (strlen (text) > room + 3)
    snprintf (buf, size, "%.*s...%s", (int) room, text, tail);
  else
    snprintf (buf, size, "%s%s", text, tail);
  free (spelt);
}

/* The symbol of the table in section S that holds the address, relative to the module.  */
static void
search_symbols (const struct gomp_elf *f, const ElfW (Shdr) *s, uint64_t addr, struct lookup *l)
{
  if (s->sh_entsize != sizeof (ElfW (Sym)) || s->sh_size > MAX_SYMBOLS
      || s->sh_link >= f->num_sections)
    return;
  const ElfW (Shdr) *strings = &f->sections[s->sh_link];
  ElfW (Sym) batch[256];
  ElfW (Sym) best = { 0 };
  bool any = false;
  for (uint64_t done = 0; done < s->sh_size; done += sizeof (batch))
    {
      uint64_t bytes = s->sh_size - done < sizeof (batch) ? s->sh_size - done : sizeof (batch);
      if (!gomp_elf_read (f, batch, bytes, s->sh_offset + done))
	return;
      for (size_t i = 0; i < bytes / sizeof (batch[0]); i++)
	{
	  int type = ELF64_ST_TYPE (batch[i].st_info);
	  uint64_t start = batch[i].st_value, end = start + batch[i].st_size;
	  if ((type != STT_FUNC && type != STT_OBJECT) || batch[i].st_shndx == SHN_UNDEF || end <= start)
	    continue;
	  if (addr < start)
	    l->behind = start < l->behind ? start : l->behind;
	  else if (addr >= end)
	    l->before = end > l->before ? end : l->before;
	  else if (!any || start > best.st_value)
	    {
	      best = batch[i];
	      any = true;
	    }
	}
    }
  if (any && best.st_name < strings->sh_size)
    {
      uint64_t n = strings->sh_size - best.st_name;
      if (n > sizeof (l->name) - 1)
	n = sizeof (l->name) - 1;
      if (gomp_elf_read (f, l->name, n, strings->sh_offset + best.st_name))
	{
	  l->name[n] = 0;
	  l->offset = addr - best.st_value;
	  l->size = best.st_size;
	  l->type = ELF64_ST_TYPE (best.st_info);
	  l->found = l->name[0] != 0;
	}
    }
}

/* Any function with a name that begins with L->prefix.  */
static void
search_prefix (const struct gomp_elf *f, const ElfW (Shdr) *s, struct lookup *l)
{
  if (s->sh_entsize != sizeof (ElfW (Sym)) || s->sh_size > MAX_SYMBOLS
      || s->sh_link >= f->num_sections || f->sections[s->sh_link].sh_size > MAX_SYMBOLS)
    return;
  const ElfW (Shdr) *strings = &f->sections[s->sh_link];
  ElfW (Sym) batch[256];
  char *names = gomp_malloc (strings->sh_size + 1);
  names[strings->sh_size] = 0;
  bool readable = gomp_elf_read (f, names, strings->sh_size, strings->sh_offset);
  for (uint64_t done = 0; readable && !l->found && done < s->sh_size; done += sizeof (batch))
    {
      uint64_t bytes = s->sh_size - done < sizeof (batch) ? s->sh_size - done : sizeof (batch);
      if (!gomp_elf_read (f, batch, bytes, s->sh_offset + done))
	break;
      for (size_t i = 0; i < bytes / sizeof (batch[0]) && !l->found; i++)
	l->found = ELF64_ST_TYPE (batch[i].st_info) == STT_FUNC && batch[i].st_name < strings->sh_size
		   && strncmp (names + batch[i].st_name, l->prefix, strlen (l->prefix)) == 0;
    }
  free (names);
}

/* Is the variable at ADDR of the module another one's?  */
static bool
is_copied (const struct dl_phdr_info *info, uint64_t addr)
{
#if defined __x86_64__
  enum { COPY = R_X86_64_COPY };
#elif defined __aarch64__
  enum { COPY = R_AARCH64_COPY };
#else
  enum { COPY = -1 };
#endif
  uint64_t table = dynamic_address (info, DT_RELA), size = dynamic_value (info, DT_RELASZ);
  if (table == 0 || !gomp_elf_segment_holds (info, table, table + size, PF_R))
    return false;
  for (const ElfW (Rela) *r = (const void *) table; (uintptr_t) (r + 1) <= table + size; r++)
    if (ELF64_R_TYPE (r->r_info) == COPY && info->dlpi_addr + r->r_offset == addr)
      return true;
  return false;
}

static int
search_module (struct dl_phdr_info *info, size_t size, void *data)
{
  struct lookup *l = data;
  struct gomp_elf f;
  char path[PATH_MAX];
  (void) size;

  if (!gomp_elf_segment_holds (info, l->addr, l->addr + 1, 0))
    return 0;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *p = &info->dlpi_phdr[i];
      if (p->p_type == PT_LOAD && l->addr - info->dlpi_addr - p->p_vaddr < p->p_memsz)
	{
	  l->before = p->p_vaddr;
	  l->behind = p->p_vaddr + p->p_memsz;
	}
    }
  int cancel = gomp_cancel_off ();	/* the loader's lock is held, too */
  if (gomp_elf_open (&f, info, path) == NULL)
    {
      if (gomp_elf_read_sections (&f) == NULL)
	for (uint64_t i = 0; i < f.num_sections && !l->found; i++)
	  {
	    if (f.sections[i].sh_type != SHT_SYMTAB)
	      continue;
	    if (l->prefix != NULL)
	      search_prefix (&f, &f.sections[i], l);
	    else
	      search_symbols (&f, &f.sections[i], l->addr - info->dlpi_addr, l);
	  }
      gomp_elf_close (&f);
    }
  l->before += info->dlpi_addr;
  l->behind += info->dlpi_addr;
  if (l->found && l->type == STT_OBJECT)
    l->copied = is_copied (info, l->addr - l->offset);
  gomp_cancel_restore (cancel);
  return 1;
}

bool
gomp_symbol_variable (uint64_t addr, struct gomp_variable *v)
{
  struct lookup l = { .addr = addr, .before = addr, .behind = addr + 1 };
  int saved = errno;

  gomp_check_loader ();
  dl_iterate_phdr (search_module, &l);
  errno = saved;
  if (!l.found || l.type != STT_OBJECT || strlen (l.name) >= sizeof (v->name))
    {
      *v = (struct gomp_variable) { .start = l.before, .end = l.behind };
      if (l.found)
	{
	  v->start = addr - l.offset;
	  v->end = v->start + l.size;
	}
      return false;
    }
  *v = (struct gomp_variable) { .start = addr - l.offset, .copied = l.copied };
  v->end = v->start + l.size;
  strcpy (v->name, l.name);
  return true;
}

bool
gomp_symbol_function (uint64_t addr, const char *prefix)
{
  struct lookup l = { .addr = addr, .prefix = prefix };
  int saved = errno;

  gomp_check_loader ();
  dl_iterate_phdr (search_module, &l);
  errno = saved;
  return l.found;
}

bool
gomp_symbol_lookup (const void *addr, char *buf, size_t size)
{
  struct lookup l = { .addr = (uintptr_t) addr };
  Dl_info info;
  int saved = errno;

  gomp_check_loader ();
  dl_iterate_phdr (search_module, &l);
  if (l.found)
    print_symbol (l.name, l.offset, buf, size);
  else if (dladdr (addr, &info) != 0 && info.dli_sname != NULL)
    {
      print_symbol (info.dli_sname, (uintptr_t) addr - (uintptr_t) info.dli_saddr, buf, size);
      l.found = true;
    }
  errno = saved;
  return l.found;
}

const char *
gomp_symbol_name (const void *addr, char *buf, size_t size)
{
  Dl_info info;

  if (!gomp_symbol_lookup (addr, buf, size))
    {
      if (dladdr (addr, &info) == 0)
	snprintf (buf, size, "%p", addr);
      else
	snprintf (buf, size, "%#llx of %s",
		  (unsigned long long) ((uintptr_t) addr - (uintptr_t) info.dli_fbase),
		  info.dli_fname);
    }
  return buf;
}

const char *
gomp_module_name (const void *addr, char *buf, size_t size)
{
  Dl_info info;
  gomp_check_loader ();
  if (dladdr (addr, &info) != 0 && info.dli_fname != NULL)
    snprintf (buf, size, "%s", info.dli_fname);
  else
    *buf = 0;
  return buf;
}
