import { CreateOnce, type CreateOnceDeps } from '../../../src/application/shared/create-once';
import { ApiError } from '../../../src/domain/shared/errors';
import { requestHashes } from '../../../src/security/request-hash';

const HASH_KEYS = ['a-key'] as const;
const REQUEST = { companyId: 1, key: 'k', path: '/customers/cus_1/cards', body: { number: '4111' } };
const RECORD = {
  requestHash: requestHashes(HASH_KEYS, 'POST', REQUEST.path, REQUEST.body)[0],
  responseStatus: 201,
  responseBody: { id: 7 },
};

/** A request that is refused before its transaction; meanwhile the record appears. */
function refused(
  record: object | null,
  error: Error,
  requestHashKeys: readonly [string, ...string[]] = HASH_KEYS,
) {
  let found: object | null = null;
  const deps = {
    idempotency: { find: async () => found },
    requestHashKeys,
    keyLifetimeMs: 1,
    now: () => new Date(),
  };
  const createOnce = new CreateOnce(deps as unknown as CreateOnceDeps);
  const prepare = () => {
    found = record;
    return Promise.reject<never>(error);
  };
  return createOnce.execute(REQUEST, prepare, () => ({ status: 201, body: {} }));
}

const DECLINED = new ApiError('card_declined', 'The card was declined.');

describe('a request that is refused before its transaction', () => {
  it('gets the answer that another request with its key got meanwhile, because something was created', async () => {
    const answer = await refused(RECORD, DECLINED);
    expect(answer).toEqual({ kind: 'recorded', status: 201, body: { id: 7 }, replayed: true });
  });

  it('is compared by each of the configured keys, so that a rotation makes no repeated request a different one', async () => {
    await expect(refused(RECORD, DECLINED, ['new-key', 'a-key'])).resolves.toMatchObject({ replayed: true });
    await expect(refused(RECORD, DECLINED, ['a-key', 'new-key'])).resolves.toMatchObject({ replayed: true });
    await expect(refused(RECORD, DECLINED, ['new-key'])).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  it('is told the refusal if its key is still free', async () => {
    await expect(refused(null, DECLINED)).rejects.toBe(DECLINED);
  });
});
