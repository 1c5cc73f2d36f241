using System.Buffers.Binary;

namespace Larder.Store.Snapshots;

/// <summary>What the last block says: a file without it was not finished.</summary>
/// <param name="Entries">Entries in all blocks.</param>
/// <param name="Caches">Caches in all blocks.</param>
/// <param name="EndedAtMs">When the writing ended, by the clocks that it began with: the wall's then, and the time passed since.</param>
internal readonly record struct SnapshotEnd(long Entries, long Caches, long EndedAtMs)
{
    public const int Bytes = 24;

    // The first and the last millisecond that a DateTimeOffset holds: the years 1 to 9999. No clock of a writer shows another.
    private const long FirstMs = -62_135_596_800_000;
    private const long LastMs = 253_402_300_799_999;

    /// <summary>Whether a clock can have shown <see cref="EndedAtMs"/>.</summary>
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
