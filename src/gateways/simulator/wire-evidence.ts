import { z } from 'zod';
import { EVIDENCE_FILE_TYPES, EVIDENCE_KINDS } from '../../domain/disputes/dispute-evidence';

/** The body of `POST /disputes/{id}/evidence`. */
export const evidenceBody = z.strictObject({
  evidence: z
    .array(
      z.union([
        z.strictObject({ kind: z.enum(EVIDENCE_KINDS), text: z.string().min(1) }),
        z.strictObject({
          kind: z.enum(EVIDENCE_KINDS),
          file: z.strictObject({
            name: z.string().min(1),
            content_type: z.enum(EVIDENCE_FILE_TYPES),
            /** Base64. */
            content: z.string().min(1),
          }),
        }),
      ]),
    )
    .min(1),
});
export type EvidenceBody = z.output<typeof evidenceBody>;
