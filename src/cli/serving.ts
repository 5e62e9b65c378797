/** What the log says where health and metrics are served, be it beside the console or at an address of their own. */
export const SERVING = 'serving /healthz, /readyz and /metrics';
