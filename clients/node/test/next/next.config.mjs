export default {
  cacheHandler: new URL("./handler.mjs", import.meta.url).pathname,
  cacheMaxMemorySize: 0,
  typescript: { ignoreBuildErrors: true },
  eslint: { ignoreDuringBuilds: true },
};
