namespace Larder.FileStore;

/// <summary>
/// Thrown if a cache operation fails: the file cannot be used, the size limit is reached, or the write lock was not free before the timeout. In the last case,
/// the inner exception is a <see cref="TimeoutException"/>. The message names the file and the remedy.
/// </summary>
public sealed class DistributedFileStoreCacheException : Exception
{
    /// <summary>Creates an exception with the default message.</summary>
    public DistributedFileStoreCacheException()
    {
    }

    /// <summary>Creates an exception with the given message.</summary>
    public DistributedFileStoreCacheException(string message)
        : base(message)
    {
    }

    /// <summary>Creates an exception with the given message and inner exception.</summary>
    public DistributedFileStoreCacheException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
