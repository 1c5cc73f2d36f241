using System.Runtime.CompilerServices;
using Larder.Client.Near;

namespace Larder.Client;

/// <content>Reads from the near cache (<see cref="Configuration.NearCache"/>).</content>
public sealed partial class Cache
{
    /// <summary>
    /// Gets from the near cache the value that <see cref="GetAsync"/> would return, without a call and without an allocation. Only a text key of more than
    /// 256 bytes allocates: it is encoded on the heap.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value, which other callers share.</param>
    /// <returns>False if no copy may be served, if there is no near cache, or if the key or the cache's name is invalid.</returns>
    public bool TryGetNear(CacheBytes key, out CacheValue value)
    {
        NearCopy? copy = _near is not null && _invalidName is null && key.IsWellFormed ? _near.Find(Name, key) : null;
        value = copy?.Answer.Value ?? default;
        return copy is not null;
    }

    /// <inheritdoc cref="TryGetNear(CacheBytes, out CacheValue)"/>
    [OverloadResolutionPriority(1)]
    public bool TryGetNear(ReadOnlySpan<byte> key, out CacheValue value)
    {
        NearCopy? copy = _near is not null && _invalidName is null ? _near.Find(Name, key) : null;
        value = copy?.Answer.Value ?? default;
        return copy is not null;
    }

    // Returns null if there is no copy, or if the caller has cancelled. In the second case the call itself returns the error.
    private ItemHit? Copied(in CacheBytes key, CancellationToken cancellationToken) =>
        cancellationToken.IsCancellationRequested ? null : _near!.Find(Name, key)?.Answer;
}
