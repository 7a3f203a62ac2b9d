import { generateCnpj } from '@brazilian-utils/brazilian-utils/generate-cnpj';
import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj';
import { documentType, maskDocument, parseCnpj, parseDocument } from '../../../src/domain/customers/document';

describe('parseDocument', () => {
  it.each([
    ['52998224725', '52998224725', 'individual'],
    ['529.982.247-25', '52998224725', 'individual'],
    ['11.222.333/0001-81', '11222333000181', 'corporation'],
    ['12ABC34501DE35', '12ABC34501DE35', 'corporation'],
    ['12.ABC.345/01DE-35', '12ABC34501DE35', 'corporation'],
    ['12.abc.345/01de-35', '12ABC34501DE35', 'corporation'],
    ['00000000000', '00000000000', 'individual'],
    ['11222333000199', '11222333000199', 'corporation'],
  ])('%s is %s, whatever its punctuation and case', (text, value, type) => {
    expect(parseDocument(text)).toEqual({ value, type });
  });

  it.each([
    '5299822472',
    '529982247251',
    '1122233300018A',
    '5299822472A',
    '12ABC34501DE36',
    '12ABC34501DE53',
    '12ßBC34501DE35',
    '',
    'not a document',
  ])('the document %p is rejected', (text) => {
    expect(parseDocument(text)).toBeNull();
  });
});

it('the check digits of a CNPJ with letters are those of the tax authority, and no others', () => {
  for (let count = 0; count < 200; count += 1) {
    const cnpj = generateCnpj(2);
    expect(parseCnpj(cnpj.toLowerCase())).toBe(cnpj);
    const wrong = `${cnpj.slice(0, 12)}${String((Number(cnpj.slice(12)) + 1 + (count % 98)) % 100).padStart(2, '0')}`;
    expect([wrong, parseCnpj(wrong) !== null]).toEqual([
      wrong,
      !/[A-Z]/.test(wrong) || isValidCnpj(wrong, { version: 2 }),
    ]);
  }
});

it('an individual document is masked more than a corporation document', () => {
  expect(maskDocument('52998224725')).toBe('***.982.247-**');
  expect(maskDocument('11222333000181')).toBe('**.222.333/0001-**');
  expect(documentType('12ABC34501DE35')).toBe('corporation');
});
