using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Larder.Store;

/// <summary>
/// Optional data after an entry's value: the number of tags (1 byte), the stale time (8 bytes), the version at which the value was created (8 bytes, see
/// <see cref="RemovedTags"/>), and the tags (8 bytes each). The stale time is the time for which the value may be served after it has expired. If the sign bit
/// of the stale time is set, the length of the validator (2 bytes) and the validator follow. Only a few entries have a tail.
/// </summary>
internal static class EntryTail
{
    private const int StaleAt = 1;
    private const int MadeAt = StaleAt + sizeof(long);
    private const int TagsAt = MadeAt + sizeof(long);
    private const long ValidatorFlag = long.MinValue;

    /// <summary>The maximum length of a tail, in bytes.</summary>
    public const int MaxBytes = TagsAt + (Cache.MaxTags * sizeof(ulong)) + sizeof(ushort) + Cache.MaxValidatorBytes;

    /// <summary>Returns the length of the tail at the start of the bytes.</summary>
    public static int LengthOf(ReadOnlySpan<byte> tail)
    {
        int validatorAt = EndOfTags(tail);
        return HasValidator(tail) ? validatorAt + sizeof(ushort) + BinaryPrimitives.ReadUInt16LittleEndian(tail[validatorAt..]) : validatorAt;
    }

    /// <summary>Returns whether the tail contains a validator.</summary>
    public static bool HasValidator(ReadOnlySpan<byte> tail) => (BinaryPrimitives.ReadInt64LittleEndian(tail[StaleAt..]) & ValidatorFlag) != 0;

    /// <summary>Returns the validator; empty if there is none.</summary>
    public static ReadOnlySpan<byte> Validator(ReadOnlySpan<byte> tail) => HasValidator(tail) ? tail[(EndOfTags(tail) + sizeof(ushort))..] : default;

    /// <summary>Returns the time for which the value may be served stale after it expires, in milliseconds.</summary>
    public static long StaleMs(ReadOnlySpan<byte> tail) => BinaryPrimitives.ReadInt64LittleEndian(tail[StaleAt..]) & ~ValidatorFlag;

    /// <summary>Returns the value of <see cref="Cache.Removals"/> at which the entry's value was created.</summary>
    public static long MadeIn(ReadOnlySpan<byte> tail) => BinaryPrimitives.ReadInt64LittleEndian(tail[MadeAt..]);

    /// <summary>Returns the hashes of the tags.</summary>
    public static ReadOnlySpan<ulong> Tags(ReadOnlySpan<byte> tail) => MemoryMarshal.Cast<byte, ulong>(tail[TagsAt..EndOfTags(tail)]);

    /// <summary>
    /// Computes the hash that identifies a tag. The hash function must never change, because snapshots contain the hashes. Tags with equal hashes are removed
    /// together.
    /// </summary>
    public static ulong HashOf(ReadOnlySpan<byte> tag)
    {
        Span<byte> whole = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(tag, whole);
        return MemoryMarshal.Read<ulong>(whole);
    }

    /// <summary>Writes a tail.</summary>
    /// <param name="to">The destination: <see cref="MaxBytes"/> bytes.</param>
    /// <param name="extras">The properties of the item. Without a stale time, its validator is not written, because no call could return it.</param>
    /// <returns>The tail that was written; empty if there are no tags and no stale time.</returns>
    public static ReadOnlySpan<byte> Write(Span<byte> to, in ItemExtras extras)
    {
        if (extras.StaleMs == 0 && extras.Tags.IsEmpty)
        {
            return default;
        }

        ReadOnlySpan<byte> validator = extras.StaleMs == 0 ? default : extras.Validator;
        to[0] = (byte)extras.Tags.Length;
        BinaryPrimitives.WriteInt64LittleEndian(to[StaleAt..], extras.StaleMs | (validator.IsEmpty ? 0 : ValidatorFlag));
        BinaryPrimitives.WriteInt64LittleEndian(to[MadeAt..], extras.MadeIn);
        MemoryMarshal.AsBytes(extras.Tags).CopyTo(to[TagsAt..]);
        int end = EndOfTags(to);
        if (!validator.IsEmpty)
        {
            BinaryPrimitives.WriteUInt16LittleEndian(to[end..], (ushort)validator.Length);
            validator.CopyTo(to[(end + sizeof(ushort))..]);
            end += sizeof(ushort) + validator.Length;
        }

        return to[..end];
    }

    /// <summary>Returns whether the bytes begin with a complete tail.</summary>
    /// <param name="bytes">Any bytes.</param>
    /// <param name="hasValidator">Whether the tail must contain a validator. If false, it must contain none.</param>
    public static bool Begins(ReadOnlySpan<byte> bytes, bool hasValidator)
    {
        if (bytes.Length < TagsAt || bytes[0] > Cache.MaxTags || HasValidator(bytes) != hasValidator)
        {
            return false;
        }

        int end = EndOfTags(bytes);
        return hasValidator
            ? bytes.Length >= end + sizeof(ushort) && LengthOf(bytes) - end - sizeof(ushort) <= Cache.MaxValidatorBytes && bytes.Length >= LengthOf(bytes)
            : bytes.Length >= end;
    }

    /// <summary>Returns a copy of the tail at the start of the bytes. The version of the copy is 0, which precedes all tag removals.</summary>
    /// <param name="bytes">Bytes that begin with a complete tail (<see cref="Begins"/>).</param>
    /// <param name="maxStaleMs">The store's maximum stale time. If the stale time of the tail is longer, the copy contains the maximum.</param>
    public static byte[] Anew(ReadOnlySpan<byte> bytes, long maxStaleMs)
    {
        byte[] tail = bytes[..LengthOf(bytes)].ToArray();
        long staleMs = Math.Min(StaleMs(tail), maxStaleMs) | (HasValidator(tail) ? ValidatorFlag : 0);
        BinaryPrimitives.WriteInt64LittleEndian(tail.AsSpan(StaleAt), staleMs);
        BinaryPrimitives.WriteInt64LittleEndian(tail.AsSpan(MadeAt), 0);
        return tail;
    }

    private static int EndOfTags(ReadOnlySpan<byte> tail) => TagsAt + (tail[0] * sizeof(ulong));
}
