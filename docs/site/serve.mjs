// Serves the built site on this machine: node serve.mjs FOLDER PORT.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { pipeline } from 'node:stream';

const [folder, port] = process.argv.slice(2);
const types = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

function fileOf(url) {
  // The path starts with a slash and is normalised, so that it cannot lead out of the folder.
  const path = join(folder, normalize(decodeURIComponent(new URL(url, 'http://localhost').pathname)));
  const file = path.endsWith('/') ? join(path, 'index.html') : path;
  return existsSync(file) && statSync(file).isFile() ? file : undefined;
}

function answer(request, response) {
  let file;
  try {
    file = fileOf(request.url);
  } catch {
    // The address contains an invalid escape sequence. The response is 404.
  }
  const sent = file ?? join(folder, '404.html');
  response.writeHead(file ? 200 : 404, { 'content-type': types[extname(sent)] ?? 'application/octet-stream' });
  // If the file disappears while the site is rebuilt, or if the browser disconnects, only this response fails.
  pipeline(createReadStream(sent), response, () => {});
}

const server = createServer(answer);
server.on('error', (error) => {
  const reason = error.code === 'EADDRINUSE' ? `port ${port} is already in use; pass another port with --port` : error.message;
  console.error(`docs: cannot serve the site: ${reason}.`);
  process.exit(1);
});
server.listen(Number(port), '127.0.0.1', () => {
  console.log(`docs: the site is at http://127.0.0.1:${server.address().port}/ (Ctrl+C stops it)`);
});
