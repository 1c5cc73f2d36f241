using System.Buffers;
using System.Text;

namespace Larder.Wire.Http2.Hpack;

/// <summary>
/// Decodes the header blocks of one connection (RFC 7541). The decoder must decode every block, including the blocks of streams that are already closed,
/// because each block may change the table.
/// </summary>
/// <param name="maxTableSize">The announced SETTINGS_HEADER_TABLE_SIZE, in bytes.</param>
/// <param name="maxListSize">The maximum size of one block, in bytes, as the sum of <see cref="HeaderField.Size"/>.</param>
internal sealed class HpackDecoder(int maxTableSize, int maxListSize)
{
    private readonly HpackDynamicTable _table = new(maxTableSize);

    public HpackDynamicTable Table => _table;

    /// <summary>Decodes a complete block and passes its fields to <paramref name="sink"/> in order.</summary>
    /// <exception cref="Http2ConnectionException">The block is malformed or exceeds the limit.</exception>
    public void Decode(ReadOnlySpan<byte> block, IHeaderSink sink)
    {
        HpackReader reader = new(block);
        int listSize = 0;
        bool mayResize = true;
        while (!reader.IsAtEnd)
        {
            byte first = reader.Peek();
            if ((first & 0xE0) == 0x20)
            {
                Resize(reader.ReadInteger(5), mayResize);
                continue;
            }

            mayResize = false;
            HeaderField field = ReadField(ref reader, first);
            listSize += field.Size;
            if (listSize > maxListSize)
            {
                throw new Http2ConnectionException(Http2ErrorCode.EnhanceYourCalm, $"the response headers exceed {maxListSize} bytes");
            }

            sink.Add(field);
        }
    }

    private void Resize(int size, bool mayResize)
    {
        if (!mayResize || size > maxTableSize)
        {
            throw Http2ConnectionException.Compression(
                mayResize
                    ? $"an HPACK table of {size} bytes exceeds the announced maximum of {maxTableSize} bytes"
                    : "the HPACK table size changed in the middle of a header block");
        }

        _table.Resize(size);
    }

    private HeaderField ReadField(ref HpackReader reader, byte first)
    {
        if ((first & 0x80) != 0)
        {
            return Indexed(reader.ReadInteger(7));
        }

        bool isIndexing = (first & 0x40) != 0;
        int nameIndex = reader.ReadInteger(isIndexing ? 6 : 4);
        string name = nameIndex > 0 ? Indexed(nameIndex).Name : ReadString(ref reader);
        HeaderField field = new(name, ReadString(ref reader));
        if (isIndexing)
        {
            _table.Add(field);
        }

        return field;
    }

    private HeaderField Indexed(int index)
    {
        if (index is > 0 && index <= HpackStaticTable.Count)
        {
            return HpackStaticTable.At(index);
        }

        int dynamic = index - HpackStaticTable.Count - 1;
        return index > 0 && dynamic < _table.Count
            ? _table.At(dynamic)
            : throw Http2ConnectionException.Compression($"HPACK index {index} does not exist");
    }

    private static string ReadString(ref HpackReader reader)
    {
        bool isHuffman = (reader.Peek() & 0x80) != 0;
        ReadOnlySpan<byte> bytes = reader.ReadBytes(reader.ReadInteger(7));
        if (!isHuffman)
        {
            return Encoding.Latin1.GetString(bytes);
        }

        byte[] decoded = ArrayPool<byte>.Shared.Rent(HuffmanCode.DecodedBytesLimit(bytes.Length));
        try
        {
            return Encoding.Latin1.GetString(decoded, 0, HuffmanCode.Decode(bytes, decoded));
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(decoded);
        }
    }
}
