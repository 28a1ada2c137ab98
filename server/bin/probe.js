// Health checks of containers run this file, because the image has no curl: node server/bin/probe.js /readyz

const [path = '/healthz'] = process.argv.slice(2);
const port = process.env.PORT || 3000;

try {
  const { ok, status } = await fetch(`http://127.0.0.1:${port}${path}`);
  process.stdout.write(`${path} answers ${status}\n`);
  process.exitCode = ok ? 0 : 1;
} catch (error) {
  process.stdout.write(`${path} does not answer: ${error.cause?.message ?? error.message}\n`);
  process.exitCode = 1;
}
