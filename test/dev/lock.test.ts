import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../../src/dev/lock';
import { identifyProcess } from '../../src/dev/process-identity';
import { makeDataDir } from './support';

describe('a lock', () => {
  const folder = makeDataDir();
  const file = join(folder, 'lock');

  afterAll(() => rmSync(folder, { recursive: true }));

  it('lets only one holder work at a time', async () => {
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} begins`);
      await new Promise(setImmediate);
      order.push(`${name} ends`);
    };
    const first = withLock(file, 5_000, work('first'));
    const second = withLock(file, 5_000, work('second'));
    await Promise.all([first, second]);
    expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('is released when the work fails', async () => {
    await expect(withLock(file, 5_000, () => Promise.reject(new Error('work')))).rejects.toThrow('work');
    await expect(withLock(file, 5_000, () => Promise.resolve())).resolves.toBeUndefined();
  });

  it('is ignored if its process no longer exists', async () => {
    const dead = { ...identifyProcess(process.pid), startedAt: 'before' };
    writeFileSync(file, JSON.stringify(dead));
    await expect(withLock(file, 5_000, () => Promise.resolve())).resolves.toBeUndefined();
  });

  it('is awaited no longer than the given time', async () => {
    writeFileSync(file, JSON.stringify(identifyProcess(process.pid)));
    await expect(withLock(file, 50, () => Promise.resolve())).rejects.toThrow('the lock');
  });
});
