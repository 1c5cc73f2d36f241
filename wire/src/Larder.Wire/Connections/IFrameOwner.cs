using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// Handles the frames of a connection that a <see cref="FrameInput"/> reads. Before a method is called, the format of its frame has been checked.
/// </summary>
internal interface IFrameOwner
{
    /// <summary>
    /// Handles DATA. <paramref name="data"/> excludes the padding. Flow control also counts the padding, which is included in
    /// <see cref="Http2FrameHeader.Length"/>.
    /// </summary>
    void OnData(in Http2FrameHeader header, ReadOnlySpan<byte> data);

    /// <summary>Handles a complete header block, which arrived in one or more frames.</summary>
    void OnHeaders(int streamId, ReadOnlySpan<byte> block, bool endsStream);

    /// <summary>Handles RST_STREAM, which contains an error code.</summary>
    void OnReset(in Http2FrameHeader header, uint code);

    /// <summary>Handles the peer's SETTINGS.</summary>
    void OnSettings(SettingsReader settings);

    /// <summary>Handles PING, which is a ping of the peer or the reply to a ping of this side.</summary>
    void OnPing(ReadOnlySpan<byte> payload, bool isAnswer);

    /// <summary>Handles WINDOW_UPDATE of a stream or of the connection. Returns false if the stream's window would exceed the maximum.</summary>
    bool OnWindowUpdate(in Http2FrameHeader header, int increment);

    /// <summary>Handles GOAWAY, which contains the id of the last stream that the peer processes, and an error code.</summary>
    void OnGoAway(int lastStreamId, uint code);

    /// <summary>Handles a frame that has no effect by itself: a settings acknowledgement, a priority, a CONTINUATION, or an unknown type.</summary>
    void OnIdle(in Http2FrameHeader header);

    /// <summary>
    /// Ends the stream of a frame because of an error of the peer. <paramref name="what"/> describes the error. Does nothing if the stream has already ended.
    /// </summary>
    /// <exception cref="Http2ConnectionException">The stream never existed.</exception>
    void FailStream(in Http2FrameHeader header, Http2ErrorCode code, string what);
}
