using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Larder.Store.Snapshots;

/// <summary>The header of a snapshot file.</summary>
/// <param name="Id">The file's random id, which is never 0.</param>
/// <param name="StartedAtMs">The wall-clock time at which the writing started, in milliseconds since 1970.</param>
internal readonly record struct SnapshotHeader(ulong Id, long StartedAtMs)
{
    public const int Bytes = 40;

    /// <summary>Creates the header for a file whose writing starts now.</summary>
    public static SnapshotHeader New(long nowMs)
    {
        Span<byte> id = stackalloc byte[sizeof(ulong)];
        RandomNumberGenerator.Fill(id);
        return new SnapshotHeader(BinaryPrimitives.ReadUInt64LittleEndian(id) | 1, nowMs);
    }

    private const int VersionAt = 8;
    private const int LengthAt = 12;
    private const int IdAt = 16;
    private const int StartedAt = 24;
    private const int ChecksumAt = 36;

    public void Write(Span<byte> to)
    {
        to[..Bytes].Clear();
        SnapshotFormat.Magic.CopyTo(to);
        BinaryPrimitives.WriteUInt32LittleEndian(to[VersionAt..], SnapshotFormat.Version);
        BinaryPrimitives.WriteInt32LittleEndian(to[LengthAt..], Bytes);
        BinaryPrimitives.WriteUInt64LittleEndian(to[IdAt..], Id);
        BinaryPrimitives.WriteInt64LittleEndian(to[StartedAt..], StartedAtMs);
        BinaryPrimitives.WriteUInt32LittleEndian(to[ChecksumAt..], Checksum.Of(to[..ChecksumAt]));
    }

    /// <summary>Parses the header from the first bytes of a file.</summary>
    /// <param name="start">The first bytes of the file: <see cref="Bytes"/> plus a block header, or less if the file is shorter.</param>
    /// <exception cref="SnapshotException">The bytes are not a header that this version can read.</exception>
    public static SnapshotHeader Read(ReadOnlySpan<byte> start)
    {
        int compared = Math.Min(start.Length, SnapshotFormat.Magic.Length);
        if (!start[..compared].SequenceEqual(SnapshotFormat.Magic[..compared]) && !HasFollowingBlock(start))
        {
            throw new SnapshotException(SnapshotFault.Foreign, "the file is not a Larder snapshot");
        }

        if (start.Length < Bytes || BinaryPrimitives.ReadUInt32LittleEndian(start[ChecksumAt..]) != Checksum.Of(start[..ChecksumAt]))
        {
            throw new SnapshotException(
                SnapshotFault.Damaged,
                start.Length < Bytes ? $"the file is truncated after {start.Length} bytes" : "the header of the file is damaged");
        }

        uint version = BinaryPrimitives.ReadUInt32LittleEndian(start[VersionAt..]);
        return version == SnapshotFormat.Version
            ? new SnapshotHeader(BinaryPrimitives.ReadUInt64LittleEndian(start[IdAt..]), BinaryPrimitives.ReadInt64LittleEndian(start[StartedAt..]))
            : throw new SnapshotException(
                SnapshotFault.Newer,
                $"the file has format {version}, but this version of Larder supports {SnapshotFormat.Version}; update Larder");
    }

    // If only the first bytes are damaged, the file's id in the next block proves that this is a Larder snapshot.
    private static bool HasFollowingBlock(ReadOnlySpan<byte> start) =>
        start.Length >= Bytes + SnapshotBlockHeader.Bytes
        && SnapshotBlockHeader.Read(start[Bytes..]) is var block
        && block.Kind is SnapshotBlockKind.Entries or SnapshotBlockKind.Caches
        && block.FileId == BinaryPrimitives.ReadUInt64LittleEndian(start[IdAt..]);
}
