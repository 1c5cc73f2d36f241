using System.Runtime.InteropServices;
using System.Text;

namespace Larder.Client;

/// <summary>
/// A key or a value: bytes, given as a string (sent as UTF-8), an array or a memory. Converts from each implicitly.
/// An array, and a memory over one, is not copied and must stay as it is until the call has ended; other memory is copied.
/// A string that is not well-formed Unicode (a lone surrogate) is refused with <see cref="CacheErrorCode.InvalidArgument"/>.
/// </summary>
public readonly struct CacheBytes : IEquatable<CacheBytes>
{
    private const int NotUnicode = -1;

    private static readonly UTF8Encoding StrictUtf8 = new(false, throwOnInvalidBytes: true);

    // A string or a byte[]; null where none was given.
    private readonly object? _source;
    private readonly int _offset;
    private readonly int _length;

    private CacheBytes(object? source, int offset, int length)
    {
        _source = source;
        _offset = offset;
        _length = length;
    }

    /// <summary>Length in bytes, as sent.</summary>
    public int Length => Math.Max(_length, 0);

    /// <summary>True where no bytes were given at all (a null string or array), which is not the same as empty.</summary>
    public bool IsNull => _source is null;

    internal bool IsWellFormed => _length != NotUnicode;

    // Whether it was given as text.
    internal bool IsText => _source is string;

    /// <summary>The UTF-8 bytes of <paramref name="text"/>.</summary>
    public static CacheBytes FromString(string? text) => text is null ? default : new CacheBytes(text, 0, Utf8Length(text));

    /// <summary>The bytes of <paramref name="array"/>, which is not copied.</summary>
    public static CacheBytes FromByteArray(byte[]? array) => array is null ? default : new CacheBytes(array, 0, array.Length);

    /// <summary>
    /// The bytes of <paramref name="memory"/>, which is copied where it is not over an array: what owns it may be gone when the call is sent.
    /// </summary>
    public static CacheBytes FromReadOnlyMemory(ReadOnlyMemory<byte> memory) =>
        MemoryMarshal.TryGetArray(memory, out ArraySegment<byte> segment)
            ? new CacheBytes(segment.Array ?? [], segment.Offset, segment.Count)
            : FromByteArray(memory.ToArray());

    /// <summary>The UTF-8 bytes of <paramref name="text"/>.</summary>
    public static implicit operator CacheBytes(string? text) => FromString(text);

    /// <summary>The bytes of <paramref name="array"/>, which is not copied.</summary>
    public static implicit operator CacheBytes(byte[]? array) => FromByteArray(array);

    /// <summary>The bytes of <paramref name="memory"/>: see <see cref="FromReadOnlyMemory"/>.</summary>
    public static implicit operator CacheBytes(ReadOnlyMemory<byte> memory) => FromReadOnlyMemory(memory);

    /// <summary>The bytes of <paramref name="memory"/>: see <see cref="FromReadOnlyMemory"/>.</summary>
    public static implicit operator CacheBytes(Memory<byte> memory) => FromReadOnlyMemory(memory);

    /// <summary>True where both hold the same bytes.</summary>
    public static bool operator ==(CacheBytes left, CacheBytes right) => left.Equals(right);

    /// <summary>True where the two hold different bytes.</summary>
    public static bool operator !=(CacheBytes left, CacheBytes right) => !left.Equals(right);

    /// <summary>A new array of the bytes.</summary>
    public byte[] ToArray()
    {
        byte[] bytes = new byte[Length];
        CopyTo(bytes);
        return bytes;
    }

    /// <summary>Copies the bytes to the start of <paramref name="destination"/>, which has room for <see cref="Length"/> of them.</summary>
    public void CopyTo(Span<byte> destination)
    {
        if (_source is byte[] array)
        {
            array.AsSpan(_offset, _length).CopyTo(destination);
        }
        else if (_source is string text)
        {
            Encoding.UTF8.GetBytes(text, destination);
        }
    }

    /// <summary>The bytes where they are, or encoded into <paramref name="scratch"/>; into an array where it has no room.</summary>
    internal ReadOnlySpan<byte> AsSpan(Span<byte> scratch)
    {
        if (_source is byte[] array)
        {
            return array.AsSpan(_offset, _length);
        }

        Span<byte> room = Length <= scratch.Length ? scratch[..Length] : new byte[Length];
        CopyTo(room);
        return room;
    }

    /// <inheritdoc/>
    public bool Equals(CacheBytes other) =>
        _length == other._length
        && IsNull == other.IsNull
        && (ReferenceEquals(_source, other._source) && _offset == other._offset || ToArray().AsSpan().SequenceEqual(other.ToArray()));

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is CacheBytes other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        HashCode hash = default;
        hash.AddBytes(ToArray());
        return hash.ToHashCode();
    }

    private static int Utf8Length(string text)
    {
        try
        {
            return StrictUtf8.GetByteCount(text);
        }
        catch (EncoderFallbackException)
        {
            return NotUnicode;
        }
    }
}
