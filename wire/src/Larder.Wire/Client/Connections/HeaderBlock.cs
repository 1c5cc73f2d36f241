using Larder.Wire.Http2;
using Larder.Wire.Http2.Hpack;

namespace Larder.Wire;

/// <summary>
/// The encoded headers of a call, except for its timeout. They are reused by all calls with the same path and metadata while the connection's header
/// table is unchanged.
/// </summary>
internal sealed class HeaderBlock(HpackEncoder encoder, string path, RpcHeaders headers)
{
    private byte[] _bytes = [];
    private int _count = -1;
    private int _generation = -1;

    /// <summary>Returns whether the block was created for the given connection, path and metadata.</summary>
    public bool Fits(HpackEncoder ofConnection, string ofPath, RpcHeaders ofHeaders) =>
        ReferenceEquals(encoder, ofConnection) && ReferenceEquals(path, ofPath) && ReferenceEquals(headers, ofHeaders);

    /// <summary>
    /// Returns the encoded block. If the table has changed, the block is encoded again. The caller must send the returned bytes, because they may contain
    /// changes to the table.
    /// </summary>
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
        // A block that added fields to the table is not reusable, because the next call must refer to these fields in the table.
        if (isRepeatable && count == encoder.Count)
        {
            _bytes = scratch.WrittenSpan.ToArray();
            _count = encoder.Count;
            _generation = encoder.Generation;
        }

        return scratch.WrittenSpan;
    }
}
