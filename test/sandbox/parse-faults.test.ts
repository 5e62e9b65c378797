import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../src/domain/operator-error.js';
import { parseFaults } from '../../src/sandbox/faults.js';

describe('faults as text', () => {
  it.each([
    ['', { rates: {}, schedule: [] }],
    ['latency=50', { latencyMs: 50, rates: {}, schedule: [] }],
    ['server-error=0.02, html=1', null],
    ['drop-after@30', { rates: {}, schedule: [{ kind: 'drop-after', at: 30, times: 1 }] }],
    ['throttle@10x2', { rates: {}, schedule: [{ kind: 'throttle', at: 10, times: 2 }] }],
    ['latency=3000@5', { rates: {}, schedule: [{ kind: 'latency', at: 5, times: 1, ms: 3000 }] }],
    [
      'latency=50,server-error=0.02,tls-closed=1,html@5',
      {
        latencyMs: 50,
        rates: { 'server-error': 0.02, 'tls-closed': 1 },
        schedule: [{ kind: 'html', at: 5, times: 1 }],
      },
    ],
    ['explosion=0.5', null],
    ['latency', null],
    ['latency@5', null],
    ['server-error', null],
    ['server-error=1.5', null],
    ['server-error=-1', null],
    ['server-error=0.5@3', null],
    ['server-error=0.6,html=0.5', null],
    ['html@0', null],
    ['html@3x0', null],
    ['html x2', null],
  ])('%j', (text, expected) => {
    if (expected) expect(parseFaults(text)).toEqual(expected);
    else expect(() => parseFaults(text)).toThrow(OperatorError);
  });

  it('a wrong text names the part and lists the known kinds', () => {
    const attempt = () => parseFaults('html@5,explosion=1');
    expect(attempt).toThrow(/"explosion=1" can't be read/);
    expect(attempt).toThrow(
      expect.objectContaining({ hint: expect.stringMatching(/latency, .*drop-after/) }),
    );
  });
});
