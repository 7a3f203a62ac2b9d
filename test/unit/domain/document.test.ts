import { documentType, maskDocument, parseDocument } from '../../../src/domain/customers/document';

describe('parseDocument', () => {
  it.each([
    ['52998224725', '52998224725', 'individual'],
    ['529.982.247-25', '52998224725', 'individual'],
    ['11.222.333/0001-81', '11222333000181', 'corporation'],
    ['12ABC34501DE35', '12ABC34501DE35', 'corporation'],
    ['00000000000', '00000000000', 'individual'],
  ])('the type of %s is derived from its format alone', (text, value, type) => {
    expect(parseDocument(text)).toEqual({ value, type });
  });

  it.each(['5299822472', '529982247251', '1122233300018A', '12abc34501de35', '', 'not a document'])(
    'the document %p is rejected',
    (text) => {
      expect(parseDocument(text)).toBeNull();
    },
  );
});

it('an individual document is masked more than a corporation document', () => {
  expect(maskDocument('52998224725')).toBe('***.982.247-**');
  expect(maskDocument('11222333000181')).toBe('**.222.333/0001-**');
  expect(documentType('12ABC34501DE35')).toBe('corporation');
});
