namespace Larder.FileStore.Tests.Support;

internal static class Reach
{
    internal static CacheEngine Engine(this DistributedFileStoreCacheString cache) => cache.Handler.Engine;
}
