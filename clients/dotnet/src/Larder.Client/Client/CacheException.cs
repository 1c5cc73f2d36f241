namespace Larder.Client;

/// <summary>
/// A <see cref="CacheError"/> as an exception, where an interface of .NET leaves no other way (<c>IDistributedCache</c>). <see cref="CacheClient"/> itself
/// returns errors.
/// </summary>
public sealed class CacheException : Exception
{
    /// <summary>An exception that says what <paramref name="error"/> says.</summary>
    public CacheException(CacheError error)
        : base((error ?? throw new ArgumentNullException(nameof(error))).Message, error.Exception) => Error = error;

    /// <summary>Why the call failed.</summary>
    public CacheError Error { get; }
}
