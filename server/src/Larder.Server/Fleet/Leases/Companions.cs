using System.Text;
using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>
/// The keys that a gateway stores next to an item, on the item's node (FLEET-19). The lease is a string: its token. The tail is a hash: <c>s</c> is the stale
/// time in ms, <c>t</c> the tags (8 bytes each), <c>n</c> the number of the last removed tag when the value was stored, and, if it has a stale
/// time, <c>v</c> the value and <c>e</c> its validator. Two more keys belong to the whole cache: the numbers (a hash) and the removed tags (a sorted set).
/// </summary>
internal static class Companions
{
    // The longest first part: the companion prefix (28 bytes) and a slot's tag with its braces.
    private const int MaxHeadBytes = 64;

    private const byte LeaseMark = (byte)'l';
    private const byte TailMark = (byte)'t';

    /// <summary>Adds the key of the item. It decides the slot of the command.</summary>
    public static void AddItem(this RedisCommand command, RemoteCache cache, ReadOnlySpan<byte> key) => command.AddKey(cache.Prefix, key);

    /// <summary>Adds the keys of an item's lease and of its tail. The command's slot must be that of the item.</summary>
    public static void AddCompanions(this RedisCommand command, RemoteCache cache, ReadOnlySpan<byte> key)
    {
        command.AddLease(cache, key, command.Slot);
        command.AddTail(cache, key, command.Slot);
    }

    /// <summary>Adds the key of an item's lease.</summary>
    /// <param name="command">The command.</param>
    /// <param name="cache">The cache.</param>
    /// <param name="key">The caller's key.</param>
    /// <param name="slot">The slot of the item.</param>
    public static void AddLease(this RedisCommand command, RemoteCache cache, ReadOnlySpan<byte> key, int slot) => Add(command, cache, key, slot, LeaseMark);

    /// <summary>Adds the key of an item's tail.</summary>
    /// <param name="command">The command.</param>
    /// <param name="cache">The cache.</param>
    /// <param name="key">The caller's key.</param>
    /// <param name="slot">The slot of the item.</param>
    public static void AddTail(this RedisCommand command, RemoteCache cache, ReadOnlySpan<byte> key, int slot) => Add(command, cache, key, slot, TailMark);

    /// <summary>Adds the key of the cache's numbers. It decides the slot of the command.</summary>
    public static void AddNumbers(this RedisCommand command, RemoteCache cache) => command.AddKey(cache.CompanionPrefix, OfCache('n', cache));

    /// <summary>Adds the key of the cache's removed tags. It is in the slot of the numbers.</summary>
    public static void AddRemovedTags(this RedisCommand command, RemoteCache cache) => command.AddKey(cache.CompanionPrefix, OfCache('r', cache));

    private static byte[] OfCache(char mark, RemoteCache cache) => Encoding.ASCII.GetBytes($"{mark}{{{cache.Id}.{cache.Generation}}}");

    // The slot's tag comes first, because an item's key may contain braces.
    private static void Add(RedisCommand command, RemoteCache cache, ReadOnlySpan<byte> key, int slot, byte mark)
    {
        Span<byte> head = stackalloc byte[MaxHeadBytes];
        ReadOnlySpan<byte> prefix = cache.CompanionPrefix;
        ReadOnlySpan<byte> tag = KeySlot.TagOf(slot);
        prefix.CopyTo(head);
        int length = prefix.Length;
        head[length++] = mark;
        head[length++] = (byte)'{';
        tag.CopyTo(head[length..]);
        length += tag.Length;
        head[length++] = (byte)'}';
        command.AddKey(head[..length], key);
    }
}
