using Larder.Wire.Http2.Hpack;

namespace Larder.Wire;

/// <summary>
/// Writes the header blocks of one connection's answers. Two fields that nearly every answer repeats, <c>content-type: application/grpc</c> and
/// <c>grpc-status: 0</c>, are put into the peer's table with their first use and cost a byte afterwards; nothing else enters the table, so nothing is ever evicted.
/// </summary>
internal sealed class ResponseHeaders
{
    private const int StatusOkIndex = 8;
    private const int StatusNameIndex = 8;
    private const int ContentTypeNameIndex = 31;
    private const int FirstDynamicIndex = 62;
    private const string GrpcStatus = "grpc-status";

    // Both fields count for 32 bytes and their texts: 60 and 44.
    private const int NeededTableBytes = 128;

    private int _contentTypeIndex;
    private int _okIndex;
    private bool _mustEmptyTable;
    private bool _hasTable = true;

    /// <summary>The peer said how large its table is.</summary>
    public void OnTableSize(long bytes)
    {
        if (bytes < NeededTableBytes && _hasTable)
        {
            // A peer that wants a smaller table is told so in the next block; from then on nothing is indexed.
            _hasTable = false;
            _mustEmptyTable = true;
        }
    }

    /// <summary>The headers of an answer with a body.</summary>
    public void WriteOk(PooledBuffer block)
    {
        Begin(block);
        HpackWriter.WriteInteger(block, HpackWriter.Indexed, 7, StatusOkIndex);
        WriteContentType(block);
    }

    /// <summary>The trailers of a call that went well.</summary>
    public void WriteOkTrailers(PooledBuffer block)
    {
        Begin(block);
        if (_okIndex > 0)
        {
            HpackWriter.WriteInteger(block, HpackWriter.Indexed, 7, _okIndex);
            return;
        }

        HpackWriter.WriteInteger(block, _hasTable ? HpackWriter.LiteralWithIndexing : HpackWriter.LiteralWithoutIndexing, _hasTable ? 6 : 4, 0);
        HpackWriter.WriteString(block, GrpcStatus);
        HpackWriter.WriteString(block, "0");
        if (_hasTable)
        {
            _okIndex = FirstDynamicIndex;
            _contentTypeIndex += _contentTypeIndex > 0 ? 1 : 0;
        }
    }

    /// <summary>A status and what goes with it, as trailers or as the whole answer.</summary>
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

        foreach (KeyValuePair<string, string> entry in more ?? [])
        {
            WriteLiteral(block, entry.Key, entry.Value);
        }
    }

    /// <summary>The whole answer to a request that is no gRPC call.</summary>
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

        HpackWriter.WriteInteger(block, _hasTable ? HpackWriter.LiteralWithIndexing : HpackWriter.LiteralWithoutIndexing, _hasTable ? 6 : 4, ContentTypeNameIndex);
        HpackWriter.WriteString(block, "application/grpc");
        if (_hasTable)
        {
            _contentTypeIndex = FirstDynamicIndex;
            _okIndex += _okIndex > 0 ? 1 : 0;
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
        if (_mustEmptyTable)
        {
            HpackWriter.WriteInteger(block, HpackWriter.TableSize, 5, 0);
            _contentTypeIndex = 0;
            _okIndex = 0;
            _mustEmptyTable = false;
        }
    }
}
