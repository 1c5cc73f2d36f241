namespace Larder.FileStore.Tests.Support;

internal static class Reachability
{
    internal static CacheEngine Engine(this DistributedFileStoreCacheString cache) => cache.Handler.Engine;
}
