/** The fields that changed, by their JSON; the API leaves omitted fields as they are. */
export function changedFields<Body extends object>(
  entered: Body,
  before: Partial<Record<keyof Body, unknown>>,
): Partial<Body> {
  const changed = (Object.keys(entered) as (keyof Body)[]).filter(
    (name) => JSON.stringify(entered[name]) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(changed.map((name) => [name, entered[name]])) as Partial<Body>;
}
