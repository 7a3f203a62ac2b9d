/** What evidence shows, named as Stripe names it (https://docs.stripe.com/api/disputes/evidence_object). */
export const EVIDENCE_KINDS = [
  'explanation',
  'product_description',
  'customer_communication',
  'receipt',
  'customer_signature',
  'shipping_carrier',
  'shipping_tracking_number',
  'shipping_date',
  'shipping_documentation',
  'service_date',
  'service_documentation',
  'refund_policy',
  'refund_refusal_explanation',
  'cancellation_policy',
  'cancellation_rebuttal',
  'access_activity_log',
  'other',
] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

export const EVIDENCE_FILE_TYPES = ['application/pdf', 'image/jpeg', 'image/png'] as const;
export type EvidenceFileType = (typeof EVIDENCE_FILE_TYPES)[number];

type EvidenceForm = 'text' | 'file';

const FORMS: Readonly<Record<EvidenceKind, readonly EvidenceForm[]>> = {
  explanation: ['text'],
  product_description: ['text'],
  customer_communication: ['text', 'file'],
  receipt: ['file'],
  customer_signature: ['file'],
  shipping_carrier: ['text'],
  shipping_tracking_number: ['text'],
  shipping_date: ['text'],
  shipping_documentation: ['file'],
  service_date: ['text'],
  service_documentation: ['file'],
  refund_policy: ['file'],
  refund_refusal_explanation: ['text'],
  cancellation_policy: ['file'],
  cancellation_rebuttal: ['text'],
  access_activity_log: ['text'],
  other: ['file'],
};

/** A text, or a file with its bytes. */
export type EvidenceContent =
  | { readonly form: 'text'; readonly text: string }
  | {
      readonly form: 'file';
      readonly name: string;
      readonly contentType: EvidenceFileType;
      readonly bytes: Buffer;
    };

export interface NewEvidence {
  readonly kind: EvidenceKind;
  readonly content: EvidenceContent;
}

/** Of one file, and of all files of one submission, in bytes. Stripe takes 4.5 MB together. */
export const MAX_EVIDENCE_FILE_BYTES = 2 * 1024 * 1024;
export const MAX_EVIDENCE_TOTAL_BYTES = 4 * 1024 * 1024;

/** Why this cannot be evidence, by field of the request; null if it can. */
export function evidenceProblem({
  kind,
  content,
}: NewEvidence): readonly [field: string, message: string] | null {
  if (!FORMS[kind].includes(content.form)) {
    const [only] = FORMS[kind];
    return [content.form, `is not taken for ${kind}, which is a ${only}`];
  }
  if (content.form === 'text') return null;
  const { bytes, contentType } = content;
  if (bytes.length === 0) return ['file.content', 'must not be empty'];
  if (bytes.length > MAX_EVIDENCE_FILE_BYTES)
    return ['file.content', `must have at most ${MAX_EVIDENCE_FILE_BYTES} bytes after decoding`];
  if (!beginsAs(contentType, bytes))
    return ['file.content_type', `is not what the file is: no ${contentType}`];
  return null;
}

/** The first bytes of each type of file. */
const BEGINNINGS: Readonly<Record<EvidenceFileType, Buffer>> = {
  'application/pdf': Buffer.from('%PDF-'),
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff]),
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
};

function beginsAs(type: EvidenceFileType, bytes: Buffer): boolean {
  const beginning = BEGINNINGS[type];
  return bytes.subarray(0, beginning.length).equals(beginning);
}

/** The bytes of a base64 text; null if it is none. */
export function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  // Node skips what is not base64.
  return bytes.toString('base64') === text ? bytes : null;
}

/** `draft`: can be deleted, and is part of the next submission. */
export type EvidenceState = 'draft' | 'submitting' | 'submitted' | 'unknown';
