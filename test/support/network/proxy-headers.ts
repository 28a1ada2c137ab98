/** Each is the only one that some proxy sends. */
export const proxyHeaders = [
  'Forwarded',
  'Via',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Real-IP',
  'CF-Connecting-IP',
  'True-Client-IP',
  'CDN-Loop',
];
