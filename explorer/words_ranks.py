"""The sentences about merges of tokenizers that were not trained here."""

OPEN = "Play the merges of another tokenizer on this passage"
NOTE = (
    "A vocabulary keeps the order of its merges, their ranks, but not how often each pair stood in the corpus: "
    "counts are not known. A step here is a merge that fires in the passage. Files are loaded on Tokenize."
)
CHOICE = "Whose merges"


def no_merges(name: str, by_longest_match: bool) -> str:
    """Say why a tokenizer has no merges to play.

    >>> no_merges("t5-base", False)
    'there are no merges in t5-base: Unigram weighs all ways to cut a word at once and takes the likeliest'
    """
    if by_longest_match:
        how = "WordPiece takes the longest piece from the left of each word"
    else:
        how = "Unigram weighs all ways to cut a word at once and takes the likeliest"
    return f"there are no merges in {name}: {how}"
