using System.Buffers.Binary;
using System.Text;

namespace Larder.Store.Snapshots;

/// <summary>A cache in a snapshot: its number, name and settings. The only setting is the optional quota.</summary>
internal readonly record struct SnapshotCacheRecord(int Number, string Name, long MaxBytes = 0)
{
    private const int Bytes = 8;

    // Rejects invalid bytes. If invalid bytes were replaced, the length of the name would not match the record.
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private const int NameLengthAt = 4;
    private const int SettingsLengthAt = 6;

    public int SizeBytes => Bytes + Encoding.UTF8.GetByteCount(Name) + SettingsBytes;

    private int SettingsBytes => MaxBytes == 0 ? 0 : sizeof(long);

    public void Write(Span<byte> to)
    {
        BinaryPrimitives.WriteInt32LittleEndian(to, Number);
        int length = Encoding.UTF8.GetBytes(Name, to[Bytes..]);
        BinaryPrimitives.WriteUInt16LittleEndian(to[NameLengthAt..], (ushort)length);
        BinaryPrimitives.WriteUInt16LittleEndian(to[SettingsLengthAt..], (ushort)SettingsBytes);
        if (MaxBytes != 0)
        {
            BinaryPrimitives.WriteInt64LittleEndian(to[(Bytes + length)..], MaxBytes);
        }
    }

    /// <summary>Parses the record at the start of the bytes.</summary>
    /// <exception cref="SnapshotException">The bytes are not a record that this version can read.</exception>
    public static SnapshotCacheRecord Read(ReadOnlySpan<byte> from)
    {
        int length = from.Length < Bytes ? int.MaxValue : BinaryPrimitives.ReadUInt16LittleEndian(from[NameLengthAt..]);
        int settings = length == int.MaxValue ? 0 : BinaryPrimitives.ReadUInt16LittleEndian(from[SettingsLengthAt..]);
        if (length > from.Length - Bytes - settings)
        {
            throw new SnapshotException(SnapshotFault.Damaged, "a block contains an incomplete cache record");
        }

        if (settings is not (0 or sizeof(long)))
        {
            throw new SnapshotException(SnapshotFault.Newer, "the file contains cache settings that this version of Larder does not support; update Larder");
        }

        long maxBytes = settings == 0 ? 0 : BinaryPrimitives.ReadInt64LittleEndian(from[(Bytes + length)..]);
        return new SnapshotCacheRecord(BinaryPrimitives.ReadInt32LittleEndian(from), NameOf(from.Slice(Bytes, length)), maxBytes);
    }

    private static string NameOf(ReadOnlySpan<byte> bytes)
    {
        try
        {
            return Utf8.GetString(bytes);
        }
        catch (DecoderFallbackException error)
        {
            throw new SnapshotException(SnapshotFault.Damaged, "a cache name is not valid UTF-8", error);
        }
    }
}
