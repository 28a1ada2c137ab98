const reference = document.getElementById('reference');
const { base } = reference.dataset;

// Nothing may be asked of anybody else: no fonts, no proxy, no telemetry, no assistant.
window.Scalar.createApiReference(reference, {
  url: `${base}/openapi.json`,
  servers: [
    { url: window.location.origin + base, description: 'This server' },
    { url: 'http://localhost:4010', description: 'The mock' },
  ],
  proxyUrl: '',
  withDefaultFonts: false,
  telemetry: false,
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
document.getElementById('plain').remove();
