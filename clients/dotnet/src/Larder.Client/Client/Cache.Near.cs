using System.Runtime.CompilerServices;
using Larder.Client.Near;

namespace Larder.Client;

/// <content>Copies of values in the near cache (<see cref="Configuration.NearCache"/>).</content>
public sealed partial class Cache
{
    /// <summary>
    /// Gets the value that <see cref="GetAsync"/> would return from the near cache, without a call and without an allocation. A text key of over 256 bytes is
    /// encoded on the heap.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value. Other callers get the same bytes: do not change them.</param>
    /// <returns>False if there is no copy that may be served, or no near cache, or the key or the cache's name is invalid.</returns>
    public bool TryGetNear(CacheBytes key, out ReadOnlyMemory<byte> value)
    {
        NearCopy? copy = _near is not null && _invalidName is null && key.IsWellFormed ? _near.Find(Name, key) : null;
        value = copy?.Value;
        return copy is not null;
    }

    /// <inheritdoc cref="TryGetNear(CacheBytes, out ReadOnlyMemory{byte})"/>
    [OverloadResolutionPriority(1)]
    public bool TryGetNear(ReadOnlySpan<byte> key, out ReadOnlyMemory<byte> value)
    {
        NearCopy? copy = _near is not null && _invalidName is null ? _near.Find(Name, key) : null;
        value = copy?.Value;
        return copy is not null;
    }

    // Null if there is no copy, or if the caller has cancelled; then the call itself returns that error.
    private GetResponse.Hit? Copied(in CacheBytes key, CancellationToken cancellationToken) =>
        cancellationToken.IsCancellationRequested ? null : _near!.Find(Name, key)?.Answer;
}
