using System.Globalization;
using System.Text;
using Larder.Client.Near;

namespace Larder.Client;

/// <summary>
/// Bytes that a call returned: an item's value, an element or a field. Converts implicitly to <see cref="CacheBytes"/>, so it can be passed as an argument to
/// another call.
/// </summary>
public readonly struct CacheValue : IEquatable<CacheValue>
{
    // A byte[], a SharedValue, or null if there are no bytes. Only a byte[] whose length equals _length is not shared with other values or callers.
    private readonly object? _source;
    private readonly int _offset;
    private readonly int _length;

    internal CacheValue(object? source, int offset, int length)
    {
        _source = source;
        _offset = offset;
        _length = length;
    }

    internal CacheValue(byte[] value)
        : this(value, 0, value.Length)
    {
    }

    /// <summary>Gets the number of bytes.</summary>
    public int Length => _length;

    /// <summary>Gets the bytes. Do not change them, because their memory may be shared with other values and callers.</summary>
    public ReadOnlyMemory<byte> Memory => new(Array, _offset, _length);

    /// <summary>Gets the bytes. Their memory may be shared with other values and callers.</summary>
    public ReadOnlySpan<byte> Span => new(Array, _offset, _length);

    /// <summary>Gets the bytes decoded as UTF-8 text. They are decoded each time the property is read.</summary>
    public string Text => Encoding.UTF8.GetString(Span);

    private byte[]? Array => _source is SharedValue shared ? shared.Bytes : (byte[]?)_source;

    /// <summary>Converts the bytes to an argument of another call, as <see cref="ToCacheBytes"/> does.</summary>
    public static implicit operator CacheBytes(CacheValue value) => value.ToCacheBytes();

    /// <summary>Returns whether both operands contain the same bytes.</summary>
    public static bool operator ==(CacheValue left, CacheValue right) => left.Equals(right);

    /// <summary>Returns whether the operands contain different bytes.</summary>
    public static bool operator !=(CacheValue left, CacheValue right) => !left.Equals(right);

    /// <summary>
    /// Returns the bytes as an array, which the caller may keep and change. The bytes are copied if their memory is shared with other values or callers.
    /// </summary>
    public byte[] ToArray() => _source is byte[] own && own.Length == _length ? own : Span.ToArray();

    /// <summary>Returns the bytes in the type of the arguments of calls, for example to store them again. The bytes are not copied.</summary>
    public CacheBytes ToCacheBytes() => CacheBytes.FromReadOnlyMemory(Memory);

    /// <inheritdoc/>
    public bool Equals(CacheValue other) => Span.SequenceEqual(other.Span);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is CacheValue other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        HashCode hash = default;
        hash.AddBytes(Span);
        return hash.ToHashCode();
    }

    /// <summary>Returns only the length, because values may be secrets. Use <see cref="Text"/> to get the value.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{_length} bytes");

    internal CacheValue Slice(int start, int length) => new(_source, _offset + start, length);
}
