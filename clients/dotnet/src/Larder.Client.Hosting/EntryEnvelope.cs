using System.Buffers.Binary;

namespace Larder.Client;

/// <summary>
/// The header of an entry of the distributed cache. The stored value is the header followed by the payload. The header is one byte for the kind of the entry.
/// In a sliding entry, the sliding window and the absolute end follow. The window is stored because every reader needs it to extend the entry.
/// </summary>
internal readonly record struct EntryEnvelope(TimeSpan? Sliding, DateTimeOffset? AbsoluteEnd)
{
    private const byte Plain = 0;
    private const byte Slides = 1;
    private const int SlidingHeaderBytes = 1 + 8 + 8;

    /// <summary>Gets the length of the header before the payload, in bytes.</summary>
    public int HeaderBytes => Sliding is null ? 1 : SlidingHeaderBytes;

    /// <summary>Writes the header to the start of <paramref name="destination"/>.</summary>
    public void Write(Span<byte> destination)
    {
        destination[0] = Sliding is null ? Plain : Slides;
        if (Sliding is { } window)
        {
            BinaryPrimitives.WriteInt64BigEndian(destination[1..], window.Ticks);
            BinaryPrimitives.WriteInt64BigEndian(destination[9..], AbsoluteEnd?.UtcTicks ?? long.MaxValue);
        }
    }

    /// <summary>Reads a header. Returns false if the value was not written by a distributed cache.</summary>
    public static bool TryRead(ReadOnlySpan<byte> value, out EntryEnvelope envelope)
    {
        envelope = default;
        if (value.Length >= 1 && value[0] == Plain)
        {
            return true;
        }

        if (value.Length < SlidingHeaderBytes || value[0] != Slides)
        {
            return false;
        }

        long window = BinaryPrimitives.ReadInt64BigEndian(value[1..]);
        long end = BinaryPrimitives.ReadInt64BigEndian(value[9..]);
        if (window <= 0 || end < 0 || (end != long.MaxValue && end > DateTimeOffset.MaxValue.UtcTicks))
        {
            return false;
        }

        envelope = new EntryEnvelope(TimeSpan.FromTicks(window), end == long.MaxValue ? null : new DateTimeOffset(end, TimeSpan.Zero));
        return true;
    }

    /// <summary>Gets whether the entry never expires.</summary>
    public bool HasNoExpiry => Sliding is null && AbsoluteEnd is null;

    /// <summary>
    /// Returns the time to live of an expiring entry that is stored or read at <paramref name="now"/>: the sliding window or the time until the absolute end,
    /// whichever is shorter. Returns null if the absolute end has passed.
    /// </summary>
    public TimeSpan? TtlAt(DateTimeOffset now)
    {
        TimeSpan ttl = Sliding ?? TimeSpan.MaxValue;
        if (AbsoluteEnd is { } end && end - now < ttl)
        {
            ttl = end - now;
        }

        return ttl <= TimeSpan.Zero ? null : ttl;
    }
}
