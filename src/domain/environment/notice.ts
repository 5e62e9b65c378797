/** What a run can notice about an environment as a whole, without any row being at fault. */
export type Notice =
  /** The platform counted more requests than this ledger has sent: `X-Rate-Limit-Remaining` left fewer. */
  | {
      readonly code: 'other-consumer';
      readonly counted: number;
      /** The most of them that this ledger can have sent. */
      readonly ours: number;
      readonly requests: number;
    }
  /** A 429 names another quota than registrar.yaml ("Maximum 70 requests allowed per 1m.", specification §8). */
  | {
      readonly code: 'quota-differs';
      readonly platform: { readonly requests: number; readonly per: string };
      readonly configured: { readonly requests: number; readonly perMs: number };
    };

export const NOTICE_CODES = ['other-consumer', 'quota-differs'] as const satisfies readonly Notice['code'][];
