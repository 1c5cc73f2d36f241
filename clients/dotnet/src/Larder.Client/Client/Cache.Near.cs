using System.Runtime.CompilerServices;
using Larder.Client.Near;

namespace Larder.Client;

/// <content>Reads from the near cache (<see cref="Configuration.NearCache"/>).</content>
public sealed partial class Cache
{
    /// <summary>
    /// Gets a value from the near cache, without a call to the server and without allocating memory. Returns the value that <see cref="GetAsync"/> would return
    /// from the near cache. Memory is allocated only for a key that is a string of more than 256 bytes, because its bytes do not fit on the stack.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value. Its bytes are shared with other callers.</param>
    /// <returns>
    /// True if the near cache has a valid copy of the value. False if it has none, if there is no near cache, or if the key or the cache's name is invalid.
    /// </returns>
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

    // Returns the hit from the near cache. Returns null if there is no copy, or if the caller has cancelled. In the second case the call to the server then
    // returns the error.
    private ItemHit? Copied(in CacheBytes key, CancellationToken cancellationToken) =>
        cancellationToken.IsCancellationRequested ? null : _near!.Find(Name, key)?.Answer;
}
