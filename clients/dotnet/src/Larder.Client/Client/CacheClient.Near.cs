using System.Runtime.CompilerServices;
using Larder.Client.Near;

namespace Larder.Client;

/// <content>Copies of what was read (<see cref="Configuration.NearCache"/>).</content>
public sealed partial class CacheClient
{
    /// <summary>What the near cache holds and has done; null: the configuration has none.</summary>
    public NearCacheStatistics? NearCache => _near?.Statistics;

    /// <summary>
    /// The copy of an item's value, where there is one that may be served: what <see cref="GetAsync"/> would answer with, at once and without an allocation.
    /// Makes no call, and does not tell why there is none; a cache or key that cannot be has none. A text key of over 256 bytes is encoded on the heap.
    /// </summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value. Others are shown the same bytes: they stay as they are.</param>
    public bool TryGetNear(string cache, CacheBytes key, out ReadOnlyMemory<byte> value)
    {
        NearCopy? copy = _near is not null && cache is not null && key.IsWellFormed ? _near.Find(cache, key) : null;
        value = copy?.Value;
        return copy is not null;
    }

    /// <summary>The same, of a key that need be no array.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value. Others are shown the same bytes: they stay as they are.</param>
    [OverloadResolutionPriority(1)]
    public bool TryGetNear(string cache, ReadOnlySpan<byte> key, out ReadOnlyMemory<byte> value)
    {
        NearCopy? copy = _near is not null && cache is not null ? _near.Find(cache, key) : null;
        value = copy?.Value;
        return copy is not null;
    }

    // Null: there is no copy, or the caller has cancelled, and will be told so.
    private GetResponse.Hit? Copied(string cache, in CacheBytes key, CancellationToken cancellationToken) =>
        cancellationToken.IsCancellationRequested ? null : _near!.Find(cache, key)?.Answer;
}
