#!/bin/sh
# doc/errors.md lists every message of the library, and no other.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address says nothing about the library
# TEST-SKIP-SANITIZER: thread says nothing about the library
# TEST-SKIP-SANITIZER: undefined says nothing about the library
#
# A message is the literal of a call of gomp_error or of a function whose name ends in
# _fatal or _failed, or one that diag.c writes and that begins with the device, or one that a handler
# puts together and that begins with the library; with its conversions (%s, %d) as they are.  The same literal stands in backquotes at the start of a row of a table
# in errors.md.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
cd "$top"
command -v perl > /dev/null || { echo "perl is not installed"; exit 77; }

perl - <<'PERL'
use strict;
my $names = 'fprintf|snprintf|gomp_error|\w+_fatal|gomp_\w+_failed';
my (%source, %doc, $bad);

sub literals	# the C string literals at the start of the text, put together
{
  my ($text) = @_;
  my $all = '';
  my $any = 0;
  while ($text =~ /\G\s*(?:"((?:[^"\\]|\\.)*)"|(GOMP_MANDATORY)|(PRI[a-zA-Z0-9]+))/gc)
    {
      $any = 1;
      $all .= defined $1 ? $1 : defined $2 ? 'OMP_TARGET_OFFLOAD is set to MANDATORY, but ' : 'lu';
    }
  $all =~ s/\\"/"/g;
  $all =~ s/\\n/ /g;
  return $any ? $all : undef;
}

foreach my $file (glob ('*.c *.h host/*.c host/*.h config/linux/*.c plugin/*.c'))
  {
    open (my $f, '<', $file) or die $file;
    local $/;
    my $text = <$f>;
    close $f;
    $text =~ s,/\*.*?\*/,,gs;
    while ($text =~ /\b($names) \(/g)
      {
	my ($function, $rest) = ($1, substr ($text, pos $text));
	# Other arguments may come first.
	$rest =~ s/^(?:[^"();{]|\([^()"]*\))*?(?="|GOMP_MANDATORY)//;
	my $message = literals ($rest);
	next if !defined $message || $function eq 'fprintf' && $message !~ /^device %d/;
	next if $function eq 'snprintf' && $message !~ s/^ libgomp: //;
	$message =~ s/ $//;
	$message = 'OMP_TARGET_OFFLOAD is set to MANDATORY, but ' . $message
	  if $function eq 'mandatory_fatal';
	next if $message =~ /^(%s)?$/ || $message eq 'OMP_TARGET_OFFLOAD is set to MANDATORY, but %s';
	$source{$message} = "$file: $function";
      }
  }

sub arguments	# of the call whose parenthesis has been opened
{
  my ($text) = @_;
  my ($depth, $one, @list) = (1, '');
  while ($depth && $text =~ /\G("(?:[^"\\]|\\.)*"|[^"])/gcs)
    {
      my $c = $1;
      $depth++ if $c eq '(';
      $depth-- if $c eq ')';
      if ($depth == 1 && $c eq ',' || !$depth)
	{
	  $one =~ s/^\s+|\s+$//g;
	  push @list, $one;
	  $one = '';
	}
      else
	{
	  $one .= $c;
	}
    }
  return @list;
}

foreach my $file (glob ('config/accel/*.c'))
  {
    open (my $f, '<', $file) or die $file;
    local $/;
    my $text = <$f>;
    close $f;
    $text =~ s,/\*.*?\*/,,gs;
    while ($text =~ /\n\s+accel_fatal \(/g)
      {
	my ($before, $number, $base, $after) = arguments (substr ($text, pos $text));
	my $message = (literals ($before) // '%s')
	  . ($base eq '0' ? '' : $base eq '16' ? '%lx' : '%lu') . (literals ($after) // '%s');
	$source{$message} = "$file: accel_fatal";
      }
  }
die "no messages found in the sources\n" if keys %source < 20;

open (my $f, '<', 'doc/errors.md') or die 'doc/errors.md';
while (<$f>)
  {
    # A row may list several texts.
    next if !/^\| (`.*?`(?:, `.*?`)*)/;
    my $texts = $1;
    while ($texts =~ /``\s?(.*?)\s?``|`(.*?)`/g)
      {
	my $text = defined $1 ? $1 : $2;
	$text =~ s/\\\|/|/g;
	$doc{$text} = $.;
      }
  }
close $f;
foreach (sort keys %source)
  {
    next if defined $doc{$_};
    print "$source{$_}: not in doc/errors.md: `$_`\n";
    $bad = 1;
  }
foreach (sort { $doc{$a} <=> $doc{$b} } keys %doc)
  {
    next if defined $source{$_};
    print "doc/errors.md:$doc{$_}: not in the sources: `$_`\n";
    $bad = 1;
  }
exit ($bad ? 1 : 0);
PERL
