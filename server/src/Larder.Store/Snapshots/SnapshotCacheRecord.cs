using System.Buffers.Binary;
using System.Text;

namespace Larder.Store.Snapshots;

/// <summary>One cache: its number, its name, and room for settings, of which caches have none yet.</summary>
internal readonly record struct SnapshotCacheRecord(int Number, string Name)
{
    private const int Bytes = 8;
    private const int NameLengthAt = 4;
    private const int SettingsLengthAt = 6;

    public int SizeBytes => Bytes + Encoding.UTF8.GetByteCount(Name);

    public void Write(Span<byte> to)
    {
        BinaryPrimitives.WriteInt32LittleEndian(to, Number);
        BinaryPrimitives.WriteUInt16LittleEndian(to[NameLengthAt..], (ushort)Encoding.UTF8.GetBytes(Name, to[Bytes..]));
        BinaryPrimitives.WriteUInt16LittleEndian(to[SettingsLengthAt..], 0);
    }

    /// <summary>Reads the record that a block goes on with.</summary>
    /// <exception cref="SnapshotException">There is none that this version reads.</exception>
    public static SnapshotCacheRecord Read(ReadOnlySpan<byte> from)
    {
        int length = from.Length < Bytes ? int.MaxValue : BinaryPrimitives.ReadUInt16LittleEndian(from[NameLengthAt..]);
        if (length > from.Length - Bytes)
        {
            throw new SnapshotException(SnapshotFault.Damaged, "a block of it holds no whole caches");
        }

        if (BinaryPrimitives.ReadUInt16LittleEndian(from[SettingsLengthAt..]) != 0)
        {
            throw new SnapshotException(SnapshotFault.Newer, "it holds settings of a cache, which this version of Larder does not know");
        }

        return new SnapshotCacheRecord(BinaryPrimitives.ReadInt32LittleEndian(from), Encoding.UTF8.GetString(from.Slice(Bytes, length)));
    }
}
