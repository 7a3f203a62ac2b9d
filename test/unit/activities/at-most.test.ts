import { ApplicationFailure } from '@temporalio/common';
import { atMost } from '../../../activities/shared/at-most';

describe('a limit of local activities', () => {
  it('refuses a call while as many are in progress, without making it, and takes one again after an end or a failure', async () => {
    const ends: Array<(end: 'done' | 'failed') => void> = [];
    const made: string[] = [];
    const limited = atMost(2, async (name: string) => {
      made.push(name);
      const end = await new Promise<'done' | 'failed'>((resolve) => ends.push(resolve));
      if (end === 'failed') throw new Error('failed');
      return name;
    });
    const first = limited('first');
    const second = limited('second');
    const refused = expect(limited('third')).rejects;
    await refused.toThrow(ApplicationFailure);
    ends[0]?.('failed');
    await expect(first).rejects.toThrow('failed');
    const fourth = limited('fourth');
    ends[1]?.('done');
    ends[2]?.('done');
    expect(await Promise.all([second, fourth])).toEqual(['second', 'fourth']);
    expect(made).toEqual(['first', 'second', 'fourth']);
  });
});
