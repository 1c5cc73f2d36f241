namespace Larder.FileStore;

/// <summary>How processes learn of each other's writes.</summary>
public enum FileStoreCoherence
{
    /// <summary><see cref="Local"/> on file systems known to allow it, <see cref="Polled"/> on all others (network shares, FUSE, 9p) and on Windows.</summary>
    Automatic,

    /// <summary>At once, through memory shared by the processes of one machine. Opening throws where the file system does not allow it.</summary>
    Local,

    /// <summary>
    /// By looking at the file: a read shows what was written up to <see cref="DistributedFileStoreCacheOptions.PollInterval"/>, and the file system's
    /// own attribute caching, before it. All processes that share a file have to use the same way; the file's first line says which.
    /// </summary>
    Polled,
}
