/** Where Temporal's UI shows workflows. */
export interface TemporalUi {
  /** Without a slash at its end; null where there is none. */
  readonly url: string | null;
  readonly namespace: string;
}

/** An actor's workflow: whatever comes after its end starts another run under the same id, so the link lists its runs. */
export function workflowLink(
  { url, namespace }: TemporalUi,
  id: string,
): { readonly id: string; readonly url: string | null } {
  if (url === null) return { id, url };
  const query = encodeURIComponent(`WorkflowId="${id}"`);
  return { id, url: `${url}/namespaces/${encodeURIComponent(namespace)}/workflows?query=${query}` };
}
