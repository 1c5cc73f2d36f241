namespace Larder.Client;

/// <summary>
/// Reports a <see cref="CacheError"/> when an error cannot be returned. Thrown by adapters for .NET interfaces such as <c>IDistributedCache</c>, by
/// <see cref="CacheClient.CreateAsync"/>, and by reading the value of a failed result. Calls of <see cref="CacheClient"/> return errors instead.
/// </summary>
public sealed class CacheException : Exception
{
    /// <summary>Creates an exception with the message of <paramref name="error"/>.</summary>
    public CacheException(CacheError error)
        : base((error ?? throw new ArgumentNullException(nameof(error))).Message, error.Exception) => Error = error;

    /// <summary>Gets the error.</summary>
    public CacheError Error { get; }
}
