using System.Buffers;
using System.Buffers.Text;
using System.Text;

namespace Larder.FileStore.Engine;

/// <summary>
/// Encodes lines of the file: <c>{"k":"key","v":"value","x":1795244000000,"c":"0b43428e"}</c>. Each thread has one buffer, which it keeps between writes
/// unless the buffer has grown beyond <see cref="KeptBytes"/>.
/// </summary>
internal sealed class RecordBuffer
{
    /// <summary>The number of bytes after the body of a line: <c>,"c":"xxxxxxxx"}</c> and the line feed.</summary>
    internal const int TrailerBytes = 17;
    private const int KeptBytes = 1 << 20;

    [ThreadStatic]
    private static RecordBuffer? s_ofThread;

    private byte[] _bytes = new byte[1024];
    private int _lineStart;
    private int _items;

    internal int Length { get; private set; }

    internal ReadOnlySpan<byte> Written => _bytes.AsSpan(0, Length);

    /// <summary>Returns the calling thread's buffer, emptied.</summary>
    internal static RecordBuffer OfThread()
    {
        RecordBuffer buffer = s_ofThread ??= new RecordBuffer();
        if (buffer._bytes.Length > KeptBytes)
        {
            buffer._bytes = new byte[1024];
        }
        buffer.Reset();
        return buffer;
    }

    internal void Reset()
    {
        Length = 0;
        _lineStart = 0;
    }

    /// <summary>Starts a line with one item.</summary>
    internal void BeginLine()
    {
        _lineStart = Length;
        Raw("{"u8);
    }

    /// <summary>Starts a line with many items, which are applied atomically.</summary>
    internal void BeginBatch(bool clear)
    {
        _lineStart = Length;
        _items = 0;
        Raw(clear ? "{\"clear\":1,\"m\":["u8 : "{\"m\":["u8);
    }

    internal void BeginItem() => Raw(_items++ == 0 ? "{"u8 : ",{"u8);

    internal void EndItem() => Raw("}"u8);

    internal void EndBatch()
    {
        Raw("]"u8);
        EndLine();
    }

    /// <summary>Appends the checksum and the line feed.</summary>
    internal void EndLine()
    {
        Ensure(TrailerBytes);
        uint crc = Crc.Of(_bytes.AsSpan(_lineStart, Length - _lineStart));
        Span<byte> trailer = _bytes.AsSpan(Length, TrailerBytes);
        ",\"c\":\""u8.CopyTo(trailer);
        Crc.WriteHex(crc, trailer[6..]);
        "\"}\n"u8.CopyTo(trailer[14..]);
        Length += TrailerBytes;
    }

    internal void Clear() => Raw("\"clear\":1"u8);

    internal void Remove(string key) => Text("\"d\":\""u8, key);

    internal void Touch(string key, long expiresMs)
    {
        Text("\"t\":\""u8, key);
        Number(",\"x\":"u8, expiresMs);
    }

    /// <summary>Writes the fields of a set operation. Returns the number of bytes that the operation takes up if it is written as a separate line.</summary>
    internal int Set(string key, object value, long expiresMs, long slidingMs, long capMs)
    {
        int start = Length;
        Text("\"k\":\""u8, key);
        if (value is string text)
        {
            Text(",\"v\":\""u8, text);
        }
        else if (TextBytes.IsText((byte[])value))
        {
            Text(",\"v\":\""u8, Encoding.UTF8.GetString((byte[])value));
        }
        else
        {
            Base64((byte[])value);
        }
        Number(",\"x\":"u8, expiresMs);
        Number(",\"s\":"u8, slidingMs);
        Number(",\"a\":"u8, capMs);
        return Length - start + 1 + TrailerBytes;
    }

    /// <summary>Returns the number of bytes that a set operation takes up if it is written as a separate line.</summary>
    internal static int BytesOf(in Operation set) => new RecordBuffer().Set(set.Key, set.Value!, set.ExpiresMs, set.SlidingMs, set.CapMs);

    private void Text(ReadOnlySpan<byte> name, string text)
    {
        long most = text.Length <= 4096 ? JsonText.MaxBytes(text.Length) : MeasuredMost(text);
        Ensure(name.Length + most + 1);
        name.CopyTo(_bytes.AsSpan(Length));
        Length += name.Length;
        Length += JsonText.Write(text, _bytes.AsSpan(Length));
        _bytes[Length++] = (byte)'"';
    }

    /// <summary>
    /// Returns an upper bound for the encoded size of a text: 2 bytes for each printable ASCII character and 6 bytes for each other character. An ASCII text of
    /// 10 MB then reserves 20 MB instead of 60 MB.
    /// </summary>
    private static long MeasuredMost(string text)
    {
        long most = 0;
        foreach (char c in text)
        {
            most += c is >= ' ' and < (char)127 ? 2 : 6;
        }
        return most;
    }

    private void Base64(byte[] value)
    {
        long most = Base64Length(value.Length);
        Ensure(most + 8);
        ",\"b\":\""u8.CopyTo(_bytes.AsSpan(Length));
        Length += 6;
        Base64Encode(value);
        _bytes[Length++] = (byte)'"';
    }

    private static long Base64Length(int bytes) => (bytes + 2L) / 3 * 4;

    private void Base64Encode(byte[] value)
    {
        OperationStatus status = System.Buffers.Text.Base64.EncodeToUtf8(value, _bytes.AsSpan(Length), out _, out int written);
        System.Diagnostics.Debug.Assert(status == OperationStatus.Done, "the space was measured");
        Length += written;
    }

    private void Number(ReadOnlySpan<byte> name, long value)
    {
        if (value != 0)
        {
            Raw(name);
            Ensure(20);
            Utf8Formatter.TryFormat(value, _bytes.AsSpan(Length), out int written);
            Length += written;
        }
    }

    private void Raw(ReadOnlySpan<byte> bytes)
    {
        Ensure(bytes.Length);
        bytes.CopyTo(_bytes.AsSpan(Length));
        Length += bytes.Length;
    }

    /// <summary>Returns the exception for a line that is longer than readers accept.</summary>
    internal static DistributedFileStoreCacheException TooLong(long bytes, long most) => new(
        $"The change needs a line of {bytes} bytes in the cache file, but the limit is {most} bytes. Nothing was changed. Write smaller values or fewer "
        + "entries at once.");

    private void Ensure(long more)
    {
        if (Length + more > Array.MaxLength)
        {
            throw TooLong(Length + more, LogScanner.MaxLineBytes);
        }
        if (_bytes.Length - Length < more)
        {
            Array.Resize(ref _bytes, (int)Math.Min(Array.MaxLength, Math.Max(_bytes.Length * 2L, (long)Length + more)));
        }
    }
}
