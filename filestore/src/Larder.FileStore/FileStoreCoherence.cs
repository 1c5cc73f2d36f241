namespace Larder.FileStore;

/// <summary>How processes detect each other's writes.</summary>
public enum FileStoreCoherence
{
    /// <summary>
    /// <see cref="Local"/> on file systems known to support it; <see cref="Polled"/> on Windows and on all others (network shares, FUSE, 9p).
    /// </summary>
    Automatic,

    /// <summary>
    /// Immediately, through memory shared by the processes of one machine. Opening throws if the file system does not support it.
    /// </summary>
    Local,

    /// <summary>
    /// By checking the file. A read may miss writes of the last <see cref="DistributedFileStoreCacheOptions.PollInterval"/>, plus the attribute caching time of
    /// the file system. All processes that share a file must use the same mode, which the first line of the file records.
    /// </summary>
    Polled,
}
