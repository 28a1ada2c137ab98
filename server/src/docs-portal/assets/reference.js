const reference = document.getElementById('reference');
const { base, servers } = reference.dataset;
const here = { url: window.location.origin + base, description: 'This server' };

// When the anchor names an operation, this leads to its page. Scalar handles other anchors.
const named = document.getElementById(window.location.hash.slice(1))?.querySelector('a');
if (named) window.location.replace(named.href);

// Scalar must not load or send anything from or to other hosts: no fonts, no proxy, no telemetry, no assistant.
window.Scalar.createApiReference(reference, {
  url: `${base}/docs/openapi.json`,
  servers: [here, ...JSON.parse(servers).filter(({ url }) => url !== here.url)],
  proxyUrl: '',
  withDefaultFonts: false,
  telemetry: false,
  // The bar above the reference has a search over all pages.
  hideSearch: true,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenAllTags: true,
  // In the order of the contract, where the most important property comes first.
  orderSchemaPropertiesBy: 'preserve',
  // All pages follow the reader's system, so this page needs no switch between light and dark.
  hideDarkModeToggle: true,
});
document.getElementById('content').remove();
document.querySelector('.skip').href = '#reference';
