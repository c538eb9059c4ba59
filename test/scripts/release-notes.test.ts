import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { releaseNotes } from '../../scripts/release-notes.ts';

const changelog = `# Changelog

## Unreleased

- Later

## 1.10.0 (2026-03-01)

- Ten

### Details

Some.

## 1.1.0 (2026-01-01)

- One
`;

const packageOf = (version: string) =>
  JSON.stringify({ version, repository: 'github:acme/docs-agent-action' });

describe('the notes of a release', () => {
  it.each(['release-notes.ts', 'actions.ts'])('need no npm package: scripts/%s', (file) => {
    const text = readFileSync(new URL(`../../scripts/${file}`, import.meta.url), 'utf8');
    const imports = [...text.matchAll(/ from '([^']+)'/g)].map(([, name = '']) => name);
    expect(imports.length).toBeGreaterThan(1);
    expect(imports.filter((name) => !/^(?:node:|\.\/actions\.ts$)/.test(name))).toEqual([]);
  });

  it('are the section of the version, with the commit to pin', () => {
    const notes = releaseNotes(changelog, packageOf('1.10.0'), 'v1.10.0', 'abc123');
    expect(notes).toMatch(/^- Ten\n\n### Details\n\nSome\.\n\n## Pin it\n/);
    expect(notes).toContain('uses: acme/docs-agent-action@abc123 # v1.10.0\n');
    expect(notes).toContain('uses: acme/docs-agent-action/visitors@abc123 # v1.10.0\n');
    expect(notes).not.toContain('- One');
  });

  it.each([
    ['1.1.0', 'v1.10.0', 'package.json has the version 1.1.0, but the tag is v1.10.0.'],
    ['1.2.0', 'v1.2.0', 'CHANGELOG.md has no section 1.2.0.'],
  ])('are refused: %s, %s', (version, tag, message) => {
    expect(() => releaseNotes(changelog, packageOf(version), tag, 'abc123')).toThrow(message);
  });
});
