import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { addRules, copyFiles, renderForSearch, slug } from '../markdown.mjs';
import { address, pages, rewritten, root, sidebar } from '../pages.mjs';

const require = createRequire(import.meta.url);
const shown = new Set(pages());
const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
const notShown = git('ls-files', '--cached', '--others', '--exclude-standard', '*.md').filter((file) => !shown.has(file));
const ignored = git('ls-files', '--others', '--ignored', '--exclude-standard', '--directory').map((path) => path.replace(/\/$/, '/**'));
const [, version] = /<Version>(.*)<\/Version>/.exec(readFileSync(join(root, 'Directory.Build.props'), 'utf8'));
// `tools/docs` builds the API references and sets this variable to their folder. The variable is not set if only the pages are built.
const references = process.env.LARDER_REFERENCES;
const api = Object.entries({ dotnet: '.NET', python: 'Python', node: 'Node' }).filter(([name]) => references && existsSync(join(references, name)));

export default {
  title: 'Larder',
  description: 'A cache server with clients for .NET, Python and Node',
  lang: 'en',
  srcDir: '../..',
  srcExclude: [...notShown, ...ignored, '.*/**'],
  outDir: join(root, 'artifacts', 'site'),
  cacheDir: join(root, 'artifacts', 'site-cache'),
  rewrites: rewritten,
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    config: addRules,
    anchor: { slugify: slug },
    languageAlias: { text: 'txt' },
  },
  themeConfig: {
    nav: [
      { text: 'Documentation', link: address('docs/README.md') },
      // The references are not pages of this application. With target '_self', the browser loads them as documents.
      { text: 'API reference', items: api.map(([name, text]) => ({ text, link: `/api/${name}/index.html`, target: '_self' })) },
      { text: `Version ${version}`, link: address('CHANGELOG.md') },
    ].filter(({ items }) => items === undefined || items.length > 0),
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local', options: { _render: renderForSearch } },
  },
  vite: {
    publicDir: false,
    build: { chunkSizeWarningLimit: 10_000 },
    plugins: [
      {
        // The pages are outside this folder. Node therefore does not find Vue when it resolves an import in a page.
        name: 'larder:vue',
        enforce: 'pre',
        resolveId: (id, _, { ssr }) => (ssr && /^vue(\/server-renderer)?$/.test(id) ? { id, external: true } : null),
      },
    ],
  },
  buildEnd({ outDir }) {
    for (const [name] of api) {
      cpSync(join(references, name), join(outDir, 'api', name), { recursive: true });
    }
    copyFiles(outDir);
    copyFileSync(require.resolve('@mermaid-js/tiny'), join(outDir, 'assets', 'mermaid.js'));
  },
};
