import { readReleases } from '../../deploy/support/releases';
import { readProjectFile } from './project-files';

describe('CHANGELOG.md', () => {
  it('names the commit of every release, the newest first, which has the version of package.json', () => {
    const changelog = readProjectFile('CHANGELOG.md');
    const headings = [...changelog.matchAll(/^## (?!Unreleased$)(.*)$/gm)].map(([, heading]) => heading);
    const releases = readReleases(changelog);
    const { version } = JSON.parse(readProjectFile('package.json')) as { version: string };
    expect(releases.map((release) => release.version)).toEqual(
      headings.filter((heading) => heading !== 'Unreleased'),
    );
    expect(releases[0]?.version).toBe(version);
    expect(new Set(releases.map(({ commit }) => commit)).size).toBe(releases.length);
  });
});
