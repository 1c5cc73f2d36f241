using System.Diagnostics.CodeAnalysis;
using Larder.Wire.Http2;
using Larder.Wire.Http2.Hpack;

namespace Larder.Wire;

/// <summary>
/// The encoded header blocks of a connection. The caller must hold the connection's lock, because blocks must be sent in the order in which they are
/// encoded.
/// </summary>
[SuppressMessage("Reliability", "CA1001", Justification = "Its buffers are a kilobyte and go with the connection.")]
internal sealed class HeaderBlocks(RequestFields fields)
{
    private readonly HpackEncoder _encoder = new();
    private readonly Dictionary<(string Path, RpcHeaders Headers), HeaderBlock> _blocks = [];
    private readonly PooledBuffer _scratch = new(1024);
    private readonly PooledBuffer _timeoutBytes = new(64);
    private string? _timeout;
    private int _timeoutCount;
    private int _timeoutGeneration;

    public void Resize(long serverTableSize) => _encoder.Resize(serverTableSize);

    /// <summary>Adds the headers of a stream to the outgoing frames.</summary>
    public void Send(Http2Stream stream, bool endsStream, FrameBuffer destination, int maxFrameBytes)
    {
        HeaderBlock? block = stream.Block;
        if (block is null || !block.Fits(_encoder, stream.Path, stream.Headers))
        {
            block = Find(stream.Path, stream.Headers);
            stream.Block = block;
        }

        ReadOnlySpan<byte> bytes = block.Encode(fields, _scratch);
        destination.AddHeaders(stream.Id, bytes, stream.Timeout is { } timeout ? EncodeTimeout(timeout) : default, endsStream, maxFrameBytes);
    }

    private HeaderBlock Find(string path, RpcHeaders headers)
    {
        if (_blocks.TryGetValue((path, headers), out HeaderBlock? block))
        {
            return block;
        }

        block = new HeaderBlock(_encoder, path, headers);
        if (_blocks.Count < Http2Limits.HeaderBlocks)
        {
            _blocks.Add((path, headers), block);
        }

        return block;
    }

    // The texts of timeouts are cached. So equal timeouts are the same object, and a comparison by reference is enough.
    private ReadOnlySpan<byte> EncodeTimeout(string timeout)
    {
        if (!ReferenceEquals(timeout, _timeout) || _timeoutCount != _encoder.Count || _timeoutGeneration != _encoder.Generation)
        {
            _timeoutBytes.Truncate(0);
            int count = _encoder.Count;
            _encoder.WriteVarying(_timeoutBytes, RequestFields.Timeout, timeout);
            _timeout = count == _encoder.Count ? timeout : null;
            _timeoutCount = _encoder.Count;
            _timeoutGeneration = _encoder.Generation;
        }

        return _timeoutBytes.WrittenSpan;
    }
}
