/**
 * Copies the field's text and returns whether that worked. Browsers block the clipboard API on pages without TLS and
 * in some frames.
 */
export async function copyText(field: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    // Deprecated, but the only fallback without the clipboard API.
    return document.execCommand('copy');
  }
}
