import type { BodyShape } from './body-shape';
import type { BrokenRule } from './validation-messages';

/** Up to this length a name may differ by one edit, beyond by two. */
const SHORT_NAME_LENGTH = 7;

/**
 * The unknown properties of a body that look like misspelt known ones. Ignoring them would move money otherwise than
 * the client meant: `captured: false` would charge a card that was only to be authorized. A property is misspelt if the
 * known one is absent. Objects with any names, such as `metadata`, have no misspelt ones.
 */
export function nearMisses(shape: BodyShape, body: unknown, pointer = '/body'): BrokenRule[] {
  if (typeof body !== 'object' || body === null) return [];
  const children = Object.entries(body);
  return children.flatMap(([name, value]) => {
    const path = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const known = shape.items ?? shape.properties.get(name);
    if (known !== undefined) return nearMisses(known, value, path);
    const meant = nearestName(name, absentNames(shape, body));
    return meant === null ? [] : [{ path, message: `did you mean "${meant}"?`, errorCode: 'misspelt' }];
  });
}

function absentNames({ properties }: BodyShape, body: object): string[] {
  return [...properties.keys()].filter((name) => !Object.hasOwn(body, name));
}

/** The name that `given` is nearest to, whatever the case of its letters; null if it is near none. */
function nearestName(given: string, names: readonly string[]): string | null {
  const near = names
    .map((name) => ({ name, edits: editDistance(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= (name.length <= SHORT_NAME_LENGTH ? 1 : 2))
    .sort((one, other) => one.edits - other.edits);
  return near[0]?.name ?? null;
}

/**
 * How many letters must be inserted, deleted, replaced or swapped with their neighbour to get from one text to the other
 * (optimal string alignment). Texts whose lengths differ by more than two are not compared further.
 */
function editDistance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, other.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
