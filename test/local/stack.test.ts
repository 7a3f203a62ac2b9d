import { readStack } from '../support/stack';
test('x', () => { console.log(readStack()); expect(1).toBe(1); });
