using System.Text;
using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>
/// The Redis keys of a topic: <c>Ts{slot}cache:topic</c> for its stream and <c>Tp{slot}cache:topic</c> for its state. The keys do not contain the generation of
/// the cache, so a flush keeps the topics. They contain the ID of the cache, so a recreated cache does not have the topics of the deleted cache. The topics
/// share a few evenly distributed slots, for two reasons. Redis can read several streams in one command only if they are in one slot. Every gateway needs one
/// connection per slot.
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

    /// <summary>Gets the index of the topic slot. The first index is 0.</summary>
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

    /// <summary>Returns the pattern that matches all topic keys of a cache.</summary>
    public static byte[] Pattern(long cacheId) => [.. "T[sp]{*}"u8, .. KeyPrefix.OfTopics(cacheId), (byte)'*'];

    /// <summary>Returns the slot for an index. It is in the middle of the range of slots that belongs to the index.</summary>
    public static int Slot(int index) => (index * SlotsOfOne) + (SlotsOfOne / 2);
}
