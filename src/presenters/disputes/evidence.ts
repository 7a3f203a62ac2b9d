import type { EvidenceFileType, EvidenceKind, EvidenceState } from '../../domain/disputes/dispute-evidence';
import type { components } from '../../http/generated/openapi';

interface PresentableEvidence {
  readonly id: string;
  readonly kind: EvidenceKind;
  /** Null for a text. */
  readonly contentType: EvidenceFileType | null;
  readonly sizeBytes: number;
  /** The text, or the file's name. */
  readonly words: string | null;
  readonly state: EvidenceState;
  readonly createdAt: Date;
}

/** Evidence without the content of its file. */
export function presentEvidence(evidence: PresentableEvidence): components['schemas']['Evidence'] {
  const { id, kind, contentType, sizeBytes, words, state, createdAt } = evidence;
  return {
    id,
    kind,
    text: contentType === null ? words : null,
    file: contentType === null ? null : { name: words, content_type: contentType, size: sizeBytes },
    state,
    created_at: createdAt.toISOString(),
  };
}
