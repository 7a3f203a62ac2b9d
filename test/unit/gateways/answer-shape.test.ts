import fc from 'fast-check';
import { answerShape } from '../../../src/gateways/unrecognized/answer-shape';
import { foreignPage, FOREIGN_BODIES } from '../../../src/simulator/foreign-pages';

const MAX_SHAPE = 2_000;
const shapeOf = (body: unknown, status = 200, contentType = 'application/json') =>
  answerShape(status, contentType, typeof body === 'string' ? body : JSON.stringify(body));

/** What a vendor could repeat of a request. */
const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
const secret = fc.oneof(
  digits(16),
  digits(16).map((pan) => pan.replace(/(.{4})(?=.)/g, '$1 ')),
  digits(11),
  digits(11).map((cpf) => cpf.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4')),
  digits(3),
  // No part of it can stand in a word of an error message by chance.
  fc.stringMatching(/^zq[a-z]{3,8}\.zq[a-z]{3,8}@zq[a-z]{3,8}\.com$/),
  fc.stringMatching(/^sk_live_[a-z]{4}\d{2}[A-Za-z0-9]{20}$/),
  fc.stringMatching(/^eyJ[A-Za-z0-9]{20}\d{2}\.[A-Za-z0-9]{20}$/),
  fc.constantFrom('Joaquina Albuquerque', 'JOAQUINA ALBUQUERQUE'),
);
const name = fc.oneof(
  fc.constantFrom(
    'status',
    'code',
    'error',
    'message',
    'description',
    'reason',
    'id',
    'cvv',
    'security_code',
  ),
  fc.constantFrom('number', 'customer', 'holder_name', 'email', 'details', 'title', 'line1'),
);

/** Bodies in which the secret stands somewhere: as a value, a number, a property's name, in a sentence, a page or half an answer. */
function bodiesWith(planted: string): fc.Arbitrary<string> {
  const value = fc.oneof(
    fc.constant(planted),
    fc.constant(/^\d{3}$/.test(planted) ? Number(planted) : planted),
    fc.constant(`Invalid card ${planted} for the customer`),
    fc.constant([planted, 'refused']),
    fc.constant({ [planted]: true }),
  );
  const object = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      value,
      fc.dictionary(name, tie('node'), { minKeys: 1, maxKeys: 3 }),
      fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
    ),
  })).node;
  const json = object.map((each) => JSON.stringify(each));
  return fc.oneof(
    json,
    fc
      .tuple(json, fc.double({ min: 0.3, max: 1, noNaN: true }))
      .map(([text, part]) => text.slice(0, Math.ceil(text.length * part))),
    fc.constantFrom(
      `<html><title>Error ${planted}</title><body>Sorry, ${planted}</body></html>`,
      `<script>var a = "${planted}"</script><p data-x="${planted}">Denied</p>`,
      `<error><holder>${planted}</holder></error>`,
      `card=${planted}&cvv=${planted}`,
      `error: ${planted}`,
      planted,
    ),
  );
}

describe('the shape of an answer that no driver knows', () => {
  it('never has a card number, security code, document, email, token or name that stands anywhere in the answer', () => {
    const planted = secret.chain((each) => bodiesWith(each).map((body) => ({ each, body })));
    fc.assert(
      fc.property(
        planted,
        fc.constantFrom('application/json', 'text/html', undefined),
        ({ each, body }, type) => {
          const { shape, contentType } = answerShape(400, type, body);
          expect(shape.toLowerCase()).not.toContain(each.toLowerCase());
          for (const part of each.toLowerCase().split(/[\s@.]+/))
            expect(shape.toLowerCase()).not.toContain(part);
          expect(shape).not.toMatch(/\d{2}|@/);
          expect(shape.length).toBeLessThanOrEqual(MAX_SHAPE);
          expect(contentType ?? '').not.toMatch(/\d/);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('keeps property names, types of values, and the vendor’s own words for states and errors', () => {
    const body = {
      id: 'ch_1N2b3c',
      status: 'awaiting_moon_phase',
      amount: 12_990,
      paid: false,
      error: { code: 'card_unknown', message: 'The card of Ana Lima was refused.' },
      refunds: [{ status: 'done' }, { status: 'done' }, { status: 'half' }],
      customer: { name: 'Ana', email: 'ana@example.com' },
    };
    expect(JSON.parse(shapeOf(body).shape)).toEqual({
      id: '<text>',
      status: 'awaiting_moon_phase',
      amount: '<number>',
      paid: false,
      error: { code: 'card_unknown', message: '<text> the card of * was refused' },
      refunds: [{ status: 'done' }, { status: 'half' }],
      customer: { name: '<text>', email: '<text>' },
    });
  });

  it('keeps of a page and of plain text the words that are common in error messages', () => {
    const page =
      '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1>nginx/1.2</body></html>';
    expect(shapeOf(page, 502, 'text/html; charset=utf-8')).toMatchObject({
      contentType: 'text/html',
      shape: 'page: title (* bad gateway), text (* bad gateway nginx *)',
    });
    expect(shapeOf('Request blocked for Ana', 403, 'text/plain').shape).toBe('text: request blocked for *');
    expect(shapeOf('', 502, '').shape).toBe('empty');
    expect(shapeOf('{"id":"ch_1","customer":{"name":"Ana Li').shape).toBe(
      'broken JSON with ["customer","id","name"]',
    );
    expect(shapeOf('x', 200, 'text/eyJhbGciOi1').contentType).toBe('other');
  });

  it('is bounded, whatever the answer is', () => {
    const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) as unknown;
    const wide = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [`name${'x'.repeat(index % 30)}`, 'y']),
    );
    const answers = [
      deep,
      wide,
      'x '.repeat(300_000),
      `<p>${'error '.repeat(100_000)}`,
      `{"a":"${'z'.repeat(900_000)}`,
    ];
    for (const answer of answers) expect(shapeOf(answer).shape.length).toBeLessThanOrEqual(MAX_SHAPE);
  });
});

describe('the fingerprint of an answer', () => {
  const charge = { id: 'ch_1', status: 'odd', amount: 100, items: [{ name: 'a' }] };

  it('is the same for answers that differ only in what is not kept', () => {
    const other = { amount: 25_900, items: [{ name: 'b' }, { name: 'c' }], status: 'odd', id: 'ch_2' };
    expect(shapeOf(other).fingerprint).toBe(shapeOf(charge).fingerprint);
  });

  it('differs by the status, the content type, the structure and the words for states', () => {
    const others = [
      shapeOf(charge),
      shapeOf(charge, 201),
      shapeOf(charge, 200, 'text/plain'),
      shapeOf({ ...charge, status: 'odder' }),
      shapeOf({ ...charge, fee: 1 }),
      ...FOREIGN_BODIES.map((form) => shapeOf(foreignPage(502, form).text, 502)),
    ];
    expect(new Set(others.map(({ fingerprint }) => fingerprint)).size).toBe(others.length);
  });
});
