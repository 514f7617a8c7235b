"""The characters of a file's bytes: by its mark, as UTF-8, as its page declares, else by what its letters are like."""

import codecs
import re

from filings.document.layout import UnreadableText

# The longer marks first: that of UTF-32 begins like that of UTF-16.
MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
SAMPLE = 65_536  # bytes that tell whether a file is text
NULS = 0.3  # share of every second byte from which it is text of two bytes a character
CONTROLS = bytes({*range(0x01, 0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)})
MOST_CONTROLS = 0.02
# Up to so many bytes beyond ASCII, or such a share, are of western text: its quotes, dashes and names. They are too few
# to tell by.
FEW, FEW_SHARE = 10, 0.05
# Encodings that files without a mark are in; of all that Python knows, rare ones come out for common text.
LIKELY = [
    *(f"cp125{number}" for number in range(8)),
    *("koi8_r", "cp932", "euc_jp", "gb18030", "big5", "euc_kr"),
]
DECLARED = re.compile(
    rb"<(?:meta\b[^<>]{0,200}?charset\s*=|\?xml\b[^<>]{0,100}?encoding\s*=)\s*[\"']?([\w-]{2,40})", re.IGNORECASE
)
# Python also knows codecs that are no encodings of pages, such as unicode_escape.
OF_PAGES = re.compile(r"(?:iso8859|cp\d|koi8|shift|euc|gb|big5|mac|utf-8)")
DECLARED_FRONT = 4_096  # bytes of a page that may declare its characters
UNREADABLE = "The file's characters cannot be read. Save it as UTF-8, and try again."


def is_binary(content: bytes) -> bool:
    """Whether bytes are no text of any encoding: they hold NUL, or many controls."""
    if _marked(content) or _two_bytes(content):
        return False
    sample = content[:SAMPLE]
    return b"\x00" in content or len(sample) - len(sample.translate(None, CONTROLS)) > MOST_CONTROLS * len(sample)


def decoded_text(content: bytes) -> str:
    """The text of a file, without a byte order mark. Raises UnreadableText where it has no characters that are known."""
    encoding = _marked(content) or _two_bytes(content)
    try:
        text = content.decode(encoding or "utf-8")
    except UnicodeDecodeError:
        if encoding:
            raise UnreadableText(UNREADABLE) from None
        text = _declared(content) or _likely(content)
    text = text.removeprefix("\ufeff")
    if "\x00" in text:
        raise UnreadableText("The file is no text: it holds bytes that no text has.")
    return text


def _marked(content: bytes) -> str:
    return next((encoding for mark, encoding in MARKS if content.startswith(mark)), "")


def _two_bytes(content: bytes) -> str:
    """UTF-16 without its mark: every second byte of western text is NUL, and the others are not."""
    sample = content[:SAMPLE]
    half = len(sample) // 2
    if half < 8:
        return ""
    even, odd = sample[::2].count(0) / half, sample[1::2].count(0) / half
    if odd >= NULS and even < 0.01:
        return "utf-16-le"
    return "utf-16-be" if even >= NULS and odd < 0.01 else ""


def _declared(content: bytes) -> str:
    found = DECLARED.search(content[:DECLARED_FRONT])
    if not found:
        return ""
    try:
        name = codecs.lookup(found[1].decode("ascii")).name
        return content.decode(name) if OF_PAGES.match(name) else ""
    except (LookupError, UnicodeDecodeError, ValueError):
        return ""


def _likely(content: bytes) -> str:
    beyond = len(content.translate(None, bytes(range(0x80))))
    if beyond <= max(FEW, FEW_SHARE * len(content)):
        return content.decode("cp1252", "replace")
    from charset_normalizer import from_bytes

    best = from_bytes(content, cp_isolation=LIKELY).best()
    if best is None:
        raise UnreadableText(UNREADABLE)
    return content.decode("cp1252" if "cp1252" in best.could_be_from_charset else best.encoding)
