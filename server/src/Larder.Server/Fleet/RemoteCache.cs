using System.Security.Cryptography;
using System.Text;

namespace Larder.Server.Fleet;

/// <summary>A cache of the fleet as its directory says: never changed, another one after a flush.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Id">Its number, for as long as it exists.</param>
/// <param name="Generation">Counts on with every change of the directory, so that no two caches or flushes ever have the same.</param>
internal sealed record RemoteCache(string Name, long Id, long Generation)
{
    /// <summary>What the keys of its items begin with. It holds no brace: a caller's <c>{tag}</c> decides the slot (FLEET-7).</summary>
    public byte[] Prefix { get; } = KeyPrefix.Of(Id, Generation);

    /// <summary>
    /// What stands before the names of its topics. The name is in it: where the directory was lost whole and is counted anew, no cache has another's topics.
    /// </summary>
    public byte[] TopicPrefix => field ??=
        [.. KeyPrefix.OfTopics(Id), .. Encoding.ASCII.GetBytes(Convert.ToHexStringLower(NameDigest.AsSpan(0, 8))), (byte)':'];

    /// <summary>What its calls go through after a flush; null: it was flushed before this server knew of it, or never.</summary>
    public FlushHold? Hold { get; init; }

    /// <summary>Whether it is as <paramref name="other"/> of its name: neither flushed nor made anew between the two.</summary>
    public bool IsStill(RemoteCache? other) => other is not null && other.Id == Id && other.Generation == Generation;

    private byte[] NameDigest => SHA256.HashData(Encoding.UTF8.GetBytes(Name));
}
