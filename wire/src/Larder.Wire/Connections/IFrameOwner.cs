using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>A connection whose frames a <see cref="FrameInput"/> reads: what each does. What a frame must look like was asked before.</summary>
internal interface IFrameOwner
{
    /// <summary>DATA, without its padding, which the windows count: <see cref="Http2FrameHeader.Length"/>.</summary>
    void OnData(in Http2FrameHeader header, ReadOnlySpan<byte> data);

    /// <summary>A whole block of headers, of one frame or several.</summary>
    void OnHeaders(int streamId, ReadOnlySpan<byte> block, bool endsStream);

    /// <summary>RST_STREAM, and why.</summary>
    void OnReset(in Http2FrameHeader header, uint code);

    /// <summary>SETTINGS of the peer's.</summary>
    void OnSettings(SettingsReader settings);

    /// <summary>PING, or the answer to one of ours.</summary>
    void OnPing(ReadOnlySpan<byte> payload, bool isAnswer);

    /// <summary>WINDOW_UPDATE of a stream, or of the connection. False where the stream's would be wider than may be.</summary>
    bool OnWindowUpdate(in Http2FrameHeader header, int increment);

    /// <summary>GOAWAY: the last stream that the peer looks at, and why.</summary>
    void OnGoAway(int lastStreamId, uint code);

    /// <summary>A frame that by itself does nothing: an answer to settings, a priority, the rest of a block, one that nobody knows.</summary>
    void OnIdle(in Http2FrameHeader header);

    /// <summary>
    /// Ends the stream that a frame names, for its peer's fault, and says what that is. One that is no more has nothing to end.
    /// </summary>
    /// <exception cref="Http2ConnectionException">It never was.</exception>
    void FailStream(in Http2FrameHeader header, Http2ErrorCode code, string what);
}
