using System.Text;
using Larder.Client.Leases;

namespace Larder.Client;

/// <summary>
/// Gives a factory of <c>GetOrCreateAsync</c> the stale value, and lets the factory decide how its result is stored. Each run of a factory gets its own
/// context. The context is read when the factory has returned; later changes have no effect. The rules are specified in <c>protocol/spec/get-or-set.md</c>.
/// </summary>
/// <typeparam name="T">The type of the values.</typeparam>
public sealed class FactoryContext<T>
{
    private readonly StaleItem? _stale;
    private readonly Func<byte[], T> _decode;
    private bool _isDecoded;
    private T? _value;

    internal FactoryContext(StaleItem? stale, Func<byte[], T> decode)
    {
        _stale = stale;
        _decode = decode;
    }

    /// <summary>
    /// Gets whether there is a stale value. The server keeps a value after its expiry if <see cref="GetOrCreateOptions.RevalidateFor"/> or
    /// <see cref="GetOrCreateOptions.FailSafeFor"/> was set when it was stored. If <see cref="GetOrCreateOptions.RefreshAheadFor"/> is set, the value that is
    /// being refreshed is also a stale value, although it has not expired for the callers.
    /// </summary>
    public bool HasStale => _stale is not null;

    /// <summary>Gets the stale value. The factory may change it: it is a copy.</summary>
    /// <exception cref="InvalidOperationException">There is no stale value (<see cref="HasStale"/>).</exception>
    public T StaleValue
    {
        get
        {
            if (_stale is null)
            {
                throw new InvalidOperationException($"There is no stale value; check {nameof(HasStale)} first.");
            }

            if (!_isDecoded)
            {
                _value = _decode(_stale.Value);
                _isDecoded = true;
            }

            return _value!;
        }
    }

    /// <summary>Gets the <see cref="ETag"/> that was stored with the stale value. Null if there is none.</summary>
    public string? StaleETag => _stale is { Validator.Length: > 0 } ? Encoding.UTF8.GetString(_stale.Validator) : null;

    /// <summary>
    /// Gets or sets the ETag of the result. It identifies the version of the result at its source, for example by the ETag or Last-Modified header of an HTTP
    /// response: at most 1,024 bytes in UTF-8. It is stored with the result. If the result is kept after its expiry, a later context contains it as
    /// <see cref="StaleETag"/>. If it is invalid, the call fails as if the factory had thrown. The default is null: an unmodified value keeps its ETag, and a
    /// new value has none.
    /// </summary>
    public string? ETag { get; set; }

    /// <summary>
    /// Gets or sets the time to live of the result: greater than 0, and at most 365 days or the server's limit if that is lower. If it is invalid, the call
    /// fails as if the factory had thrown. The default is null: <see cref="GetOrCreateOptions.TtlOf"/> or <see cref="GetOrCreateOptions.Ttl"/> applies.
    /// </summary>
    public TimeSpan? Ttl { get; set; }

    /// <summary>
    /// Gets or sets tags of the result, in addition to <see cref="GetOrCreateOptions.Tags"/>: at most 128 together, each of 1 to 1,024 bytes. If they are
    /// invalid, the call fails as if the factory had thrown. The default is an empty list.
    /// </summary>
    public IReadOnlyList<CacheBytes> Tags { get; set; } = [];

    /// <summary>
    /// Gets or sets whether the result is only returned to the callers and not stored. An existing stale value remains. The default is false.
    /// </summary>
    public bool DoNotStore { get; set; }

    internal bool IsNotModified { get; private set; }

    /// <summary>
    /// Declares that the stale value is still valid. The client returns the stale value to the callers and stores its bytes again with a new time to live. The
    /// value that the factory returns is ignored, so that a factory can end with <c>return context.NotModified();</c>.
    /// </summary>
    /// <returns>The stale value.</returns>
    /// <exception cref="InvalidOperationException">There is no stale value (<see cref="HasStale"/>).</exception>
    public T NotModified()
    {
        T value = StaleValue;
        IsNotModified = true;
        return value;
    }

    /// <summary>Returns the bytes to store, with the settings of this context.</summary>
    /// <param name="encode">Encodes the value that the factory returned. It is not called if the factory has called <see cref="NotModified"/>.</param>
    internal CreatedItem ToItem(Func<byte[]> encode)
    {
        CacheBytes validator = ETag is not null ? ETag : IsNotModified ? _stale!.Validator : default(CacheBytes);
        return new(IsNotModified ? _stale!.Value : encode(), Ttl, Tags, DoNotStore, validator);
    }
}
