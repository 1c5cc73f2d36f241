using System.Security.Cryptography;
using System.Text;

namespace Larder.Server.Fleet;

/// <summary>The immutable directory entry of one cache. A flush replaces the entry.</summary>
/// <param name="Name">The cache's name.</param>
/// <param name="Id">The cache's ID. It stays the same as long as the cache exists.</param>
/// <param name="Generation">
/// A number that increases with every change of the directory. Each created cache and each flush therefore has a unique number.
/// </param>
/// <param name="Use">Which calls the cache has served. It only grows.</param>
/// <param name="Removals">A number that increases when tags of the cache are removed. Near copies from before are then invalid (TAG-5).</param>
internal sealed record RemoteCache(string Name, long Id, long Generation, CacheUse Use = CacheUse.Plain, long Removals = 0)
{
    /// <summary>
    /// Gets the prefix of the keys of all items. The prefix contains no brace, so that the <c>{tag}</c> in the caller's key determines the slot (FLEET-7).
    /// </summary>
    public byte[] Prefix { get; } = KeyPrefix.Of(Id, Generation);

    /// <summary>Gets the first part of the keys that are stored next to the items (<see cref="Companions"/>).</summary>
    public byte[] CompanionPrefix => field ??= KeyPrefix.OfCompanions(Id, Generation);

    /// <summary>
    /// Gets the prefix of the cache's topics. It contains a digest of the cache name. If the directory is lost and IDs start over, a cache therefore never gets
    /// the topics of another cache.
    /// </summary>
    public byte[] TopicPrefix => field ??=
        [.. KeyPrefix.OfTopics(Id), .. Encoding.ASCII.GetBytes(Convert.ToHexStringLower(NameDigest.AsSpan(0, 8))), (byte)':'];

    /// <summary>
    /// Gets the queue that holds the cache's calls after a flush. Null if the cache was neither flushed nor recreated since this gateway first read it.
    /// </summary>
    public FlushQueue? Hold { get; init; }

    /// <summary>
    /// Returns whether <paramref name="other"/> has the same ID and generation. Returns false if the cache was flushed, deleted or recreated.
    /// </summary>
    public bool IsStill(RemoteCache? other) => other is not null && other.Id == Id && other.Generation == Generation;

    /// <summary>Returns whether <paramref name="other"/>, of the same generation, contains changes that this entry lacks.</summary>
    public bool IsBehind(RemoteCache other) => Use < other.Use || Removals < other.Removals;

    private byte[] NameDigest => SHA256.HashData(Encoding.UTF8.GetBytes(Name));
}
