/** The address of Temporal's UI. */
export interface TemporalUi {
  /** Without a trailing slash; null if the deployment has no UI. */
  readonly url: string | null;
  readonly namespace: string;
}

/**
 * A link to all runs of a workflow id: later work on a closed workflow starts a new run under the same id. The link lists the
 * runs of `related` workflows, too.
 */
export function workflowLink(
  { url, namespace }: TemporalUi,
  id: string,
  ...related: readonly string[]
): { readonly id: string; readonly url: string | null } {
  if (url === null) return { id, url };
  const query = encodeURIComponent([id, ...related].map((each) => `WorkflowId="${each}"`).join(' OR '));
  return { id, url: `${url}/namespaces/${encodeURIComponent(namespace)}/workflows?query=${query}` };
}
