#!/usr/bin/env python3
"""make-pack.py -- everything to test and measure on a machine with an NVIDIA GPU, in one archive.

    make check-gpu-pack [GPU_COMPILERS="native /var/tmp/trixie:14 /var/tmp/forky:16"]

Takes the tests with the mode "gpu" (testsuite/README), the examples and bench/gpu, compiles them
with images for nvptx by each compiler, and adds the library with its plugins, the shared libraries
that other compilers' programs need, GCC's own runtime to compare with, and run.py.  That machine
needs python3, a driver, and nothing else.  doc/gpu-tests.md tells how the archive is used.

A compiler is "native" (gcc, g++, gfortran as configured) or CHROOT:VERSION, made by
tools/compiler-chroot.sh.  A test that does not compile is an error.
"""

import argparse
import glob
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
import tarfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
TESTS = os.path.join(TOP, 'testsuite')
DIRECTORIES = ['libgomp.offload', 'libgomp.device', 'libgomp.verify/target', 'libgomp.nvptx',
               'libgomp.fault', 'libgomp.stress', 'libgomp.fortran']
# Their reductions over two numbers take a lock of the device library for each thread of each
# team: with GCC's they do not come to an end in a minute.
ONLY_OURS = ['cg', 'cg-f']
# They fail where nobody serves them: programs of GCC 12 cannot ask for it, and GCC's device library does not know of it.
SERVED = ['progress', 'log', 'more-work']
# What they print depends on the order in which threads come: roundings, what was told of in time.
VARIES = ['cg', 'cg-f', 'list', 'nbody', 'progress', 'log', 'more-work']
# As in testsuite/lib/libgomp.exp: functions of libm, and atomics of 1, 2 and 16 bytes.
DEVICE_LIBRARIES = '-foffload-options=nvptx-none=-lm -latomic'
# Programs of other directories that are run inside of a target region, and what does that.
IN_REGION, HOST_PROGRAMS = 'libgomp.device/aux-in-region', 'libgomp.device/host-programs'
# The newest C library on which programs are expected to start without a loader of their own.
OLDEST_TARGET = (2, 39)
# Programs of random regions: how many regions one has; options as in testsuite/libgomp.nvptx/lanes-random.sh, levels in turn.
RANDOM_REGIONS, RANDOM_LEVELS = 40, ('-O2', '-O1', '-O3')
RANDOM_OPTIONS = ['-w', '-fwrapv', '-ffp-contract=off', '-fopenmp']
# The loops of bench/gpu/kernels as they are, and with clauses that users write: program, macros.
KERNEL_SHAPES = {
    'kernels': [],
    'kernels-limit': ['-DSHAPE=thread_limit (256)'],
    'kernels-threads': ['-DSHAPE=num_threads (256)'],
    'kernels-teams': ['-DSHAPE=num_teams (1056) thread_limit (256)'],
    'kernels-simd': ['-DSHAPE=simd thread_limit (256)', '-DSHAPE_OF_ATOMICS=thread_limit (256)'],
}
# Folders of team kernels, one program a file: how a file asks for its team's threads, the option
# that leaves that out, the arguments for few repeats at the usual size and for a simulator.
TEAM_KERNELS = {'bench/gpu/blocks': ('TEAM_OF (', '-DWITHOUT_NUM_THREADS', ['-r', '3'], ['-s']),
                'bench/gpu/given/blocks': ('THREADS(', '-DNO_NUM_THREADS', ['-r', '3'], ['-s'])}
# One program of many files; its arguments, as above.
SHAPES = 'bench/gpu/given/shapes'
SHAPES_ARGUMENTS = ['--repeats', '3'], ['--size', 'small', '--repeats', '1']


def die(text):
    sys.exit('make-pack: ' + text)


def directives(text, name):
    """All values of a directive, in order, as testsuite/lib/libgomp.exp reads them."""
    values = []
    for line in text.split('\n'):
        found = re.search(r'(?:^|[^A-Z-])' + name + ':(.*)$', line)
        if found:
            values.append(re.sub(r'\*/\s*$', '', found.group(1)).strip())
    return values


def directive(text, name, default=''):
    values = directives(text, name)
    return values[-1] if values else default


def expected_output(text, source):
    """The exact output on a device, or None."""
    lines, inside = [], False
    for line in text.split('\n'):
        if not inside and re.search(r'EXPECT (DEV|BOTH):', line):
            inside = True
        elif inside:
            if re.match(r'(! ?)?END\s*$', line):
                return ''.join(l + '\n' for l in lines)
            lines.append(re.sub(r'^! ?', '', line))
    if inside:
        die(source + ': EXPECT without END')
    out = os.path.splitext(source)[0] + '.out'
    return open(out).read() if os.path.exists(out) else None


class Compiler:
    """One version of GCC: where it runs and what makes it produce images."""

    def __init__(self, spec, native):
        if spec == 'native':
            self.chroot, self.commands = None, native
        else:
            self.chroot, _, version = spec.rpartition(':')
            if not self.chroot:
                die('not a compiler: ' + spec)
            self.commands = {'c': 'gcc-' + version, 'cc': 'g++-' + version,
                             'f': 'gfortran-' + version}
        self.binds = []
        version = self.capture([*self.commands['c'].split(), '-dumpversion'])
        if version is None:
            die('cannot run %s (%s)' % (self.commands['c'], spec))
        self.version = int(version.split('.')[0])
        options = self.capture([os.path.join(TOP, 'tools/nvptx-options.sh'),
                                *self.commands['c'].split()])
        if not options:
            die('%s (%s) makes no images: is gcc-%d-offload-nvptx installed?'
                % (self.commands['c'], spec, self.version))
        self.options = options.split()

    def wrap(self, command):
        if self.chroot is None:
            return command
        return [os.path.join(TOP, 'tools/compiler-chroot.sh'), 'run', self.chroot] + command

    def capture(self, command):
        done = subprocess.run(self.wrap(command), stdout=subprocess.PIPE, text=True,
                              stdin=subprocess.DEVNULL, env=self.environment())
        return done.stdout.strip() if done.returncode == 0 else None

    def environment(self):
        return dict(os.environ, GOMPX_BIND=' '.join(self.binds))

    def kind(self, source):
        ending = os.path.splitext(source)[1]
        return {'.c': 'c', '.cc': 'cc', '.cpp': 'cc'}.get(ending, 'f')

    def image_options(self, text):
        options = list(self.options)
        # Their default architecture has no reverse offload: the image would be dropped.
        if self.version in (13, 14) and 'reverse_offload' in text:
            options.append('-foffload-options=nvptx-none=-misa=sm_35')
        return options


class Pack:
    def __init__(self, arguments):
        self.build = os.path.abspath(arguments.build)
        self.stage = os.path.join(os.path.abspath(arguments.stage), 'gpu-pack')
        self.random_only = arguments.random_only
        self.cc = arguments.cc         # for programs that are not in the pack
        self.jobs = []                 # shell scripts of one compiler
        self.tests = []                # entries of the manifest
        self.random = []               # and of random regions
        self.kernels = []              # and of kernels that check their results
        shutil.rmtree(self.stage, ignore_errors=True)
        os.makedirs(self.stage)

    def path(self, *parts):
        path = os.path.join(self.stage, *parts)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    # ---- programs ----

    def compile(self, compiler, directory, commands):
        """Commands (lists of words) to be run in DIRECTORY, one after the other."""
        lines = ['cd ' + quote(directory), 'exec > compile.log 2>&1']
        for command in commands:
            lines.append(' '.join(quote(word) for word in command)
                         + ' || { echo "status $?"; exit 0; }')
        lines.append('rm -f compile.log *.mod *.smod')
        script = os.path.join(self.scratch, '%d.sh' % len(self.jobs))
        with open(script, 'w') as f:
            f.write('\n'.join(lines) + '\n')
        self.jobs.append(script)

    def begin(self, compiler):
        self.jobs = []
        self.scratch = self.path('..', 'gpu-pack-jobs', 'x')[:-2]
        shutil.rmtree(self.scratch, ignore_errors=True)
        os.makedirs(self.scratch)
        compiler.binds = [self.stage, self.scratch, self.build, TOP]

    def finish(self, compiler, parallel):
        if self.jobs:
            command = ['sh', '-c', 'printf "%s\\n" ' + quote(self.scratch) + '/*.sh | '
                       'xargs -P %d -n 1 sh' % parallel]
            subprocess.run(compiler.wrap(command), env=compiler.environment(), check=True,
                           stdin=subprocess.DEVNULL)
        shutil.rmtree(self.scratch)

    def program(self, compiler, name, sources, text, arguments=(), cflags=()):
        """One program of NAME by COMPILER; its entry in the manifest is answered."""
        directory = os.path.join('progs', str(compiler.version), name.replace('/', '.'))
        absolute = os.path.join(self.stage, directory)
        os.makedirs(absolute)
        base = os.path.splitext(os.path.basename(sources[0]))[0]
        image = compiler.image_options(text)
        commands, shared = [], []
        for value in directives(text, 'TEST-SHARED'):
            words = self.substitute(value, absolute).split()
            library = os.path.splitext(os.path.basename(words[0]))[0] + '.so'
            source = os.path.join(os.path.dirname(sources[0]), words[0])
            commands.append([*compiler.commands[compiler.kind(source)].split(), '-fopenmp', '-O2',
                             *image, '-shared', '-fPIC', source, '-o', library, *words[1:]])
            shared.append(library)
        options = self.substitute(directive(text, 'TEST-OPTIONS'), absolute).split()
        commands.append([*compiler.commands[compiler.kind(sources[0])].split(), '-fopenmp', '-O2',
                         '-w', *image, *sources, '-o', base + '.exe', *options, *cflags, '-lm'])
        self.compile(compiler, absolute, commands)
        return {'name': name, 'compiler': compiler.version, 'dir': directory, 'exe': base + '.exe',
                'arguments': list(arguments)}

    def substitute(self, text, directory):
        for name, value in (('@libdir@', os.path.join(self.build, '.libs')), ('@srcdir@', TESTS),
                            ('@top_builddir@', self.build), ('@top_srcdir@', TOP),
                            ('@rundir@', directory)):
            text = text.replace(name, value)
        return text

    def add_test(self, compiler, name, source, text, inside=None, settings=()):
        """INSIDE: the program that includes SOURCE, if it is not a program itself; SETTINGS: words
        of host-programs."""
        words = dict(re.findall(r'(fallback|alone|mingcc|devices|ours|varies)(?:=(\d+))?',
                                directive(text, 'TEST-GPU')))
        least = max(int(re.match(r'\d*', directive(text, 'MINGCC', '0')).group() or 0),
                    int(words.get('mingcc') or 0))
        if compiler.version < least:
            return
        cflags = ['-w'] if '.verify/' in name else []
        if inside:
            cflags = ['-w', '-DTESTED="%s"' % source]
        cflags.append(DEVICE_LIBRARIES)
        entry = self.program(compiler, name, [inside or source], text, cflags=cflags)
        entry['env'] = [v for v in directives(text, 'TEST-ENV') if not v.startswith('GOMPX_TEST')]
        entry['env'] += [s for s in settings if '=' in s]
        entry['exit'] = directive(text, 'TEST-EXIT', '0')
        entry['output'] = directives(text, 'TEST-OUTPUT')
        entry['no_output'] = directives(text, 'TEST-NO-OUTPUT')
        entry['expect'] = expected_output(text, source)
        entry['timeout'] = int(directive(text, 'TEST-TIMEOUT', '60'))
        entry['fallback'] = 'fallback' in words
        entry['devices'] = int(words.get('devices') or 1)
        entry['alone'] = 'alone' in words
        entry['ours'] = 'ours' in words or 'ours' in settings
        entry['varies'] = 'varies' in words or 'varies' in settings
        self.tests.append(entry)

    def add_examples(self, compiler):
        for line in open(os.path.join(TOP, 'examples/list.txt')):
            if not line.strip() or line.lstrip().startswith('#'):
                continue
            name, sources, arguments, expect = [c.strip() for c in line.rstrip('\n').split('|', 3)]
            if name in SERVED and compiler.version < 13:
                continue
            sources = [os.path.join(TOP, 'examples', s) for s in sources.split()]
            words = [a.replace('@examples@', 'data-of-examples').replace('@out@', '.')
                     for a in arguments.split()]
            text = ''.join(open(s).read() for s in sources)
            entry = self.program(compiler, 'examples/' + name, sources, text, arguments=words,
                                 cflags=[DEVICE_LIBRARIES])
            entry.update(env=[], exit='0', output=[expect], no_output=[], expect=None, timeout=120,
                         fallback=False, devices=1, alone=False, ours=name in ONLY_OURS + SERVED,
                         varies=name in VARIES)
            self.tests.append(entry)

    def add_benchmarks(self, compiler, newest):
        for name in ('regions', 'first', 'functions', 'variables', 'callers', 'reverse', 'cuda', 'floors'):
            source = os.path.join(TOP, 'bench/gpu', name + '.c')
            if name in ('callers', 'reverse') and compiler.version < 13 or name in ('cuda', 'floors') and not newest:
                continue
            self.program(compiler, 'bench/%s.c' % name, [source], open(source).read(),
                         cflags=['-std=gnu11', '-D_GNU_SOURCE', '-ldl', '-lm', DEVICE_LIBRARIES])

        if newest:
            source = os.path.join(TOP, 'bench/gpu/device.c')
            for name, cflags in (('device', []), ('device-alone', ['-DNO_TASKS'])):
                self.program(compiler, 'bench/%s.c' % name, [source], open(source).read(),
                             cflags=cflags + [DEVICE_LIBRARIES])

    def add_kernels(self, compiler):
        """bench/gpu/kernels, in OpenMP and by hand, for run-kernels.py."""
        directory = os.path.join(TOP, 'bench/gpu/kernels')
        common = [os.path.join(directory, f + '.c')
                  for f in 'table stream stencil matrix sparse reduce compute search'.split()]
        absolute = self.path('progs/%d/bench.kernels/hand.ptx' % compiler.version)
        shutil.copy(os.path.join(directory, 'hand.ptx'), absolute)
        cc, flags = compiler.commands['c'].split(), ['-O2', '-D_GNU_SOURCE', '-w']
        openmp = [*cc, *flags, '-fopenmp', *compiler.options, DEVICE_LIBRARIES]
        self.compile(compiler, os.path.dirname(absolute), [
            [*openmp, *shape, os.path.join(directory, 'main.c'), *common, '-lm', '-o', name]
            for name, shape in KERNEL_SHAPES.items()] + [
            [*cc, *flags, os.path.join(directory, 'hand.c'), *common, '-lm', '-ldl', '-o', 'hand']])

    def add_checked(self, name, variant, entry, arguments, says):
        """ENTRY is program NAME of kernels that check their results, and passes if it SAYS so."""
        entry.update(env=[], exit='0', output=[says], no_output=[], expect=None, timeout=60,
                     fallback=False, devices=1, alone=False, ours=True, varies=True,
                     arguments=arguments[0], small=arguments[1], program=name, variant=variant)
        self.kernels.append(entry)

    def add_team_kernels(self, compiler, only):
        """bench/gpu/blocks and those given, with and without the clause num_threads."""
        for folder, (clause, without, usual, small) in TEAM_KERNELS.items():
            sources = [f for ending in ('.c', '.cpp')
                       for f in glob.glob(os.path.join(TOP, folder, '*' + ending))]
            for source in sorted(sources):
                text = open(source).read()
                base = os.path.splitext(os.path.basename(source))[0]
                name = os.path.join(os.path.relpath(folder, 'bench/gpu'), base)
                standard = '-std=c11' if source.endswith('.c') else '-std=c++17'
                for variant, more in [('', []), ('.free', [without])][:1 + (clause in text)]:
                    if re.search(only, name + variant):
                        entry = self.program(compiler, name + variant, [source], text,
                                             cflags=[standard, DEVICE_LIBRARIES, *more])
                        self.add_checked(name, variant, entry, (usual, small), '^PASS$')

    def add_shapes(self, compiler):
        """Loops in two variants in one image, and the serial reference, as its Makefile builds them."""
        source = os.path.join(TOP, SHAPES)
        name = os.path.relpath(SHAPES, 'bench/gpu')
        kernels = sorted(glob.glob(os.path.join(source, 'k_*')))
        directory = os.path.join('progs', str(compiler.version), name.replace('/', '.'))
        os.makedirs(os.path.join(self.stage, directory))
        openmp = ['-fopenmp', *compiler.options, DEVICE_LIBRARIES]
        plain = ['-ffp-contract=off', '-D_GNU_SOURCE']
        objects, commands = [], []
        files = [(k, o) for k in kernels
                 for o in ([*plain, '-DSERIAL'], openmp, [*openmp, '-DSHAPE'])]
        files += [(os.path.join(source, f), plain)
                  for f in ('serial_groups.c', 'problems.c', 'main.c')]
        files.append((os.path.join(source, 'omp_variants.c'), openmp))
        for file, options in files:
            objects.append('%d.o' % len(objects))
            commands.append([*compiler.commands[compiler.kind(file)].split(), '-O3', '-w', *options,
                             '-c', file, '-o', objects[-1]])
        commands.append([*compiler.commands['cc'].split(), '-O3', *openmp, *objects,
                         '-o', 'shapes.exe', '-lm'])
        self.compile(compiler, os.path.join(self.stage, directory), [*commands, ['rm', *objects]])
        entry = {'name': name, 'compiler': compiler.version, 'dir': directory, 'exe': 'shapes.exe'}
        self.add_checked(name, '', entry, SHAPES_ARGUMENTS, r'^(\d+) of \1 passed$')

    def add_random(self, compiler, num):
        """NUM programs of random regions, for run.py --random; of four one has block kernels, one
        short loops only, one simd loops, unless all are to be of one kind."""
        generator = self.path('..', 'gpu-pack-kernels')
        if not self.random:
            sources = glob.glob(os.path.join(TESTS, 'libgomp.nvptx/aux-kernels*.c'))
            subprocess.run([*self.cc.split(), '-O1', '-w', '-D_GNU_SOURCE', *sources, '-o', generator], check=True)
        for place in range(num):
            seed, level = 1000 * compiler.version + place, RANDOM_LEVELS[place % len(RANDOM_LEVELS)]
            directory = 'progs/%d/random.%d' % (compiler.version, seed)
            only = [['simd'], ['blocks'], [], ['plain']][seed % 4]
            if self.random_only:
                only = [self.random_only]
            text = subprocess.run([generator, str(seed), str(RANDOM_REGIONS)] + only,
                                  stdout=subprocess.PIPE, text=True, check=True).stdout
            with open(self.path(directory, 'k.c'), 'w') as f:
                f.write(text)
            self.compile(compiler, os.path.join(self.stage, directory), [
                [*compiler.commands['c'].split(), level, *['-g'][seed % 2:], *RANDOM_OPTIONS, *compiler.options, DEVICE_LIBRARIES,
                 'k.c', '-o', 'k.exe', '-lm'], ['rm', 'k.c']])
            self.random.append({
                'compiler': compiler.version, 'place': place, 'seed': seed, 'level': level, 'dir': directory,
                'exe': 'k.exe', 'regions': RANDOM_REGIONS, 'blocks': only == ['blocks'],
                'warp': [int(k) for k in re.findall(r'EXPECT: kernel(\d+) warp', text)]})

    # ---- libraries ----

    def add_libraries(self, compiler):
        """What programs of that compiler need beside libgomp and the C library."""
        to = 'lib/%d' % compiler.version
        wanted = [('c', 'libgcc_s.so.1'), ('cc', 'libstdc++.so.6'), ('f', 'libgfortran.so.5'),
                  ('f', 'libquadmath.so.0')]
        root = compiler.chroot or ''
        for kind, library in wanted:
            path = compiler.capture([*compiler.commands[kind].split(),
                                     '-print-file-name=' + library])
            if not path or not path.startswith('/'):
                continue
            path = follow(root, path)
            if os.path.exists(path):
                shutil.copy(path, self.path(to, library))
        newest = max([glibc_of(p) for p in glob.glob(os.path.join(self.stage, to, '*'))]
                     + [(0, 0)])
        if newest > OLDEST_TARGET:
            for library in ('ld-linux-x86-64.so.2', 'libc.so.6', 'libm.so.6', 'libdl.so.2',
                            'libpthread.so.0', 'librt.so.1', 'libutil.so.1', 'libmvec.so.1'):
                for directory in ('/lib64', '/lib/x86_64-linux-gnu', '/usr/lib/x86_64-linux-gnu'):
                    path = follow(root, directory + '/' + library)
                    if os.path.exists(path):
                        shutil.copy(path, self.path(to + '-libc', library))
                        break

    def needs_loader(self, entry):
        """Whether the C library of that machine may be too old for a program."""
        libc = os.path.join(self.stage, 'lib/%d-libc' % entry['compiler'])
        if not os.path.isdir(libc):
            return False
        files = glob.glob(os.path.join(self.stage, entry['dir'], '*.exe')) \
            + glob.glob(os.path.join(self.stage, entry['dir'], '*.so'))
        for file in list(files):
            for library in needed(file):
                path = os.path.join(self.stage, 'lib/%d' % entry['compiler'], library)
                if os.path.exists(path):
                    files.append(path)
        return max([glibc_of(f) for f in files] + [(0, 0)]) > OLDEST_TARGET

    def add_ours(self):
        libs = os.path.join(self.build, '.libs')
        shutil.copy(os.path.join(libs, 'libgomp.so.1'), self.path('gompx/libgomp.so.1'))
        for plugin in glob.glob(os.path.join(libs, 'libgomp-plugin-*.so.1')):
            shutil.copy(plugin, self.path('gompx', os.path.basename(plugin)))
        for file in glob.glob(os.path.join(self.stage, 'gompx/*')):
            subprocess.run(['strip', '--strip-unneeded', file], check=True)
        for program in ('gompx-info', 'gompx-nvptx-link'):
            path = os.path.join(self.build, program)
            if os.path.exists(path):
                shutil.copy(path, self.path('gompx', program))

    def has_lanes(self, entry):
        """Whether the program, or a library of its own, has a parallel region in which lanes can be threads."""
        directory = os.path.join(self.stage, entry['dir'])
        files = [os.path.join(directory, f) for f in os.listdir(directory)
                 if re.search(r'\.(exe|so)$', f)]
        text = subprocess.run([os.path.join(self.build, 'gompx-info'), *files], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        return 'threads can be lanes' in text

    def add_peer(self, compiler):
        """GCC's own runtime, of the newest compiler; its nvptx plugin alone."""
        root = compiler.chroot or ''
        for library in ('libgomp.so.1', 'libgomp-plugin-nvptx.so.1'):
            path = follow(root, '/usr/lib/x86_64-linux-gnu/' + library)
            if not os.path.exists(path):
                print('make-pack: no %s in %s: nothing to compare with' % (library, root or '/'))
                shutil.rmtree(os.path.join(self.stage, 'peer'), ignore_errors=True)
                return None
            shutil.copy(path, self.path('peer', library))
        return 'GCC %s' % compiler.capture([*compiler.commands['c'].split(), '-dumpfullversion'])

    def archive(self, out):
        def entry(info):
            info.uid = info.gid = 0
            info.uname = info.gname = 'root'
            return info
        # Programs of one compiler hold the same texts: a dictionary of some programs' size makes
        # one of them hardly larger than what is new in it.
        filters = [{'id': lzma.FILTER_LZMA2, 'preset': 2, 'dict_size': 64 << 20}]
        with lzma.open(out, 'wb', filters=filters) as xz, \
                tarfile.open(fileobj=xz, mode='w', format=tarfile.PAX_FORMAT) as tar:
            for directory, names, files in os.walk(self.stage):
                names.sort()
                for file in sorted(files):
                    path = os.path.join(directory, file)
                    tar.add(path, os.path.join('gpu-pack', os.path.relpath(path, self.stage)),
                            filter=entry)


def quote(word):
    return "'" + word.replace("'", "'\\''") + "'"


def follow(root, path):
    """The file behind PATH in the directory tree ROOT, links followed inside of it."""
    path = os.path.normpath(path)
    for _ in range(40):
        parts, walked = path.strip('/').split('/'), root or '/'
        for i, part in enumerate(parts):
            walked = os.path.join(walked, part)
            if os.path.islink(walked):
                target = os.readlink(walked)
                if not target.startswith('/'):
                    target = os.path.join(os.path.dirname(walked)[len(root):] or '/', target)
                path = os.path.normpath(os.path.join(target, *parts[i + 1:]))
                break
        else:
            return walked
    return root + path


def dynamic_section(file):
    return subprocess.run(['objdump', '-p', file], stdout=subprocess.PIPE, text=True).stdout


def needed(file):
    return re.findall(r'NEEDED\s+(\S+)', dynamic_section(file))


def glibc_of(file):
    """The newest version of the C library that FILE asks for."""
    found = re.findall(r'GLIBC_(\d+)\.(\d+)', dynamic_section(file))
    return max([(int(a), int(b)) for a, b in found] + [(0, 0)])


def gpu_tests():
    """Name, path and text of every test with the mode gpu."""
    for directory in DIRECTORIES:
        for source in sorted(glob.glob(os.path.join(TESTS, directory, '*'))):
            if not re.search(r'\.(c|cc|f|f90|F90)$', source) or '-lib.' in source \
                    or os.path.basename(source).startswith('aux-'):
                continue
            text = open(source, encoding='utf-8').read()
            if 'gpu' in directive(text, 'TEST-MODES').split():
                yield os.path.relpath(source, TESTS), source, text


def programs_in_regions():
    """Name, path, text, including program and further words of what host-programs lists."""
    for line in open(os.path.join(TESTS, HOST_PROGRAMS)):
        words = line.split('#')[0].split()
        if words:
            source = os.path.join(TESTS, words[0])
            yield ('libgomp.device/' + words[0], source, open(source, encoding='utf-8').read(),
                   os.path.join(TESTS, IN_REGION + os.path.splitext(source)[1]), words[1:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', required=True, help='build directory of the library')
    parser.add_argument('--out', required=True, help='the archive')
    parser.add_argument('--stage', required=True, help='directory to make it in')
    parser.add_argument('--cc', default='gcc')
    parser.add_argument('--cxx', default='g++')
    parser.add_argument('--fc', default='gfortran')
    parser.add_argument('--only', default='', help='tests whose names match')
    parser.add_argument('--random', type=int, default=32, metavar='N', help='programs of random regions by the '
                        'oldest of the compilers, and a third as many by each other one')
    parser.add_argument('--random-only', default='', choices=['', 'blocks', 'plain', 'initial', 'simd'],
                        metavar='KIND', help='all of these are of this kind: blocks, plain, initial or simd')
    parser.add_argument('--clang', default='', metavar='CHROOT:VERSION', help='the loops of bench/gpu/kernels by clang, too '
                        '(clang-kernels.sh); some 40 MiB')
    parser.add_argument('compilers', nargs='*', default=['native'])
    arguments = parser.parse_args()

    native = {'c': arguments.cc, 'cc': arguments.cxx, 'f': arguments.fc}
    compilers = [Compiler(spec, native) for spec in arguments.compilers or ['native']]
    compilers.sort(key=lambda c: c.version)
    pack = Pack(arguments)
    tests = [t for t in [*gpu_tests(), *programs_in_regions()] if re.search(arguments.only, t[0])]
    for compiler in compilers:
        print('make-pack: GCC %d' % compiler.version, flush=True)
        pack.begin(compiler)
        for test in tests:
            pack.add_test(compiler, *test)
        if re.search(arguments.only, 'examples'):
            pack.add_examples(compiler)
        pack.add_benchmarks(compiler, compiler is compilers[-1])
        pack.add_kernels(compiler)
        pack.add_team_kernels(compiler, arguments.only)
        if re.search(arguments.only, os.path.relpath(SHAPES, 'bench/gpu')):
            pack.add_shapes(compiler)
        pack.add_random(compiler, arguments.random if compiler is compilers[0] else -(-arguments.random // 3))
        pack.finish(compiler, os.cpu_count() or 1)
        pack.add_libraries(compiler)
    failed = sorted(glob.glob(os.path.join(pack.stage, 'progs/*/*/compile.log')))
    for log in failed:
        print('make-pack: does not compile: ' + os.path.relpath(log, pack.stage))
        print(''.join('  | ' + l for l in open(log, errors='replace').readlines()[:6]), end='')
    pack.tests, pack.random, pack.kernels \
        = [[e for e in entries if os.path.exists(os.path.join(pack.stage, e['dir'], e['exe']))]
           for entries in (pack.tests, pack.random, pack.kernels)]
    pack.add_ours()
    for entry in pack.tests:
        entry['loader'] = pack.needs_loader(entry)
        entry['lanes'] = pack.has_lanes(entry)
    for entry in pack.random + pack.kernels:
        entry['loader'] = pack.needs_loader(entry)
    peer = pack.add_peer(compilers[-1])
    if arguments.clang:
        chroot, _, version = arguments.clang.rpartition(':')
        if subprocess.run([os.path.join(HERE, 'clang-kernels.sh'), os.path.join(pack.stage, 'clang'), chroot, version]).returncode:
            die('no programs by clang')
    shutil.copytree(os.path.join(TOP, 'examples/data'),
                    os.path.join(pack.stage, 'data-of-examples/data'))
    for file in glob.glob(os.path.join(HERE, '*.sh')) \
            + [os.path.join(HERE, f) for f in ('run.py', 'run-suite.py', 'random_regions.py')] \
            + glob.glob(os.path.join(TOP, 'bench/gpu/*.py')):
        shutil.copy(file, pack.stage)
    git = subprocess.run(['git', '-C', TOP, 'describe', '--always', '--dirty'], text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.strip()
    with open(pack.path('pack.json'), 'w') as f:
        json.dump({'source': git, 'peer': peer,
                   'compilers': {c.version: c.capture([*c.commands['c'].split(), '--version'])
                                 .split('\n')[0] for c in compilers},
                   'tests': pack.tests, 'random': pack.random, 'kernels': pack.kernels}, f, indent=1)
    pack.archive(arguments.out)
    print('make-pack: %s: %.1f MiB, %d programs'
          % (arguments.out, os.path.getsize(arguments.out) / 1048576,
             len(glob.glob(os.path.join(pack.stage, 'progs/*/*/*.exe')))))
    if failed:
        die('%d programs do not compile, and are not in it' % len(failed))


main()
