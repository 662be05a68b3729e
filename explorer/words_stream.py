"""The sentences of the Stream page."""

STREAM = "A token is bytes, and bytes may stop inside a character."
EXAMPLES = "Examples"
SOURCE = "Cut by"
SOURCES = {"tokens": "tokens", "cuts": "hand"}
SOURCE_HELP = "By tokens: each token is a part. By hand: drag the cuts, or move them with the arrow keys, byte by byte."
STOP = "Stop strings, one a line"
STOP_HELP = "Stop strings, one a line: the text ends before the first, even where it comes in several parts."
TOO_LONG = (
    "A stream is drawn up to 4,000 bytes, so that each can be seen; the text has {bytes:,}. The rest is left out."
)
METHOD_TITLE = "How each way decodes"
METHOD = """
**Each part alone.** A server that decodes each token by itself breaks every character that two tokens share. How many
replacement characters (U+FFFD) come out depends on the language: Python, JavaScript and the Unicode Standard (chapter
3.9, "maximal subparts") put one for each run of bytes that could have begun a character; Go puts one for each byte.

**Buffered.** `StreamDecoder` gives out whole characters only. Bytes that may still be completed wait; bytes that never
can become U+FFFD at once; at the end, an unfinished character becomes one U+FFFD. So what comes out, joined, is what
decoding all bytes at once gives, wherever the stream is cut.

**Stop strings** are looked for in the text, not in the tokens: what might be the beginning of one waits as well.
"""
