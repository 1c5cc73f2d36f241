using System.Runtime.InteropServices;
using System.Text;

namespace Larder.Client;

/// <summary>
/// The bytes of a key or a value. A string (sent as UTF-8), a byte array and a <see cref="ReadOnlyMemory{T}"/> of bytes convert implicitly to this type. An
/// array is not copied, so do not change it until the call has ended. The same applies to memory that is backed by an array. Other memory is copied. If a
/// string is not well-formed Unicode (it contains a lone surrogate), the call fails with <see cref="CacheErrorCode.InvalidArgument"/>.
/// </summary>
public readonly struct CacheBytes : IEquatable<CacheBytes>
{
    private const int NotUnicode = -1;

    private static readonly UTF8Encoding StrictUtf8 = new(false, throwOnInvalidBytes: true);

    // A string or a byte[], or null.
    private readonly object? _source;
    private readonly int _offset;
    private readonly int _length;

    private CacheBytes(object? source, int offset, int length)
    {
        _source = source;
        _offset = offset;
        _length = length;
    }

    /// <summary>Gets the length in bytes. For a string, this is the length of its UTF-8 encoding.</summary>
    public int Length => Math.Max(_length, 0);

    /// <summary>Gets whether the source was a null string or a null array. An empty string or array is not null.</summary>
    public bool IsNull => _source is null;

    internal bool IsWellFormed => _length != NotUnicode;

    internal bool IsText => _source is string;

    /// <summary>Converts <paramref name="text"/> to its UTF-8 bytes.</summary>
    public static CacheBytes FromString(string? text) => text is null ? default : new CacheBytes(text, 0, Utf8Length(text));

    /// <summary>Wraps <paramref name="array"/> without copying it.</summary>
    public static CacheBytes FromByteArray(byte[]? array) => array is null ? default : new CacheBytes(array, 0, array.Length);

    /// <summary>
    /// Wraps <paramref name="memory"/> without copying it if it is backed by an array. Otherwise copies the bytes, because the owner of the memory may release
    /// it before the call is sent.
    /// </summary>
    public static CacheBytes FromReadOnlyMemory(ReadOnlyMemory<byte> memory) =>
        MemoryMarshal.TryGetArray(memory, out ArraySegment<byte> segment)
            ? new CacheBytes(segment.Array ?? [], segment.Offset, segment.Count)
            : FromByteArray(memory.ToArray());

    /// <summary>Converts <paramref name="text"/> to its UTF-8 bytes.</summary>
    public static implicit operator CacheBytes(string? text) => FromString(text);

    /// <summary>Wraps <paramref name="array"/> without copying it.</summary>
    public static implicit operator CacheBytes(byte[]? array) => FromByteArray(array);

    /// <summary>Converts <paramref name="memory"/>: see <see cref="FromReadOnlyMemory"/>.</summary>
    public static implicit operator CacheBytes(ReadOnlyMemory<byte> memory) => FromReadOnlyMemory(memory);

    /// <summary>Converts <paramref name="memory"/>: see <see cref="FromReadOnlyMemory"/>.</summary>
    public static implicit operator CacheBytes(Memory<byte> memory) => FromReadOnlyMemory(memory);

    /// <summary>Returns whether both operands contain the same bytes.</summary>
    public static bool operator ==(CacheBytes left, CacheBytes right) => left.Equals(right);

    /// <summary>Returns whether the operands contain different bytes.</summary>
    public static bool operator !=(CacheBytes left, CacheBytes right) => !left.Equals(right);

    /// <summary>Returns a new array with the bytes.</summary>
    public byte[] ToArray()
    {
        byte[] bytes = new byte[Length];
        CopyTo(bytes);
        return bytes;
    }

    /// <summary>Copies the bytes to the start of <paramref name="destination"/>, which must have room for <see cref="Length"/> bytes.</summary>
    /// <exception cref="ArgumentException">The destination is too short.</exception>
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

    /// <summary>
    /// Returns the bytes. The bytes of an array are not copied. A string is encoded into <paramref name="scratch"/>, or into a new array if it does not fit.
    /// </summary>
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
