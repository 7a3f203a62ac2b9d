import MiniSearch, { type SearchResult } from 'minisearch';

/** What `src/dev/build/docs` writes to `search.json`. */
interface Entry {
  readonly url: string;
  readonly title: string;
  readonly kind: keyof typeof KINDS;
  readonly text: string;
}

const KINDS = { operation: 'Operation', object: 'Object', guide: 'Guide' } as const;
const MAX_RESULTS = 12;

/** Shows the search field; its index is loaded when it is first used. "/" moves there. */
export function startSearch(): void {
  const form = document.querySelector<HTMLFormElement>('form[role=search]');
  const input = form?.querySelector('input');
  const list = form?.querySelector('ul');
  const status = form?.querySelector('p');
  if (!form || !input || !list || !status) return;
  form.hidden = false;
  let loading: Promise<MiniSearch<Entry>> | null = null;
  const load = (): Promise<MiniSearch<Entry>> => {
    loading ??= loadIndex().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  const show = async (): Promise<void> => {
    const query = input.value.trim();
    const found = query === '' ? [] : (await load()).search(query).slice(0, MAX_RESULTS);
    // A later letter may have been answered first.
    if (query !== input.value.trim()) return;
    list.replaceChildren(...(found.length === 0 ? [nothing()] : found.map(resultOf)));
    list.hidden = query === '';
    status.textContent = query === '' ? '' : `${found.length} results`;
  };
  const refresh = (): void => {
    show().catch(() => (status.textContent = 'The search could not be loaded. Try again.'));
  };
  const clear = (): void => {
    input.value = '';
    refresh();
  };
  input.addEventListener('focus', () => void load().catch(() => undefined));
  input.addEventListener('input', refresh);
  list.addEventListener('click', clear);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    list.querySelector('a')?.click();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') clear();
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    input.focus();
  });
}

async function loadIndex(): Promise<MiniSearch<Entry>> {
  const response = await fetch('/docs/search.json');
  if (!response.ok) throw new Error(`search.json answered ${response.status}`);
  const entries = (await response.json()) as Entry[];
  const index = new MiniSearch<Entry>({
    idField: 'url',
    fields: ['title', 'text'],
    storeFields: ['title', 'kind'],
    searchOptions: { prefix: true, fuzzy: 0.2, boost: { title: 3 }, combineWith: 'AND' },
  });
  index.addAll(entries);
  return index;
}

function nothing(): HTMLLIElement {
  const item = document.createElement('li');
  item.className = 'none';
  item.textContent = 'Nothing found';
  return item;
}

function resultOf({ id, title, kind }: SearchResult): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = String(id);
  link.textContent = String(title);
  const label = document.createElement('span');
  label.textContent = KINDS[kind as Entry['kind']];
  link.append(' ', label);
  item.append(link);
  return item;
}
