using Larder.FileStore.Engine;

namespace Larder.FileStore.Cli;

/// <summary>A cache opened by its file, as any process that uses it; created if missing.</summary>
internal static class OpenCache
{
    internal static DistributedFileStoreCacheString At(FileInfo file) =>
        new(new CacheFileHandler(CacheEngine.Open(new FileStoreSettings { Path = file.FullName, MaxBytes = 1L << Word.LengthBits })));
}
