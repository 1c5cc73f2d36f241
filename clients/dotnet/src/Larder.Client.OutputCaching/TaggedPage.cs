using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace Larder.Client;

/// <summary>
/// Encodes a page with its tags as one value. The value contains one byte for the kind of the value, the number of tags, the tags, and the page. Each tag is
/// encoded as the length of its name, the name, and the generation that the tag had when the page was stored.
/// </summary>
internal static class TaggedPage
{
    /// <summary>The length of a generation in bytes: an eviction number of 8 bytes and 8 random bytes.</summary>
    public const int GenerationBytes = 16;

    /// <summary>
    /// The maximum number of tags of a page. Storing a page with more tags throws an <see cref="ArgumentException"/>. The number is limited because each tag
    /// adds a key to each read of the page.
    /// </summary>
    public const int MaxTags = 1_000;

    private const byte Kind = 3;
    private const int HeadBytes = 1 + 4;

    /// <summary>Encodes a page.</summary>
    public static byte[] Write(ReadOnlySpan<byte> page, IReadOnlyList<string> tags, IReadOnlyList<ReadOnlyMemory<byte>> generations)
    {
        int length = HeadBytes + page.Length + tags.Sum(static tag => 4 + Encoding.UTF8.GetByteCount(tag) + GenerationBytes);
        byte[] value = new byte[length];
        value[0] = Kind;
        BinaryPrimitives.WriteInt32BigEndian(value.AsSpan(1), tags.Count);
        int at = HeadBytes;
        for (int i = 0; i < tags.Count; i++)
        {
            int written = Encoding.UTF8.GetBytes(tags[i], value.AsSpan(at + 4));
            BinaryPrimitives.WriteInt32BigEndian(value.AsSpan(at), written);
            generations[i].Span.CopyTo(value.AsSpan(at + 4 + written));
            at += 4 + written + GenerationBytes;
        }

        page.CopyTo(value.AsSpan(at));
        return value;
    }

    /// <summary>Decodes a page. Returns false if the value is not a page that this class encoded.</summary>
    public static bool TryRead(
        ReadOnlyMemory<byte> value,
        [NotNullWhen(true)] out string[]? tags,
        [NotNullWhen(true)] out ReadOnlyMemory<byte>[]? generations,
        out ReadOnlyMemory<byte> page)
    {
        tags = null;
        generations = null;
        page = default;
        if (value.Length < HeadBytes || value.Span[0] != Kind)
        {
            return false;
        }

        int count = BinaryPrimitives.ReadInt32BigEndian(value.Span[1..]);
        if (count is < 0 or > MaxTags)
        {
            return false;
        }

        string[] names = new string[count];
        ReadOnlyMemory<byte>[] seen = new ReadOnlyMemory<byte>[count];
        ReadOnlyMemory<byte> rest = value[HeadBytes..];
        for (int i = 0; i < count; i++)
        {
            int length = rest.Length < 4 ? -1 : BinaryPrimitives.ReadInt32BigEndian(rest.Span);
            if (length < 0 || length > rest.Length - 4 - GenerationBytes)
            {
                return false;
            }

            names[i] = Encoding.UTF8.GetString(rest.Span.Slice(4, length));
            seen[i] = rest.Slice(4 + length, GenerationBytes);
            rest = rest[(4 + length + GenerationBytes)..];
        }

        (tags, generations, page) = (names, seen, rest);
        return true;
    }
}
