using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Larder.Store;

/// <summary>
/// What few entries have behind their value: 1 byte that counts the tags, 8 of how long the value may be served past its time, 8 of when it was made
/// (<see cref="RemovedTags"/>), and 8 for each tag.
/// </summary>
internal static class EntryTail
{
    private const int StaleAt = 1;
    private const int MadeAt = StaleAt + sizeof(long);
    private const int TagsAt = MadeAt + sizeof(long);

    /// <summary>The longest tail.</summary>
    public const int MaxBytes = TagsAt + (Cache.MaxTags * sizeof(ulong));

    /// <summary>The length of a tail with so many tags.</summary>
    public static int LengthOf(int tags) => TagsAt + (tags * sizeof(ulong));

    /// <summary>Milliseconds after the expiry for which the value is still there for who takes what is stale.</summary>
    public static long StaleMs(ReadOnlySpan<byte> tail) => BinaryPrimitives.ReadInt64LittleEndian(tail[StaleAt..]);

    /// <summary>The moment of its cache's removals that the value is of.</summary>
    public static long MadeIn(ReadOnlySpan<byte> tail) => BinaryPrimitives.ReadInt64LittleEndian(tail[MadeAt..]);

    /// <summary>What its tags are known by.</summary>
    public static ReadOnlySpan<ulong> Tags(ReadOnlySpan<byte> tail) => MemoryMarshal.Cast<byte, ulong>(tail[TagsAt..]);

    /// <summary>What a tag is known by: the same in each process and for ever, as it goes into snapshots. Tags that share it are removed together.</summary>
    public static ulong HashOf(ReadOnlySpan<byte> tag)
    {
        Span<byte> whole = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(tag, whole);
        return MemoryMarshal.Read<ulong>(whole);
    }

    /// <summary>Writes a tail.</summary>
    /// <param name="to">At least <see cref="LengthOf"/> long.</param>
    /// <param name="staleMs">0 or more.</param>
    /// <param name="madeIn">The moment of its cache's removals that the value is of.</param>
    /// <param name="tags">What its tags are known by; at most <see cref="Cache.MaxTags"/>.</param>
    /// <returns>What was written; nothing where there is nothing to say.</returns>
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

    /// <summary>Whether bytes begin with a whole tail.</summary>
    public static bool Begins(ReadOnlySpan<byte> bytes) =>
        bytes.Length >= TagsAt && bytes[0] <= Cache.MaxTags && bytes.Length >= LengthOf(bytes[0]) && StaleMs(bytes) >= 0;

    /// <summary>The tail that bytes begin with, as of a value made before any removal.</summary>
    /// <param name="bytes">They begin with a whole tail (<see cref="Begins"/>).</param>
    /// <param name="maxStaleMs">The store's longest stale time; a longer one is shortened, as a TTL is when it is loaded.</param>
    public static byte[] Anew(ReadOnlySpan<byte> bytes, long maxStaleMs)
    {
        byte[] tail = bytes[..LengthOf(bytes[0])].ToArray();
        BinaryPrimitives.WriteInt64LittleEndian(tail.AsSpan(StaleAt), Math.Min(StaleMs(tail), maxStaleMs));
        BinaryPrimitives.WriteInt64LittleEndian(tail.AsSpan(MadeAt), 0);
        return tail;
    }
}
