/** A decoded parameter: a text, or a hash of parameters. A list is a hash with its positions as keys. */
export type FormValue = string | FormHash;
export interface FormHash {
  [key: string]: FormValue;
}

const KEY = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
const MAX_DEPTH = 8;

/** The parameters of a form-encoded body or query with nested keys: `card[number]=..`, `expand[]=..`. Null if a key is malformed. */
export function parseForm(fields: URLSearchParams): FormHash | null {
  const form = emptyHash();
  for (const [key, value] of fields) {
    const [, head = '', brackets = ''] = KEY.exec(key) ?? [];
    const path = [head, ...[...brackets.matchAll(/\[([^[\]]*)\]/g)].map(([, name = '']) => name)];
    if (head === '' || path.length > MAX_DEPTH || !insert(form, path, value)) return null;
  }
  return form;
}

/** False if the path goes through a text. */
function insert(form: FormHash, path: readonly string[], value: string): boolean {
  let hash = form;
  for (const [index, name] of path.entries()) {
    const key = name === '' ? String(Object.keys(hash).length) : name;
    if (index === path.length - 1) {
      hash[key] = value;
      return true;
    }
    const next = (hash[key] ??= emptyHash());
    if (typeof next === 'string') return false;
    hash = next;
  }
  return false;
}

/** Without a prototype, because its keys come from outside. */
function emptyHash(): FormHash {
  return Object.create(null) as FormHash;
}
