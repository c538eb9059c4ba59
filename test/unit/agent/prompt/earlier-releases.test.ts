import { describe, expect, it } from 'vitest';
import { earlierReleases, readTag } from '../../../../src/agent/prompt/earlier-releases.ts';

const read = (tag: string) => readTag({ tag, isPrerelease: false });
const kindOf = (tag: string) => read(tag).kind;

describe('the kind of a release', () => {
  it.each([
    ['v1.2.3', 'v1.10.0', 'v2', '2.0.0', 'v2.0.0-rc.1', '3.0.0rc1', 'v2.1.0+build.7', 'v1.2.3.4'],
    ['api@1.3.0', 'api@v1.4.0', 'api@2.0.0-beta.1'],
    ['@scope/pkg2@1.0.0', '@scope/pkg2@1.0.1'],
    ['@3d/pkg@1', '@3d/pkg@2'],
    ['api/v1.2.3', 'api/v1.3.0'],
    ['release-2024-05-01', 'release-2024-06-12', 'release-2024-06-12.2', 'release-2024-06-12-3'],
    ['release/2024.05.01', 'release/2024.5.1', 'release/2024_05_01', 'release/5.0'],
    ['RELEASE.2024-05-01T00-00-00Z', 'RELEASE.2025-01-07T12-30-00Z'],
    ['k8s-operator-v1.2.3', 'k8s-operator-v2'],
    ['api-2-1.0.0', 'api-2-1.0.1'],
    ['log4j-2.17.0', 'log4j-2.18.0'],
    ['python3.11-v1.2', 'python3.11-v1.3'],
    ['go1.22.0', 'go1.23rc1'],
    ['curl-7_88_1', 'curl-8_0_0'],
    ['jdk-17.0.1+12', 'jdk-21'],
    ['v1.2.3-alpine', 'v1.2.4-alpine'],
    ['1.2.3/api', '1.3.0/api'],
    ['2024.1-enterprise', '2024.2-enterprise'],
    ['nightly', 'latest'],
    ['v2-1', 'v3-1'],
  ])('is the same: %s, %s', (...tags) => {
    expect(new Set(tags.map(kindOf)).size).toBe(1);
  });

  it('is another one for another text around the version', () => {
    const tags = [
      ...['v1.2.3', 'v1.2.3-alpine', 'api@1.3.0', 'web@1.3.0', '@scope/api@1.3.0', 'api/v1.3.0'],
      ...['api-v1.3.0', 'api-2-1.0.0', 'api-3-1.0.0', 'release-2024-05-01', '1.2.3/api'],
      ...['1.2.3/web', 'k8s-operator-v1.2.3', 'k8s-v1.2.3', 'go1.22.0', 'nightly'],
    ];
    expect(new Set(tags.map(kindOf)).size).toBe(tags.length);
  });

  it.each([
    [['v2.0.0-rc.1', 'v2.0.0-beta1', '3.0.0rc1', 'api@1.0.0-next.0'], true],
    [['v2.0.0', 'v2', 'v2.0.0+build.7', 'k8s-v1', 'release-2024-05-01', 'v1.2.3-alpine'], false],
  ])('%j are prereleases: %s', (tags, expected) => {
    expect(tags.map((tag) => read(tag).isPrerelease)).toEqual(tags.map(() => expected));
  });
});

describe('releases before a release', () => {
  const toRelease = (tag: string, day: number, fields = {}) => ({
    tag,
    isPrerelease: false,
    publishedAt: `2026-01-${day}T08:00:00Z`,
    ...fields,
  });
  const all = [
    toRelease('v3', 25),
    toRelease('v2', 20),
    toRelease('v2-rc', 19, { isPrerelease: true }),
    toRelease('draft', 18, { publishedAt: '' }),
    toRelease('v1.1', 12),
    toRelease('v1.2', 15),
  ];
  const tags = (release: (typeof all)[number]) =>
    earlierReleases(release, all).map(({ tag }) => tag);

  it('are the published ones before it, newest first', () => {
    expect(tags(toRelease('v2', 20))).toEqual(['v1.2', 'v1.1']);
    expect(tags(toRelease('v1.2.1', 15))).toEqual(['v1.1']);
  });

  it('do not count a prerelease that is not marked as one', () => {
    const unmarked = toRelease('v2.0.0-rc.1', 14);
    const releases = [unmarked, toRelease('v1.9.0', 10)];
    const tagsBefore = (tag: string) =>
      earlierReleases(toRelease(tag, 16), releases).map((each) => each.tag);
    expect(tagsBefore('v2.0.0')).toEqual(['v1.9.0']);
    expect(tagsBefore('v2.0.0-rc.2')).toEqual(['v2.0.0-rc.1', 'v1.9.0']);
  });

  it('count prereleases only for a prerelease', () => {
    expect(tags(toRelease('v2.1-rc', 21, { isPrerelease: true }))).toEqual([
      'v2',
      'v2-rc',
      'v1.2',
      'v1.1',
    ]);
  });
});
