using System.Text;
using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>
/// The keys of a topic: <c>Ts{slot}cache:topic</c> its stream, <c>Tp{slot}cache:topic</c> its place. A flush does not touch them, which changes the cache's
/// generation alone; a cache of the same name that is made again has others. Topics share a few slots, spread evenly: the engine reads several streams at once
/// only from one slot, and each takes a connection of every front.
/// </summary>
internal readonly struct RemoteTopicKeys
{
    private const int SlotsOfOne = KeySlot.Count / FleetLimits.TopicSlots;

    private RemoteTopicKeys(int index, byte[] stream, byte[] place)
    {
        Index = index;
        Stream = stream;
        Place = place;
    }

    /// <summary>Which of the slots for topics, from 0.</summary>
    public int Index { get; }

    public byte[] Stream { get; }

    public byte[] Place { get; }

    public static RemoteTopicKeys Of(RemoteCache cache, string topic)
    {
        byte[] name = Encoding.UTF8.GetBytes(topic);
        int index = KeySlot.Of(cache.TopicPrefix, name) / SlotsOfOne;
        ReadOnlySpan<byte> tag = KeySlot.TagOf(Slot(index));
        byte[] rest = [.. tag, (byte)'}', .. cache.TopicPrefix, .. name];
        return new RemoteTopicKeys(index, [.. "Ts{"u8, .. rest], [.. "Tp{"u8, .. rest]);
    }

    /// <summary>What finds every key of a cache's topics.</summary>
    public static byte[] Pattern(long cacheId) => [.. "T[sp]{*}"u8, .. KeyPrefix.OfTopics(cacheId), (byte)'*'];

    /// <summary>The slot of an index: the middle one of its share.</summary>
    public static int Slot(int index) => (index * SlotsOfOne) + (SlotsOfOne / 2);
}
