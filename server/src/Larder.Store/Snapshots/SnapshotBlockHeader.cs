using System.Buffers.Binary;

namespace Larder.Store.Snapshots;

/// <summary>What stands before each block's payload.</summary>
/// <param name="Kind">What the payload holds.</param>
/// <param name="PayloadBytes">Its length.</param>
/// <param name="FileId">The file's number.</param>
/// <param name="Number">Blocks before it.</param>
/// <param name="Records">Records in the payload.</param>
/// <param name="Sum">Checksum of this header before it and of the payload.</param>
internal readonly record struct SnapshotBlockHeader(SnapshotBlockKind Kind, int PayloadBytes, ulong FileId, long Number, int Records, uint Sum)
{
    public const int Bytes = 32;
    private const int LengthAt = 4;
    private const int FileIdAt = 8;
    private const int NumberAt = 16;
    private const int RecordsAt = 24;
    private const int SumAt = 28;

    public static SnapshotBlockHeader Read(ReadOnlySpan<byte> from) => new(
        (SnapshotBlockKind)BinaryPrimitives.ReadInt32LittleEndian(from),
        BinaryPrimitives.ReadInt32LittleEndian(from[LengthAt..]),
        BinaryPrimitives.ReadUInt64LittleEndian(from[FileIdAt..]),
        BinaryPrimitives.ReadInt64LittleEndian(from[NumberAt..]),
        BinaryPrimitives.ReadInt32LittleEndian(from[RecordsAt..]),
        BinaryPrimitives.ReadUInt32LittleEndian(from[SumAt..]));

    /// <summary>Writes the header before a payload that is there, with the checksum of both.</summary>
    /// <param name="block">Room for the header, and the payload after it.</param>
    public void Seal(Span<byte> block)
    {
        BinaryPrimitives.WriteInt32LittleEndian(block, (int)Kind);
        BinaryPrimitives.WriteInt32LittleEndian(block[LengthAt..], PayloadBytes);
        BinaryPrimitives.WriteUInt64LittleEndian(block[FileIdAt..], FileId);
        BinaryPrimitives.WriteInt64LittleEndian(block[NumberAt..], Number);
        BinaryPrimitives.WriteInt32LittleEndian(block[RecordsAt..], Records);
        BinaryPrimitives.WriteUInt32LittleEndian(block[SumAt..], SumOf(block));
    }

    /// <summary>Whether header and payload are as they were sealed.</summary>
    public bool Holds(ReadOnlySpan<byte> block) => Sum == SumOf(block);

    private uint SumOf(ReadOnlySpan<byte> block) => Checksum.Of(block.Slice(Bytes, PayloadBytes), Checksum.Of(block[..SumAt]));
}
