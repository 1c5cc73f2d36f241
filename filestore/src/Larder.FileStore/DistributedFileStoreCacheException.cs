namespace Larder.FileStore;

/// <summary>
/// The cache cannot do what was asked: its file cannot be used, its limit is reached, or its write lock was not free in time
/// (then the inner exception is a <see cref="TimeoutException"/>). The message names the file and the remedy.
/// </summary>
public sealed class DistributedFileStoreCacheException : Exception
{
    /// <summary>An exception without a message of its own.</summary>
    public DistributedFileStoreCacheException()
    {
    }

    /// <summary>An exception that says <paramref name="message"/>.</summary>
    public DistributedFileStoreCacheException(string message)
        : base(message)
    {
    }

    /// <summary>An exception that says <paramref name="message"/> because of <paramref name="innerException"/>.</summary>
    public DistributedFileStoreCacheException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
