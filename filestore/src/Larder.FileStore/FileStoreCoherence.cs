namespace Larder.FileStore;

/// <summary>How processes detect each other's writes.</summary>
public enum FileStoreCoherence
{
    /// <summary>
    /// Uses <see cref="Local"/> on file systems known to support it, and <see cref="Polled"/> on Windows and on all other file systems (network shares, FUSE,
    /// 9p).
    /// </summary>
    Automatic,

    /// <summary>
    /// Processes detect writes immediately, through memory shared by the processes of one machine. Opening a cache throws if the file system does not support
    /// shared memory.
    /// </summary>
    Local,

    /// <summary>
    /// Processes detect writes by checking the file. A read may miss writes of the last <see cref="DistributedFileStoreCacheOptions.PollInterval"/>, plus the
    /// attribute caching time of the file system. All processes that share a file must use the same mode, which the first line of the file records.
    /// </summary>
    Polled,
}
