/** What a name becomes in an address, when it does not stand there as it is. */
export function encodedName(name: string): string | null {
  try {
    const encoded = encodeURIComponent(name);
    return encoded === name ? null : encoded;
  } catch {
    return null; // half a character: the server says what is wrong with it
  }
}

/**
 * A name like this one that every encoder, player and shell takes as it is: letters, digits, dots, dashes and underscores.
 * Empty where nothing of it can be kept.
 */
export function safeName(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/-{2,}/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
}
