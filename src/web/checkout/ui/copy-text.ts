/** Whether the text is where the buyer can paste it from. The clipboard is closed to pages without TLS and to some frames. */
export async function copyText(field: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    // Deprecated, and all that is left then.
    return document.execCommand('copy');
  }
}
