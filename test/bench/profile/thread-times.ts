import { readdirSync, readFileSync } from 'node:fs';
import { MS_PER_TICK } from '../support/cpu';

/** The CPU time in ms so far of a process's threads, by name; threads with one name are added. */
export function readThreadTimes(pid: number): Map<string, number> {
  const times = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    const title = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const name = thread === String(pid) ? 'main thread' : title;
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    times.set(name, (times.get(name) ?? 0) + (Number(user) + Number(system)) * MS_PER_TICK);
  }
  return times;
}
