/** Returns the list with the item reordered one place. */
export function moveItem<Item>(items: readonly Item[], index: number, by: -1 | 1): Item[] {
  const reordered = [...items];
  const [item] = reordered.splice(index, 1);
  if (item !== undefined) reordered.splice(index + by, 0, item);
  return reordered;
}
