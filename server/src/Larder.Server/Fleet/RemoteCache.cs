using System.Security.Cryptography;
using System.Text;

namespace Larder.Server.Fleet;

/// <summary>An immutable entry of the directory for one cache. A flush replaces it.</summary>
/// <param name="Name">The cache's name.</param>
/// <param name="Id">The cache's id, which stays the same as long as the cache exists.</param>
/// <param name="Generation">A number that increases with every change of the directory, so that each cache and each flush has a unique one.</param>
internal sealed record RemoteCache(string Name, long Id, long Generation)
{
    /// <summary>The prefix of the keys of all items. It contains no brace: the caller's <c>{tag}</c> determines the slot (FLEET-7).</summary>
    public byte[] Prefix { get; } = KeyPrefix.Of(Id, Generation);

    /// <summary>
    /// The prefix of the cache's topics. It contains a digest of the name: if the directory is lost and ids start over, no cache gets the topics of another.
    /// </summary>
    public byte[] TopicPrefix => field ??=
        [.. KeyPrefix.OfTopics(Id), .. Encoding.ASCII.GetBytes(Convert.ToHexStringLower(NameDigest.AsSpan(0, 8))), (byte)':'];

    /// <summary>Holds the cache's calls after a flush. Null if the cache was never flushed, or was flushed before this gateway knew it.</summary>
    public FlushQueue? Hold { get; init; }

    /// <summary>Whether the cache is the same as <paramref name="other"/>, that is neither flushed nor recreated in between.</summary>
    public bool IsStill(RemoteCache? other) => other is not null && other.Id == Id && other.Generation == Generation;

    private byte[] NameDigest => SHA256.HashData(Encoding.UTF8.GetBytes(Name));
}
