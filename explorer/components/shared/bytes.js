// Bytes: UTF-8, hex, the checksum that chooses a color.

const ENCODER = new TextEncoder()
const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** The UTF-8 bytes of a string. */
function utf8(text) {
  return ENCODER.encode(text)
}

/** The bytes of a string of hex digits without spaces: "6170". */
function hexBytes(hex) {
  const bytes = new Uint8Array(hex.length >> 1)
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(hex.slice(2 * i, 2 * i + 2), 16)
  return bytes
}

/** Bytes as people read them: "61 70". */
function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ")
}

/** The length in bytes that a UTF-8 lead byte announces; 0 for a continuation or an impossible byte. */
function announcedLength(byte) {
  if (byte < 0x80) return 1
  if (byte < 0xc2) return 0
  return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0
}

/** Cut bytes into runs of whole characters and runs of bytes that are none: [{text} | {bytes}]. */
function wholeCharacters(bytes) {
  const parts = []
  const add = (key, start, stop) => {
    const last = parts[parts.length - 1]
    if (key === "bytes" && last?.bytes) last.bytes = bytes.subarray(start - last.bytes.length, stop)
    else if (key === "bytes") parts.push({ bytes: bytes.subarray(start, stop) })
    else if (last?.text) last.text += STRICT.decode(bytes.subarray(start, stop))
    else parts.push({ text: STRICT.decode(bytes.subarray(start, stop)) })
  }
  for (let i = 0; i < bytes.length; ) {
    const length = announcedLength(bytes[i])
    try {
      if (!length || i + length > bytes.length) throw new TypeError("no whole character")
      add("text", i, i + length)
      i += length
    } catch {
      add("bytes", i, i + 1)
      i += 1
    }
  }
  return parts
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1
  return n
})

/** The checksum of zlib.crc32. */
function crc32(bytes) {
  let crc = 0xffffffff
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 255] ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

/** The palette slot, 0 to 7, of the bytes a piece stands for. */
function slotOf(bytes) {
  return crc32(bytes) & 7
}

/** The 256 characters in which byte-level vocabularies print bytes: 188 stand for themselves, the rest from U+0100. */
const BYTE_LETTERS = (() => {
  const letters = []
  let next = 256
  for (let byte = 0; byte < 256; byte++) {
    const itself = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173)
    letters.push(String.fromCharCode(itself ? byte : next++))
  }
  return letters
})()

/** Bytes in the printable notation of byte-level vocabularies: a space is Ġ. */
function byteLevel(bytes) {
  return Array.from(bytes, (byte) => BYTE_LETTERS[byte]).join("")
}
