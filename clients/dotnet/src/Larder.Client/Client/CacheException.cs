namespace Larder.Client;

/// <summary>
/// A <see cref="CacheError"/> as an exception, for interfaces of .NET that cannot return errors, such as <c>IDistributedCache</c>. <see cref="CacheClient"/>
/// itself returns errors.
/// </summary>
public sealed class CacheException : Exception
{
    /// <summary>Creates an exception with the message of <paramref name="error"/>.</summary>
    public CacheException(CacheError error)
        : base((error ?? throw new ArgumentNullException(nameof(error))).Message, error.Exception) => Error = error;

    /// <summary>Gets the error.</summary>
    public CacheError Error { get; }
}
