import { CompanyModes } from '../../../src/application/companies/company-modes';
import { ApiError } from '../../../src/domain/shared/errors';
import { companyIdIn, ownCompanyId } from '../../../src/domain/shared/mode';
import { loadConfig } from '../../../src/config';
import { PRODUCTION } from '../../support/fixtures/production';

const addMode = jest.fn(() => Promise.resolve());
const tx = {} as Parameters<CompanyModes['add']>[0];

function fieldsOf(refused: () => void): ApiError['fields'] {
  try {
    refused();
  } catch (error) {
    if (error instanceof ApiError) return error.fields;
  }
  throw new Error('it was not refused');
}

it('registrations in production make live keys, and in the sandbox test keys', () => {
  expect(loadConfig(PRODUCTION)).toMatchObject({ mode: 'live', modes: ['live'] });
  expect(loadConfig({ SANDBOX: 'true' })).toMatchObject({ mode: 'test', modes: ['test', 'live'] });
});

it('a deployment without a test mode refuses it with a sentence, before it gives a company rows of that mode', () => {
  const modes = new CompanyModes({ addMode }, ['live']);
  expect(() => modes.assertOffered('live', 'X-Mode')).not.toThrow();
  expect(fieldsOf(() => modes.assertOffered('test', 'X-Mode'))).toEqual({
    'X-Mode': ['must be live: this deployment has no test mode'],
  });
});

it('a company has one row in each mode: its own, and the one with minus its id', async () => {
  const modes = new CompanyModes({ addMode }, ['test', 'live']);
  await modes.add(tx, { id: 7, mode: 'test' }, 'test');
  await modes.add(tx, { id: -7, mode: 'live' }, 'live');
  await modes.add(tx, { id: -7, mode: 'live' }, 'test');
  expect(addMode).not.toHaveBeenCalled();
  await modes.add(tx, { id: 7, mode: 'test' }, 'live');
  expect(addMode).toHaveBeenCalledWith(tx, 7, 'live');
  expect(companyIdIn('live', { id: 7, mode: 'test' })).toBe(-7);
  expect(companyIdIn('test', { id: -7, mode: 'live' })).toBe(7);
  expect([7, -7].map(ownCompanyId)).toEqual([7, 7]);
});
