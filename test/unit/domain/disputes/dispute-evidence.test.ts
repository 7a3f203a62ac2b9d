import {
  decodeBase64,
  EVIDENCE_KINDS,
  evidenceProblem,
  MAX_EVIDENCE_FILE_BYTES,
} from '../../../../src/domain/disputes/dispute-evidence';

const PDF = Buffer.from('%PDF-1.7');
const file = (bytes: Buffer, contentType: 'application/pdf' | 'image/png' = 'application/pdf') =>
  ({ kind: 'receipt', content: { form: 'file', name: 'receipt.pdf', contentType, bytes } }) as const;

describe('evidence', () => {
  it('of each kind is a text or a file, and no other form is taken', () => {
    const taken = (form: 'text' | 'file') =>
      EVIDENCE_KINDS.filter((kind) => {
        const text = { kind, content: { form: 'text', text: 'x' } } as const;
        return evidenceProblem(form === 'text' ? text : { ...file(PDF), kind }) === null;
      });
    expect(new Set([...taken('text'), ...taken('file')])).toEqual(new Set(EVIDENCE_KINDS));
    expect(taken('text')).not.toContain('receipt');
    expect(taken('file')).not.toContain('explanation');
    expect(taken('file')).toContain('customer_communication');
    expect(evidenceProblem({ ...file(PDF), kind: 'explanation' })).toEqual([
      'file',
      'is not taken for explanation, which is a text',
    ]);
  });

  it('that is a file must begin as its type does, and fit into 2 MiB', () => {
    expect(evidenceProblem(file(PDF))).toBeNull();
    expect(evidenceProblem(file(PDF, 'image/png'))?.[0]).toBe('file.content_type');
    expect(evidenceProblem(file(Buffer.from('<script>')))?.[0]).toBe('file.content_type');
    const rest = Buffer.alloc(MAX_EVIDENCE_FILE_BYTES - PDF.length);
    expect(evidenceProblem(file(Buffer.concat([PDF, rest])))).toBeNull();
    expect(evidenceProblem(file(Buffer.concat([PDF, rest, Buffer.alloc(1)])))?.[0]).toBe('file.content');
  });

  it('in base64 is read whole or not at all', () => {
    expect(decodeBase64('JVBERi0=')?.toString()).toBe('%PDF-');
    for (const text of ['JVBERi0', 'JVBE Ri0=', 'JVBERi0=\n', 'JVBERi0-', '===='])
      expect(decodeBase64(text)).toBeNull();
  });
});
