document.getElementById('plain').remove();
// Nothing may be asked of anybody else: no fonts, no proxy, no telemetry, no assistant.
window.Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  servers: [
    { url: window.location.origin, description: 'This server' },
    { url: 'http://localhost:4010', description: 'The mock' },
  ],
  proxyUrl: '',
  defaultOpenAllTags: true,
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  showToolbar: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
});
