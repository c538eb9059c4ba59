import { describe, expect, it } from 'vitest';
import { visibleMarkdown } from '../../../../../src/agent/prompt/hidden/visible-markdown.ts';
import { hiddenCases } from '../../../../helpers/hidden-cases.ts';

describe('what a reader of rendered Markdown cannot see', () => {
  it.each(hiddenCases)('$name', ({ markdown, left, removed }) => {
    expect(visibleMarkdown(markdown)).toEqual({ text: left, removed });
    expect(left).not.toContain('HID');
  });
});
