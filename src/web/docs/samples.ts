const STORAGE_KEY = 'docs language';
const COPIED_SHOWN_MS = 2_000;

/** A reader who has chosen a language gets it in every code sample. */
export function rememberLanguage(): void {
  choose(read());
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'radio') return;
    try {
      localStorage.setItem(STORAGE_KEY, target.value);
    } catch {
      // Storage may be blocked; then the choice holds for this page.
    }
    choose(target.value);
  });
}

function read(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

function choose(language: string | null): void {
  for (const choice of document.querySelectorAll<HTMLInputElement>('.samples input')) {
    if (choice.value === language) choice.checked = true;
  }
}

export function addCopyButtons(): void {
  for (const block of document.querySelectorAll('pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(block.textContent, button));
    const frame = document.createElement('div');
    frame.className = 'code';
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  await navigator.clipboard.writeText(text);
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), COPIED_SHOWN_MS);
}
