using Larder.Wire.Http2.Hpack;

namespace Larder.Wire;

/// <summary>
/// Writes the header blocks of a connection's responses. Almost every response contains the two fields <c>content-type: application/grpc</c> and
/// <c>grpc-status: 0</c>. They are added to the client's table at their first use, and take one byte afterwards. No other field is added to the table, so no
/// field is ever evicted.
/// </summary>
internal sealed class ResponseHeaders
{
    private const int StatusOkIndex = 8;
    private const int StatusNameIndex = 8;
    private const int ContentTypeNameIndex = 31;
    private const int FirstDynamicIndex = 62;
    private const string GrpcStatus = "grpc-status";

    // Each of the two fields takes 32 bytes plus the length of its text. The sizes are 60 and 44 bytes.
    private const int NeededTableBytes = 128;

    private int _contentTypeIndex;
    private int _okIndex;
    private int _tableBytes = HpackEncoder.DefaultTableSize;
    private int _smallestTableBytes = HpackEncoder.DefaultTableSize;
    private bool _mustWriteTableSize;

    private bool HasTable => _tableBytes >= NeededTableBytes;

    /// <summary>Applies the client's table size. If the usable size changes, the next block must announce it first (RFC 7541, section 4.2).</summary>
    public void OnTableSize(long bytes)
    {
        int size = (int)Math.Min(bytes, HpackEncoder.DefaultTableSize);
        if (size != _tableBytes)
        {
            _tableBytes = size;
            _smallestTableBytes = Math.Min(_smallestTableBytes, size);
            _mustWriteTableSize = true;
        }
    }

    /// <summary>Writes the headers of a response with a body, plus additional headers.</summary>
    public void WriteOk(PooledBuffer block, List<KeyValuePair<string, string>>? more)
    {
        Begin(block);
        HpackWriter.WriteInteger(block, HpackWriter.Indexed, 7, StatusOkIndex);
        WriteContentType(block);
        WriteLiterals(block, more);
    }

    /// <summary>Writes the trailers of a successful call.</summary>
    public void WriteOkTrailers(PooledBuffer block)
    {
        Begin(block);
        if (_okIndex > 0)
        {
            HpackWriter.WriteInteger(block, HpackWriter.Indexed, 7, _okIndex);
            return;
        }

        HpackWriter.WriteInteger(block, HasTable ? HpackWriter.LiteralWithIndexing : HpackWriter.LiteralWithoutIndexing, HasTable ? 6 : 4, 0);
        HpackWriter.WriteString(block, GrpcStatus);
        HpackWriter.WriteString(block, "0");
        if (HasTable)
        {
            _okIndex = FirstDynamicIndex;
            _contentTypeIndex += _contentTypeIndex > 0 ? 1 : 0;
        }
    }

    /// <summary>Writes a status with additional fields, as trailers or as a response without a body.</summary>
    public void WriteStatus(PooledBuffer block, Status status, List<KeyValuePair<string, string>>? more, bool isWholeAnswer)
    {
        Begin(block);
        if (isWholeAnswer)
        {
            HpackWriter.WriteInteger(block, HpackWriter.Indexed, 7, StatusOkIndex);
            WriteContentType(block);
        }

        WriteLiteral(block, GrpcStatus, StatusText.Of(status.Code));
        if (status.Message.Length > 0)
        {
            WriteLiteral(block, "grpc-message", StatusMessage.Encode(status.Message));
        }

        WriteLiterals(block, more);
    }

    /// <summary>Writes the whole response to a request that is not a gRPC call.</summary>
    public void WriteRefusal(PooledBuffer block, string httpStatus)
    {
        Begin(block);
        HpackWriter.WriteInteger(block, HpackWriter.LiteralWithoutIndexing, 4, StatusNameIndex);
        HpackWriter.WriteString(block, httpStatus);
    }

    private void WriteContentType(PooledBuffer block)
    {
        if (_contentTypeIndex > 0)
        {
            HpackWriter.WriteInteger(block, HpackWriter.Indexed, 7, _contentTypeIndex);
            return;
        }

        HpackWriter.WriteInteger(
            block,
            HasTable ? HpackWriter.LiteralWithIndexing : HpackWriter.LiteralWithoutIndexing,
            HasTable ? 6 : 4,
            ContentTypeNameIndex);
        HpackWriter.WriteString(block, "application/grpc");
        if (HasTable)
        {
            _contentTypeIndex = FirstDynamicIndex;
            _okIndex += _okIndex > 0 ? 1 : 0;
        }
    }

    private static void WriteLiterals(PooledBuffer block, List<KeyValuePair<string, string>>? entries)
    {
        foreach (KeyValuePair<string, string> entry in entries ?? [])
        {
            WriteLiteral(block, entry.Key, entry.Value);
        }
    }

    private static void WriteLiteral(PooledBuffer block, string name, string value)
    {
        HpackWriter.WriteInteger(block, HpackWriter.LiteralWithoutIndexing, 4, 0);
        HpackWriter.WriteString(block, name);
        HpackWriter.WriteString(block, value);
    }

    private void Begin(PooledBuffer block)
    {
        if (_mustWriteTableSize)
        {
            WriteTableSizeUpdate(block);
        }
    }

    // The smallest size must be announced first, because the client has evicted the fields that did not fit into it.
    private void WriteTableSizeUpdate(PooledBuffer block)
    {
        if (_smallestTableBytes < _tableBytes)
        {
            HpackWriter.WriteInteger(block, HpackWriter.TableSize, 5, _smallestTableBytes);
        }

        HpackWriter.WriteInteger(block, HpackWriter.TableSize, 5, _tableBytes);
        if (_smallestTableBytes < NeededTableBytes)
        {
            _contentTypeIndex = 0;
            _okIndex = 0;
        }

        _smallestTableBytes = _tableBytes;
        _mustWriteTableSize = false;
    }
}
