using System.Buffers.Binary;

namespace Larder.Store.Snapshots;

/// <summary>The header before each block's payload.</summary>
/// <param name="Kind">The kind of the payload.</param>
/// <param name="PayloadBytes">The length of the payload.</param>
/// <param name="FileId">The file's id.</param>
/// <param name="Number">The number of blocks before this one.</param>
/// <param name="Records">The number of records in the payload.</param>
/// <param name="Sum">The checksum of the header up to this field and of the payload.</param>
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

    /// <summary>Writes the header to the start of the block. Computes the checksum of the header and the payload.</summary>
    /// <param name="block">The buffer of the block: space for the header, followed by the payload.</param>
    public void Seal(Span<byte> block)
    {
        BinaryPrimitives.WriteInt32LittleEndian(block, (int)Kind);
        BinaryPrimitives.WriteInt32LittleEndian(block[LengthAt..], PayloadBytes);
        BinaryPrimitives.WriteUInt64LittleEndian(block[FileIdAt..], FileId);
        BinaryPrimitives.WriteInt64LittleEndian(block[NumberAt..], Number);
        BinaryPrimitives.WriteInt32LittleEndian(block[RecordsAt..], Records);
        BinaryPrimitives.WriteUInt32LittleEndian(block[SumAt..], SumOf(block));
    }

    /// <summary>Returns whether the checksum matches the header and payload.</summary>
    public bool Holds(ReadOnlySpan<byte> block) => Sum == SumOf(block);

    private uint SumOf(ReadOnlySpan<byte> block) => Checksum.Of(block.Slice(Bytes, PayloadBytes), Checksum.Of(block[..SumAt]));
}
