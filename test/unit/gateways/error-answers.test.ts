import { errorOf, type ErrorAnswers } from '../../../src/gateways/error-answers';

const ANSWERS: ErrorAnswers = {
  ownErrorCode: ({ text }) => (text === 'own error' ? 'no_such_card' : null),
  documentedAnswers: [
    { status: 401, body: 'empty', family: 'bad_credentials', source: 'https://gateway.example/errors' },
  ],
};

const familyAndCode = (status: number, text: string) => {
  const { family, code } = errorOf({ status, headers: {}, text }, ANSWERS);
  return [family, code];
};

describe('the error of an answer', () => {
  it.each([
    [400, 'invalid_request'],
    [401, 'bad_credentials'],
    [403, 'bad_credentials'],
    [404, 'invalid_request'],
    [422, 'invalid_request'],
    [429, 'rate_limited'],
    [402, 'ambiguous'],
    [408, 'ambiguous'],
    [409, 'ambiguous'],
    [418, 'ambiguous'],
    [500, 'ambiguous'],
    [503, 'ambiguous'],
    [201, 'ambiguous'],
    [302, 'ambiguous'],
  ])('is, for the gateway’s own body with status %i, %s', (status, family) => {
    expect(familyAndCode(status, 'own error')).toEqual([family, 'no_such_card']);
  });

  it.each([200, 302, 400, 401, 403, 404, 422, 429, 500])(
    'is ambiguous for any other body with %i',
    (status) => {
      expect(familyAndCode(status, '<html></html>')).toEqual(['ambiguous', String(status)]);
    },
  );

  it('is definite for a documented answer without a body, and for that status and body only', () => {
    expect(familyAndCode(401, '')).toEqual(['bad_credentials', '401']);
    expect(familyAndCode(401, ' \n')).toEqual(['bad_credentials', '401']);
    expect(familyAndCode(403, '')).toEqual(['ambiguous', '403']);
    expect(familyAndCode(401, '{}')).toEqual(['ambiguous', '401']);
  });
});
