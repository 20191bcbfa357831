# Fails, and prints the lines of help texts that end early: the first word of the next line of the same paragraph fits
# into 80 columns behind them, so that a break of the source stands beside one of the layout. Examples (two spaces
# ahead), tables and ends of sentences are no paragraphs.
{
  indent = match($0, /[^ ]/) - 1
  word = $1
  body = substr($0, indent + 1)
  if (previous != "" && indent == previousIndent && indent != 2 && length(previous) + 1 + length(word) <= 80)
  {
    print previous
    found = 1
  }
  previous = (body ~ /  |[.:;)]$/) ? "" : $0
  previousIndent = indent
}
END { exit found }
