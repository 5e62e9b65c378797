import { EQUATIONS, type Equation } from '../../domain/balance/equations.js';
import type { Report } from '../report.js';
import type { Section, Table } from './section.js';

/** The control equations with both their sides: first those that fail, with the rows to look at, last those of each part. */
export function proof({ equations, imbalances }: Report): Section {
  const tables: Table[] = [
    {
      caption: 'What differs',
      columns: [{ title: 'Scope' }, { title: 'Equation' }, EXPECTED, FOUND, { title: 'Surplus or missing' }],
      // One is enough to stop.
      maxRows: 50,
      rows: imbalances.map(({ equation, subject, expected, found, examples }) => ({
        cells: [subject, EQUATIONS[equation], expected, found, examples.join('; ')],
      })),
    },
    sums('Overall sums', equations.filter(isWhole)),
    {
      ...sums(
        'Sums of each file, source and environment',
        equations.filter((of) => !isWhole(of)),
      ),
      isFolded: true,
    },
  ];
  return { id: 'books', title: 'Proof', tables: tables.filter(({ rows }) => rows.length > 0) };
}

export function isWhole({ over }: Equation): boolean {
  return over === 'run' || over === 'overall';
}

const EXPECTED = { title: 'Expected', isNumber: true } as const;
const FOUND = { title: 'Found', isNumber: true } as const;

function sums(caption: string, equations: readonly Equation[]): Table {
  return {
    caption,
    columns: [
      { title: 'Scope' },
      { title: 'Equation' },
      { title: 'Left', isNumber: true },
      { title: 'Right', isNumber: true },
      { title: 'Holds' },
    ],
    maxRows: 100,
    rows: equations.map(({ subject, equation, left, right, holds }) => ({
      cells: [subject, EQUATIONS[equation], left, right, holds ? '✓ yes' : '✕ no'],
    })),
  };
}
