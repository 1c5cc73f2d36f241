using Larder.Wire.Http2;
using Larder.Wire.Http2.Hpack;

namespace Larder.Wire;

/// <summary>
/// A call's headers but for its timeout, encoded once for all calls of the same path and metadata, for as long as the connection's table stays as it is.
/// </summary>
internal sealed class HeaderBlock(HpackEncoder encoder, string path, RpcHeaders headers)
{
    private byte[] _bytes = [];
    private int _count = -1;
    private int _generation = -1;

    /// <summary>True where the block is of this connection and call.</summary>
    public bool Fits(HpackEncoder ofConnection, string ofPath, RpcHeaders ofHeaders) =>
        ReferenceEquals(encoder, ofConnection) && ReferenceEquals(path, ofPath) && ReferenceEquals(headers, ofHeaders);

    /// <summary>The block as of now; encoded again where the table has changed. What is returned must be sent.</summary>
    public ReadOnlySpan<byte> Encode(RequestFields fields, PooledBuffer scratch)
    {
        if (_count == encoder.Count && _generation == encoder.Generation && !encoder.MustAnnounceSize)
        {
            return _bytes;
        }

        scratch.Truncate(0);
        bool isRepeatable = !encoder.MustAnnounceSize;
        if (encoder.MustAnnounceSize)
        {
            encoder.WriteTableSize(scratch);
        }

        int count = encoder.Count;
        fields.Write(encoder, scratch, path, headers);
        // A block that has just filled the table is no block for the next call, whose fields are in the table by then.
        if (isRepeatable && count == encoder.Count)
        {
            _bytes = scratch.WrittenSpan.ToArray();
            _count = encoder.Count;
            _generation = encoder.Generation;
        }

        return scratch.WrittenSpan;
    }
}
