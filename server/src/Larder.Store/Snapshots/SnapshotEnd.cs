using System.Buffers.Binary;

namespace Larder.Store.Snapshots;

/// <summary>The contents of the last block. A file without this block is incomplete.</summary>
/// <param name="Entries">The number of entries in all blocks.</param>
/// <param name="Caches">The number of caches in all blocks.</param>
/// <param name="EndedAtMs">The time at which the writing ended: the wall-clock time of the start plus the monotonic time since the start.</param>
internal readonly record struct SnapshotEnd(long Entries, long Caches, long EndedAtMs)
{
    public const int Bytes = 24;

    // The first and the last millisecond that a DateTimeOffset can represent (years 1 to 9999). A writer gets its time from a DateTimeOffset, so no valid file
    // contains another time.
    private const long FirstMs = -62_135_596_800_000;
    private const long LastMs = 253_402_300_799_999;

    /// <summary>Whether a <see cref="DateTimeOffset"/> can represent <see cref="EndedAtMs"/>.</summary>
    public bool IsInCalendar => EndedAtMs is >= FirstMs and <= LastMs;

    public void Write(Span<byte> to)
    {
        BinaryPrimitives.WriteInt64LittleEndian(to, Entries);
        BinaryPrimitives.WriteInt64LittleEndian(to[8..], Caches);
        BinaryPrimitives.WriteInt64LittleEndian(to[16..], EndedAtMs);
    }

    public static SnapshotEnd Read(ReadOnlySpan<byte> from) => new(
        BinaryPrimitives.ReadInt64LittleEndian(from),
        BinaryPrimitives.ReadInt64LittleEndian(from[8..]),
        BinaryPrimitives.ReadInt64LittleEndian(from[16..]));
}
