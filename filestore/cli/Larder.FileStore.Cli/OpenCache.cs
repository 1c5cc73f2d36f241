using Larder.FileStore.Engine;

namespace Larder.FileStore.Cli;

/// <summary>Opens cache files for the commands.</summary>
internal static class OpenCache
{
    /// <summary>Opens the cache for reads and writes. The file is created if it does not exist.</summary>
    internal static DistributedFileStoreCacheString At(FileInfo file) => new(new CacheFileHandler(Engine(file, readOnly: false)));

    /// <summary>Opens an existing cache for reads. Changes, locks and creates nothing.</summary>
    internal static CacheEngine ToRead(FileInfo file) => Engine(file, readOnly: true);

    private static CacheEngine Engine(FileInfo file, bool readOnly) =>
        CacheEngine.Open(new FileStoreSettings { Path = file.FullName, MaxBytes = 1L << Word.LengthBits, ReadOnly = readOnly });
}
