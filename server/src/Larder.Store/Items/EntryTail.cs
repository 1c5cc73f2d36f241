using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Larder.Store;

/// <summary>
/// Optional data after an entry's value: the number of tags (1 byte), the stale time (8 bytes), the version at which the value was created (8 bytes, see
/// <see cref="RemovedTags"/>), and the tags (8 bytes each). The stale time is the time for which the value may be served after it has expired. Only a few
/// entries have a tail.
/// </summary>
internal static class EntryTail
{
    private const int StaleAt = 1;
    private const int MadeAt = StaleAt + sizeof(long);
    private const int TagsAt = MadeAt + sizeof(long);

    /// <summary>The maximum length of a tail, in bytes.</summary>
    public const int MaxBytes = TagsAt + (Cache.MaxTags * sizeof(ulong));

    /// <summary>Returns the length of a tail with this many tags.</summary>
    public static int LengthOf(int tags) => TagsAt + (tags * sizeof(ulong));

    /// <summary>Returns the time for which the value may be served stale after it expires, in milliseconds.</summary>
    public static long StaleMs(ReadOnlySpan<byte> tail) => BinaryPrimitives.ReadInt64LittleEndian(tail[StaleAt..]);

    /// <summary>Returns the value of <see cref="Cache.Removals"/> at which the entry's value was created.</summary>
    public static long MadeIn(ReadOnlySpan<byte> tail) => BinaryPrimitives.ReadInt64LittleEndian(tail[MadeAt..]);

    /// <summary>Returns the hashes of the tags.</summary>
    public static ReadOnlySpan<ulong> Tags(ReadOnlySpan<byte> tail) => MemoryMarshal.Cast<byte, ulong>(tail[TagsAt..]);

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
    /// <param name="to">The destination: at least <see cref="LengthOf"/> bytes.</param>
    /// <param name="staleMs">The stale time in milliseconds: 0 or more.</param>
    /// <param name="madeIn">The value of <see cref="Cache.Removals"/> at which the entry's value was created.</param>
    /// <param name="tags">The hashes of the tags: at most <see cref="Cache.MaxTags"/>.</param>
    /// <returns>The tail that was written; empty if there are no tags and no stale time.</returns>
    public static ReadOnlySpan<byte> Write(Span<byte> to, long staleMs, long madeIn, ReadOnlySpan<ulong> tags)
    {
        if (staleMs == 0 && tags.IsEmpty)
        {
            return default;
        }

        to = to[..LengthOf(tags.Length)];
        to[0] = (byte)tags.Length;
        BinaryPrimitives.WriteInt64LittleEndian(to[StaleAt..], staleMs);
        BinaryPrimitives.WriteInt64LittleEndian(to[MadeAt..], madeIn);
        MemoryMarshal.AsBytes(tags).CopyTo(to[TagsAt..]);
        return to;
    }

    /// <summary>Returns whether the bytes begin with a complete tail.</summary>
    public static bool Begins(ReadOnlySpan<byte> bytes) =>
        bytes.Length >= TagsAt && bytes[0] <= Cache.MaxTags && bytes.Length >= LengthOf(bytes[0]) && StaleMs(bytes) >= 0;

    /// <summary>Returns a copy of the tail at the start of the bytes. The version of the copy is 0, which precedes all tag removals.</summary>
    /// <param name="bytes">Bytes that begin with a complete tail (<see cref="Begins"/>).</param>
    /// <param name="maxStaleMs">The store's maximum stale time. If the stale time of the tail is longer, the copy contains the maximum.</param>
    public static byte[] Anew(ReadOnlySpan<byte> bytes, long maxStaleMs)
    {
        byte[] tail = bytes[..LengthOf(bytes[0])].ToArray();
        BinaryPrimitives.WriteInt64LittleEndian(tail.AsSpan(StaleAt), Math.Min(StaleMs(tail), maxStaleMs));
        BinaryPrimitives.WriteInt64LittleEndian(tail.AsSpan(MadeAt), 0);
        return tail;
    }
}
