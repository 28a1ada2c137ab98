/** The exact versions with which the packages are tested. */

export const nodes = { node20: '20.20.2', node22: '22.23.3' };

export const otherRuntimes = { bun: '1.4.5', deno: '2.9.6' };

export const localRegistry = { verdaccio: '6.10.4' };

/** The oldest TypeScript that can read the type declarations of Node. */
export const oldestTypeScript = '5.2.2';

export const nodeTypes = { '@types/node': '24.19.2' };

export const frameworks = {
  ...nodeTypes,
  '@cloudflare/workers-types': '5.20261117.1',
  '@hono/node-server': '2.1.8',
  '@types/express': '5.0.6',
  '@types/react': '19.3.0',
  express: '5.3.0',
  fastify: '5.12.8',
  hono: '4.13.19',
  next: '16.4.6',
  react: '19.3.1',
  'react-dom': '19.3.1',
  // If a project lacks TypeScript, Next installs TypeScript itself.
  typescript: '7.0.2',
  workerd: '1.20261117.1',
};

/** The maximum size in bytes of a bundle with all exports of an entry point, minified and gzipped. */
export const sizeBudgets = {
  // Error codes of signing in, teams and passkeys need 0.1 KB.
  '@tillhook/sdk': 11.75 * 1024,
  // The methods about the team, invitations, passkeys, preferences and new passwords need 0.6 KB.
  '@tillhook/sdk/session': 11.5 * 1024,
  '@tillhook/sdk/webhooks': 2.25 * 1024,
};
