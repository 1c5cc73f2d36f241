using Larder.FileStore.Engine;

namespace Larder.FileStore.Cli;

/// <summary>A cache opened by its file, as any process that uses it.</summary>
internal static class OpenCache
{
    /// <summary>Created if missing.</summary>
    internal static DistributedFileStoreCacheString At(FileInfo file) => new(new CacheFileHandler(Engine(file, readOnly: false)));

    /// <summary>Only read: the file has to be there, and nothing is changed, locked or created.</summary>
    internal static CacheEngine ToRead(FileInfo file) => Engine(file, readOnly: true);

    private static CacheEngine Engine(FileInfo file, bool readOnly) =>
        CacheEngine.Open(new FileStoreSettings { Path = file.FullName, MaxBytes = 1L << Word.LengthBits, ReadOnly = readOnly });
}
