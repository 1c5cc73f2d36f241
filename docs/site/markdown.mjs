// Rewrites the links of the Markdown sources, so that they work on the site as they do on a code host.
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { address, fileAddress, isFile, pages, resolve, root } from './pages.mjs';

/** The linked files that are not pages. */
const files = new Set();
const known = new Set(pages());

/** Returns the anchor of a heading as code hosts write it. */
export const slug = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');

function onSite(page, target) {
  if (/^(\w+:|#)/.test(target)) {
    return target;
  }
  const path = resolve(page, target);
  const hash = target.includes('#') ? target.slice(target.indexOf('#')) : '';
  if (known.has(path)) {
    return address(path) + hash;
  }
  if (isFile(path)) {
    files.add(path);
    return fileAddress(path);
  }
  const readme = `${path.replace(/\/$/, '')}/README.md`;
  return known.has(readme) ? address(readme) + hash : undefined;
}

function rewriteLinks(state) {
  const page = relative(root, state.env.realPath ?? state.env.path);
  for (const { children } of state.tokens) {
    const open = [];
    for (const token of children ?? []) {
      if (token.type === 'link_open') {
        const target = onSite(page, token.attrGet('href'));
        // The target is undefined if the link leads to a folder without a page. Only the text of such a link is kept.
        open.push(target !== undefined);
        target === undefined ? unlink(token) : token.attrSet('href', target);
      } else if (token.type === 'link_close' && !open.pop()) {
        unlink(token);
      }
    }
  }
}

function unlink(token) {
  token.type = 'text';
  token.tag = '';
  token.nesting = 0;
  token.content = '';
}

/** Makes VitePress's renderer rewrite links and show Mermaid blocks as diagrams. */
export function addRules(md) {
  md.core.ruler.push('larder_links', rewriteLinks);
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, ...rest) =>
    tokens[index].info.trim() === 'mermaid'
      ? `<Diagram source="${encodeURIComponent(tokens[index].content)}" />`
      : fence(tokens, index, ...rest);
}

/** Renders a page for the search index. Code is not highlighted, because the index contains text only. */
export function renderForSearch(source, env, md) {
  // Excludes measurements from the index. In search results, their tables of numbers would hide the pages that explain them.
  if (env.path.includes('/measurements/') || env.path.includes('/results/')) {
    return '';
  }
  const { highlight } = md.options;
  md.options.highlight = null;
  try {
    return md.render(source, env);
  } finally {
    md.options.highlight = highlight;
  }
}

/** Copies the linked files that are not pages into the site. */
export function copyFiles(target) {
  for (const file of files) {
    const copy = join(target, fileAddress(file));
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(join(root, file), copy);
  }
}
