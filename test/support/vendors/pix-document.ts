/** A part of an OpenAPI document. */
type Node = Readonly<Record<string, unknown>>;

/** The longest location, which no other URI of the document has. */
const LOCATION_LENGTH = 77;

/**
 * The document of the central bank's Pix API with its mistakes mended, so that right messages fit it: 14 patterns are written with
 * the slashes of a regular expression, a list's charges need an `idCob` that no charge has, and a location must be a URI, which
 * neither the document's examples nor the codes of the Pix are: they have no scheme.
 */
export function mendedPixDocument(document: unknown): unknown {
  if (Array.isArray(document)) return document.map(mendedPixDocument);
  if (typeof document !== 'object' || document === null) return document;
  const { format, ...rest } = document as Node;
  const isLocation = format === 'uri' && rest.maxLength === LOCATION_LENGTH;
  const entries = Object.entries(isLocation ? rest : document).map(([name, value]) => [
    name,
    mended(name, value),
  ]);
  return Object.fromEntries(entries) as Node;
}

function mended(name: string, value: unknown): unknown {
  if (name === 'pattern' && typeof value === 'string') return value.replace(/^\/(.*)\/$/, '$1');
  if (name === 'required' && Array.isArray(value)) return value.filter((field) => field !== 'idCob');
  return mendedPixDocument(value);
}
