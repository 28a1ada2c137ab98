/** What the packages are tried with, by exact version: everything here is taken from the registry and kept nowhere. */

/** Beside the Node that runs this, which is the third. */
export const nodes = { node20: '20.20.2', node22: '22.23.3' };

/**
 * The oldest TypeScript that reads Node's own declarations; of ours, 4.9 reads all. The current one is among the frameworks.
 */
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
  // Next looks for it beside itself, and installs it when it is not there.
  typescript: '7.0.2',
  workerd: '1.20261117.1',
};

/** Minified and gzipped, in bytes: all that a bundle has when it takes everything that the door gives. */
export const sizeBudgets = {
  '@tillhook/sdk': 10.5 * 1024,
  '@tillhook/sdk/session': 10.5 * 1024,
  '@tillhook/sdk/webhooks': 2 * 1024,
};
