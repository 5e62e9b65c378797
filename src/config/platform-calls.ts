/** The form of the calls that the specification names (§4.4) and doesn't show. */
export interface CallShape {
  readonly path: string;
  /** `data.type` of the body. */
  readonly type: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export type PlatformCalls = Readonly<Record<'courses' | 'groups', CallShape>>;

/** The publicly known forms of these calls; each is a setting. */
export const KNOWN_CALLS = {
  courses: {
    path: '/api/v2/content/courses',
    type: 'content/courses',
    attributes: { 'content-id': 'external-id', title: 'title', description: 'summary', obsolete: 'obsolete' },
  },
  groups: {
    path: '/api/v2/groups',
    type: 'groups',
    attributes: { name: 'name', description: 'description' },
  },
} as const satisfies PlatformCalls;

/** What each request adds itself (specification §4), and a vendor's manual often shows. */
export const ADDED_PATHS = { baseUrl: '/api/v2', authUrl: '/oauth/token' } as const;
