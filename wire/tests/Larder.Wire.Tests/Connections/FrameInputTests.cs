using Larder.Wire.Http2;
using Larder.Wire.Tests.Http2;

namespace Larder.Wire.Tests.Connections;

public sealed class FrameInputTests : IDisposable
{
    private readonly Journal _owner = new();
    private readonly FrameInput _input;

    public FrameInputTests() => _input = new FrameInput(_owner);

    public void Dispose() => _input.Dispose();

    [Fact]
    public void Frame_is_delivered_only_when_complete()
    {
        Begin();
        byte[] frame = FramePeer.Frame(Http2FrameType.Data, Http2FrameHeader.EndStream, 3, 1, 2, 3);
        byte[] more = [.. frame, .. frame];
        for (int arrived = 0; arrived < frame.Length; arrived++)
        {
            Assert.Equal(0, _input.Take(more.AsSpan(0, arrived)));
        }

        Assert.Empty(_owner.Entries);
        Assert.Equal(frame.Length, _input.Take(more));
        Assert.Equal(["data 3: 1 2 3 of 3"], _owner.Entries);
    }

    [Fact]
    public void Oversized_frame_ends_connection_when_its_header_arrives()
    {
        Begin();
        byte[] header = new byte[Http2FrameHeader.Size];
        new Http2FrameHeader(Http2Limits.FrameBytes, Http2FrameType.Data, 0, 1).Write(header);
        Assert.Equal(0, _input.Take(header));
        new Http2FrameHeader(Http2Limits.FrameBytes + 1, Http2FrameType.Data, 0, 1).Write(header);
        Violation.Ends(Http2ErrorCode.FrameSizeError, () => _input.Take(header));
    }

    [Fact]
    public void First_frame_must_be_settings_without_acknowledgement_flag()
    {
        byte[] answer = FramePeer.Frame(Http2FrameType.Settings, Http2FrameHeader.Acknowledged, 0);
        Violation.Ends(Http2ErrorCode.ProtocolError, () => _input.Take(FramePeer.Frame(Http2FrameType.Ping, 0, 0, new byte[8])));
        Violation.Ends(Http2ErrorCode.ProtocolError, () => _input.Take(answer));
        Assert.False(_input.HasSettings);
        Begin();
        Assert.True(_input.HasSettings);
        Take(answer);
        Assert.Equal(["idle Settings"], _owner.Entries);
    }

    [Fact]
    public void Padding_and_priority_are_removed_but_count_for_flow_control()
    {
        Begin();
        Take(FramePeer.Frame(Http2FrameType.Data, Http2FrameHeader.Padded, 1, 2, 9, 0, 0));
        const byte all = Http2FrameHeader.Padded | Http2FrameHeader.Priority | Http2FrameHeader.EndHeaders;
        Take(FramePeer.Frame(Http2FrameType.Headers, all, 1, 1, 0, 0, 0, 3, 7, 8, 0));
        Assert.Equal(["data 1: 9 of 4", "headers 1: 8"], _owner.Entries);
    }

    [Fact]
    public void Header_block_of_several_frames_is_delivered_as_one()
    {
        Begin();
        Take(FramePeer.Frame(Http2FrameType.Headers, Http2FrameHeader.EndStream, 5, 1));
        Assert.NotEqual(0, _input.BlockSinceMs);
        Violation.Ends(Http2ErrorCode.ProtocolError, () => _input.Take(FramePeer.Frame(Http2FrameType.Ping, 0, 0, new byte[8])));
        Take(FramePeer.Frame(Http2FrameType.Continuation, 0, 5, 2));
        Take(FramePeer.Frame(Http2FrameType.Continuation, Http2FrameHeader.EndHeaders, 5, 3));
        Assert.Equal(0, _input.BlockSinceMs);
        Assert.Equal(["idle Continuation", "idle Continuation", "headers 5: 1 2 3, the last"], _owner.Entries);
    }

    [Theory]
    [InlineData(Http2FrameType.Data, 0, 1)]
    [InlineData(Http2FrameType.Headers, 0, 1)]
    [InlineData(Http2FrameType.Headers, 2, 1)]
    [InlineData(Http2FrameType.Priority, 0, 5)]
    [InlineData(Http2FrameType.ResetStream, 0, 4)]
    internal void Stream_frame_with_invalid_stream_id_ends_connection(Http2FrameType type, int streamId, int length)
    {
        Begin();
        Violation.Ends(Http2ErrorCode.ProtocolError, () => _input.Take(FramePeer.Frame(type, 0, streamId, new byte[length])));
        Assert.Empty(_owner.Entries);
    }

    [Fact]
    public void Invalid_window_update_or_priority_length_fails_the_stream()
    {
        Begin();
        Take(FramePeer.WindowUpdate(3, 7));
        Take(FramePeer.WindowUpdate(3, 0));
        _owner.Fits = false;
        Take(FramePeer.WindowUpdate(3, int.MaxValue));
        Take(FramePeer.Frame(Http2FrameType.Priority, 0, 3, new byte[4]));
        Take(FramePeer.Frame(Http2FrameType.Priority, 0, 3, new byte[5]));
        Assert.Equal(
            [
                "window 3: 7",
                "window 3: 0",
                "fail 3: ProtocolError, a window update has increment 0",
                "window 3: 2147483647",
                "fail 3: FlowControlError, a window update raises the flow-control window above 2^31-1",
                "idle Priority",
                "fail 3: FrameSizeError, a PRIORITY frame has the wrong length",
                "idle Priority",
            ],
            _owner.Entries);
    }

    [Fact]
    public void Control_frames_are_parsed_and_unknown_frames_are_ignored()
    {
        Begin();
        Take(FramePeer.Reset(1, Http2ErrorCode.Cancel));
        Take(FramePeer.GoAway(9, Http2ErrorCode.EnhanceYourCalm));
        Take(FramePeer.Frame(Http2FrameType.Ping, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8));
        Take(FramePeer.Frame(Http2FrameType.Ping, Http2FrameHeader.Acknowledged, 0, 1, 2, 3, 4, 5, 6, 7, 8));
        Take(FramePeer.Frame((Http2FrameType)77, 0xFF, 0, 1));
        Assert.Equal(["reset 1: 8", "goaway 9: 11", "ping 1 2 3 4 5 6 7 8", "ping 1 2 3 4 5 6 7 8, an answer", "idle 77"], _owner.Entries);
        Violation.Ends(Http2ErrorCode.ProtocolError, () => _input.Take(FramePeer.Frame(Http2FrameType.PushPromise, 0, 1, 0, 0, 0, 2)));
    }

    private void Begin()
    {
        Take(FramePeer.Settings((Http2Setting.InitialWindowSize, 5)));
        Assert.Equal(["settings: InitialWindowSize"], _owner.Entries);
        _owner.Entries.Clear();
    }

    private void Take(byte[] frame) => Assert.Equal(frame.Length, _input.Take(frame));

    private sealed class Journal : IFrameOwner
    {
        public List<string> Entries { get; } = [];

        public bool Fits { get; set; } = true;

        public void OnData(in Http2FrameHeader header, ReadOnlySpan<byte> data) => Entries.Add($"data {header.StreamId}: {Text(data)} of {header.Length}");

        public void OnHeaders(int streamId, ReadOnlySpan<byte> block, bool endsStream) =>
            Entries.Add($"headers {streamId}: {Text(block)}{(endsStream ? ", the last" : "")}");

        public void OnReset(in Http2FrameHeader header, uint code) => Entries.Add($"reset {header.StreamId}: {code}");

        public void OnSettings(SettingsReader settings)
        {
            while (settings.TryRead(out Http2Setting setting, out _))
            {
                Entries.Add($"settings: {setting}");
            }
        }

        public void OnPing(ReadOnlySpan<byte> payload, bool isAnswer) => Entries.Add($"ping {Text(payload)}{(isAnswer ? ", an answer" : "")}");

        public bool OnWindowUpdate(in Http2FrameHeader header, int increment)
        {
            Entries.Add($"window {header.StreamId}: {increment}");
            return Fits;
        }

        public void OnGoAway(int lastStreamId, uint code) => Entries.Add($"goaway {lastStreamId}: {code}");

        public void OnIdle(in Http2FrameHeader header) => Entries.Add($"idle {header.Type}");

        public void FailStream(in Http2FrameHeader header, Http2ErrorCode code, string what) => Entries.Add($"fail {header.StreamId}: {code}, {what}");

        private static string Text(ReadOnlySpan<byte> bytes) => string.Join(' ', bytes.ToArray());
    }
}
