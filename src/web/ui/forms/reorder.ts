/** The list with one of its items a place further up or down. */
export function moveItem<Item>(items: readonly Item[], index: number, by: -1 | 1): Item[] {
  const moved = [...items];
  const [item] = moved.splice(index, 1);
  if (item !== undefined) moved.splice(index + by, 0, item);
  return moved;
}
