import { describe, expect, it } from 'vitest';
import { firstRows, fitSections, type Section } from '../../../../src/check/report/section.ts';

const rows = (count: number, width: number): Section => ({
  title: `${count} rows`,
  render(mostRows) {
    const all = Array.from(
      { length: count },
      (_, index) => `- ${String(index).padStart(width, '.')}`,
    );
    const { shown, rest } = firstRows(all, mostRows);
    return `${shown.join('\n')}${rest}`;
  },
});

const empty: Section = { title: 'Nothing', render: () => '' };

describe('sections', () => {
  it('are whole if there is room', () => {
    expect(fitSections([rows(2, 1), empty], 1000, 'there')).toBe('#### 2 rows\n\n- 0\n- 1\n\n');
  });

  it('have shorter lists if there is little', () => {
    const text = fitSections([rows(100, 50), rows(3, 1)], 3000, 'there');
    expect(text).toContain('… and 60 more');
    expect(text).toContain('#### 3 rows');
    expect(text.length).toBeLessThanOrEqual(3000);
  });

  it('are left out if there is too little, which is said', () => {
    const text = fitSections([rows(2, 10), rows(5, 2000), rows(3, 1)], 2000, 'there');
    expect(text).toContain('#### 2 rows');
    expect(text).toContain('#### 3 rows');
    expect(text).toContain(
      '**Left out**, because it would be too long here: 5 rows. The whole report is there.',
    );
    expect(text.length).toBeLessThanOrEqual(2000);
  });
});
