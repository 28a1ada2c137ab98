const reference = document.getElementById('reference');
const { base, servers } = reference.dataset;
const here = { url: window.location.origin + base, description: 'This server' };

// An operation named after the # has its own page; other anchors are Scalar's.
const named = document.getElementById(window.location.hash.slice(1))?.querySelector('a');
if (named) window.location.replace(named.href);

// Nothing may be asked of anybody else: no fonts, no proxy, no telemetry, no assistant.
window.Scalar.createApiReference(reference, {
  url: `${base}/docs/openapi.json`,
  servers: [here, ...JSON.parse(servers).filter(({ url }) => url !== here.url)],
  proxyUrl: '',
  withDefaultFonts: false,
  telemetry: false,
  // The bar above searches everything.
  hideSearch: true,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenAllTags: true,
  // As the contract has them: what matters most stands first.
  orderSchemaPropertiesBy: 'preserve',
  // Light or dark is the reader's preference everywhere, so that the pages agree.
  hideDarkModeToggle: true,
});
document.getElementById('content').remove();
document.querySelector('.skip').href = '#reference';
